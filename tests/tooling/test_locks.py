"""The lock files: exact, hashed, naming no host, and agreeing with pyproject.toml."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.tooling.tree import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-postgres.lock", "requirements-photo.lock")


def requirements(lock):
    """Each `name==version` of a lock file (marker left off) with its hashes."""
    found = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / lock).read_text().strip()):
        pin, *hashes = re.split(r"\s*\\\n\s+", entry)
        found[pin.split(";")[0].strip()] = frozenset(hashes)
    return found


def named(requirement):
    """A requirement of pyproject.toml as the lock spells it."""
    return re.sub(r"\[.*\]", "", requirement.split(";")[0]).strip().lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_no_path(lock):
    lines = (ROOT / lock).read_text().splitlines()
    assert [line for line in lines if "://" in line or line.startswith("-") or "@" in line] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_has_one_exact_version_and_a_hash(lock):
    for pin, hashes in requirements(lock).items():
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][0-9a-z.+]*", pin), pin
        assert hashes, pin
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", item) for item in hashes), pin


def test_the_locks_hold_what_pyproject_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    run, dev, postgres, photo = (requirements(lock) for lock in LOCKS)
    assert {named(line) for line in project["project"]["dependencies"]} <= run.keys()
    assert {named(line) for line in project["dependency-groups"]["dev"] if isinstance(line, str)} <= dev.keys()
    assert {named(line) for line in project["dependency-groups"]["postgres"]} <= postgres.keys()
    assert {named(line) for line in project["dependency-groups"]["photo"]} <= photo.keys()
    assert set(project["dependency-groups"]["photo"]) == set(project["project"]["optional-dependencies"]["photo"])


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_the_other_locks_hold_all_that_a_run_needs(lock):
    assert requirements("requirements.lock").items() <= requirements(lock).items()


def test_what_the_program_imports_is_asked_for_by_itself():
    """What comes only because another package wants it goes with that package's next version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = {named(line).partition("==")[0] for line in project["dependencies"]}
    for extra in ("postgres", "photo"):
        asked |= {named(line).partition("==")[0] for line in project["optional-dependencies"][extra]}
    imported = set()
    for folder in ("clubsite", "scoring", "tournaments"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Import):
                    imported |= {name.name.partition(".")[0] for name in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    imported.add(node.module.partition(".")[0])
    of = packages_distributions()
    others = imported - sys.stdlib_module_names - {"clubsite", "scoring", "tournaments", "tests", "playwright"}
    distributions = {name.lower().replace("_", "-").replace(".", "-") for one in others for name in of.get(one, [one])}
    assert distributions - asked == {"pydantic-core"}  # pydantic asks for exactly one version of it
