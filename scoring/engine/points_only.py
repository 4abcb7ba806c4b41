"""Any game of which only the points are written down: whist drive, euchre, cribbage, five hundred, beetle.

Source: the rule set's own settings; the club says what a deal can be worth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from random import Random

from scoring.engine.ledger import Line, Problem, Score, Severity, named
from scoring.engine.ruleset import Rules

SPREAD = 100  # steps between the lowest and the highest points of a deal that is made up without such limits


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsRules(Rules):
    """The settings of a points-only rule set, in its own points. None: no such limit."""

    lowest: int | None  # points of a side in one deal
    highest: int | None
    whole: int | None  # points of all sides in one deal together (whist: 13 tricks)
    step: int  # points come in multiples of this


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsDeal:
    """One deal, or one whole game where a club writes down only that."""

    points: tuple[int, ...]  # per side


SLUG = "points-only"
RULES = PointsRules
FACTS = PointsDeal

# Every code with its sentence; {names} are the arguments.
LINES = ("points-only.points",)  # {points} points
PROBLEMS = (
    "points-only.sides",  # The card has points for {written} sides; this game has {sides}.
    "points-only.low",  # A deal is worth at least {lowest}; the card says {points}.
    "points-only.high",  # A deal is worth at most {highest}; the card says {points}.
    "points-only.step",  # Points come in steps of {step}; the card says {points}.
    "points-only.whole",  # A deal has {whole} points in all; the card has {written}.
)
CODES = LINES + PROBLEMS

UNSCORABLE = frozenset({"points-only.sides"})
"""Problems of shape: no ruling can let them pass, for the card doesn't say what to score."""
UNSCORABLE = frozenset({"points-only.sides"})


def score(facts: PointsDeal, rules: PointsRules) -> Score:
    """The points as written.

    >>> from scoring.engine.ruleset import Shape
    >>> rules = PointsRules(shape=Shape(2, 2), target=None, deals=24, lowest=0, highest=13, whole=13, step=1)
    >>> score(PointsDeal(points=(8, 5)), rules).totals
    (8, 5)
    >>> [problem.code for problem in check(PointsDeal(points=(8, 6)), rules)]
    ['points-only.whole']
    """
    written = facts.points[: rules.shape.sides]
    lines = (Line(side, points, "points-only.points", named(points=points)) for side, points in enumerate(written))
    return Score(rules.shape.sides, tuple(lines))


def check(facts: PointsDeal, rules: PointsRules) -> tuple[Problem, ...]:
    """Everything wrong with the points of a deal; columns beyond the sides of the game aren't read."""
    written = facts.points[: rules.shape.sides]
    return tuple(chain(_whole_card(facts, rules), *(_one(side, p, rules) for side, p in enumerate(written))))


def _whole_card(facts: PointsDeal, rules: PointsRules) -> Iterator[Problem]:
    if len(facts.points) != rules.shape.sides:
        args = named(written=len(facts.points), sides=rules.shape.sides)
        yield Problem("points-only.sides", Severity.IMPOSSIBLE, "points", args)
    elif rules.whole is not None and sum(facts.points) != rules.whole:
        args = named(whole=rules.whole, written=sum(facts.points))
        yield Problem("points-only.whole", Severity.IMPOSSIBLE, "points", args)


def _one(side: int, points: int, rules: PointsRules) -> Iterator[Problem]:
    if rules.lowest is not None and points < rules.lowest:
        args = named(lowest=rules.lowest, points=points)
        yield Problem("points-only.low", Severity.AGAINST_RULES, "points", args, side)
    if rules.highest is not None and points > rules.highest:
        args = named(highest=rules.highest, points=points)
        yield Problem("points-only.high", Severity.AGAINST_RULES, "points", args, side)
    if rules.step > 1 and points % rules.step:
        yield Problem("points-only.step", Severity.AGAINST_RULES, "points", named(step=rules.step, points=points), side)


def play(rng: Random, rules: PointsRules, deals_before: int) -> PointsDeal:
    """Points that the settings allow, drawn side by side; `deals_before` makes no difference.

    Raises:
        ValueError: no points at all satisfy the settings, such as a whole of 13 with two sides of at most 6.
    """
    sides, step = rules.shape.sides, max(rules.step, 1)
    low, high = _steps(rules, step)
    if rules.whole is None:
        return PointsDeal(points=tuple(step * rng.randint(low, high) for _ in range(sides)))
    whole = rules.whole // step
    if rules.whole % step or not sides * low <= whole <= sides * high:
        raise ValueError(f"no points of {sides} sides make {rules.whole} in all")
    drawn: list[int] = []
    for others in range(sides - 1, -1, -1):
        rest = whole - sum(drawn)
        drawn.append(rng.randint(max(low, rest - others * high), min(high, rest - others * low)))
    rng.shuffle(drawn)
    return PointsDeal(points=tuple(step * points for points in drawn))


def _steps(rules: PointsRules, step: int) -> tuple[int, int]:
    """The lowest and the highest points of a side, in steps; a limit that isn't set lies `SPREAD` steps off."""
    low = -(-rules.lowest // step) if rules.lowest is not None else None
    high = rules.highest // step if rules.highest is not None else None
    share = rules.whole // step if rules.whole is not None else SPREAD
    if low is None:
        minus = (high is not None and high <= 0) or (rules.whole is not None and rules.whole <= 0)
        low = min(0, high or 0, share) - SPREAD if minus else 0
    if high is None:
        high = max(low + SPREAD, share - low * (rules.shape.sides - 1))
    if low > high:
        raise ValueError(f"no points between {rules.lowest} and {rules.highest} in steps of {step}")
    return low, high
