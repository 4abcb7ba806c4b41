"""Hand and Foot by settings that a club may choose though no shipped rule set has them so."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot import HandAndFootDeal, HandAndFootRules, SideCard, check, play, score
from scoring.engine.hand_and_foot_card import Totals
from scoring.engine.hand_and_foot_exact import check_exactly, is_roomy, quick_span, wanted_of
from scoring.engine.hand_and_foot_limits import limits_of
from scoring.engine.hand_and_foot_melds import melds_of
from scoring.engine.ruleset import Shape, shipped

PARTNERS: HandAndFootRules = rules_of(shipped()["hand-and-foot"], Shape(2, 2))
TWO: HandAndFootRules = rules_of(shipped()["hand-and-foot"], Shape(2, 1))
KNEE: HandAndFootRules = rules_of(shipped()["hand-knee-and-foot"])
CANASTA: HandAndFootRules = rules_of(shipped()["canasta"])


def cheap_twos(rules: HandAndFootRules) -> HandAndFootRules:
    """A two is worth less than any natural card."""
    values = tuple((rank, 0 if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


@pytest.mark.parametrize(
    "rules",
    [
        replace(PARTNERS, naturals_per_wild=3),  # no wild card in a meld of three
        replace(PARTNERS, naturals_per_wild=0, naturals_least=0, wilds_most=None),  # as many as one likes
        replace(TWO, hand=40, foot=41),  # all the pack is dealt: there is no card to turn up, and none to draw
        cheap_twos(PARTNERS),
        replace(CANASTA, wild_melds=True, wild_pile=1000),  # wild melds of any number of cards
    ],
    ids=("fewer-wilds", "any-wilds", "all-dealt", "cheap-twos", "wild-canastas"),
)
def test_true_deals_by_a_clubs_own_settings_are_never_refused(rules: HandAndFootRules) -> None:
    rng = Random("house rules")
    for number in range(8):
        facts = play(rng, rules, number % 4)
        assert check(facts, rules) == ()
        assert score(facts, rules).sides == rules.shape.sides


def test_where_twos_are_cheap_a_dirty_pile_is_worth_little() -> None:
    """A bound, and so no more than the least: seven twos."""
    assert limits_of(cheap_twos(PARTNERS)).least_melded(0, 1, 0) == 0
    assert limits_of(PARTNERS).least_melded(0, 1, 0) == 50


def test_however_many_wild_cards_a_pile_may_have_the_pack_has_only_so_many() -> None:
    """Three decks: eighteen wild cards, one for every dirty pile; beside eleven clean piles two for each."""
    loose = limits_of(replace(TWO, naturals_per_wild=0, naturals_least=0, wilds_most=None))
    assert [loose.piles_fit(11, dirty, 0) for dirty in (9, 10)] == [True, False]
    assert [loose.piles_fit(0, dirty, 0) for dirty in (18, 19)] == [True, False]


def test_a_wild_canasta_may_have_more_than_seven_cards_where_piles_arent_closed() -> None:
    wild = melds_of(replace(CANASTA, wild_melds=True, wild_pile=1000))
    assert wild.wild_melds(1) == (7, 8, 9, 10, 11, 12)
    assert melds_of(PARTNERS).wild_melds(1) == (7, *range(10, 14))


def test_the_figures_of_a_card_have_names_in_its_order() -> None:
    card = Totals(clean=1, dirty=2, wild=3, special=(4, 5), red_threes=6, red_threes_missed=7, melded=80, left=9)
    assert KNEE.figures[:5] == ("clean", "dirty", "wild", "special_7", "special_5")
    assert [card.figure(name, KNEE) for name in KNEE.figures] == [1, 2, 3, 4, 5, 6, 7, 80, 9]
    assert "wild" not in rules_of(shipped()["hand-and-foot-bicycle"], Shape(2, 2)).figures


def test_a_number_of_special_books_below_nought_is_named_by_its_rank() -> None:
    card: dict[str, Any] = {"clean": 0, "dirty": 0, "wild": 0, "red_threes": 0, "melded": 0, "left": 600}
    sides = (SideCard(**card, special=(0, -1)), SideCard(**card, special=(0, 0)))
    problems = check(HandAndFootDeal(sides=sides, out=None, number=1), KNEE)
    assert ("hand-and-foot.negative", "special_5", 0) in {(p.code, p.field, p.side) for p in problems}


def test_where_no_number_left_would_do_none_is_named() -> None:
    """More dirty piles than there are wild cards: no figure beside them helps."""
    card, other = Totals(dirty=40, melded=4000, left=100), Totals(left=500)
    facts = HandAndFootDeal(sides=(SideCard(), SideCard()), out=None, number=1)
    melds = melds_of(PARTNERS)
    wanted = [wanted_of(one, False, melds) for one in (card, other)]
    assert not is_roomy(melds, wanted, quick_span(melds))
    assert {problem.code for problem in check_exactly((card, other), facts, PARTNERS)} == {"hand-and-foot.together"}
