"""How the standings of a stage came about: places and points after each of its rounds, and who moved in the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Max
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.name_privacy import hidden_names
from clubsite.charts import Chart, Series, places_chart
from tournaments.events.state import published_draws
from tournaments.models import Stage
from tournaments.standings.standings import (
    Recorded,
    Row,
    Standings,
    by_sides,
    counted,
    recorded_of,
    standings_of,
)

MOST_LINES = 12  # lines in the picture, of the leaders
FEWEST_ROUNDS = 2  # with fewer rounds there is nothing to see


def standings_by_round(stage: Stage, recorded: Recorded | None = None) -> list[tuple[int, Standings]]:
    """The numbers of the rounds of a stage that have a deal, each with the standings after it, as they count now.

    `recorded` is what was read of the stage before, if anything was. As many queries for ten rounds as for two, but for
    a knock-out, where each round is asked how far everybody came.
    """
    recorded = recorded or recorded_of(stage)
    dealt = sorted({row.round for row in recorded.rows if row.deals})
    return [(number, counted(recorded, before=number + 1, handicaps=False)) for number in dealt]


def chart_of(stage: Stage, rows: Sequence[Row], *, club: Club, recorded: Recorded | None = None) -> Chart | None:
    """The picture of a stage's places after each round as everybody may see it, with its leaders by these rows; None
    where a correction has changed what a published version says: how it came about isn't known then."""
    recorded = recorded or recorded_of(stage)
    rows = by_sides(rows, recorded.side_of)
    if not still_gives(recorded, rows):
        return None
    return rounds_chart(standings_by_round(stage, recorded), rows, named=hidden_names(club).text)


def still_gives(recorded: Recorded, rows: Iterable[Row]) -> bool:
    """Whether the deals as they are now give the figures of these rows, which may be those of a published version."""
    return _figures(counted(recorded, handicaps=False).rows) == _figures(rows)


def _figures(rows: Iterable[Row]) -> set[tuple[object, ...]]:
    return {(row.entry, row.place, row.points, row.games_won, row.games_played, row.sets) for row in rows}


def rounds_chart(
    by_round: list[tuple[int, Standings]], final: Sequence[Row], *, named: Callable[[str], str] = str
) -> Chart | None:
    """The picture of the places after each round, of those who lead in the `final` order; None before the second round.

    `named` gives each name as it is drawn, with initials where wanted: `clubsite.accounts.name_privacy`, which works on
    the page that is sent, wouldn't find a name that is cut short. Whoever stands after all others (disqualified, or a
    stand-in) isn't drawn.
    """
    if len(by_round) < FEWEST_ROUNDS:
        return None
    placed = [row for row in final if not (row.disqualified or row.stand_in)]
    drawn = placed[:MOST_LINES]
    places = [{row.entry: row.place for row in now.rows} for _number, now in by_round]
    places[-1] |= {row.entry: row.place for row in drawn}
    chart = places_chart(
        [Series(named(row.name), tuple(after.get(row.entry) for after in places)) for row in drawn],
        [str(number) for number, _now in by_round],
        keys=[row.place_words for row in drawn],
        heads=[_("Round %(n)d") % {"n": number} for number, _now in by_round],
    )
    return replace(chart, left_out=len(placed) - len(drawn))


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
