"""How places have moved since the last round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Max

from tournaments.draws.keeping import published_draws
from tournaments.models import Stage
from tournaments.standings.standings import Row, standings_of


@dataclass(frozen=True, slots=True)
class Movement:
    """How places have moved in the round that was scored last."""

    since: int  # number of the round after which the places were compared
    by_entry: dict[int, int | None]  # entry to places gained (negative: lost); None: it wasn't in the order before

    def of(self, row: Row) -> int | None:
        """Places that a row has gained."""
        return self.by_entry.get(row.entry)


def movement_of(stage: Stage, rows: Iterable[Row]) -> Movement | None:
    """How the rows of a stage stand against the places before the last round in which a deal was recorded.

    None while there is no round before that. A constant number of queries.
    """
    dealt = published_draws(stage.event).filter(round__stage=stage, tables__groups__games__game__deals_played__gt=0)
    last = dealt.aggregate(last=Max("round__number"))["last"]
    if last is None or last == 1:
        return None
    before = {row.entry: row.place for row in standings_of(stage, before=last).rows}
    moved = {row.entry: before[row.entry] - row.place if row.entry in before else None for row in rows}
    return Movement(last - 1, moved)
