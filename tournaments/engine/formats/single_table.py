"""A plain single table, and partners that change at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

from tournaments.engine.formats.base import Field, FormatRefused, InRounds, PlayedRound, option
from tournaments.engine.rounds import SeatedRound, Side, Table

MOST = 12  # people at one table


@dataclass(frozen=True, kw_only=True)
class SingleTable(InRounds):
    """Everybody at one table, in sides of `per_side`; partners stay, or change so that all partner all equally."""

    slug: ClassVar[str] = "single-table"
    one_table: ClassVar[bool] = True
    all_meet: ClassVar[bool] = True
    two_sides: ClassVar[bool] = False
    rounds: int = option(3)
    per_side: int = option(2, most=6)
    partners: str = option("change", choices=("change", "stay"))

    @classmethod
    def sides_stay(cls, options: Mapping[str, object]) -> bool:
        """Whether partners stay."""
        return options.get("partners") == "stay"

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The seats of the next round: of all ways to make sides, that with the fewest partners again."""
        people = [person for team in field.present for person in team]
        if len(people) < 2 * self.per_side:
            raise FormatRefused("format.too-few", (("least", 2 * self.per_side), ("given", len(people))))
        if len(people) > MOST or len(people) % self.per_side:
            raise FormatRefused("format.size", (("size", self.per_side), ("given", len(people))))
        if self.over(field, played):
            raise FormatRefused("format.over")
        if self.partners == "stay" or self.per_side == 1:
            return SeatedRound((next(splits(people, self.per_side)),))
        often = Counter(
            frozenset(pair)
            for one in played
            for table in one.tables
            for side in table.sides
            for pair in combinations(side, 2)
        )

        def again(table: Table) -> int:
            return sum(often[frozenset(pair)] ** 2 for side in table for pair in combinations(side, 2))

        return SeatedRound((min(splits(people, self.per_side), key=again),))


def splits(people: Sequence[int], size: int) -> Iterator[Table]:
    """All ways to make sides of `size` from people, each once, in the order of seats.

    >>> len(list(splits(range(6), 3))), len(list(splits(range(6), 2))), next(splits((1, 2, 3, 4), 2))
    (10, 15, ((1, 2), (3, 4)))
    """
    if not people:
        yield ()
        return
    first, others = people[0], people[1:]
    for partners in combinations(others, size - 1):
        side: Side = (first, *partners)
        rest = [person for person in others if person not in partners]
        for further in splits(rest, size):
            yield (side, *further)
