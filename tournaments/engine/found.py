"""Draws of fours that long searches found, better than a search in the time an afternoon has: `patterns/found.json`.

For each number of people and rounds a line of text: the people of a round by seat, one character each, sit-outs last.
"""

from __future__ import annotations

import json
from functools import cache

from tournaments.engine.constructions import PATTERNS

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"  # people 0 ... 35


def found_earlier(people: int, rounds: int) -> list[list[int]] | None:
    """All rounds of a stored draw, by seat, who sits out last; None when none is stored."""
    text = _stored().get(f"{people}x{rounds}")
    return None if text is None else [[DIGITS.index(one) for one in seating] for seating in text.split()]


def stored_sizes() -> list[tuple[int, int]]:
    """People and rounds of the draws that are stored."""
    return [(int(people), int(rounds)) for people, rounds in (name.split("x") for name in _stored())]


@cache
def _stored() -> dict[str, str]:
    draws: dict[str, str] = json.loads((PATTERNS / "found.json").read_text(encoding="utf-8"))["draws"]
    return draws
