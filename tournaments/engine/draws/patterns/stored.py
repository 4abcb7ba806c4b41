"""Draws that long searches found, better than a search in the time an afternoon has: `found.json`.

Most come from a local search. "32x10", in which nobody meets anybody twice, was found by backtracking among the draws
that stay the same when any of the lowest three bits of everybody's number are changed.

Tables of four with sit-outs ("22x8": 22 people, 8 rounds), or with one table of three against three ("22x8six"). For
each a line of text: the people of a round by seat, one character each, who sits out last.
"""

from __future__ import annotations

from tournaments.engine.draws.patterns.constructions import shipped

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # people 0 ... 61


def found_earlier(people: int, rounds: int, *, odd: str = "") -> list[list[int]] | None:
    """All rounds of a stored draw, by seat; `odd` is "six" for one with such a table. None when none is stored."""
    text = shipped("found", "draws").get(f"{people}x{rounds}{odd}")
    return None if text is None else [[DIGITS.index(one) for one in seating] for seating in text.split()]
