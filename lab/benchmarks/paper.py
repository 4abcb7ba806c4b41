"""How long it takes to print cards: for `./dev bench`."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from clubsite.pdf.documents import Heading, Pages, rendered
from scoring.engine.core.ruleset import shipped
from tournaments.documents.cards import card_pages
from tournaments.documents.from_draws import CardSheet, CardSide, Player
from tournaments.table_links.links import ShownLink, code_of, token_of

SITE = "http://192.168.1.20:8000/"  # as in a hall's own network


def cards(n: int) -> tuple[float, int]:
    """Seconds for `n` blank cards as one PDF, the start of the renderer included, and its pages."""
    pages = _pages(n, linked=False)
    return _cost(pages)[0], len(pages.documents)


def link_ratio(n: int) -> float:
    """How many times as much processor time `n` cards take with their tables' QR codes as without. The best of two runs
    each, in processor time, which other programs don't lengthen.
    """
    plain, linked = (_pages(n, linked=linked) for linked in (False, True))
    return min(_cost(linked)[1] for _run in range(2)) / min(_cost(plain)[1] for _run in range(2))


def empty(pages: int) -> float:
    """Seconds for a PDF of so many empty pages in one WeasyPrint document, by the same renderer."""
    return _cost(Pages(("<p></p>" + '<p style="break-before:page"></p>' * (pages - 1),)))[0]


def _pages(n: int, *, linked: bool) -> Pages:
    """`linked`: each card with the QR code and the short code of its table."""
    rule_set = shipped()["st-hilary-v3"]
    shape = rule_set.shapes[0]
    sides = tuple(
        CardSide(
            tuple(Player(f"Seat {p * shape.sides + s + 1}", f"Player Number {p} of {s}") for p in range(shape.per_side))
        )
        for s in range(shape.sides)
    )
    heading = Heading("Bench", "Fifty-four players, nine tables", "Saturday 21 November 2026")
    sheets = [
        CardSheet(
            f"1.1-{i}-1", heading, f"Qualifying · Table {i}", sides, rule_set.title, link=_link(i) if linked else None
        )
        for i in range(1, n + 1)
    ]
    return card_pages(sheets, rule_set, paper="A4")


def _link(table: int) -> ShownLink:
    nonce = f"{table:032x}"
    return ShownLink(f"{SITE}t/{token_of(nonce)}/", code_of(nonce), typed="192.168.1.20:8000/t/")


def _cost(pages: Pages) -> tuple[float, float]:
    return cost_apart(lambda: rendered(pages.payload()))


def cost_apart(deed: Callable[[], object]) -> tuple[float, float]:
    """Seconds that a deed takes, and seconds of the processor that are taken by the processes which it starts and
    waits for."""
    before, start = os.times(), time.perf_counter()
    deed()
    seconds, after = time.perf_counter() - start, os.times()
    return seconds, after.children_user + after.children_system - before.children_user - before.children_system
