"""How imagined events of each format went: data that `./dev lab simulate figures` made.

A page shows the figures of the nearest number of people and rounds that was tried.
"""

from __future__ import annotations

import json
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

from tournaments.advice.offers import FittingWay

SHIPPED = Path(__file__).with_name("figures.json")
EDGE = 60  # per cent of games that somebody one standard deviation above another wins against them


class Tried(NamedTuple):
    """One format, tried with a number of people; it takes at most so many rounds."""

    format: str
    people: int
    rounds: int
    events: int
    met: float  # different people that one person meets
    again: float  # times that one person meets somebody again
    wins: float  # share of events that the best person or side wins
    in_top: float  # share of events in which they are among the first three


@cache
def shipped() -> tuple[Tried, ...]:
    """All that was tried."""
    return tuple(Tried(*row) for row in json.loads(SHIPPED.read_text(encoding="utf-8")))


def nearest(offer: FittingWay, people: int) -> Tried | None:
    """The tried case of the offer's format whose numbers of people and of rounds are nearest to it, by their ratios."""

    def distance(tried: Tried) -> float:
        return abs(log(tried.people / people)) + abs(log(tried.rounds / offer.rounds))

    return min((tried for tried in shipped() if tried.format == offer.format), key=distance, default=None)
