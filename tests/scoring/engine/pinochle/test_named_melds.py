"""Melds counted by name: worth, the cards they need, and what one pack can't give."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from lab.simulation.pinochle import all_melds, meld_points, shuffled
from scoring.engine.pinochle.melds import (
    PlayerMelds,
    Suit,
    cards_needed,
    count_kinds,
    counted_problems,
    meld_table,
    player_points,
    side_points,
)
from tests.scoring.engine.pinochle.cards import DOUBLE_DECK, ST_HILARY, THREE_HAND, melds, table

HEARTS = Suit.HEARTS


# --- worth and cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("laid", "points", "cards"),
    [
        # 004, "The Meld" and "Meld Points Scoring Sheet", line by line; hearts are trump
        ("run", 15, 5),
        ("2*run", 150, 10),
        ("royal-marriage", 4, 2),
        ("marriage:spades", 2, 2),
        ("nine-of-trump", 1, 1),
        ("2*nine-of-trump", 2, 2),
        ("aces", 10, 4),
        ("2*aces", 100, 8),
        ("kings", 8, 4),
        ("2*kings", 80, 8),
        ("queens", 6, 4),
        ("2*queens", 60, 8),
        ("jacks", 4, 4),
        ("2*jacks", 40, 8),
        ("pinochle", 4, 2),
        ("2*pinochle", 30, 4),
        # "1 MARRIAGE in every suit. This is a convenient way to add the sums of KINGS and QUEENS around plus the
        # values of the MARRIAGES."
        ("kings queens royal-marriage marriage:spades marriage:diamonds marriage:clubs", 24, 8),
        # "Extra marriages in trump can be meld if not used to make a RUN"
        ("run royal-marriage", 19, 7),
        # a card serves in melds of different kinds
        ("run pinochle aces", 29, 10),
        ("queens pinochle", 10, 5),
        ("kings marriage:clubs", 10, 5),
        ("", 0, 0),
        # numbers that can't be: none, and more than the pack has
        ("0*aces", 0, 0),
        ("-1*run", 0, 0),
        ("3*aces", 100, 12),
    ],
)
def test_what_melds_are_worth_and_need(laid, points, cards):
    assert player_points(melds(laid), ST_HILARY) == points
    assert sum(cards_needed(melds(laid), HEARTS)) == cards


def test_a_run_shares_the_queen_of_spades_only_when_spades_are_trump():
    laid = melds("run pinochle")
    assert [sum(cards_needed(laid, trump)) for trump in Suit] == [6, 7, 6, 7]


def test_the_sides_melds_are_added_and_never_pooled():
    laid = table("kings", "queens", "run", "royal-marriage")
    assert side_points(laid, ST_HILARY) == (14, 19)
    assert side_points(laid[:3], THREE_HAND) == (80, 60, 150)


@pytest.mark.parametrize("rules", [ST_HILARY, DOUBLE_DECK, THREE_HAND], ids=("single", "double", "tens"))
def test_all_melds_of_real_hands_are_worth_what_the_cards_are_and_need_no_more(rules):
    rng = Random(80)
    for _deal in range(60):
        hands, _widow = shuffled(rng, rules, seats=rules.shape.players)
        for hand, (place, trump) in product(hands, enumerate(Suit)):
            held = count_kinds(hand)
            laid = all_melds(held, trump)
            assert player_points(laid, rules) == meld_points(held, place, table=meld_table(rules))
            assert all(needed <= have for needed, have in zip(cards_needed(laid, trump), held, strict=True))


# --- exact against every deal of small packs -----------------------------------------------------------


def _laid(numbers, kinds):
    return PlayerMelds(tuple(replace(meld, count=n) for meld, n in zip(kinds, numbers, strict=True) if n))


def _numbers(player, kinds):
    found = {(meld.kind, meld.suit): meld.count for meld in player.melds}
    return tuple(found.get((meld.kind, meld.suit), 0) for meld in kinds)


def _declared(real):
    """All that players can lay down of what their cards make: any melds may stay undeclared."""
    full = {one + other for one, other in real}
    return {some for each in full for some in product(*(range(n + 1) for n in each))}


def test_melds_of_two_are_refused_exactly_when_no_deal_of_a_small_pack_gives_them():
    rules = replace(ST_HILARY, ranks=("K", "Q", "J"), copies=1, hand_size=6)
    kinds = list(
        melds("royal-marriage marriage:spades marriage:diamonds marriage:clubs kings queens jacks pinochle").melds
    )
    pack = [6 * suit + rank for suit in range(4) for rank in (2, 3, 4)]
    real = set()
    for chosen in range(1 << len(pack)):
        if chosen.bit_count() == rules.hand_size:
            first = [card for n, card in enumerate(pack) if chosen >> n & 1]
            hands = [first, [card for card in pack if card not in first]]
            real.add(tuple(_numbers(all_melds(count_kinds(hand), HEARTS), kinds) for hand in hands))
    possible = _declared(real)
    pairs = list(product(product((0, 1), repeat=len(kinds)), repeat=2))
    for pair in Random(12).sample(pairs, 9000):
        players = [_laid(numbers, kinds) for numbers in pair]
        found = list(counted_problems(players, HEARTS, rules=rules))
        assert (not found) == (pair[0] + pair[1] in possible), pair


def test_numbers_of_melds_are_refused_exactly_when_no_deal_of_a_small_pack_gives_them():
    rules = replace(ST_HILARY, ranks=("K", "Q"), copies=2, hand_size=8)
    kinds = list(melds("royal-marriage marriage:spades marriage:diamonds marriage:clubs kings queens").melds)
    places = [6 * suit + rank for suit in range(4) for rank in (2, 3)]
    real = set()
    for numbers in product((0, 1, 2), repeat=len(places)):
        if sum(numbers) == rules.hand_size:
            held, other = [0] * 24, [0] * 24
            for place, n in zip(places, numbers, strict=True):
                held[place], other[place] = n, 2 - n
            real.add(tuple(_numbers(all_melds(hand, HEARTS), kinds) for hand in (held, other)))
    possible = _declared(real)
    rng = Random(16)
    refused = 0
    for _pair in range(3000):
        pair = [tuple(rng.choice((0, 0, 0, 1, 2)) for _kind in kinds) for _player in range(2)]
        players = [_laid(numbers, kinds) for numbers in pair]
        found = list(counted_problems(players, HEARTS, rules=rules))
        assert (not found) == (pair[0] + pair[1] in possible), pair
        refused += bool(found)
    assert 300 < refused < 2700
