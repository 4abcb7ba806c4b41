"""`tests.examples`: what `./dev test` leaves out of a test's cases is what CI asks besides."""

import subprocess
import sys

import pytest

from tests.tooling.tree import ROOT

pytestmark = pytest.mark.proof

TESTS = """
import pytest
from tests.examples import as_proof

@pytest.mark.daily(2)
@pytest.mark.parametrize("window", [390, 768, 1366, 1920, as_proof([3840])])
def test_it_fits(window):
    pass

@pytest.mark.daily(3)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_it_is_printed(paper):
    pass

@pytest.mark.thorough
def test_every_page_of_it():
    pass

def test_one_page_of_it():
    pass
"""
CI = "thorough and not proof"


@pytest.fixture
def folder(tmp_path):
    """A file of tests whose marks are read as the project's own are."""
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_collection_modifyitems\n")
    return tmp_path


def asked(folder, *args):
    where = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder))
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *where, *args, str(folder / "test_it.py")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return [line.partition("::")[2] for line in said.splitlines() if "::" in line]


def test_what_is_left_out_is_asked_by_ci_and_nothing_twice(folder):
    both = ["test_it_is_printed[A4]", "test_it_is_printed[Letter]"]
    assert asked(folder) == ["test_it_fits[390]", "test_it_fits[1920]", *both, "test_one_page_of_it"]
    assert asked(folder, "-m", CI) == ["test_it_fits[768]", "test_it_fits[1366]", "test_every_page_of_it"]
    assert f'./dev test --ignore=tests/tooling -m "{CI}"' in (ROOT / ".ci" / "run").read_text()
