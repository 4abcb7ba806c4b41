"""The scorer's running totals: where a slip was made, by how much, and how it came about."""

import pytest
from hypothesis import given, strategies as st

from scoring.engine.core.game import CAUSES, check_running_totals, check_set_marks
from scoring.engine.core.ledger import Line, Score


def scores(*points):
    return [Score(len(row), tuple(Line(side, p, "x") for side, p in enumerate(row))) for row in points]


DEALS = scores((25, 16), (-24, 12), (31, 9), (17, 20), (40, 3))
RIGHT = [(25, 16), (1, 28), (32, 37), (49, 57), (89, 60)]


def with_first(*totals):
    """The card with these running totals of the first side, and the second side's right ones."""
    return [(total, right[1]) for total, right in zip(totals, RIGHT, strict=False)]


def one(written):
    (slip,) = check_running_totals(DEALS, written)
    return slip


def test_right_totals_have_no_slip():
    assert check_running_totals(DEALS, RIGHT) == ()


def test_a_slip_is_named_where_it_was_made_and_how_far_it_goes():
    slip = one(with_first(25, 1, 40, 57, 97))
    assert (slip.side, slip.deal, slip.until, slip.difference, slip.step) == (0, 3, 5, 8, 8)
    assert (slip.written, slip.right) == (40, 32)
    assert slip.code == "arithmetic.running-total"
    assert dict(slip.args)["difference"] == 8


def test_a_total_that_was_put_right_again_is_wrong_only_in_between():
    slip = one(with_first(25, 1, 30, 49, 89))
    assert (slip.deal, slip.until, slip.difference) == (3, 3, -2)


def test_a_second_slip_counts_from_the_first():
    found = check_running_totals(DEALS, with_first(25, 6, 37, 51, 91))
    assert [(s.deal, s.until, s.difference, s.step) for s in found] == [(2, 3, 5, 5), (4, 5, 2, -3)]


def test_blank_totals_leave_open_where_the_slip_was_made():
    slip = one(with_first(25, None, None, 52, None))
    assert (slip.between, slip.deal, slip.until, slip.difference) == (2, 4, 4, 3)
    assert check_running_totals(DEALS, [(None, None)] * 5) == ()


def test_a_blank_does_not_end_a_difference():
    slip = one(with_first(25, 4, None, 52, 92))
    assert (slip.deal, slip.until) == (2, 5)


def test_every_side_is_added_up():
    found = check_running_totals(DEALS, [(25, 16), (1, 28), (33, 37), (50, 58), (90, 61)])
    assert [(s.side, s.deal, s.difference) for s in found] == [(0, 3, 1), (1, 4, 1)]


@pytest.mark.parametrize(
    ("totals", "cause"),
    [
        ((25, 1, 1, 18, 58), "left-out"),
        ((25, 1, 63, 80, 120), "twice"),
        ((25, 49, 80, 97, 137), "sign"),
        ((25, 1, 10, 27, 67), "other-side"),
        ((25, 1, 23, 40, 80), "digits"),
        ((25, 1, 32, 94, 134), "digits"),
        ((25, 1, 39, 56, 96), ""),
        ((25, 1, 132, 149, 189), ""),  # another number of figures
    ],
)
def test_the_likeliest_cause_is_named(totals, cause):
    assert one(with_first(*totals)).cause == cause


def test_a_starting_score_counts():
    assert check_running_totals(DEALS, [(37, 16), (13, 28)], start=(12, 0)) == ()
    (slip,) = check_running_totals(DEALS, RIGHT, start=(12, 0))
    assert (slip.deal, slip.until, slip.difference, slip.cause) == (1, 5, -12, "start")


@pytest.mark.parametrize(
    ("start", "totals"), [(12, (37, 1)), (12, (40, 16)), (0, (25, 0)), (12, (37, 12)), (0, (25, 13))]
)
def test_only_a_total_that_begins_the_card_can_lack_the_starting_score(start, totals):
    found = check_running_totals(DEALS, [(total,) for total in totals], start=(start,))
    assert [slip.cause for slip in found] == [""]


def test_a_card_may_end_early_or_have_short_rows():
    assert check_running_totals(DEALS, [(25, 16), (1,), ()]) == ()
    assert check_running_totals([], RIGHT) == ()


@given(points=st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=8), data=st.data())
def test_the_slips_explain_every_total_on_the_card(points, data):
    written = data.draw(
        st.lists(st.tuples(*[st.none() | st.integers(-60, 60)] * 2), min_size=len(points), max_size=len(points))
    )
    found = check_running_totals(scores(*points), written)
    assert {slip.cause for slip in found} <= set(CAUSES)
    for side in (0, 1):
        right = 0
        for deal, (row, totals) in enumerate(zip(points, written, strict=True), start=1):
            right += row[side]
            off = [s.difference for s in found if s.side == side and s.deal <= deal <= s.until]
            if (total := totals[side]) is not None:
                assert total - right == sum(off)
                assert len(off) <= 1


@given(
    points=st.lists(st.integers(-40, 60), min_size=1, max_size=10),
    data=st.data(),
    off=st.integers(-99, 99).filter(bool),
    start=st.integers(0, 30),
)
def test_one_slip_is_one_message_carried_to_the_end(points, data, off, start):
    wrong = data.draw(st.integers(1, len(points)))
    right = [start + sum(points[:n]) for n in range(1, len(points) + 1)]
    written = [(total + (off if deal >= wrong else 0),) for deal, total in enumerate(right, start=1)]
    (slip,) = check_running_totals(scores(*[(p,) for p in points]), written, start=[start])
    assert (slip.deal, slip.between, slip.until) == (wrong, wrong, len(points))
    assert (slip.difference, slip.step) == (off, off)
    assert (slip.written, slip.right) == (written[wrong - 1][0], right[wrong - 1])


def test_set_marks_are_held_against_the_bids():
    deals = [Score(2, (), sets=(0,)), Score(2, (), sets=()), Score(2, (), sets=(1,))]
    assert check_set_marks(deals, [[0], [], [1]]) == ()
    assert check_set_marks(deals, [None, None, None]) == ()
    assert check_set_marks(deals, [[0]]) == ()
    found = check_set_marks(deals, [[], [1], [0]])
    assert [(s.deal, s.side, s.marked) for s in found] == [(1, 0, False), (2, 1, True), (3, 0, True), (3, 1, False)]
    assert dict(found[0].args) == {"deal": 1, "marked": 0}
    assert {s.code for s in found} == {"arithmetic.set-mark"}
