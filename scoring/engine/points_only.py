"""Any game with only its points written down: whist drive, euchre, cribbage, five hundred, beetle.

A deal is one dealing, or a whole game where a club writes down only that (cribbage on its board, a beetle).
Source: the rule set's own settings; the club says what a deal can be worth, and what sides can have together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from operator import or_
from random import Random
from typing import Annotated

from scoring.engine.core.family import Family
from scoring.engine.core.ledger import Line, Problem, Score, against_rules, impossible, malformed, named
from scoring.engine.core.ruleset import Range, Rules, SettingProblem, more_than

TRIES = 10_000  # draws after which settings are taken to allow no deal at all
SPREAD = 100  # steps between a side's lowest and highest points in a made-up deal, where the rules set no limits


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRules(Rules):
    """The settings of a points-only rule set, in its own points. None: no such limit."""

    lowest: int | None  # points of a side in one deal
    highest: int | None
    whole: int | None  # points of all sides in one deal together (whist: 13 tricks)
    step: Annotated[int, Range(1)]  # points come in multiples of this
    one_side: tuple[int, ...] = ()  # what one side has in every deal (euchre: 1, 2 or 4); none: sides are all alike
    other_sides: tuple[int, ...] = ()  # what each other side can have then; none: anything that one side can't
    others_most: int | None = None  # points of those others together at most
    others_beside: tuple[tuple[int, int, int], ...] = ()  # (the one side's points; least, most of the others), rising
    out_by_contract: bool = False  # only a side that has won what the one side can win in a deal goes out with it

    def within(self, points: int) -> bool:
        return (self.lowest is None or points >= self.lowest) and (self.highest is None or points <= self.highest)

    def other_can(self, points: int) -> bool:
        """Whether each of the other sides can have these points in a deal."""
        return points in self.other_sides if self.other_sides else points not in self.one_side and self.within(points)

    def beside(self, points: int) -> list[tuple[int, int]]:
        """What the others can have together beside these points of the one side, from least to most; none: anything."""
        return [(least, most) for side_points, least, most in self.others_beside if side_points == points]

    def go_together(self, side_points: int, others_points: int) -> bool:
        """Whether the one side can have `side_points` in a deal and all others together `others_points`."""
        spans = self.beside(side_points)
        return not spans or any(least <= others_points <= most for least, most in spans)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsDeal:
    """One deal, or one whole game where a club writes down only that."""

    points: Annotated[tuple[int, ...], "each side's points"]


UNSCORABLE = frozenset({"points-only.sides"})


def setting_problems(rules: PointsRules) -> Iterator[SettingProblem]:
    if rules.lowest is not None and rules.highest is not None and rules.lowest > rules.highest:
        yield more_than("lowest", rules.lowest, other="highest", most=rules.highest)
        return
    try:
        draw_deal(Random(0), rules)
    except ValueError:
        yield SettingProblem("", "rules.no-deal")


def contradictions(rules: PointsRules) -> Iterator[SettingProblem]:
    for name, figures in (("one_side", rules.one_side), ("other_sides", rules.other_sides)):
        if wrong := [points for points in figures if not rules.within(points) or points % rules.step]:
            yield SettingProblem(name, "setting.never", named(figures=", ".join(map(str, wrong))))
    if beside := sorted({points for points, _least, _most in rules.others_beside} - {*rules.one_side}):
        yield SettingProblem("others_beside", "setting.beside-nobody", named(figures=", ".join(map(str, beside))))
    for name in ("other_sides", "others_most", "others_beside"):
        if getattr(rules, name) not in ((), None) and not rules.one_side:
            yield SettingProblem(name, "setting.no-one-side")
    if rules.out_by_contract and (rules.target is None or not any(points > 0 for points in rules.one_side)):
        yield SettingProblem("out_by_contract", "setting.out-by-contract")


def score(facts: PointsDeal, rules: PointsRules) -> Score:
    """The points as written.

    >>> from scoring.engine.core.ruleset import Shape
    >>> rules = PointsRules(shape=Shape(2, 2), target=None, deals=24, lowest=0, highest=13, whole=13, step=1)
    >>> score(PointsDeal(points=(8, 5)), rules).totals
    (8, 5)
    >>> [problem.code for problem in check(PointsDeal(points=(8, 6)), rules)]
    ['points-only.whole']
    """
    written = facts.points[: rules.shape.sides]
    lines = (Line(side, points, "points-only.points", named(points=points)) for side, points in enumerate(written))
    return Score(
        rules.shape.sides, tuple(lines), may_go_out=_possible_makers(written, rules) if rules.out_by_contract else None
    )


def _possible_makers(points: tuple[int, ...], rules: PointsRules) -> tuple[int, ...]:
    """The sides that can have made their contract in a deal: one, unless both have 40."""
    together = sum(points)
    return tuple(
        side
        for side, side_points in enumerate(points)
        if side_points > 0 and side_points in rules.one_side and rules.go_together(side_points, together - side_points)
    )


def check(facts: PointsDeal, rules: PointsRules) -> tuple[Problem, ...]:
    """Everything wrong with the points of a deal; columns beyond the sides of the game aren't read."""
    written = facts.points[: rules.shape.sides]
    return tuple(
        chain(_card_problems(facts, rules), *(_figure_problems(side, p, rules=rules) for side, p in enumerate(written)))
    )


