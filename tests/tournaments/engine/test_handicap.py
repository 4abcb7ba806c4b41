"""The club handicap: from the newest deals, capped, never below nothing."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from tournaments.engine.handicap import Handicap, HandicapRule, compute_handicap

RULE = HandicapRule(scratch=30, percent=80, most=15, deals=4, needed=2)


@pytest.mark.parametrize(
    ("points", "given", "average", "code"),
    [
        ([], 0, None, "handicap.too-few-deals"),
        ([3], 0, 3, "handicap.too-few-deals"),
        ([20, 20], 8, 20, "handicap.given"),
        ([25, 26], 4, Fraction(51, 2), "handicap.given"),  # 80 % of 4½ is 3.6
        ([29, 29], 1, 29, "handicap.given"),
        ([11, 11, 11, 12], 15, Fraction(45, 4), "handicap.given"),  # as much as there is at most, and no less than due
        ([0, 0], 15, 0, "handicap.capped"),
        ([30, 30], 0, 30, "handicap.scratch"),
        ([99, 20, 20, 20, 20], 8, 20, "handicap.given"),  # the newest four count
    ],
)
def test_a_handicap_is_a_share_of_what_the_average_lacks(points, given, average, code):
    assert compute_handicap(points, RULE) == Handicap(given, min(len(points), 4), average, code)


def test_a_share_of_hundreds_of_points_is_exact():
    rule = HandicapRule(scratch=500, percent=100, most=500, deals=1, needed=1)
    assert compute_handicap([0], rule).points == 500


@given(st.lists(st.integers(-50, 200), max_size=60), st.integers(0, 100), st.integers(0, 60))
def test_a_handicap_is_within_its_bounds_and_never_grows_with_better_play(points, percent, most):
    rule = HandicapRule(scratch=60, percent=percent, most=most, needed=1)
    now = compute_handicap(points, rule)
    assert 0 <= now.points <= most
    assert now.deals == min(len(points), rule.deals)
    if points:
        assert compute_handicap([*points[:-1], points[-1] + 10], rule).points <= now.points


@pytest.mark.parametrize("wrong", [{"percent": 101}, {"most": -1}, {"needed": 0}, {"needed": 50}])
def test_numbers_that_make_no_handicap_are_refused(wrong):
    with pytest.raises(ValueError, match="percent"):
        HandicapRule(scratch=30, **wrong)
