"""What a pack can hold: how many piles, what they are worth at least, and how many cards so many points can be."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, strategies as st

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.cards import Piles, limits_of
from tests.scoring.engine.hand_and_foot.columns import CANASTA, MODERN, PARTNERS, TWO_PLAYERS

BLACK_THREES = replace(PARTNERS, black_three_melds=True)
SMALL = replace(
    TWO_PLAYERS,
    decks_in_all=1,
    jokers_per_deck=1,
    card_values=(("joker", 50), ("2", 20), ("K", 10), ("4", 5), ("3", 5)),
    meld_least=2,
    pile_size=3,
    naturals_per_wild=1,
    naturals_least=1,
)
"""One deck of kings, fours, twos, a joker and two black threes; piles of three cards, melds of two."""
GROWING = replace(PARTNERS, pile_closed=False)
ANY_WILDS = replace(TWO_PLAYERS, naturals_per_wild=0, naturals_least=0, wilds_most=None)
CLOSING = replace(MODERN, decks_in_all=3)  # a pile closes its rank


def twos_at(points, rules):
    values = tuple((rank, points if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


# --- piles ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "most", "one_more"),
    [
        # Three decks: twelve cards of each of eleven ranks, 6 jokers and 12 twos. A rank gives one clean pile and no
        # more than a dirty one of five naturals beside it, or two dirty ones.
        (TWO_PLAYERS, (11, 0), (12, 0)),
        (TWO_PLAYERS, (11, 9), (11, 10)),  # five naturals and two wild cards each: 18 wild cards
        (TWO_PLAYERS, (0, 18), (0, 19)),
        (TWO_PLAYERS, (0, 4, 2), (0, 5, 2)),
        # however many wild cards a pile may have
        (ANY_WILDS, (11, 9), (11, 10)),
        (ANY_WILDS, (0, 18), (0, 19)),
        # twelve kings, of which two canastas could be made; sevens take no wild card
        (CLOSING, (0, 10), (0, 11)),
        (replace(CLOSING, rank_once=False), (0, 11), (10, 0)),
        (CLOSING, (8, 1), (8, 3)),
    ],
)
def test_the_pack_holds_as_many_piles_as_counting_rank_by_rank_allows(rules, most, one_more):
    limits = limits_of(rules)
    assert limits.piles_fit(Piles(*most))
    assert not limits.piles_fit(Piles(*one_more))


def test_piles_of_low_cards_add_up():
    """35 for each clean pile, 50 for each dirty one, 140 for each wild one, as long as the low cards last."""
    limits = limits_of(PARTNERS)
    for clean, dirty, wild in product(range(3), range(3), range(2)):
        least = limits.least_melded(Piles(clean, dirty, wild))
        assert least == 35 * clean + 50 * dirty + 140 * wild


@pytest.mark.parametrize(
    ("rules", "piles", "least"),
    [
        (PARTNERS, (8, 0, 0), 8 * 35),  # of twenty cards of each of four ranks of fives
        (PARTNERS, (9, 0, 0), 8 * 35 + 70),
        (PARTNERS, (22, 0, 0), 8 * 35 + 12 * 70 + 2 * 140),  # all the clean piles of five decks
        (PARTNERS, (0, 0, 2), 2 * 140),
        (PARTNERS, (0, 0, 3), 20 * 20 + 50),  # twenty twos
        (SMALL, (0, 1, 0), 5 + 5 + 20),
        (twos_at(7, SMALL), (0, 1, 0), 5 + 5 + 7),
        (twos_at(2, PARTNERS), (1, 1, 1), 35 + 14 + 14),
        (twos_at(0, PARTNERS), (0, 1, 0), 0),
        (twos_at(5, PARTNERS), (0, 7, 2), 7 * 30 + 20 * 5 + 50),
        (BLACK_THREES, (9, 0, 0), 9 * 35),  # one of them of black threes
        (replace(BLACK_THREES, decks_in_all=3, pile_size=6), (9, 0, 0), 9 * 30),
        (replace(CANASTA, pile_closed=True), (4, 0, 0), 4 * 35),
        (replace(CANASTA, pile_closed=True), (5, 0, 0), 4 * 35 + 70),  # four black threes are no pile
    ],
)
def test_piles_are_worth_at_least_their_cheapest_cards(rules, piles, least):
    assert limits_of(rules).least_melded(Piles(*piles)) == least


@pytest.mark.parametrize(
    ("rules", "cards"),
    [  # for nothing, 35, 300 and 1,260 points beside no pile; for 200 points with a clean and a dirty one
        (PARTNERS, (0, 7, 24 + 18, 12 * 6, 14 + 23)),
        (replace(PARTNERS, wild_melds=False), (0, 7, 24 + 18, 11 * 6, 14 + 23)),
        (twos_at(0, PARTNERS), (12 * 6, 12 * 6, 12 * 6, 12 * 6, 14 + 12 * 6)),
        (BLACK_THREES, (0, 7, 60, 252, 14 + 23)),
        (GROWING, (0, 7, 60, 252, 14 + 23)),
        (twos_at(0, GROWING), (260, 260, 260, 260, 260)),  # as many as the pack has
    ],
    ids=("usual", "no-wild-melds", "cheap-twos", "black-threes", "growing-piles", "growing-cheap-twos"),
)
def test_so_many_points_are_so_many_cards_at_most(rules, cards):
    most = limits_of(rules).most_cards_melded
    alone = [most(Piles(), points) for points in (0, 35, 300, 1260)]
    assert (*alone, most(Piles(clean=1, dirty=1), 200)) == cards


@given(st.data())
def test_no_melds_that_a_pack_can_lay_break_the_bounds(data):
    """Melds drawn rank by rank from a real pack, however unlikely in play."""
    limits, values = limits_of(PARTNERS), PARTNERS.values
    jokers, twos = 10, 20
    piles = {"clean": 0, "dirty": 0, "wild": 0}
    melded = cards = 0

    def wild_cards(count):
        nonlocal jokers, twos
        from_jokers = data.draw(st.integers(max(0, count - twos), min(count, jokers)))
        jokers, twos = jokers - from_jokers, twos - count + from_jokers
        return from_jokers * 50 + (count - from_jokers) * 20

    for rank in ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4"]:
        naturals = 20
        incomplete = False
        for size, wilds in data.draw(st.lists(st.tuples(st.integers(3, 7), st.integers(0, 2)), max_size=4)):
            if wilds > size // 3 or size - wilds > naturals or wilds > jokers + twos or (incomplete and size < 7):
                continue
            naturals -= size - wilds
            melded += (size - wilds) * values[rank] + wild_cards(wilds)
            cards += size
            incomplete = incomplete or size < 7
            if size == 7:
                piles["dirty" if wilds else "clean"] += 1
    for size in data.draw(st.lists(st.just(7), max_size=4)) + data.draw(st.lists(st.integers(3, 6), max_size=1)):
        if size <= jokers + twos:
            melded += wild_cards(size)
            cards += size
            piles["wild"] += size == 7
    counts = Piles(**piles)
    assert limits.piles_fit(counts)
    assert limits.least_melded(counts) <= melded
    assert not limits.least_melded(counts) < melded < limits.least_melded(counts) + 15 or not sum(counts)
    assert cards <= limits.most_cards_melded(counts, melded)


SHIPPED = {slug: rule_set for slug, rule_set in shipped().items() if rule_set.family == "hand-and-foot"}


@pytest.mark.parametrize(
    "rules", [*map(rules_of, SHIPPED.values()), BLACK_THREES, SMALL], ids=[*SHIPPED, "threes", "small"]
)
def test_the_most_of_a_figure_is_what_the_pack_still_allows(rules):
    limits = limits_of(rules)
    for figure in rules.figures:
        most = limits.most_of(figure)
        if figure in ("clean", "dirty", "wild"):
            assert limits.piles_fit(Piles(**{figure: most}))
            assert not limits.piles_fit(Piles(**{figure: most + 1}))
        elif figure in ("red_threes", "red_threes_missed", "black_threes"):
            assert most == limits.red_threes
        elif figure in ("melded", "left"):
            assert most == limits.pack_points
        elif figure == "perfect":
            assert most == rules.shape.per_side
        elif figure.startswith("extra_"):
            assert most == (2 * rules.shape.per_side if "held" in figure else 1)
        elif figure.removeprefix("special_") in rules.natural_ranks:
            assert most * rules.pile_size <= limits.per_rank < (most + 1) * rules.pile_size


# --- one meld ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "wilds"),
    [
        (PARTNERS, [0, 0, 0, 1, 1, 1, 2, 2]),
        (CANASTA, [0, 0, 0, 1, 2, 3, 3, 3, 3, 3]),
        (replace(CANASTA, naturals_per_wild=1), [0, 0, 0, 1, 2, 2, 3, 3]),
        (replace(PARTNERS, naturals_per_wild=0), [0, 0, 0, 1, 2, 3]),
    ],
)
def test_wild_cards_in_a_meld_go_by_the_ratio_the_least_naturals_and_the_most(rules, wilds):
    assert [rules.wilds_in(cards) for cards in range(len(wilds))] == wilds


@pytest.mark.parametrize(
    ("rules", "number", "before", "least"),
    [
        *((CANASTA, None, *figures) for figures in [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90)]),
        (CANASTA, None, 3000, 120),
        (CANASTA, 4, None, 15),  # nobody knows the score
        (PARTNERS, None, 3000, 50),
        (replace(PARTNERS, first_meld=()), 1, None, 0),
    ],
)
def test_the_first_meld_goes_by_the_score_or_the_deal(rules, number, before, least):
    assert rules.least_first_meld(number, before) == least
