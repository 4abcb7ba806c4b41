"""The bounds of Hand and Foot to their figures, by rules that make every part of them count."""

from dataclasses import replace

import pytest

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.cards import Piles, limits_of
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, TWO_PLAYERS

CANASTA = rules_of(shipped()["canasta"])
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


def twos_at(points, rules):
    values = tuple((rank, points if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


@pytest.mark.parametrize(
    ("rules", "piles", "least"),
    [
        (PARTNERS, (22, 0, 0), 8 * 35 + 12 * 70 + 2 * 140),  # all the clean piles of five decks
        (SMALL, (0, 1, 0), 5 + 5 + 20),
        (twos_at(7, SMALL), (0, 1, 0), 5 + 5 + 7),
        (twos_at(2, PARTNERS), (1, 1, 1), 35 + 14 + 14),
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


def test_wild_cards_in_a_meld_go_by_the_ratio_the_least_naturals_and_the_most():
    assert [PARTNERS.wilds_in(cards) for cards in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert [CANASTA.wilds_in(cards) for cards in range(10)] == [0, 0, 0, 1, 2, 3, 3, 3, 3, 3]
    assert [replace(PARTNERS, naturals_per_wild=0).wilds_in(cards) for cards in range(6)] == [0, 0, 0, 1, 2, 3]


def test_where_any_first_meld_will_do_it_needs_nothing():
    assert replace(PARTNERS, first_meld=()).least_first_meld(1) == 0


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
        elif figure in ("red_threes", "red_threes_missed"):
            assert most == limits.red_threes
        elif figure in ("melded", "left"):
            assert most == limits.pack_points
        elif figure == "perfect":
            assert most == rules.shape.per_side
        else:
            assert most * rules.pile_size <= limits.per_rank < (most + 1) * rules.pile_size
