"""A club handicap: points a game on top of what a player makes, from how they have played of late.

The handicap is a percentage of how far the average of the player's newest deals falls short of the scratch value,
capped. It is for individual play; the pairwise handicap of two-handed pinochle is separate and lives with its rules.
Common practice in league play; every number is the club's choice.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor


@dataclass(frozen=True, slots=True, kw_only=True)
class HandicapRule:
    scratch: int  # average of a player who needs no handicap, points a deal
    percent: int = 80  # of how far the average falls short of the scratch value
    most: int = 50  # points a deal at most
    deals: int = 40  # how many of the newest deals count
    needed: int = 8  # with fewer deals there is no handicap yet
    secret: bool = False  # shown only with the result

    def __post_init__(self) -> None:
        if not (0 <= self.percent <= 100 and self.most >= 0 and 1 <= self.needed <= self.deals):
            raise ValueError("percent 0 to 100, no negative cap, and needed deals within those that count")


@dataclass(frozen=True, slots=True)
class Handicap:
    points: int  # on top of every deal, whole points, a half rounded up
    deals: int  # how many deals it rests on
    average: Fraction | None  # of those deals; None without any
    code: str  # "handicap.given", "handicap.scratch", "handicap.too-few-deals", "handicap.capped"


def compute_handicap(points: Sequence[int], rule: HandicapRule) -> Handicap:
    """The handicap from a player's points per deal, oldest first.

    >>> rule = HandicapRule(scratch=30, percent=80, most=15, needed=2)
    >>> [compute_handicap(points, rule).points for points in ([20, 20, 20], [0, 0], [40, 30])]
    [8, 15, 0]
    """
    counting = points[-rule.deals :]
    average = Fraction(sum(counting), len(counting)) if counting else None
    if average is None or len(counting) < rule.needed:
        return Handicap(0, len(counting), average, "handicap.too-few-deals")
    lacking = rule.scratch - average
    if lacking <= 0:
        return Handicap(0, len(counting), average, "handicap.scratch")
    allowance = floor(lacking * rule.percent / 100 + Fraction(1, 2))
    if allowance > rule.most:
        return Handicap(rule.most, len(counting), average, "handicap.capped")
    return Handicap(allowance, len(counting), average, "handicap.given")


def propose_rule(handicaps: Iterable[Handicap], rule: HandicapRule) -> HandicapRule | None:
    """A rule whose scratch value is the best average and whose cap is what the lowest average gets, so that nobody is
    capped. The other numbers are those of `rule`. None if fewer than two have the deals needed, or nobody is above
    zero.

    >>> handicaps = [compute_handicap([points] * 8, HandicapRule(scratch=99)) for points in (31, 18, 25)]
    >>> rule = propose_rule(handicaps, HandicapRule(scratch=99))
    >>> rule.scratch, rule.most, propose_rule(handicaps[:1], rule)
    (31, 10, None)
    """
    averages = [h.average for h in handicaps if h.average is not None and h.deals >= rule.needed]
    if len(averages) < 2 or max(averages) <= 0:
        return None
    scratch = ceil(max(averages))
    most = floor((scratch - min(averages)) * rule.percent / 100 + Fraction(1, 2))
    return replace(rule, scratch=scratch, most=most)
