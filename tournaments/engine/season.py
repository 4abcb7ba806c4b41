"""The season's table from its nights: what counts, what it is worth, and who is ahead.

Source of the ways to add up: rules.md 6 and the practice it names (sum, best nights, average with attendance,
points for places as in a league).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from tournaments.engine.rounds import grouped

TieBreak: TypeAlias = Literal["nights-won", "best-night", "most-nights", "last-night", "points"]
Key: TypeAlias = tuple[int | Fraction, ...]
TIE_BREAKS: tuple[TieBreak, ...] = ("nights-won", "best-night", "most-nights", "last-night", "points")


class Opening(NamedTuple):
    """What a member brings into a season: nights attended before, and the points from them. They always count, as that
    many of the best nights."""

    nights: int = 0
    points: int = 0


NO_OPENING = Opening()
Openings: TypeAlias = Mapping[int, Opening]  # by member
NO_OPENINGS: Openings = MappingProxyType({})
NEVER = 10**12  # worse than any night, for a tie-break


@dataclass(frozen=True, slots=True)
class SeasonNight:
    """One night's points by member, for those who were there. `places` are the published ones, if any."""

    number: int
    points: Mapping[int, int]
    places: Mapping[int, int] | None = None

    def places_by(self, lowest_wins: bool) -> Mapping[int, int]:
        if self.places is not None:
            return self.places
        order = sorted(self.points.values(), reverse=not lowest_wins)
        return {member: 1 + order.index(points) for member, points in self.points.items()}


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """How nights add up.

    `kind`: all of them, the best of them, or the average of those attended. A night is worth its points or, with
    `place_points`, what that tuple gives for the place (first, second, ...; nothing beyond it). Each night attended
    adds `attendance_points`. A place needs `attendance` nights. Equal totals are separated by `tie_breaks` in order;
    what is still level shares the place."""

    kind: Literal["sum", "best", "average"] = "sum"
    best: int = 0  # nights that count, for "best"
    attendance: int = 0
    lowest_wins: bool = False
    place_points: tuple[int, ...] = ()
    attendance_points: int = 0
    tie_breaks: tuple[TieBreak, ...] = ()

    def __post_init__(self) -> None:
        if self.kind == "best" and self.best < 1:
            raise ValueError("the best of how many nights?")

    @property
    def lowest(self) -> bool:
        """Whether the lowest total is ahead. With points for places the highest always is."""
        return self.lowest_wins and not self.place_points

    def worth(self, night: SeasonNight) -> dict[int, int]:
        """What the night is worth to each member who was there, without the points for attendance."""
        if not self.place_points:
            return dict(night.points)
        places = night.places_by(self.lowest_wins)
        return {
            member: self.place_points[place - 1] if place <= len(self.place_points) else 0
            for member, place in ((m, places[m]) for m in night.points)
        }


@dataclass(frozen=True, slots=True)
class MemberSeason:
    place: int | None  # from 1, shared places alike; None below the attendance needed
    shared: bool
    member: int
    attended: int  # with those of the opening
    total: Fraction  # sum of the opening and the nights that count, or their average, with the points for attendance
    nights: tuple[int | None, ...]  # worth of each night, None where absent
    counted: tuple[bool, ...]  # whether that night is in the total
    code: str  # "season.ranked", "season.below-attendance"
    separated_by: str = ""  # the tie-break that put it ahead of the next row; "" when the total did, or they share
    opening: Opening = NO_OPENING


def season_table(
    nights: Sequence[SeasonNight], rule: SeasonRule, *, openings: Openings = NO_OPENINGS
) -> tuple[MemberSeason, ...]:
    """Every member who came or has an opening, best first; those below the attendance needed come last, without a
    place.

    Those who share a place are in the order of ids. With "best", of equal nights at the edge the earlier one counts.
    Nights are in the order given; the order of members within them doesn't matter."""
    rows, placed, order = _rank_members(nights, rule, openings=openings)
    level = [key == following for key, following in pairwise(order)]  # whether each is level with the next
    ranked = []
    place = 1
    for number, row in enumerate(placed):
        key = order[number]
        place = place if number and level[number - 1] else number + 1
        by = ""
        if number + 1 < len(order) and order[number + 1][0] == key[0] and not level[number]:
            first = next(i for i, pair in enumerate(zip(key, order[number + 1], strict=True)) if pair[0] != pair[1])
            by = rule.tie_breaks[first - 1]
        shared = any(level[max(0, number - 1) : number + 1])
        ranked.append(replace(row, place=place, shared=shared, separated_by=by))
    unplaced = [row for row in rows if row.code != "season.ranked"]
    return tuple(ranked + sorted(unplaced, key=lambda row: (_total_key(row, rule), row.member)))


