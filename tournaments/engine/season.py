"""The season's table from its nights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

CODES = (
    "season.ranked",  # (no sentence: the member has a place)
    "season.below-attendance",  # Not placed: {nights} nights attended, {needed} needed.
)


@dataclass(frozen=True, slots=True)
class Night:
    """One night's points: member id to points, for those who were there."""

    number: int
    points: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SeasonRule:
    """How nights add up: all of them, the best so many, or the average; `attendance` nights are needed for a place."""

    kind: Literal["sum", "best", "average"] = "sum"
    best: int = 0  # nights that count, for "best"
    attendance: int = 0
    lowest_wins: bool = False

    def __post_init__(self) -> None:
        if self.kind == "best" and self.best < 1:
            raise ValueError("the best of how many nights?")


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One member's season."""

    place: int | None  # from 1, shared places alike; None below the attendance needed
    shared: bool
    member: int
    attended: int
    total: Fraction  # sum of the nights that count, or their average
    nights: tuple[int | None, ...]  # points per night, None where absent
    counted: tuple[bool, ...]  # whether that night is in the total
    code: str  # one of CODES


def season_table(nights: Sequence[Night], rule: SeasonRule) -> tuple[SeasonRow, ...]:
    """Every member who came at least once, best first; those below the attendance needed last, without a place.

    Equal totals share a place, and are listed in the order of ids. With "best", of equal nights at the edge the
    earlier one counts. Nights are in the order given; the order of members within them doesn't matter.
    """
    rows = [_row(member, nights, rule) for member in sorted({m for night in nights for m in night.points})]
    placed = [row for row in rows if row.code == "season.ranked"]

    def key(row: SeasonRow) -> Fraction:
        return row.total if rule.lowest_wins else -row.total

    keys = sorted(key(row) for row in placed)
    placed = [_placed(row, 1 + keys.index(key(row)), keys.count(key(row)) > 1) for row in placed]
    others = [row for row in rows if row.code != "season.ranked"]
    return tuple(sorted(placed, key=lambda row: (row.place or 0, row.member)) + sorted(others, key=key))


def _row(member: int, nights: Sequence[Night], rule: SeasonRule) -> SeasonRow:
    points = [night.points.get(member) for night in nights]
    there = [(value, n) for n, value in enumerate(points) if value is not None]
    counting = {n for _, n in there}
    if rule.kind == "best":
        best = sorted(there, key=lambda item: (item[0] if rule.lowest_wins else -item[0], item[1]))
        counting = {n for _, n in best[: rule.best]}
    total = Fraction(sum(value for value, n in there if n in counting))
    if rule.kind == "average":
        total /= len(there)
    enough = len(there) >= rule.attendance
    return SeasonRow(
        place=None,
        shared=False,
        member=member,
        attended=len(there),
        total=total,
        nights=tuple(points),
        counted=tuple(n in counting for n in range(len(nights))),
        code="season.ranked" if enough else "season.below-attendance",
    )


def _placed(row: SeasonRow, place: int, shared: bool) -> SeasonRow:
    return SeasonRow(place, shared, row.member, row.attended, row.total, row.nights, row.counted, row.code)
