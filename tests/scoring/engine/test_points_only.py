"""Points-only games: what a deal may be worth."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Line, Problem, Severity
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.points_only import PointsDeal, PointsRules, check, draw_deal, same_in_a_row, score

RULE_SET = shipped()["points-only"]
PLAIN = rules_of(RULE_SET, Shape(2, 2))
WHIST = rules_of(shipped()["whist-drive"])
EUCHRE = rules_of(shipped()["euchre"])
CRIBBAGE = rules_of(shipped()["cribbage"])
FIVE_HUNDRED = rules_of(shipped()["five-hundred"])
FIVE_HUNDRED_ALONE = rules_of(shipped()["five-hundred"], Shape(3))
BEETLE = rules_of(shipped()["beetle"])


def codes(points, rules):
    return [problem.code.removeprefix("points-only.") for problem in check(PointsDeal(points=points), rules)]


def test_points_count_as_written():
    result = score(PointsDeal(points=(8, 5)), PLAIN)
    assert result.totals == (8, 5)
    assert result.lines == tuple(Line(side, p, "points-only.points", (("points", p),)) for side, p in enumerate((8, 5)))
    assert codes((8, 5), PLAIN) == []


@pytest.mark.parametrize(
    ("points", "rules", "found"),
    [
        ((14, -1), WHIST, ["high", "low"]),
        ((14, 0), WHIST, ["whole", "high"]),
        ((120, -60), FIVE_HUNDRED, ["two"]),
        ((10, 30), FIVE_HUNDRED, ["nobody"]),
        ((130, 20), FIVE_HUNDRED, ["never"]),
        ((-40, 20, 20), FIVE_HUNDRED_ALONE, ["beside"]),
        ((-40, 20, 30), FIVE_HUNDRED_ALONE, []),
        ((60, 40, 30), FIVE_HUNDRED_ALONE, ["beside"]),
        ((60, 10, 30), FIVE_HUNDRED_ALONE, []),
        ((121, 118), CRIBBAGE, []),
        ((121, 121), CRIBBAGE, ["two"]),
        ((120, 97), CRIBBAGE, ["nobody"]),
        ((122, 97), CRIBBAGE, ["high"]),
        ((13, 9, 4, 0), BEETLE, []),
        ((13, 9, 13, 0), BEETLE, ["two"]),
        ((14, 9, 3, 0), BEETLE, ["high"]),
        ((120, 70), replace(PLAIN, step=50), ["step", "step"]),
        ((-1, 3), PLAIN, ["low"]),
        ((), PLAIN, ["sides"]),
    ],
)
def test_what_a_deal_may_be_worth(points, rules, found):
    assert codes(points, rules) == found


def accepted(rules, least, most):
    every = product(range(least, most + 1), repeat=rules.shape.sides)
    return {points for points in every if not check(PointsDeal(points=points), rules)}


def test_whist_takes_what_thirteen_tricks_give_and_nothing_else():
    assert accepted(WHIST, -2, 15) == {(tricks, 13 - tricks) for tricks in range(14)}


def test_euchre_takes_what_five_tricks_give_and_nothing_else():
    """Makers with 0 to 5 tricks, alone or not, on either side."""
    true = set()
    for tricks, alone, makers in product(range(6), (False, True), (0, 1)):
        made = 1 if tricks < 5 else 4 if alone else 2
        points = [0, 0]
        points[makers if tricks >= 3 else 1 - makers] = made if tricks >= 3 else 2
        true.add(tuple(points))
    assert accepted(EUCHRE, -1, 6) == true


def test_cribbage_takes_games_that_one_side_has_won():
    short = replace(CRIBBAGE, highest=61, one_side=(61,))
    lost = range(61)
    assert accepted(short, -1, 63) == {(61, points) for points in lost} | {(points, 61) for points in lost}


def test_beetle_takes_one_whole_beetle_at_most():
    two = replace(BEETLE, shape=Shape(2))
    assert accepted(two, -1, 15) == set(product(range(14), repeat=2)) - {(13, 13)}


def contracts_and_tricks():
    """What the side that plays a contract and all others together can have: every contract, every number of tricks."""
    true = set()
    for level, suit, tricks in product(range(6, 11), range(5), range(11)):
        worth, others = 40 + 20 * suit + 100 * (level - 6), 10 * (10 - tricks)
        true.add((worth if tricks >= level else -worth, others))
        if tricks == 10:
            true.add((max(worth, 250), 0))
    for worth, tricks in product((250, 500), range(11)):
        true |= {(-worth if tricks else worth, others) for others in (10 * (10 - tricks), 0)}
    return true


def test_five_hundred_takes_what_a_contract_and_its_tricks_give_and_nothing_else():
    true = contracts_and_tricks()
    every = product(range(-540, 550, 10), repeat=2)
    found = {points for points in every if not check(PointsDeal(points=points), FIVE_HUNDRED)}
    assert found == true | {(others, one) for one, others in true}


def test_five_hundred_alone_shares_the_tricks_between_the_two_others():
    true = contracts_and_tricks()
    for points in product(range(-60, 130, 10), repeat=3):
        whose = ((points[n], sum(points) - points[n], [p for m, p in enumerate(points) if m != n]) for n in range(3))
        can = any((one, others) in true and min(each) >= 0 for one, others, each in whose)
        assert (not check(PointsDeal(points=points), FIVE_HUNDRED_ALONE)) == can, points


def test_five_hundred_is_won_at_500_and_lost_at_minus_500():
    def game(*deals):
        return progress([score(PointsDeal(points=points), FIVE_HUNDRED) for points in deals], FIVE_HUNDRED)

    won, lost = game((520, 0)), game((-260, 60), (-240, 50))
    assert (won.over, won.winners, won.ended_by) == (True, (0,), "target")
    assert (lost.over, lost.winners, lost.ended_by) == (True, (1,), "lost")
    assert not game((-260, 60), (-220, 50)).over


@pytest.mark.parametrize(
    ("rules", "deals"),
    [
        (PLAIN, 2),
        (replace(PLAIN, lowest=0, highest=50), 2),
        (replace(PLAIN, lowest=0, highest=50, step=5), 4),
        (WHIST, 4),
        (EUCHRE, 6),
    ],
)
def test_the_fewer_figures_there_are_the_more_deals_with_the_same_ones_are_chance(rules, deals):
    assert same_in_a_row(rules) == deals


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
        {"one_side": (7,), "other_sides": (0, 1, 2), "highest": 7},
        {"one_side": (10, -10), "lowest": -10, "highest": 10, "others_most": 9},
        {"one_side": (7, 9), "other_sides": (0, 1), "highest": 9, "others_beside": ((7, 0, 1), (9, 1, 6))},
    ],
    ids=str,
)
def test_no_true_deal_is_refused(shape, changed):
    rules, rng = replace(rules_of(RULE_SET, shape), **changed), Random(1)
    deals = [draw_deal(rng, rules) for _ in range(100)]
    assert [check(facts, rules) for facts in deals] == [()] * len(deals)
    assert len(set(deals)) > 1


@pytest.mark.parametrize(
    "changed",
    [
        {"highest": 6, "whole": 13},
        {"lowest": 1, "highest": 4, "step": 5},
        {"whole": 13, "step": 2},
        {"one_side": (9,), "highest": 4},
        {"one_side": (0, 1), "lowest": 0, "highest": 1},
    ],
)
def test_settings_that_no_deal_satisfies_are_named(changed):
    with pytest.raises(ValueError, match="no points"):
        draw_deal(Random(1), replace(PLAIN, **changed))


@pytest.mark.parametrize(
    ("slug", "rulings"),
    [
        ("whist-drive", {"deals"}),
        ("euchre", {"target"}),
        ("cribbage", {"deals"}),
        ("five-hundred", {"bid_side_first", "one_side", "others_beside", "out_by_contract"}),
        ("beetle", {"highest"}),
        ("brisca", {"deals"}),
        ("tute", set()),
        ("mus", {"deals", "target", "highest", "whole", "one_side", "other_sides"}),
        ("conquian", {"target", "highest", "whole", "one_side", "other_sides"}),
        ("twenty-five", set()),
        ("forty-five", {"highest"}),
    ],
)
def test_what_is_a_ruling_is_marked(slug, rulings):
    assert {s.name for s in shipped()[slug].settings if s.ruling} == rulings


# --- each problem whole: code, how bad, where to look, what to say, whose ------------------------------

ODD = PointsRules(shape=Shape(2, 1), target=None, deals=None, lowest=-10, highest=40, whole=None, step=5)
BOUNDLESS = replace(EUCHRE, lowest=None, highest=None)


@pytest.mark.parametrize(
    ("points", "rules", "code", "severity", "args", "side"),
    [
        ((0, -15), ODD, "low", Severity.AGAINST_RULES, {"lowest": -10, "points": -15}, 1),
        ((45, 0), ODD, "high", Severity.AGAINST_RULES, {"highest": 40, "points": 45}, 0),
        ((0, 12), ODD, "step", Severity.AGAINST_RULES, {"step": 5, "points": 12}, 1),
        ((8, 6), WHIST, "whole", Severity.IMPOSSIBLE, {"whole": 13, "written": 14}, None),
        ((8, 5, 0), WHIST, "sides", Severity.FORM, {"written": 3, "sides": 2}, None),
        ((0, 3), EUCHRE, "never", Severity.AGAINST_RULES, {"points": 3, "below": 2, "above": 4}, 1),
        ((-7, 1), BOUNDLESS, "never", Severity.AGAINST_RULES, {"points": -7, "below": 0, "above": 0}, 0),
        ((9, 0), BOUNDLESS, "never", Severity.AGAINST_RULES, {"points": 9, "below": 4, "above": 4}, 0),
        ((1, 2), EUCHRE, "two", Severity.IMPOSSIBLE, {"first": 1, "second": 2}, None),
        ((0, 0), EUCHRE, "nobody", Severity.IMPOSSIBLE, {"such": 1}, None),
        ((140, 90), FIVE_HUNDRED, "beside", Severity.IMPOSSIBLE, {"points": 140, "can": "0–30", "written": 90}, None),
        ((50, 250), FIVE_HUNDRED, "beside", Severity.IMPOSSIBLE, {"points": 250, "can": "0, 100", "written": 50}, None),
        ((-60, 40), FIVE_HUNDRED, "beside", Severity.IMPOSSIBLE, {"points": -60, "can": "50–100", "written": 40}, None),
        ((-60, 80, 30), FIVE_HUNDRED_ALONE, "others", Severity.IMPOSSIBLE, {"most": 100, "written": 110}, None),
    ],
)
def test_a_problem_says_all_of_itself(points, rules, code, severity, args, side):
    wanted = Problem(f"points-only.{code}", severity, "points", tuple(args.items()), side)
    assert check(PointsDeal(points=points), rules) == (wanted,)


def test_at_the_limits_nothing_is_wrong():
    assert check(PointsDeal(points=(-10, 40)), ODD) == ()


@pytest.mark.parametrize(
    ("limits", "span"),
    [
        ({"lowest": -10, "highest": 40, "step": 5}, (-10, 40)),
        ({"lowest": -12, "highest": 44, "step": 5}, (-10, 40)),  # the steps within the limits
        ({"lowest": None, "highest": 40, "step": 1}, (0, 40)),
        ({"lowest": 7, "highest": None, "step": 1}, (7, 107)),
        ({"lowest": None, "highest": None, "step": 1}, (0, 100)),
        ({"lowest": None, "highest": 0, "step": 1}, (-100, 0)),
        ({"lowest": None, "highest": 1, "step": 1}, (0, 1)),
        ({"lowest": None, "highest": None, "step": 1, "whole": 1}, (0, 1)),
        ({"lowest": 5, "highest": 5, "step": 1}, (5, 5)),
        ({"lowest": 5, "highest": 9, "step": 1, "whole": 10}, (5, 5)),
        ({"lowest": 2, "highest": 5, "step": 1, "whole": 10}, (5, 5)),
        ({"lowest": None, "highest": -5, "step": 1}, (-105, -5)),
    ],
    ids=str,
)
def test_points_that_are_made_up_go_from_one_limit_to_the_other(limits, span):
    rules, rng = replace(ODD, **limits), Random(1)
    drawn = [points for _ in range(1500) for points in draw_deal(rng, rules).points]
    assert (min(drawn), max(drawn)) == span
    assert {points % rules.step for points in drawn} == {0}


def test_other_sides_can_have_all_within_the_limits_that_the_one_side_cannot():
    rules = replace(ODD, step=1, lowest=-3, highest=4, one_side=(0,))
    within = {-3, -2, -1, 1, 2, 3, 4}
    assert {points for points in range(-9, 9) if rules.other_can(points)} == within
    assert replace(rules, lowest=None).other_can(-9)
    assert replace(rules, highest=None).other_can(9)
    rng = Random(1)
    deals = [draw_deal(rng, rules).points for _ in range(200)]
    assert all(0 in points for points in deals)
    assert {sum(points) for points in deals} == within


# --- going out by a contract ---------------------------------------------------------------------------

BY_CONTRACT = replace(FIVE_HUNDRED, out_by_contract=True)


@pytest.mark.parametrize(
    ("deals", "out", "by_contract"),
    [
        ([(50, -100)], (0,), ()),  # 500 by the tricks against a contract that is lost
        ([(50, -100), (40, 40)], (0,), (0,)),  # the next contract that it makes wins
        ([(50, -100), (20, 300)], (0,), (1,)),  # or one of the others, though they have less
        ([(50, -100), (-60, 50)], (0,), ()),
        ([(100, 40)], (0,), (0,)),
        ([(40, 100)], (), ()),  # 490 and 400
    ],
)
def test_a_club_may_let_only_a_contract_win_at_five_hundred(deals, out, by_contract):
    for rules, winners in ((FIVE_HUNDRED, out), (BY_CONTRACT, by_contract)):
        scores = [score(PointsDeal(points=points), rules) for points in deals]
        assert progress(scores, rules, start=(450, 300)).winners == winners


def test_who_can_have_made_the_contract_can_go_out():
    made = [score(PointsDeal(points=points), BY_CONTRACT).may_go_out for points in ((40, 40), (80, 40), (250, 100))]
    assert made == [(0, 1), (0,), (0,)]
    assert score(PointsDeal(points=(-250, 90)), BY_CONTRACT).may_go_out == ()
    assert score(PointsDeal(points=(50, -100)), FIVE_HUNDRED).may_go_out is None
