"""Which meld totals a player for two can lay: held against every choice of melds from a small pack."""

from dataclasses import replace
from itertools import product

import pytest

from scoring.engine.pinochle.melds import DIAMONDS, SPADES, Suit
from scoring.engine.pinochle.two_hand.melds import Nines, all_totals, can_lay, can_lay_both, nines_fit
from tests.scoring.engine.pinochle.two_hand.cards import FLETCHER

SMALL = replace(
    FLETCHER,
    copies=1,
    hand_size=6,
    nine_of_trump=0,
    run=(15,),
    royal_marriage=(4,),
    marriage=(2,),
    aces_around=(10,),
    kings_around=(8,),
    queens_around=(6,),
    jacks_around=(4,),
    pinochle=(4,),
)
"""One card of each, 24 in all, six dealt to each player: 6 tricks before the last draw, 7 melds."""

SUITS = tuple(Suit)


def every_choice(trump, cards_seen, most=SMALL.most_layings):
    """Points, melds and cards (a bit for each) of every choice of melds from the small pack."""

    def cards(*which):
        return sum(1 << 6 * suit + rank for suit, rank in which)

    around = [
        (points, cards(*((suit, rank) for suit in range(4)))) for rank, points in ((0, 10), (2, 8), (3, 6), (4, 4))
    ]
    plain = [(2, cards((suit, 2), (suit, 3))) for suit in range(4) if suit != trump]
    single = [*around, *plain, (4, cards((SPADES, 3), (DIAMONDS, 4)))]
    royal, run = cards((trump, 2), (trump, 3)), cards(*((trump, rank) for rank in range(5)))
    of_trump = [(0, 0, 0), (4, 1, royal), (15, 1, run), (19, 2, run)]
    found = []
    for chosen in product((False, True), repeat=len(single)):
        melds = [meld for meld, laid in zip(single, chosen, strict=True) if laid]
        for points, many, held in of_trump:
            for more, needed in melds:
                points, many, held = points + more, many + 1, held | needed
            if held.bit_count() <= cards_seen and many <= most:
                found.append((points, many, held))
    return found


def test_what_is_possible_under_some_trump():
    under_each = {points for trump in range(4) for points, _many, _cards in every_choice(trump, SMALL.cards_seen)}
    assert {points for points in range(100) if can_lay(points, SMALL)} == under_each


@pytest.mark.parametrize("trump", SUITS)
def test_both_can_have_what_each_can_under_one_trump(trump):
    """In however many layings: what cards the other needs isn't asked of totals."""
    alone = {points for points, _many, _cards in every_choice(SUITS.index(trump), SMALL.cards_seen, most=10**6)}
    accepted = {both for both in product(range(70), repeat=2) if can_lay_both(both, SMALL, trump=trump)}
    assert accepted == set(product(alone, repeat=2))


def test_two_players_are_alike():
    for both in product(range(0, 120, 7), range(0, 280, 11)):
        assert can_lay_both(both, FLETCHER) == can_lay_both(both[::-1], FLETCHER)


@pytest.mark.parametrize(
    ("nines", "drawn", "put_back", "expected"),
    [
        ((2, 0), (0, 0), None, True),
        ((1, 1), (0, 0), None, True),
        ((3, 0), (0, 0), None, False),
        ((2, 1), (0, 0), None, False),
        ((2, 0), (0, 1), None, True),  # exchanged by the first player, drawn last by the second
        ((0, 2), (1, 0), None, True),
        ((2, 0), (1, 0), None, False),
        ((1, 0), (1, 1), None, True),
        ((0, 0), (1, 1), None, True),
        ((1, 1), (1, 1), None, False),
        ((1, 0), (0, 1), 0, True),  # the nine put back, and the other one
        ((0, 1), (0, 1), 0, False),
        ((2, 0), (0, 1), 0, False),
    ],
)
def test_nines_of_trump(nines, drawn, put_back, expected):
    assert nines_fit(nines, Nines(drawn, put_back), rules=FLETCHER) is expected


def test_nines_count_in_the_totals():
    assert can_lay_both((1, 1), FLETCHER)
    assert not can_lay_both((1, 1), FLETCHER, trump=None, nines=Nines((1, 1)))  # three of them at most, one twice
    assert can_lay_both((1, 0), FLETCHER, trump=None, nines=Nines((1, 1)))


@pytest.mark.parametrize("turned_up", [True, False])
def test_a_nine_turned_up_counts_twice_and_its_exchange_shows_one_card_more(turned_up):
    rules = replace(SMALL, nine_of_trump=1000, turned_up_nine=turned_up)
    highest = max(points for points in range(100) if can_lay(points, SMALL))
    assert can_lay(highest + 1000, rules)
    assert can_lay(highest + 2000, rules) is turned_up
    assert not can_lay(highest + 3000, rules)


def test_all_totals_are_those_that_can_be_laid():
    laid = all_totals(SMALL)
    assert list(laid) == [points for points in range(2 * laid[-1]) if can_lay(points, SMALL)]
