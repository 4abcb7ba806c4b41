"""Points-only games: what a deal may be worth."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.facts import from_data, to_data
from scoring.engine.families import rules_of
from scoring.engine.game import progress
from scoring.engine.ledger import Severity
from scoring.engine.points_only import CODES, FACTS, RULES, PointsDeal, PointsRules, check, play, score
from scoring.engine.ruleset import Shape, shipped

RULE_SET = shipped()["points-only"]
PLAIN: PointsRules = rules_of(RULE_SET, Shape(2, 2))
WHIST = replace(PLAIN, lowest=0, highest=13, whole=13, deals=24)
FIVE_HUNDRED = replace(PLAIN, lowest=None, step=10, target=500, deals=None)


def codes(points: tuple[int, ...], rules: PointsRules) -> list[str]:
    return [problem.code.removeprefix("points-only.") for problem in check(PointsDeal(points=points), rules)]


def test_points_count_as_written() -> None:
    result = score(PointsDeal(points=(8, 5)), PLAIN)
    assert result.totals == (8, 5)
    assert [dict(line.args) for line in result.lines] == [{"points": 8}, {"points": 5}]
    assert codes((8, 5), PLAIN) == []


@pytest.mark.parametrize(
    ("points", "rules", "found"),
    [
        ((8, 5), WHIST, []),
        ((13, 0), WHIST, []),
        ((8, 6), WHIST, ["whole"]),
        ((14, -1), WHIST, ["high", "low"]),
        ((14, 0), WHIST, ["whole", "high"]),
        ((120, -60), FIVE_HUNDRED, []),
        ((125, -60), FIVE_HUNDRED, ["step"]),
        ((-1, 3), PLAIN, ["low"]),
        ((8,), WHIST, ["sides"]),
        ((8, 5, 0), WHIST, ["sides"]),
        ((), PLAIN, ["sides"]),
    ],
)
def test_what_a_deal_may_be_worth(points: tuple[int, ...], rules: PointsRules, found: list[str]) -> None:
    assert codes(points, rules) == found


def test_a_problem_names_the_side_and_the_numbers() -> None:
    (problem,) = check(PointsDeal(points=(2, 15)), replace(WHIST, whole=None))
    assert (problem.side, problem.field, problem.severity) == (1, "points", Severity.AGAINST_RULES)
    assert dict(problem.args) == {"highest": 13, "points": 15}
    (problem,) = check(PointsDeal(points=(7, 7)), WHIST)
    assert (problem.side, problem.severity, dict(problem.args)) == (
        None,
        Severity.IMPOSSIBLE,
        {"whole": 13, "written": 14},
    )


def test_low_points_can_win_a_game() -> None:
    golf = replace(PLAIN, shape=Shape(3), lowest_wins=True, deals=2)
    scores = [score(PointsDeal(points=points), golf) for points in ((3, 9, 4), (5, 1, 4))]
    assert progress(scores, golf).winners == (0, 2)


@pytest.mark.parametrize("shape", RULE_SET.shapes, ids=str)
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"highest": 13, "whole": 13},
        {"lowest": None, "step": 10},
        {"lowest": None, "highest": -20, "step": 5},
        {"lowest": -7, "highest": 121, "step": 3},
        {"lowest": None, "whole": 26},
        {"lowest": None, "whole": 0},
        {"lowest": None, "whole": -1000, "step": 2},
    ],
    ids=str,
)
def test_no_true_deal_is_refused(shape: Shape, changed: dict[str, Any]) -> None:
    rules, rng = replace(rules_of(RULE_SET, shape), **changed), Random(1)
    deals = [play(rng, rules, 0) for _ in range(100)]
    assert [check(facts, rules) for facts in deals] == [()] * len(deals)
    assert len(set(deals)) > 1


@pytest.mark.parametrize(
    "changed", [{"highest": 6, "whole": 13}, {"lowest": 1, "highest": 4, "step": 5}, {"whole": 13, "step": 2}]
)
def test_settings_that_no_deal_satisfies_are_named(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no points"):
        play(Random(1), replace(PLAIN, **changed), 0)


LIMITS = st.none() | st.integers(-50, 50)


@given(
    points=st.lists(st.integers(), max_size=7).map(tuple),
    rules=st.builds(replace, st.just(PLAIN), lowest=LIMITS, highest=LIMITS, whole=LIMITS, step=st.integers(1, 10)),
)
def test_any_points_are_checked_and_scored(points: tuple[int, ...], rules: PointsRules) -> None:
    facts = PointsDeal(points=points)
    found = check(facts, rules)
    assert all(problem.code in CODES for problem in found)
    assert all(problem.side is None or problem.side < 2 for problem in found)
    result = score(facts, rules)
    assert sum(result.totals) == sum(line.points for line in result.lines)
    assert from_data(FACTS, to_data(facts)) == facts


@given(st.permutations([3, 9, 4, 20]))
def test_changing_the_sides_round_changes_the_points_round(points: list[int]) -> None:
    rules = replace(PLAIN, shape=Shape(4), highest=15)
    facts = PointsDeal(points=tuple(points))
    assert score(facts, rules).totals == tuple(points)
    assert [problem.side for problem in check(facts, rules)] == [points.index(20)]


def test_the_settings_are_exactly_those_of_the_rules() -> None:
    assert {s.name for s in RULE_SET.settings} == {f.name for f in fields(RULES)} - {"shape"}