def season_places(
    nights: Sequence[SeasonNight], rule: SeasonRule, *, openings: Openings = NO_OPENINGS
) -> dict[int, int]:
    """Only the places of `season_table`, by member."""
    _rows, placed, order = _rank_members(nights, rule, openings=openings)
    return {row.member: 1 + bisect_left(order, key) for row, key in zip(placed, order, strict=True)}


def points_needed(  # noqa: PLR0913  (a season, and what is asked of it)
    nights: Sequence[SeasonNight],
    rule: SeasonRule,
    *,
    member: int,
    place: int,
    last: Mapping[int, int],
    most: int,
    openings: Openings = NO_OPENINGS,
) -> int | None:
    """The least points, -`most` to `most` (see `points_bound`), with which a member would have at least that place
    after the last night. None if none suffice; where few points are good, the most points that suffice.

    `last` are the points that the others are taken to have on that night (those absent from it stay away). None when
    no result there is enough; where few points are good, the most points that are still enough.

    >>> nights = [SeasonNight(1, {1: 100, 2: 120}), SeasonNight(2, {1: 90, 2: 95})]
    >>> points_needed(nights, SeasonRule(), member=1, place=1, last={2: 80}, most=200)
    105
    """
    others = {other: points for other, points in last.items() if other != member}

    def enough(points: int) -> bool:
        night = SeasonNight(len(nights) + 1, {**others, member: points})
        row = next(row for row in season_table([*nights, night], rule, openings=openings) if row.member == member)
        return row.place is not None and row.place <= place

    sign = -1 if rule.lowest_wins else 1
    tried = range(-most, most + 1)
    first = bisect_left(tried, True, key=lambda points: enough(sign * points))  # more is never worse
    return sign * tried[first] if first < len(tried) else None


def points_bound(
    nights: Sequence[SeasonNight], rule: SeasonRule, *, last: Mapping[int, int], openings: Openings = NO_OPENINGS
) -> int:
    """Points of one more night beyond which nothing changes, above zero and below it.

    Let nobody have had more than `m` points on any of the `n` nights, that one included, nor less than -`m`. A total
    is then n * (m + the points for attendance) at most, and -n * m at least; an average is within that. A member with
    n * (2 * m + n * those points) + 1 on that night is ahead of it: (n - 1) * m may be missing from the other nights,
    and an average divides by n at most. So all others are behind, and are ahead where it stands below zero, unless
    that night doesn't count. In places of the night and tie-breaks it is beyond all that the others have, too. An
    opening counts as that many nights, and `m` is larger by its points.

    >>> points_bound([SeasonNight(1, {1: 20, 2: -30})], SeasonRule(attendance_points=5), last={2: 10})
    141
    """
    n = len(nights) + 1 + max((opening.nights for opening in openings.values()), default=0)
    most = max((abs(points) for on in (*(night.points for night in nights), last) for points in on.values()), default=0)
    most += max((abs(opening.points) for opening in openings.values()), default=0)
    return n * (2 * most + n * rule.attendance_points) + 1


