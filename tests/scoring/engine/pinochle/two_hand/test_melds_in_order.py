"""Melds one by one: what each counts, which can follow which, and all that can be laid from so many cards."""

from dataclasses import replace

import pytest

from scoring.engine.pinochle.two_hand.card import Laying
from scoring.engine.pinochle.two_hand.melds import follow, ways_to_lay_kind, ways_to_lay_trump
from tests.scoring.engine.pinochle.two_hand.cards import CLASSIC, FLETCHER

L = Laying
ONE_COPY = replace(FLETCHER, copies=1)
NO_DOUBLE_ACES = replace(FLETCHER, aces_around=(10,))
DIFFERENCE, NEVER = (replace(FLETCHER, grown_double=how) for how in ("difference", "never"))


@pytest.mark.parametrize(
    ("layings", "points", "wrong"),
    [
        # two kings and two queens of trump: each in one royal marriage, and in one run
        ((L.ROYAL_MARRIAGE,) * 3, (4, 4, 0), (2,)),
        ((L.ROYAL_MARRIAGE, L.RUN, L.RUN, L.ROYAL_MARRIAGE), (4, 15, 15, 0), (3,)),
        ((L.ROYAL_MARRIAGE, L.RUN, L.ROYAL_MARRIAGE, L.RUN), (4, 15, 4, 15), ()),
        ((L.RUN, L.ROYAL_MARRIAGE, L.RUN, L.ROYAL_MARRIAGE), (15, 4, 15, 0), (3,)),
        ((L.DOUBLE_RUN, L.ROYAL_MARRIAGE), (150, 0), (1,)),
        ((L.RUN,) * 3, (15, 15, 0), (2,)),
        # kings and queens added to a run, which stand in the second run of a double
        ((L.RUN, L.ADDED_KING, L.ADDED_KING), (15, 2, 0), (2,)),
        ((L.RUN, L.ADDED_QUEEN, L.ADDED_QUEEN), (15, 2, 0), (2,)),
        ((L.RUN, L.ADDED_KING, L.RUN), (15, 2, 0), (2,)),
        ((L.RUN, L.ADDED_KING, L.DOUBLE_RUN, L.ADDED_KING), (15, 2, 150, 0), (3,)),
        ((L.RUN, L.ADDED_QUEEN, L.DOUBLE_RUN, L.ADDED_QUEEN), (15, 2, 150, 0), (3,)),
        ((L.RUN, L.ADDED_KING, L.ADDED_QUEEN, L.DOUBLE_RUN, L.ROYAL_MARRIAGE), (15, 2, 2, 150, 0), (4,)),
        ((L.ROYAL_MARRIAGE, L.RUN, L.DOUBLE_RUN, L.ADDED_KING), (4, 15, 150, 0), (3,)),
        # a double grows from its single, not from two; after it there is no single left
        ((L.ACES, L.DOUBLE_ACES, L.ACES), (10, 100, 0), (2,)),
        ((L.ACES, L.ACES, L.DOUBLE_ACES), (10, 10, 0), (2,)),
        ((L.DOUBLE_ACES, L.DOUBLE_ACES), (100, 0), (1,)),
        ((L.MARRIAGE_CLUBS, L.MARRIAGE_SPADES, L.MARRIAGE_CLUBS, L.MARRIAGE_CLUBS), (2, 2, 2, 0), (3,)),
        ((L.NINE, L.NINE, L.NINE), (1, 1, 0), (2,)),
    ],
)
def test_what_each_meld_counts_and_which_cannot_be_laid(layings, points, wrong):
    laid = follow(layings, FLETCHER)
    assert (laid.points, laid.wrong, laid.total) == (points, wrong, sum(points))


@pytest.mark.parametrize(
    ("layings", "rules", "points", "wrong"),
    [
        ((L.DOUBLE_ACES,), ONE_COPY, (0,), (0,)),
        ((L.ACES, L.ACES), ONE_COPY, (10, 0), (1,)),
        ((L.DOUBLE_ACES, L.DOUBLE_KINGS), NO_DOUBLE_ACES, (0, 80), (0,)),
        ((L.ACES, L.DOUBLE_ACES), DIFFERENCE, (10, 90), ()),
        ((L.DOUBLE_ACES,), DIFFERENCE, (100,), ()),
        ((L.ACES, L.DOUBLE_ACES), NEVER, (10, 0), (1,)),
        ((L.DOUBLE_ACES,), NEVER, (100,), ()),
        ((L.NINE,) * 4, CLASSIC, (10, 10, 10, 0), (3,)),  # the one turned up counts for the dealer, and is taken
    ],
)
def test_what_it_counts_by_other_rules(layings, rules, points, wrong):
    laid = follow(layings, rules)
    assert (laid.points, laid.wrong) == (points, wrong)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (ONE_COPY, {(0, 0), (1, 10)}),
        (FLETCHER, {(0, 0), (1, 10), (2, 20), (2, 100), (2, 110)}),
        (DIFFERENCE, {(0, 0), (1, 10), (2, 20), (2, 100)}),
        (NEVER, {(0, 0), (1, 10), (2, 20), (2, 100)}),
        (NO_DOUBLE_ACES, {(0, 0), (1, 10), (2, 20)}),
    ],
)
def test_all_that_can_be_laid_of_aces(rules, expected):
    """How many lie, and their points."""
    assert set(ways_to_lay_kind(L.ACES, rules)) == expected


def test_all_that_can_be_laid_of_trumps():
    """From one king, one queen and one run."""
    assert {points for _trumps, points in ways_to_lay_trump(ONE_COPY)} == {0, 4, 15, 19}
