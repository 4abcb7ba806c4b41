"""The handicap between two players: what every game does to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine.core.game import LEVEL, GameEnd, HandicapRules, after, course

RULES = HandicapRules()
RESULTS = st.builds(GameEnd, winner=st.sampled_from((0, 1, None)), loser_total=st.integers(-20, 149))


@pytest.mark.parametrize(
    ("before", "winner", "loser_total", "expected"),
    [
        (LEVEL, 1, 75, (4, 0)),  # 75 is not below 75
        (LEVEL, 1, 74, (8, 0)),
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
    assert after(before, GameEnd(winner, loser_total), rules=RULES) == expected


@given(st.lists(RESULTS, max_size=30))
def test_at_most_one_of_the_two_has_a_handicap_and_none_is_below_zero(results):
    for one, other in course([(result, RULES) for result in results]):
        assert min(one, other) == 0
        assert max(one, other) % 4 == 0


@given(st.lists(RESULTS, max_size=10))
def test_the_two_changed_about_give_the_same_changed_about(results):
    turned = [GameEnd(None if r.winner is None else 1 - r.winner, r.loser_total) for r in results]
    there = course([(result, RULES) for result in results])
    assert course([(result, RULES) for result in turned]) == tuple((b, a) for a, b in there)