def next_divisions(divisions: Sequence[Sequence[int]], moving: int) -> list[list[int]]:
    """The divisions of the next season: the first `moving` of each go up, the last `moving` go down.

    `divisions` are members best first, the top division first. Never more than half of a division moves each way.

    >>> next_divisions([[1, 2, 3, 4], [5, 6, 7, 8]], 1)
    [[1, 2, 3, 5], [4, 6, 7, 8]]
    """
    moved: list[list[int]] = [[] for _ in divisions]
    for number, members in enumerate(divisions):
        each = min(moving, len(members) // 2)
        up = min(each, len(divisions[number - 1]) // 2) if number else 0
        down = min(each, len(divisions[number + 1]) // 2) if number + 1 < len(divisions) else 0
        for place, member in enumerate(members):
            target = number - (place < up) + (place >= len(members) - down)
            moved[target].append(member)
    order = {member: n for n, member in enumerate(m for division in divisions for m in division)}
    return [sorted(division, key=order.__getitem__) for division in moved]


def team_nights(nights: Sequence[SeasonNight], team_of: Mapping[int, int], *, counting: int) -> list[SeasonNight]:
    """The nights of teams: a team's points are those of its best `counting` members (0: of all).

    Members without a team count for none. More points are always better here: turn points round first where few are
    good."""
    summed = []
    for night in nights:
        by_team = grouped((team_of[member], points) for member, points in night.points.items() if member in team_of)
        totals = {t: sum(sorted(p, reverse=True)[: counting or len(p)]) for t, p in by_team.items()}
        summed.append(SeasonNight(night.number, totals))
    return summed


def _member_row(
    member: int, worth: Sequence[Mapping[int, int]], *, rule: SeasonRule, opening: Opening = NO_OPENING
) -> MemberSeason:
    points = [night.get(member) for night in worth]
    values = [(value, n) for n, value in enumerate(points) if value is not None]
    counting, attended = {n for _, n in values}, len(values) + opening.nights
    if rule.kind == "best" and attended > rule.best:
        best = sorted(values, key=lambda item: (item[0] if rule.lowest else -item[0], item[1]))
        counting = {n for _, n in best[: max(0, rule.best - opening.nights)]}
    total = Fraction(sum(value for value, n in values if n in counting) + opening.points)
    if rule.kind == "average":
        total /= attended
    enough = attended >= rule.attendance
    return MemberSeason(
        place=None,
        shared=False,
        member=member,
        attended=attended,
        total=total + rule.attendance_points * len(values),
        nights=tuple(points),
        counted=tuple(n in counting for n in range(len(worth))),
        code="season.ranked" if enough else "season.below-attendance",
        opening=opening,
    )


def _rank_members(
    nights: Sequence[SeasonNight], rule: SeasonRule, *, openings: Openings
) -> tuple[list[MemberSeason], list[MemberSeason], list[Key]]:
    """All members; those with a place, best first; and the keys by which these were compared."""
    worth = [rule.worth(night) for night in nights]
    members = sorted({m for night in nights for m in night.points} | openings.keys())
    rows = [_member_row(member, worth, rule=rule, opening=openings.get(member, NO_OPENING)) for member in members]
    places = [night.places_by(rule.lowest_wins) for night in nights] if "nights-won" in rule.tie_breaks else []
    firsts = Counter(member for of_night in places for member, place in of_night.items() if place == 1)
    keyed = sorted(
        ((_total_key(row, rule), *_level_keys(row, nights, rule=rule, firsts=firsts)), row.member, row)
        for row in rows
        if row.code == "season.ranked"
    )
    return rows, [row for _key, _member, row in keyed], [key for key, _member, _row in keyed]


def _total_key(row: MemberSeason, rule: SeasonRule) -> int | Fraction:
    total = row.total if rule.lowest else -row.total
    return total.numerator if total.denominator == 1 else total  # whole numbers are compared much faster


def _level_keys(
    row: MemberSeason, nights: Sequence[SeasonNight], *, rule: SeasonRule, firsts: Mapping[int, int]
) -> tuple[int, ...]:
    """What the tie-breaks compare, the smaller the better."""
    if not rule.tie_breaks:
        return ()
    sign = 1 if rule.lowest_wins else -1
    points = [sign * night.points[row.member] for night in nights if row.member in night.points]
    keys = {
        "nights-won": -firsts.get(row.member, 0),
        "best-night": min(points, default=NEVER),
        "most-nights": -row.attended,
        "last-night": points[-1] if points else NEVER,
        "points": sum(points) + sign * row.opening.points,
    }
    return tuple(keys[slug] for slug in rule.tie_breaks)
