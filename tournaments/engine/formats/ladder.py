"""The ladder, or king of the hall: fixed sides; winners go up a table, losers down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import ClassVar

from tournaments.engine.formats.base import Field, InRounds, PlayedRound, option, people_of
from tournaments.engine.rounds import SeatedRound, Side


@dataclass(frozen=True, kw_only=True)
class Ladder(InRounds):
    """Two sides at a table; the first is the top. The winner of a table meets the loser of the table above.

    At the top the winner stays, at the bottom the loser. With an odd number of sides the loser at the last table rests,
    and the side that rested comes back there.
    """

    slug: ClassVar[str] = "ladder"
    by_order_of_tables: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    first_by_lot: bool = option(True)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next round; sides that came late join at the bottom, and the line closes up behind those who left."""
        self.refuse_unready(field, played, least=2)
        here = set(field.present)
        if played:
            line = [team for team in _moved(played[-1], field) if team in here]
            line += [team for team in field.present if team not in line]
        else:
            line = list(field.present)
            if self.first_by_lot:
                Random(seed).shuffle(line)
        tables = tuple((line[n], line[n + 1]) for n in range(0, len(line) - 1, 2))
        return SeatedRound(tables, people_of(line[2 * len(tables) :]))


def _moved(last: PlayedRound, field: Field) -> list[Side]:
    """The sides in line for the next round, from the top table down, two to a table."""
    ranked = [table.order() for table in last.tables]
    rested = [team for team in field.teams if set(team) & set(last.sit_outs)]
    line = [ranked[0][0]]
    for above, below in pairwise(ranked):
        line += [below[0], above[1]]
    return [*line, *rested, ranked[-1][1]]