def _card_problems(facts: PointsDeal, rules: PointsRules) -> Iterator[Problem]:
    if len(facts.points) != rules.shape.sides:
        yield malformed("points-only.sides", "points", written=len(facts.points), sides=rules.shape.sides)
    elif rules.whole is not None and sum(facts.points) != rules.whole:
        yield impossible("points-only.whole", "points", whole=rules.whole, written=sum(facts.points))
    elif rules.one_side:
        yield from _together_problems(facts.points, rules)


def _together_problems(points: tuple[int, ...], rules: PointsRules) -> Iterator[Problem]:
    """One side must have what only one can have, and all others what others can."""
    can_be_other = [rules.other_can(p) for p in points]
    can_be_one = [p in rules.one_side for p in points]
    if not all(map(or_, can_be_one, can_be_other)):
        return
    alone = [p for p, can in zip(points, can_be_other, strict=True) if not can]
    if len(alone) > 1:
        yield impossible("points-only.two", "points", first=alone[0], second=alone[1])
        return
    ones = alone or [p for p, can in zip(points, can_be_one, strict=True) if can]
    if not ones:
        yield impossible("points-only.nobody", "points", such=rules.one_side[0])
    elif rules.others_most is not None and (beside := sum(points) - max(ones)) > rules.others_most:
        yield impossible("points-only.others", "points", most=rules.others_most, written=beside)
    elif rules.others_beside and not any(rules.go_together(p, sum(points) - p) for p in ones):
        mine = max(ones, key=abs)
        can = ", ".join(f"{least}" if least == most else f"{least}–{most}" for least, most in rules.beside(mine))
        yield impossible("points-only.beside", "points", points=mine, can=can, written=sum(points) - mine)


def _figure_problems(side: int, points: int, *, rules: PointsRules) -> Iterator[Problem]:
    if rules.lowest is not None and points < rules.lowest:
        yield against_rules("points-only.low", "points", side=side, lowest=rules.lowest, points=points)
    elif rules.highest is not None and points > rules.highest:
        yield against_rules("points-only.high", "points", side=side, highest=rules.highest, points=points)
    elif rules.one_side and not rules.other_can(points) and points not in rules.one_side:
        possible = sorted({*rules.one_side, *rules.other_sides})
        below = max((p for p in possible if p < points), default=possible[0])
        above = min((p for p in possible if p > points), default=possible[-1])
        yield against_rules("points-only.never", "points", side=side, points=points, below=below, above=above)
        return
    if rules.step > 1 and points % rules.step:
        yield against_rules("points-only.step", "points", side=side, step=rules.step, points=points)


def draw_deal(rng: Random, rules: PointsRules) -> PointsDeal:
    """Points that the settings allow, drawn side by side.

    Raises:
        ValueError: no points at all satisfy the settings, such as a whole of 13 with two sides of at most 6.
    """
    sides, step = rules.shape.sides, max(rules.step, 1)
    if rules.one_side:
        return _draw_one_side(rng, rules)
    low, high = _range_in_steps(rules, step)
    if rules.whole is None:
        return PointsDeal(points=tuple(step * rng.randint(low, high) for _ in range(sides)))
    whole = rules.whole // step
    if rules.whole % step or not sides * low <= whole <= sides * high:
        raise ValueError(f"no points of {sides} sides make {rules.whole} in all")
    drawn: list[int] = []
    for sides_left in range(sides - 1, -1, -1):
        points_left = whole - sum(drawn)
        drawn.append(rng.randint(max(low, points_left - sides_left * high), min(high, points_left - sides_left * low)))
    rng.shuffle(drawn)
    return PointsDeal(points=tuple(step * points for points in drawn))


def _draw_one_side(rng: Random, rules: PointsRules) -> PointsDeal:
    """One side's points drawn from its own, then those of the others, until the whole satisfies the settings."""
    low, high = _range_in_steps(rules, 1)
    other_points = rules.other_sides or tuple(p for p in range(low, high + 1) if rules.other_can(p))
    for _ in range(TRIES if other_points else 0):
        points = [rng.choice(rules.one_side), *(rng.choice(other_points) for _ in range(rules.shape.sides - 1))]
        rng.shuffle(points)
        facts = PointsDeal(points=tuple(points))
        if not check(facts, rules):
            return facts
    raise ValueError(f"no points of {rules.shape.sides} sides found that satisfy the settings")


def _range_in_steps(rules: PointsRules, step: int) -> tuple[int, int]:
    """The lowest and the highest points of a side, in steps; a limit that isn't set lies `SPREAD` steps off."""
    low = -(-rules.lowest // step) if rules.lowest is not None else None
    high = rules.highest // step if rules.highest is not None else None
    share = rules.whole // step if rules.whole is not None else SPREAD
    if low is None:
        minus = (high is not None and high <= 0) or (rules.whole is not None and rules.whole <= 0)
        low = min(high or 0, share) - SPREAD if minus else 0
    if high is None:
        high = max(low + SPREAD, share - low * (rules.shape.sides - 1))
    if low > high:
        raise ValueError(f"no points between {rules.lowest} and {rules.highest} in steps of {step}")
    return low, high


def same_in_a_row(rules: PointsRules) -> int:
    """How many deals in a row with the same figures are more likely a copy than chance: in whist two are usual."""
    if rules.lowest is None or rules.highest is None:
        return 2
    figures = (rules.highest - rules.lowest) // rules.step + 1
    return 2 if figures > 50 else 4 if figures > 10 else 6


FAMILY = Family(
    slug="points-only",
    rules=PointsRules,
    facts=PointsDeal,
    check=check,
    score=score,
    unscorable=UNSCORABLE,
    setting_problems=setting_problems,
    contradictions=contradictions,
    points_are_good=False,
    same_in_a_row=same_in_a_row,
)
