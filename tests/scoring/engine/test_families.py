"""What the families say of their cards: what they are held against in their game."""

from random import Random

import pytest

from lab.simulation.deals import true_deal
from scoring.engine.core.family import goes_by_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard


def test_few_points_win_only_where_points_alone_are_written():
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
