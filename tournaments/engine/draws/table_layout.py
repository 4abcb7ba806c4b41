"""The tables for a number of people: how many of the usual kind, how many odd ones, how many people sit out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from scoring.engine.core.ledger import named
from tournaments.engine.rounds import EngineRefused, SeatedRound, Table

Shape: TypeAlias = tuple[int, ...]  # the sizes of the sides at a table: (2, 2), (3, 3), (1, 1, 1)

MOST_ODD = 2  # tables of another size than the usual one, at most
ODD: dict[str, int] = {"sit-out": 0, "three": 3, "four": 4, "five": 5, "six": 6}  # choice: people at an odd table


class DrawRefused(EngineRefused):
    """No draw can be made of this."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The tables of every round, those of the usual kind first, and how many sit out."""

    shapes: tuple[Shape, ...]
    sit_outs: int

    @property
    def alike(self) -> bool:
        """Whether all tables are alike and nobody sits out: what constructions are made for."""
        return not self.sit_outs and len(set(self.shapes)) == 1


def layout(people: int, *, table: int = 4, side: int = 2, odd: str = "sit-out") -> Layout:
    """The tables for that many people: as few sit-outs as possible, then as few odd tables (two at most).

    An odd table of six is three against three (at individual games six single people), one of four two against two,
    one of three or five is played by single people.

    >>> layout(22)
    Layout(shapes=((2, 2), (2, 2), (2, 2), (2, 2), (2, 2)), sit_outs=2)
    >>> layout(22, odd="six").shapes[-2:]
    ((2, 2), (3, 3))
    >>> layout(54, table=6, side=3) == Layout(((3, 3),) * 9, 0)
    True

    Raises:
        DrawRefused: there is no such table, or fewer people than one table takes.
    """
    if not 3 <= table <= 6 or side < 1 or side >= table or table % side:
        raise DrawRefused("draw.no-such-table", named(table=table, side=side))
    size = ODD[odd]
    options = [
        ((people - count * size) % table, count)
        for count in range(1 + MOST_ODD if size not in (0, table) else 1)
        if count * size <= people and people - ((people - count * size) % table) >= min(table, size or table)
    ]
    if not options:
        raise DrawRefused("draw.too-few", named(people=people, least=table if not size else min(table, size)))
    sit_outs, count = min(options)
    usual = (people - count * size) // table
    odd_side = size // 2 if side > 1 and size in (4, 6) else 1
    return Layout((_sides(table, side),) * usual + (_sides(size, odd_side),) * count, sit_outs)


def layout_of(seats: SeatedRound) -> Layout:
    """The tables of a round that was drawn.

    >>> layout_of(SeatedRound((((0, 1), (2, 3)), ((4,), (5,), (6,))), sit_outs=(7,)))
    Layout(shapes=((2, 2), (1, 1, 1)), sit_outs=1)
    """
    return Layout(tuple(tuple(map(len, table)) for table in seats.tables), len(seats.sit_outs))


def at_tables(seating: Sequence[int], shapes: Sequence[Shape]) -> tuple[Table, ...]:
    """The sides at each table, from everybody (or everything) by seat, table after table; without those left over.

    >>> at_tables(range(8), ((2, 2), (1, 1, 1)))
    (((0, 1), (2, 3)), ((4,), (5,), (6,)))
    """
    left = iter(seating)
    return tuple(tuple(tuple(islice(left, size)) for size in shape) for shape in shapes)


def _sides(table: int, side: int) -> Shape:
    return (side,) * (table // side)
