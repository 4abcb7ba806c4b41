"""`./dev prove`: which tests it asks, how many cases they try there, and the table that it prints."""

import re
import subprocess
import sys

import pytest

from tests.tooling.tree import ROOT

pytestmark = pytest.mark.proof

TESTS = """
import pytest
from hypothesis import given, strategies as st
from tests.examples import cases, examples

@pytest.mark.parametrize("count", cases(4, proof=1500))
def test_every_sum_is_right(count, record_property):
    record_property("tried", count)

@examples(10)
@given(st.integers())
def test_a_number_is_itself(number):
    assert number == number

@pytest.mark.proof
def test_two_are_three():
    assert 2 == 3

def test_nothing_to_prove():
    pass
"""
PROVE = ("-p", "tests.proving", "-m", "proof or hypothesis", "--hypothesis-profile=proof")


@pytest.fixture
def asked(tmp_path):
    """A file of tests with the project's own profiles."""
    (tmp_path / "conftest.py").write_text("import tests.conftest\n")
    file = tmp_path / "test_some.py"
    file.write_text(TESTS)
    return file


def run(file, *options):
    """What pytest prints when it asks these tests with the project's configuration."""
    call = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    done = subprocess.run([*call, *options, str(file)], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout


def test_the_table_says_what_was_proved_of_how_many_cases_and_what_was_not(asked):
    said = run(asked, *PROVE)
    assert "::test_two_are_three\n" in said.partition("= FAILURES =")[0]  # at once: a long run may be stopped
    table = said.partition("= proved =")[2]
    lines = [re.sub(r" +", " ", re.sub(r"\d+\.\d s", "0.0 s", line)).strip() for line in table.splitlines()]
    assert [line for line in lines if line.endswith("0.0 s")] == [
        "a number is itself 100 0.0 s",
        "every sum is right 1,500 0.0 s",
        "FAILED two are three 1 0.0 s",
        "2 proved, 1 failed 1,601 0.0 s",
    ]


def test_the_tests_leave_proofs_out_and_keep_the_smaller_ones(asked):
    said = run(asked, "--verbose")
    assert re.findall(r"::(test_\S+) PASSED", said) == [
        "test_every_sum_is_right[4]",
        "test_a_number_is_itself",
        "test_nothing_to_prove",
    ]
    assert "2 deselected" in said
