"""`tests.examples`: of a test marked `daily`, what `./dev test` leaves out is a proof."""

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

def test_one_page_of_it():
    pass
"""


def asked(folder, *args):
    where = ("-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder))
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *where, *args, str(folder / "test_it.py")]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return [line.partition("::")[2] for line in output.splitlines() if "::" in line]


def test_what_is_left_out_is_a_proof(tmp_path):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_collection_modifyitems\n")
    assert asked(tmp_path) == ["test_it_fits[390]", "test_it_fits[1920]", "test_one_page_of_it"]
    assert asked(tmp_path, "-m", "proof") == ["test_it_fits[768]", "test_it_fits[1366]", "test_it_fits[3840]"]
