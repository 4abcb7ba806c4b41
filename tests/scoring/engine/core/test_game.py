"""When a game is over and who won it."""

from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import given, strategies as st

from scoring.engine.core.game import (
    NO_HANDICAP,
    GameEnd,
    HandicapRules,
    Progress,
    handicaps_after,
    handicaps_after_each,
    leaders,
    outcome_code,
    progress,
)
from scoring.engine.core.ledger import Line, Score
from scoring.engine.core.ruleset import Rules, Shape


def rules(sides=2, **changed):
    return Rules(shape=Shape(sides), **({"target": 150, "deals": None} | changed))


def scores(*points, first=None):
    return [Score(len(row), tuple(Line(side, p, "x") for side, p in enumerate(row)), first=first) for row in points]


FIRST = {"bid_side_first": True}
LOW = {"lowest_wins": True}


@pytest.mark.parametrize(
    ("points", "first", "changed", "counted", "winners", "ended_by"),
    [
        ([], None, {}, 0, (), ""),
        ([(100, 20), (49, 90)], None, {}, 2, (), ""),
        # the target ends a game and the higher total wins; deals after that don't count
        ([(100, 120), (55, 90)], None, {}, 2, (1,), "target"),
        ([(160, 0), (0, 500)], None, {}, 1, (0,), "target"),
        # equal totals play on, or share the game after the last deal
        ([(100, 100), (60, 60)], None, {}, 2, (), ""),
        ([(100, 100), (60, 60), (5, 4)], None, {}, 3, (0,), "target"),
        ([(100, 100), (60, 60)], None, {"deals": 2}, 2, (0, 1), "target"),
        ([(10, 30), (5, 5), (9, 0)], None, {"target": None, "deals": 2}, 2, (1,), "deals"),
        # St. Hilary House Rules v3: the bid side wins if it reaches 150 even if the others would be higher
        ([(140, 145), (12, 30)], 0, FIRST, 2, (0,), "target"),
        ([(140, 145), (10, 30)], 0, FIRST, 2, (0,), "target"),
        ([(140, 145), (12, 30)], 0, {}, 2, (1,), "target"),
        ([(100, 145), (12, 30)], 0, FIRST, 2, (1,), "target"),  # it falls short
        # a side can lose a game
        ([(30, -60), (20, -40)], None, {"lose_at": -100}, 2, (0,), "lost"),
        ([(30, -60), (20, -39)], None, {"lose_at": -100}, 2, (), ""),
        ([(150, -100)], None, {"lose_at": -100}, 1, (0,), "target"),
        # where low wins, the target ends a game and wins it for nobody
        ([(10, 4)], None, {"target": None, "deals": 1} | LOW, 1, (1,), "deals"),
        ([(151, 140)], 0, FIRST | LOW, 1, (1,), "target"),
        ([(-300, 20)], None, {"lose_at": -200} | LOW, 1, (), ""),
    ],
)
def test_when_a_game_is_over_and_who_won_it(points, first, changed, counted, winners, ended_by):
    running = tuple(accumulate(points[:counted], lambda before, deal: (before[0] + deal[0], before[1] + deal[1])))
    totals = running[-1] if running else (0, 0)
    expected = Progress(totals, running, bool(ended_by), winners, ended_by)
    assert progress(scores(*points, first=first), rules(**changed)) == expected


def test_of_three_those_win_who_have_not_lost():
    assert progress(scores((30, -100, 30)), rules(3, lose_at=-100)).winners == (0, 2)


def test_a_starting_score_counts():
    now = progress(scores((100, 20)), rules(), start=(50, 8))
    assert (now.totals, now.winners) == ((150, 28), (0,))
    assert progress([], rules(), start=(50, 8)).totals == (50, 8)


@pytest.mark.parametrize(("lowest", "best"), [(False, (1, 2)), (True, (0,))])
def test_leaders_are_those_with_the_best_total(lowest, best):
    assert leaders((3, 9, 9), rules(3, lowest_wins=lowest)) == best


@pytest.mark.parametrize(
    ("code", "points", "first", "changed"),
    [
        ("", (150, 149), 0, {}),
        ("bid-side-first", (150, 169), 0, {"bid_side_first": True}),
        ("bid-side-first", (160, 160), 0, {"bid_side_first": True}),
        ("", (169, 150), 0, {"bid_side_first": True}),
        ("", (149, 169), 0, {"bid_side_first": True}),
        ("level", (5160, 5160), None, {"target": 5000}),
        ("", (140, 140), None, {}),
        ("shared", (160, 160), None, {"deals": 1}),
        ("shared", (20, 20), None, {"deals": 1, "target": None}),
        ("deals", (140, 130), None, {"deals": 1}),
        ("", (140, 130), None, {"deals": 1, "target": None}),
        ("lost", (140, -100), None, {"lose_at": -100}),
        ("lowest", (140, 130), None, {"deals": 1, "target": None, "lowest_wins": True}),
        ("lowest", (160, 130), None, {"lowest_wins": True}),
    ],
)
def test_what_is_not_plain_from_the_totals_has_a_code(code, points, first, changed):
    by = rules(**changed)
    assert outcome_code(progress(scores(points, first=first), by), by) == code


