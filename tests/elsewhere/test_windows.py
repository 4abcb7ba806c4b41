"""The site without what only POSIX has, and without pysqlite3: an emulation, as CI has no Windows.

It says what our code asks of a system, not what Windows answers: nothing here has run there.
"""

import ast
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.db import connection

from lab.tools.prove_install import Visitor
from tests.jobs.workers import until
from tests.served import free_port, wait_for
from tests.tooling.tree import ROOT, shown

of_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's files")
DATA = "C:\\Users\\José+#1 %41\\Nine Tables"  # one folder here; on Windows three
TRIED = """
import os, signal, sqlite3
import clubsite.sqlite
missing = [name for name in ("fork", "getppid", "nice", "sysconf") if not hasattr(os, name)]
for module in ("fcntl", "resource", "pwd"):
    try:
        __import__(module)
    except ImportError:
        missing.append(module)
print(*missing, open(os.devnull).encoding, signal.signal(signal.SIGTERM, print), clubsite.sqlite.JOURNAL)
"""


TEXT = re.compile(r"[rwax+t]+")  # the mode of a file of text


def in_the_systems_encoding(call):
    """Whether a call reads or writes text without a word about its encoding: which is UTF-8 on Linux alone."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    values = [node.value for node in call.args if isinstance(node, ast.Constant)]
    if name == "open":
        text = any(isinstance(value, str) and TEXT.fullmatch(value) for value in values)
    else:
        text = len(call.args) <= {"read_text": 0, "write_text": 1}.get(name, -1)
    return text and not any(keyword.arg == "encoding" for keyword in call.keywords)


def test_files_of_text_are_read_and_written_as_utf_8():
    folders = [ROOT / name for name in ("clubsite", "scoring", "tournaments")]
    files = [file for folder in folders for file in folder.rglob("*.py") if "migrations" not in file.parts]
    calls = ((file, node) for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    found = [
        f"{shown(file)}:{node.lineno}"
        for file, node in calls
        if isinstance(node, ast.Call) and in_the_systems_encoding(node)
    ]
    assert found == []


@pytest.fixture
def python(tmp_path):
    """A Python that finds itself on Windows, and all that it starts."""
    file = tmp_path / "python"
    file.write_text(
        f'#!/bin/sh\n[ "${{PYTHONUTF8:-0}}" = 1 ] || export PYTHONUTF8=0 PYTHONIOENCODING=cp1252\n'
        f'export EMULATED="$0" PYTHONPATH="{ROOT / "tests" / "elsewhere"}:{ROOT}"\nexec "{sys.executable}" "$@"\n'
    )
    file.chmod(0o755)
    return file


@pytest.fixture
def nine_tables(tmp_path, python):
    """Runs the program to its end, with its data in a folder."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "VAR_DIR": str(tmp_path / DATA)}

    def run(*arguments, **more):
        command = [python, "-m", "clubsite.command", *arguments]
        return subprocess.Popen(command, cwd=ROOT, env=variables, text=True, encoding="utf-8", **more)

    return run


def ended(process):
    """What a process wrote, once it has ended by itself."""
    with process:
        written = process.communicate(timeout=300)[0]
    return process.returncode, written


@contextmanager
def served(nine_tables, port, log):
    """The site, in a session of its own, with a visitor; its process and all that it started are ended at last."""
    with log.open("w+", encoding="utf-8") as output:
        process = nine_tables("run", "--port", port, stdout=output, stderr=output, start_new_session=True)
        try:
            wait_for(int(port), process)
            yield process, Visitor(SimpleNamespace(address=f"http://127.0.0.1:{port}", printed=""))
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def left_of(process):
    """The processes of a session that are still there."""
    listed = subprocess.run(["ps", "-o", "pid=", "-s", str(process.pid)], capture_output=True, text=True, check=False)
    return listed.stdout.split()


def test_the_emulation_hides_what_it_should(python):
    found = subprocess.run([python, "-c", TRIED], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert found.strip() == "fork getppid nice sysconf fcntl resource pwd cp1252 0 TRUNCATE"


@of_sqlite
def test_the_site_starts_and_stops(nine_tables, tmp_path):
    port, log = str(free_port()), tmp_path / "log"
    with served(nine_tables, port, log) as (process, visitor):
        visitor.style_sheet()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        until(lambda: not left_of(process))
    assert "Traceback" not in log.read_text(encoding="utf-8")


@pytest.mark.proof
@of_sqlite
def test_the_site_serves_works_backs_up_and_is_killed(nine_tables, tmp_path):
    port, log, both = str(free_port()), tmp_path / "log", {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with served(nine_tables, port, log) as (process, visitor):
        visitor.style_sheet()
        visitor.demo()
        assert visitor.pdf()
        code, refused = ended(nine_tables("run", "--port", port, "--data", str(tmp_path / "other"), **both))
        assert (code, f"port {port}" in refused, "Traceback" in refused) == (1, True, False)
        for command in (["backup"], ["restore", "--yes"]):
            code, written = ended(nine_tables("manage", *command, **both))
            assert code == 0, written
        visitor.get("/harbour/")
        process.terminate()  # as the Task Manager does: nothing is handled
        assert process.wait(20) == -signal.SIGTERM
        until(lambda: not left_of(process))
    assert log.read_text(encoding="utf-8").count("rollback journal") == 1
    assert "Traceback" not in log.read_text(encoding="utf-8")
    with served(nine_tables, port, log) as (process, visitor):  # on what the killed one left
        visitor.get("/harbour/")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        until(lambda: not left_of(process))
    assert "Traceback" not in log.read_text(encoding="utf-8")
