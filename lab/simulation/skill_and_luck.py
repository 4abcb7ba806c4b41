"""Games that are only imagined: people of different skill, and points of a game that depend on skill and on luck.

Skills are spread normally, one standard deviation being 1. In a game each side does what the mean skill of its people
says, plus luck (Gumbel's distribution, so that of two sides the better one wins by the logistic curve, and of three
each by its share). Nothing here is a rule of a game; real points come from `scoring`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from random import Random

from tournaments.advice.figures import EDGE

TARGET = 150  # points of the winners
STEEP = 40  # points by which the losers fall short, for each unit of luck between them and the winners


@dataclass(frozen=True, slots=True)
class Luck:
    """How much of a game is skill. `edge` is a percentage, from 51 to 99."""

    edge: int = EDGE
    target: int = TARGET

    def points(self, strengths: Sequence[float], rng: Random) -> tuple[int, ...]:
        """Points of each side of one game: the target for the winners, less for the others, never below zero.

        >>> Luck().points((0.0, 0.0), Random(2))
        (150, 143)
        """
        weight = log(self.edge / (100 - self.edge))
        done = [weight * own - log(-log(rng.random() or 0.5)) for own in strengths]
        best = max(done)
        steep = STEEP * self.target / TARGET
        return tuple(max(0, self.target - round(steep * (best - own))) for own in done)


USUAL = Luck()


def skills(people: Sequence[int], rng: Random) -> dict[int, float]:
    """A skill for everybody."""
    return {person: rng.gauss(0, 1) for person in people}


def strength(side: Sequence[int], skill: Mapping[int, float]) -> float:
    """The skill of a side: the mean of its people's."""
    return sum(skill[person] for person in side) / len(side)