def test_a_side_that_may_not_go_out_has_a_code_too():
    (score,) = scores((520, 510))
    five_hundred = rules(target=500)
    beaten = progress([replace(score, may_go_out=(1,))], five_hundred)
    assert (beaten.winners, outcome_code(beaten, five_hundred)) == ((1,), "by-contract")
    on = progress([replace(scores((520, 400))[0], may_go_out=(1,))], five_hundred)
    assert (on.over, outcome_code(on, five_hundred)) == (False, "not-out")


# --- claims: 002, section 13 ---------------------------------------------------------------------------


def claim(points, claimant, *, challenged=False):
    return Score(2, scores(points)[0].lines, claimant=claimant, challenged=challenged)


@pytest.mark.parametrize(("challenged", "by"), [(False, "claim"), (True, "challenge")])
def test_a_claim_with_the_target_wins_whatever_the_other_has(challenged, by):
    played = [*scores((100, 148)), claim((50, 30), 0, challenged=challenged), *scores((9, 9))]
    assert progress(played, rules()) == Progress((150, 178), ((100, 148), (150, 178)), True, (0,), by)


def test_a_claim_without_the_target_ends_nothing():
    now = progress([*scores((100, 100)), claim((49, 20), 0)], rules())
    assert now == Progress((149, 120), ((100, 100), (149, 120)), False, ())
    assert not progress([claim((500, 0), 0)], rules(target=None)).over


def test_where_low_wins_a_claim_wins_nothing():
    now = progress([claim((160, 150), 0)], rules(**LOW))
    assert (now.winners, now.ended_by) == ((1,), "target")


@pytest.mark.parametrize(("accepted", "counted"), [(3, 2), (2, 2), (1, 3), (0, 3)])
def test_nothing_is_won_from_a_deal_on_that_is_not_accepted(accepted, counted):
    played = scores((100, 40), (60, 10), (10, 120))
    now = progress(played, rules(), accepted=accepted)
    assert (now.over, len(now.running)) == (accepted >= 2, counted)
    assert bool(now.winners) == bool(now.ended_by) == now.over


def test_the_number_of_deals_is_played_whether_they_are_accepted_or_not():
    played = scores((100, 40), (60, 10), (10, 120))
    now = progress(played, rules(target=None, deals=2), accepted=1)
    assert (now.over, now.running, now.totals) == (False, ((100, 40), (160, 50)), (160, 50))


RULES = HandicapRules()
RESULTS = st.builds(GameEnd, winner=st.sampled_from((0, 1, None)), loser_total=st.integers(-20, 149))


@pytest.mark.parametrize(
    ("before", "winner", "loser_total", "expected"),
    [
        (NO_HANDICAP, 1, 75, (4, 0)),  # 75 is not below 75
        (NO_HANDICAP, 1, 74, (8, 0)),
        ((8, 0), 1, 100, (12, 0)),  # 002, section 14d
        ((8, 0), 0, 100, (4, 0)),  # first taken off the winner's
        ((4, 0), 0, 100, (0, 0)),
        ((4, 0), 0, 60, (0, 0)),  # nothing passes over to the loser
        ((0, 12), 1, 60, (0, 4)),
        ((0, 12), 0, 60, (0, 20)),
        ((0, 12), None, 60, (0, 12)),  # shared
    ],
)
def test_what_a_game_does(before, winner, loser_total, expected):
    assert handicaps_after(before, GameEnd(winner, loser_total), rules=RULES) == expected


@given(st.lists(RESULTS, max_size=30))
def test_at_most_one_of_the_two_has_a_handicap_and_none_is_below_zero(results):
    for one, other in handicaps_after_each([(result, RULES) for result in results]):
        assert min(one, other) == 0
        assert max(one, other) % 4 == 0


@given(st.lists(RESULTS, max_size=10))
def test_the_two_changed_about_give_the_same_changed_about(results):
    turned = [GameEnd(None if r.winner is None else 1 - r.winner, r.loser_total) for r in results]
    there = handicaps_after_each([(result, RULES) for result in results])
    assert handicaps_after_each([(result, RULES) for result in turned]) == tuple((b, a) for a, b in there)
