"""Cards held against their game: a first meld by the score, and a claim against the target."""

from dataclasses import replace

import pytest

from scoring.deal_files.formats import FileDeal, FileGame
from scoring.deal_files.scored import score_game
from scoring.engine.core.family import check_in_game, judge_in_game
from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding

CANASTA, FLETCHER = shipped()["canasta"], shipped()["fletcher-two-hand"]
MELDED_85 = HandAndFootDeal(sides=(SideCard(melded=85, left=300), SideCard(melded=0, left=300)))
CLAIM = TwoHandDeal(bidder=0, bid=24, meld=(14, 6), take=(12, 3), ending=TwoHandEnding.CLAIM, claimant=0)


@pytest.mark.parametrize(
    ("before", "least"), [(-5, None), (0, None), (1495, None), (1500, 90), (2995, 90), (3000, 120)]
)
def test_the_first_meld_goes_by_the_score_before_the_deal(before, least):
    found = check_in_game(FAMILIES["hand-and-foot"], MELDED_85, rules=rules_of(CANASTA), before=(before, 0))
    said = [(p.side, dict(p.args)["least"]) for p in found if p.code == "hand-and-foot.first-meld"]
    assert said == ([(0, least)] if least else [])


def test_the_score_on_the_card_goes_before():
    sides = (replace(MELDED_85.sides[0], score_before=0), MELDED_85.sides[1])
    noted = replace(MELDED_85, sides=sides)
    assert check_in_game(FAMILIES["hand-and-foot"], noted, rules=rules_of(CANASTA), before=(4000, 0)) == ()


def test_a_score_before_matters_only_where_the_rules_go_by_it():
    by_deal = rules_of(shipped()["hand-and-foot"])
    card = replace(MELDED_85, number=1)
    family = FAMILIES["hand-and-foot"]
    assert check_in_game(family, card, rules=by_deal, before=(9000, 0)) == family.check(card, by_deal)


@pytest.mark.parametrize(("before", "short"), [((123, 0), True), ((124, 0), False), (None, False)])
def test_a_claim_needs_the_target(before, short):
    found = check_in_game(FAMILIES["two-hand-pinochle"], CLAIM, rules=rules_of(FLETCHER), before=before)
    args = named(total=149, target=150)
    said = Problem("two-hand.claim-short", Severity.AGAINST_RULES, "claimant", args, side=0)
    assert found == ((said,) if short else ())


def test_of_a_claim_that_cannot_be_scored_only_that_is_said():
    found = check_in_game(
        FAMILIES["two-hand-pinochle"], replace(CLAIM, bid=None), rules=rules_of(FLETCHER), before=(0, 0)
    )
    assert [p.code for p in found] == ["two-hand.bid-needed"]


def test_a_challenge_that_failed_claims_nothing():
    failed = replace(CLAIM, bid=40, take=(12, 13), ending=TwoHandEnding.CHALLENGE)
    assert check_in_game(FAMILIES["two-hand-pinochle"], failed, rules=rules_of(FLETCHER), before=(0, 0)) == ()


def test_a_card_with_more_sides_than_the_game_has_is_named_like_any():
    three = HandAndFootDeal(sides=(*MELDED_85.sides, SideCard(melded=85, left=300)))
    found = check_in_game(FAMILIES["hand-and-foot"], three, rules=rules_of(CANASTA), before=(0, 0))
    assert found == FAMILIES["hand-and-foot"].check(three, rules_of(CANASTA))


def test_a_game_begins_at_nothing_and_after_a_deal_without_a_score_no_score_is_known():
    """The claim is worth 26: short of 27 in the first deal, enough in the second, and who knows after one unread."""
    rules = replace(rules_of(FLETCHER), target=27)
    unread = replace(CLAIM, bid=None)
    judged = list(judge_in_game(FAMILIES["two-hand-pinochle"], rules, cards=[CLAIM, CLAIM, unread, CLAIM]))
    assert [[p.code for p in problems] for problems, _score in judged] == [
        ["two-hand.claim-short"],
        [],
        ["two-hand.bid-needed"],
        [],
    ]
    assert [score and score.totals[0] for _problems, score in judged] == [26, 26, None, 26]


def test_a_file_holds_each_deal_against_the_score_before_it():
    rich = HandAndFootDeal(sides=(SideCard(clean=3, melded=600, left=50), SideCard(melded=0, left=300)))
    sides = (("Ann", "Bob"), ("Cal", "Dee"))
    deals = (FileDeal(facts=rich), FileDeal(facts=MELDED_85))
    game = FileGame.of(CANASTA, CANASTA.shapes[0], sides=sides, deals=deals)
    first, second = score_game(game).deals
    assert not first.refused
    assert [(p.code, dict(p.args)["least"]) for p in second.problems] == [("hand-and-foot.first-meld", 90)]
    assert score_game(game.model_copy(update={"start": (-2500, 0)})).deals[1].problems == ()
