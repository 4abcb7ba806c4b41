"""What the families say of their cards: whether they are counted out, and what they are held against in their game."""

from random import Random

import pytest

from lab.simulation.deals import PLAYS_BOTH, true_deal
from scoring.engine.core.family import goes_by_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, family_of, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard


@pytest.mark.parametrize("slug", ["st-hilary-v3", "three-hand-double-pinochle", "fletcher-two-hand"])
def test_true_cards_of_pinochle_are_counted_out_or_not(slug):
    family, rules, rng = family_of(shipped()[slug]), rules_of(shipped()[slug]), Random(slug)
    assert family.is_counted is not None
    cards = [true_deal(family, rng, rules, deals_before=number) for number in range(20)]
    assert {family.is_counted(card) for card in cards} == {True, False}


def test_a_true_deal_of_hand_and_foot_has_both_cards():
    family, rules = FAMILIES["hand-and-foot"], rules_of(shipped()["hand-and-foot"])
    assert family.is_counted is not None
    assert [family.is_counted(card) for card in PLAYS_BOTH[family.slug](Random(1), rules, deals_before=0)] == [
        False,
        True,
    ]


def test_points_alone_are_never_counted_out_and_few_of_them_may_win():
    assert {slug for slug, family in FAMILIES.items() if family.is_counted is None} == {"points-only"}
    assert {slug for slug, family in FAMILIES.items() if not family.points_are_good} == {"points-only"}


@pytest.mark.parametrize(
    ("slug", "number", "place", "held"),
    [
        ("hand-and-foot", None, 3, True),
        ("hand-and-foot", 2, 3, True),
        ("hand-and-foot", 3, 3, False),
        ("hand-and-foot", 99, 3, False),
        ("canasta", None, 3, True),
        ("canasta", 3, 3, True),
    ],
)
def test_a_first_meld_has_to_be_held_against_the_game(slug, number, place, held):
    rules = rules_of(shipped()[slug])
    card = HandAndFootDeal(sides=(SideCard(),) * rules.shape.sides, number=number)
    assert goes_by_game(FAMILIES["hand-and-foot"], card, rules=rules, place=place) == held


def test_a_card_of_points_alone_goes_by_nothing_of_its_game():
    family, rules = FAMILIES["points-only"], rules_of(shipped()["whist-drive"])
    card = true_deal(family, Random(1), rules, deals_before=0)
    assert not family.in_game.goes_by_scores(card, rules)
    assert not family.in_game.goes_by_place(card, rules)
    assert not goes_by_game(family, card, rules=rules, place=3)


def test_a_played_card_of_pinochle_has_not():
    family, rules = FAMILIES["two-hand-pinochle"], rules_of(shipped()["fletcher-two-hand"])
    assert not goes_by_game(family, true_deal(family, Random(1), rules, deals_before=0), rules=rules, place=3)
