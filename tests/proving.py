"""What `./dev prove` adds to pytest: a table of what was proved, of how many cases, in how many seconds.

A case is what a test says it tried (the fixture `tried`), an example of Hypothesis, or else the test itself.
"""

import re
from dataclasses import dataclass

import pytest

PASSING = re.compile(r"(\d+) passing, \d+ failing")
WIDTH = 120


@dataclass(slots=True)
class Proved:
    """One line of the table; seconds are those of the tests themselves."""

    cases: int = 0
    seconds: float = 0.0
    failed: bool = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Count the examples of Hypothesis, where the test runs: the process that prints may be another one."""
    report = yield
    examples = [int(number) for number in PASSING.findall(getattr(item, "hypothesis_statistics", ""))]
    if report.when == "call" and examples:
        report.user_properties = [*report.user_properties, ("tried", sum(examples))]
    return report


def pytest_report_teststatus(report):
    """Print the name of a test where its letter would be, once it fails: a long run may be stopped before its end."""
    if report.failed:
        return ("failed" if report.when == "call" else "error"), f"\nFAILED {report.nodeid}\n", "FAILED"
    return None


def title_of(nodeid):
    """What a test proves, in the words of its name; the same for all its parameters."""
    name = nodeid.partition("[")[0].rpartition("::")[2]
    return name.removeprefix("test_").replace("_", " ")


def table_of(reports):
    """The lines of the table by file and title, in the order in which the tests ended."""
    table = {}
    for report in reports:
        if report.when == "call" or report.failed:
            line = table.setdefault((report.nodeid.partition("::")[0], title_of(report.nodeid)), Proved())
            line.cases += sum(int(str(value)) for name, value in report.user_properties if name == "tried") or 1
            line.seconds += report.duration
            line.failed |= report.failed
    return table


def pytest_terminal_summary(terminalreporter):
    """Print the table by files, those that failed marked, and what it comes to."""
    reports = [one for kind in ("passed", "failed", "error") for one in terminalreporter.stats.get(kind, [])]
    table = table_of([report for report in reports if isinstance(report, pytest.TestReport)])
    terminalreporter.section("proved")
    before = None
    for (file, title), line in sorted(table.items()):
        if file != before:
            terminalreporter.write_line(file)
            before = file
        words = f"  {'FAILED ' if line.failed else ''}{title}"
        room = WIDTH - 22
        words = words if len(words) <= room else f"{words[: room - 4]} ..."
        terminalreporter.write_line(f"{words:{room}}{line.cases:>12,}{line.seconds:>8.1f} s")
    cases, seconds = sum(line.cases for line in table.values()), sum(line.seconds for line in table.values())
    failed = sum(line.failed for line in table.values())
    told = f"{len(table) - failed} proved, {failed} failed"
    terminalreporter.write_line(f"{told:{WIDTH - 22}}{cases:>12,}{seconds:>8.1f} s")
