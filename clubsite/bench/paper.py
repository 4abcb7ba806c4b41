"""How long cards take: for `./dev bench`."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from clubsite.paper.pdf import Pages, render_to
from scoring.engine.core.ruleset import shipped
from tournaments.documents.cards import card_pages
from tournaments.documents.sheets import CardSheet, CardSide, Heading, Player


def cards(n: int, paper: str = "A4", *, rules: str = "st-hilary-v3") -> tuple[float, int]:
    """Seconds for `n` blank cards as one PDF, the start of the renderer included, and its pages."""
    pages = _pages(n, paper, rules=rules)
    return _seconds(pages), len(pages.documents)


def empty(pages: int) -> float:
    """Seconds for a PDF of so many empty pages in one WeasyPrint document, by the same renderer."""
    return _seconds(Pages(("<p></p>" + '<p style="break-before:page"></p>' * (pages - 1),)))


def _pages(n: int, paper: str, *, rules: str) -> Pages:
    rule_set = shipped()[rules]
    shape = rule_set.shapes[0]
    sides = tuple(
        CardSide(
            tuple(Player(f"Seat {p * shape.sides + s + 1}", f"Player Number {p} of {s}") for p in range(shape.per_side))
        )
        for s in range(shape.sides)
    )
    heading = Heading("Bench", "Fifty-four players, nine tables", "Saturday 21 November 2026")
    sheets = [
        CardSheet(f"1.1-{i}-1", heading, f"Qualifying · Table {i}", sides, rule_set.title) for i in range(1, n + 1)
    ]
    return card_pages(sheets, rule_set, paper)


def _seconds(pages: Pages) -> float:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        render_to(pages, Path(folder) / "bench.pdf")
        return time.perf_counter() - start
