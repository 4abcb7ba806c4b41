"""What somebody needs on the last night of a season: a question put to the season's table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from clubsite.names import in_order
from tournaments.engine.grouping import grouped
from tournaments.engine.season import SeasonNight, edge_of, needed, season_table
from tournaments.models import Season
from tournaments.seasons.table import nights_of

Others: TypeAlias = Literal["away", "average"]


@dataclass(frozen=True, slots=True)
class Need:
    """The answer. `points` are those of one more night: the least, or the most where few points win."""

    code: str  # "safe", "come", "points", "attendance", "never"
    name: str
    place: int  # the place asked for
    points: int = 0
    lowest_wins: bool = False
    record: int = 0  # the best that anybody has had on one night so far
    nights: int = 0  # nights attended
    attendance: int = 0  # nights needed for a place
    handicap: bool = False  # whether points are those with handicap


@dataclass(frozen=True, slots=True)
class WhoMayAsk:
    """Who can be asked about in a season: member and name, by name, and how many nights it has."""

    members: tuple[tuple[int, str], ...]
    nights: int


def who_can_ask(season: Season) -> WhoMayAsk:
    """Members who came or are in a division of the season. A constant number of queries."""
    (found,) = nights_of([season])
    asked = [(m, name) for m, name in found.names.items() if not found.division or m in found.division]
    return WhoMayAsk(tuple(sorted(asked, key=lambda one: in_order(one[1]))), len(found.nights))


def need_of(season: Season, member: int, *, place: int, others: Others) -> Need | None:
    """What a member needs on one more night to have at least that place; None for somebody not of the season.

    The others of the division stay away, or have their average of the nights they attended, a half rounded up.
    A constant number of queries.
    """
    (found,) = nights_of([season])
    if member not in found.names or (found.division and member not in found.division):
        return None
    nights, rule = found.among(found.division_of(member)), found.rule
    own = [night.points[member] for night in nights if member in night.points]
    every = [points for night in nights for points in night.points.values()]
    record = (min if rule.lowest_wins else max)(every, default=0)
    told = Need(
        "never", found.names[member], place, 0, rule.lowest_wins, record, len(own), rule.attendance, found.handicap
    )
    last = _averages(nights, member) if others == "average" else {}
    without = season_table([*nights, SeasonNight(len(nights) + 1, last)] if last else nights, rule)
    if any(row.member == member and row.place is not None and row.place <= place for row in without):
        return replace(told, code="safe")
    if len(own) + 1 < rule.attendance:
        return replace(told, code="attendance")
    most = edge_of(nights, rule, last=last)
    points = needed(nights, rule, member=member, place=place, last=last, most=most)
    if points is None:
        return told
    return replace(told, code="come" if points == (most if rule.lowest_wins else -most) else "points", points=points)


def _averages(nights: list[SeasonNight], member: int) -> dict[int, int]:
    """The average of each of the others over the nights that they attended, a half rounded up."""
    own = grouped(one for night in nights for one in night.points.items() if one[0] != member)
    return {other: (2 * sum(points) + len(points)) // (2 * len(points)) for other, points in own.items()}
