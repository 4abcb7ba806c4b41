"""What imagined events say of the formats: figures shipped with the program, made by `manage.py simulate figures`.

Trying formats takes minutes, so a page shows figures of the nearest number of people and rounds that was tried.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from math import log
from pathlib import Path

from tournaments.advice.offers import AdviceRequest, FittingWay, offer_of, offers
from tournaments.engine.trials.formats import Figures, tried
from tournaments.engine.trials.skill_and_luck import USUAL, Luck
from tournaments.models import Event

SHIPPED = Path(__file__).with_name("figures.json")
PEOPLE = (4, 6, 8, 9, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 44, 54, 72, 100, 150)
ROUNDS = (2, 3, 4, 5, 6, 8, 12)
COUNT = 100  # imagined events of a case
LARGE, COUNT_LARGE = 40, 50  # with more people than this, fewer events are imagined
SLOW, MOST_SLOW = (Event.Format.SWISS, Event.Format.PROGRESSIVE), 40  # formats not tried with more people than that

Case = tuple[str, int, int]  # format, people, rounds at most


@dataclass(frozen=True, slots=True)
class Imagined:
    """The figures of one format, tried with a number of people; it takes at most so many rounds."""

    format: str
    people: int
    rounds: int
    figures: Figures


def cases() -> Iterator[Case]:
    """Every case to try: each format with each number of people that it fits, once for each length it then has."""
    for people in PEOPLE:
        seen = set()
        for rounds in ROUNDS:
            for offer in offers(AdviceRequest(people, rounds)):
                slow = offer.format in SLOW and people > MOST_SLOW
                if not slow and (offer.format, offer.rounds) not in seen:
                    seen.add((offer.format, offer.rounds))
                    yield offer.format, people, offer.rounds


def try_case(case: Case, count: int = COUNT, *, seed: int = 1, luck: Luck = USUAL) -> Imagined:
    """Play imagined events of one case.

    Raises:
        ValueError: the format doesn't fit so many people and rounds.
    """
    format, people, rounds = case
    offer = offer_of(format, people, rounds=rounds)
    if offer is None:
        raise ValueError(f"{format} doesn't fit {people} people and {rounds} rounds")
    count = min(count, COUNT_LARGE) if people > LARGE else count
    return Imagined(format, people, offer.rounds, tried(offer.way(seed), people, count=count, seed=seed, luck=luck))


def write(found: Iterable[Imagined], file: Path = SHIPPED) -> None:
    """Write figures to a file, one case a line, in the order of format, people and rounds."""
    lines = [json.dumps(asdict(one)) for one in sorted(found, key=lambda one: (one.format, one.people, one.rounds))]
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


@cache
def shipped(file: Path = SHIPPED) -> tuple[Imagined, ...]:
    """The figures in the file that is shipped with the program."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return tuple(Imagined(**{**one, "figures": Figures(**one["figures"])}) for one in kept)


def nearest(offer: FittingWay, people: int) -> Imagined | None:
    """The tried case of the offer's format whose numbers of people and of rounds are nearest to it, by their ratios."""
    tried_ones = [one for one in shipped() if one.format == offer.format]

    def distance(one: Imagined) -> float:
        return abs(log(one.people / people)) + abs(log(one.rounds / offer.rounds))

    return min(tried_ones, key=distance, default=None)
