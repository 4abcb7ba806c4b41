"""Cards held against their place in the game: a first meld that goes by the deal."""

from dataclasses import replace

import pytest

from scoring.deal_files.formats import FileDeal, FileGame
from scoring.deal_files.scored import score_game
from scoring.engine.core.family import check_in_game
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard

RULE_SET = shipped()["hand-and-foot"]
RULES, FAMILY = rules_of(RULE_SET), FAMILIES["hand-and-foot"]


def melded(points, number=None):
    """A deal in which the first side melded so much, and the other nothing."""
    return HandAndFootDeal(sides=(SideCard(melded=points, left=300), SideCard(melded=0, left=400)), number=number)


def needed(cards):
    """What each refused deal of such a game would have needed as a first meld; 0 for a deal that stands."""
    game = FileGame.of(RULE_SET, RULE_SET.shapes[0], deals=tuple(FileDeal(facts=card) for card in cards))
    told = [{p.code: dict(p.args) for p in deal.problems} for deal in score_game(game).deals]
    return [int(problems.get("hand-and-foot.first-meld", {}).get("least", 0)) for problems in told]


def test_deals_without_a_number_are_held_to_their_place():
    assert needed([melded(60)] * 4) == [0, 90, 120, 150]
    assert needed([melded(points) for points in (50, 90, 120, 150)]) == [0, 0, 0, 0]
    assert needed([melded(points) for points in (45, 85, 115, 145)]) == [50, 90, 120, 150]


@pytest.mark.parametrize(
    ("numbers", "least"),
    [
        ((1, 1, 1, 1), [0, 90, 120, 150]),  # the same number again can't lower what is needed
        ((3, 4), [120, 150]),  # a file may begin within a game
        ((3, None), [120, 150]),
        ((None, 3, None), [0, 120, 150]),
    ],
)
def test_a_number_on_the_card_goes_unless_it_is_too_low(numbers, least):
    assert needed([melded(60, number) for number in numbers]) == least


@pytest.mark.parametrize("number", [0, 5])
def test_a_number_that_no_deal_has_is_named_and_moves_no_other_deal(number):
    cards = [melded(60), melded(90, number), melded(120)]
    game = FileGame.of(RULE_SET, RULE_SET.shapes[0], deals=tuple(FileDeal(facts=card) for card in cards))
    found = [[p.code for p in deal.problems] for deal in score_game(game).deals]
    assert "hand-and-foot.number" in found[1]
    assert found[2] == []


def test_where_the_place_is_not_known_the_card_is_held_to_its_own_number():
    assert check_in_game(FAMILY, melded(60), rules=RULES, before=None) == FAMILY.check(melded(60), RULES) == ()
    assert check_in_game(FAMILY, melded(60, 3), rules=RULES, before=None) == FAMILY.check(melded(60, 3), RULES) != ()


def test_rules_with_one_first_meld_for_all_deals_ask_no_more_in_a_later_one():
    fifty = replace(RULES, first_meld=(50,))
    assert check_in_game(FAMILY, melded(60), rules=fifty, before=None, place=4) == ()
