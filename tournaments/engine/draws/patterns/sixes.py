"""Eighteen people at three tables of six for three rounds, nobody at a table with the same person three times.

A person's tables of the three rounds are a cell of a cube of 3 x 3 x 3, so two people of one cell would meet in all
three: with nobody in one cell twice, eighteen of the 27 cells are taken, six in every layer. Any two rounds have nine
pairs of tables for the eighteen, so at least nine pairs meet in both: 27 in three rounds. That is reached where every
line of the cube has two people, where the nine free cells are a Latin square.
"""

from __future__ import annotations

from tournaments.engine.draws.patterns.constructions import shipped
from tournaments.engine.draws.patterns.stored import DIGITS

FINALISTS, ROUNDS, SIX = 18, 3, 6


def finals(people: int, rounds: int, *, size: int, side: int) -> list[list[int]] | None:
    """The stored rounds by seat, for sides (or groups) of 1, 2 or 3; None for another number of people or rounds.

    >>> finals(18, 3, size=6, side=2)[0][:6], finals(24, 3, size=6, side=2)
    ([0, 1, 2, 3, 4, 5], None)
    """
    if (people, rounds, size) != (FINALISTS, ROUNDS, SIX):
        return None
    return [[DIGITS.index(one) for one in seating] for seating in shipped("sixes", "draws")[str(side)].split()]
