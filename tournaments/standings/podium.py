"""Winners: the first three places of a result, what put each there, and its best game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import Game
from scoring.templatetags.figures import points
from tournaments.engine.standings.ranking import STRENGTH
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Event
from tournaments.standings.queries import StandingsView
from tournaments.standings.results import chart_of, still_gives
from tournaments.standings.standings import GameRow, Recorded, Row, by_sides, recorded_of

WINNERS = 3  # places that a result shows large
MOST_WINNERS = 6  # when more share those places, nobody is shown large


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """One of the first places, and how it was decided, "" where nothing is known of it."""

    row: Row
    words: str


@dataclass(frozen=True, slots=True)
class HighGame:
    """The best game of all that were finished: its points, who scored them together, and the round."""

    points: int
    names: tuple[str, ...]
    round: int


def first_of(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of the first three places, shared ones included; nobody where too many share them."""
    first = tuple(row for row in rows if row.place <= WINNERS and not (row.disqualified or row.stand_in))
    return first if len(first) <= MOST_WINNERS else ()


def result_rows(event: Event, rows: Sequence[Row]) -> Sequence[Row]:
    """The rows whose places are the result; none in a match between clubs: a club wins it, which its table says."""
    return () if event.traits.between_clubs else rows


def podium_of(rows: Sequence[Row]) -> tuple[PodiumPlace, ...]:
    """The winners of a result, best first; nobody where fewer than two played, or all are level."""
    first = first_of(rows)
    if len(rows) < 2 or len({row.place for row in rows}) < 2:
        return ()
    after = {row.entry: following for row, following in pairwise(rows)}
    return tuple(PodiumPlace(row, _decided(row, after.get(row.entry))) for row in first)


def published_high_game(recorded: Recorded, rows: Sequence[Row], *, lowest_wins: bool) -> HighGame | None:
    """The best game of a published result. None while a correction has changed what its rows say: what was best before
    isn't known then."""
    rows = by_sides(rows, recorded.side_of)
    return high_game(recorded.rows, rows, lowest_wins=lowest_wins) if still_gives(recorded, rows) else None


def high_game(played: Iterable[GameRow], rows: Iterable[Row], *, lowest_wins: bool = False) -> HighGame | None:
    """The best game of a stage; the earliest of several equal ones. None where none was finished."""
    names = {row.entry: row.name for row in rows}
    over = [one for one in played if one.state == Game.State.OVER and one.entry in names]
    if not over:
        return None
    sign = 1 if lowest_wins else -1
    best = min(over, key=lambda one: (sign * one.points, one.round, one.table, one.game, one.side))
    side = [one for one in over if (one.game, one.side) == (best.game, best.side)]
    return HighGame(best.points, tuple(names[one.entry] for one in side), best.round)


def won_by(view: StandingsView | None) -> dict[str, Any]:
    """What a page of a result shows besides: its winners, the best game, and how it came about round by round. Five
    queries; nothing for standings that are no result."""
    if view is None or view.published is None or not view.published.final:
        return {}
    recorded = recorded_of(view.stage)
    return {
        "podium": podium_of(result_rows(view.stage.event, view.rows)),
        "high": published_high_game(recorded, view.rows, lowest_wins=view.stage.event.rules.lowest_wins),
        "chart": chart_of(view.stage, view.rows, club=view.stage.event.club, recorded=recorded),
    }


def _decided(row: Row, following: Row | None) -> str:
    if row.shared:
        return _("Level in all that places go by: the place is shared.")
    if following is None:
        return ""
    if row.separated_by == "points":
        ahead = abs(row.points - following.points)
        return ngettext("Ahead of %(name)s by %(points)s point.", "Ahead of %(name)s by %(points)s points.", ahead) % {
            "points": points(ahead),
            "name": following.name,
        }
    if (by := row.separated_by) in STRENGTH:
        return _("Ahead of %(name)s by this: %(tie_break)s, %(own)s to %(their)s.") % {
            "name": following.name,
            "tie_break": TIE_BREAKS[by],
            "own": dict(row.strength)[by],
            "their": dict(following.strength)[by],
        }
    if row.separated_by in TIE_BREAKS:
        return _("Ahead of %(name)s by this: %(tie_break)s.") % {
            "name": following.name,
            "tie_break": TIE_BREAKS[row.separated_by],
        }
    return ""
