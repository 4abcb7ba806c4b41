"""No test depends on the day on which it is run: the dates written into tests are years away."""

import ast
import re

from tests.tooling.tree import ROOT, shown

NEAR = range(2025, 2040)
APART = {
    "test_dates.py",
    "test_choosing.py",  # writes the one day that the site's settings show in every place's way
}
DATE = re.compile(r"\b(2\d{3})-\d\d-\d\d")


def years(tree):
    """Line and year of each date: in a text, or as `date(…)` and `datetime(…)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                for year in DATE.findall(text):
                    yield node.lineno, int(year)
            case ast.Call(func=ast.Name(id="date" | "datetime"), args=[ast.Constant(value=int(year)), *_]):
                yield node.lineno, year


def test_no_test_has_a_date_near_today():
    """The nights of tests are in 2054, whose days fall as those of 2026 do."""
    near = [
        f"{shown(file)}:{line}: {year}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if file.name not in APART
        for line, year in years(ast.parse(file.read_text(encoding="utf-8")))
        if year in NEAR
    ]
    assert near == []
