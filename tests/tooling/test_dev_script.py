"""`./dev`: plain POSIX shell, from any folder, and help that tells of every command."""

import os
import re
import shutil
import subprocess

import django
import pytest

from tests.tooling.tree import ROOT

DEV = ROOT / "dev"
SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox") if shutil.which(shell)]


def dev(*args, cwd=ROOT, path=DEV, **variables):
    env = {**os.environ, **variables}
    return subprocess.run([str(path), *args], cwd=cwd, capture_output=True, text=True, check=False, timeout=60, env=env)


def commands():
    """The commands that the script answers to, read from its last `case`."""
    cases = DEV.read_text().rpartition("case $command in")[2]
    return set(re.findall(r"^ {4}([a-z]+)(?: \||\))", cases, re.MULTILINE))


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_can_read_it(shell):
    call = ["busybox", "sh", "-n", str(DEV)] if shell == "busybox" else [shell, "-n", str(DEV)]
    assert subprocess.run(call, capture_output=True, text=True, check=False).stderr == ""


def test_help_names_every_command():
    helped = set(re.findall(r"^\./dev ([a-z]+)", dev("help").stdout, re.MULTILINE))
    assert helped == commands()
    assert {"run", "test", "setup", "manage", "lint", "bench", "demo", "shots"} <= helped


def test_an_unknown_command_fails_and_shows_the_help():
    answer = dev("rnu")
    assert answer.returncode == 2
    assert "no command rnu" in answer.stderr
    assert "./dev run" in answer.stderr


def test_it_works_from_any_folder(tmp_path):
    answer = dev("manage", "version", cwd=tmp_path)
    assert (answer.returncode, answer.stdout.strip()) == (0, django.get_version()), answer.stderr
    assert list(tmp_path.iterdir()) == []


def test_it_works_in_a_folder_whose_name_has_spaces(tmp_path):
    copy = tmp_path / "nine tables" / "dev"
    copy.parent.mkdir()
    shutil.copy2(DEV, copy)
    assert dev("help", path=copy).stdout == dev("help").stdout


def test_no_function_hides_a_program_that_is_looked_for():
    """`command -v NAME` finds a function of that name first, so a missing program would seem to be there."""
    functions = set(re.findall(r"^(\w[\w-]*)\(\)", DEV.read_text(), flags=re.MULTILINE))
    assert functions
    assert not functions & {"apt-get", "chromium-headless-shell", "chromium", "chromium-browser", "python3", "sudo"}


def test_the_python_that_is_named_is_taken_or_it_is_said_what_is_needed(tmp_path):
    copy = tmp_path / "dev"
    shutil.copy2(DEV, copy)
    old = tmp_path / "old"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    answer = dev("setup", path=copy, PYTHON=str(old))
    assert answer.returncode == 1
    assert "needs Python 3.11 or newer: install python3, or name one with PYTHON=" in answer.stderr
    assert not (tmp_path / ".venv").exists()


def test_every_test_that_ci_names_is_there():
    named = re.findall(r"tests/\S+", (ROOT / ".ci" / "run").read_text())
    assert [path for path in named if not any(ROOT.glob(path))] == []
