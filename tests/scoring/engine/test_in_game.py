"""A card against its game: scores before it, its place; and what families say of their cards."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.deals import true_deal
from lab.tools.deal_files import file_game
from scoring.deal_files.formats import FileDeal
from scoring.deal_files.scored import score_game
from scoring.engine.core.family import check_in_game, judge_deals, needs_game
from scoring.engine.core.ledger import Problem, Severity, named
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, family_of, rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard
from scoring.engine.pinochle.two_hand.card import TwoHandDeal, TwoHandEnding
from tests.scoring.engine import test_contract
from tests.scoring.engine.hand_and_foot import test_codes as hand_and_foot_codes
from tests.scoring.engine.pinochle import test_codes as pinochle_codes
from tests.scoring.engine.pinochle.two_hand import test_codes as two_hand_codes

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
    judged = list(judge_deals(FAMILIES["two-hand-pinochle"], rules, cards=[CLAIM, CLAIM, unread, CLAIM]))
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
    game = file_game(CANASTA, CANASTA.shapes[0], sides=sides, deals=deals)
    first, second = score_game(game).deals
    assert not first.refused
    assert [(p.code, dict(p.args)["least"]) for p in second.problems] == [("hand-and-foot.first-meld", 90)]
    assert score_game(game.model_copy(update={"start": (-2500, 0)})).deals[1].problems == ()


RULE_SET = shipped()["hand-and-foot"]
RULES, FAMILY = rules_of(RULE_SET), FAMILIES["hand-and-foot"]


def melded(points, number=None):
    """A deal in which the first side melded so much, and the other nothing."""
    return HandAndFootDeal(sides=(SideCard(melded=points, left=300), SideCard(melded=0, left=400)), number=number)


def needed(cards):
    """What each refused deal of such a game would have needed as a first meld; 0 for a deal that stands."""
    game = file_game(RULE_SET, RULE_SET.shapes[0], deals=tuple(FileDeal(facts=card) for card in cards))
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
    game = file_game(RULE_SET, RULE_SET.shapes[0], deals=tuple(FileDeal(facts=card) for card in cards))
    found = [[p.code for p in deal.problems] for deal in score_game(game).deals]
    assert "hand-and-foot.number" in found[1]
    assert found[2] == []


def test_where_the_place_is_not_known_the_card_is_held_to_its_own_number():
    assert check_in_game(FAMILY, melded(60), rules=RULES, before=None) == FAMILY.check(melded(60), RULES) == ()
    assert check_in_game(FAMILY, melded(60, 3), rules=RULES, before=None) == FAMILY.check(melded(60, 3), RULES) != ()


def test_rules_with_one_first_meld_for_all_deals_ask_no_more_in_a_later_one():
    fifty = replace(RULES, first_meld=(50,))
    assert check_in_game(FAMILY, melded(60), rules=fifty, before=None, place=4) == ()


def test_few_points_win_only_where_points_alone_are_written():
    assert {slug for slug, family in FAMILIES.items() if not family.points_are_good} == {"hearts", "points-only"}


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
    assert needs_game(FAMILIES["hand-and-foot"], card, rules=rules, place=place) == held


@pytest.mark.parametrize(
    ("slug", "held"), [("whist-drive", False), ("fletcher-two-hand", False), ("cribbage-by-deal", True)]
)
def test_a_card_of_cribbage_goes_by_the_scores_before_it_and_others_by_nothing(slug, held):
    family, rules = family_of(shipped()[slug]), rules_of(shipped()[slug])
    card = true_deal(family, Random(1), rules, deals_before=0)
    assert needs_game(family, card, rules=rules, place=3) == held
    assert not family.game_checks.needs_place(card, rules)


TOLD = [
    problem
    for cases in (
        hand_and_foot_codes.PROBLEMS,
        pinochle_codes.OF_PARTNERS,
        pinochle_codes.OF_THREE,
        two_hand_codes.PROBLEMS,
        test_contract.PROBLEMS,
    )
    for _card, _rules, problems in cases
    for problem in problems
]
"""Every problem that the tests of the codes bring about."""

TRICKS = (
    *("trick-bids.players", "trick-bids.sides", "trick-bids.nil-missing"),
    *("hearts.players", "hearts.taker", "hearts.missing", "hearts.moon-choice"),
    *("cribbage.sides", "cribbage.dealer"),
)
MINUS = ("hand-and-foot.negative", "hand-and-foot.counted-negative")  # no pack has fewer cards than none


def test_a_card_that_does_not_say_what_to_score_is_not_filled_in_right():
    unscorable = frozenset().union(*(family.unscorable for family in FAMILIES.values())).difference(MINUS)
    said = {problem.code for problem in TOLD} & unscorable
    assert unscorable - said == {"points-only.sides", *TRICKS}
    assert [p for p in TOLD if p.code in unscorable and p.severity is not Severity.FORM] == []


PINOCHLE = {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}
SCORED_ALL_THE_SAME = {"hand-and-foot.sides", "points-only.sides", "pinochle.dealer"}


@pytest.mark.parametrize(
    ("slug", "facts", "code"),
    [
        ("st-hilary-v3", PINOCHLE | {"take": []}, "pinochle.columns"),
        ("st-hilary-v3", PINOCHLE | {"dealer": 7}, "pinochle.dealer"),
        ("st-hilary-v3", PINOCHLE | {"bid_side": 2}, "pinochle.bid-side"),
        ("st-hilary-v3", PINOCHLE | {"last_trick": 2}, "pinochle.last-trick-side"),
        (
            "three-hand-double-pinochle",
            {"bidder": 3, "bid": 500, "conceded": True, "meld": [0, 0, 0]},
            "pinochle.bidder",
        ),
        ("fletcher-two-hand", {"bidder": 0, "meld": [14, 6], "take": [12, 13]}, "two-hand.bid-needed"),
        ("hand-and-foot", {"sides": []}, "hand-and-foot.sides"),
        ("euchre", {"points": [2]}, "points-only.sides"),
        ("five-hundred-by-contract", {"bidder": 0, "bid": 8, "tricks": [8, 2]}, "contract.trump"),
        ("spades", {"bids": [2, 3, 4], "tricks": [8, 5]}, "trick-bids.players"),
        ("spades", {"bids": [2, 3, 4, 2], "tricks": [8]}, "trick-bids.sides"),
        ("spades", {"bids": [2, 3, 4, 0], "tricks": [8, 5]}, "trick-bids.nil-missing"),
        ("hearts", {"hearts": [5, 8, 0], "queen": 0}, "hearts.players"),
        ("cribbage-by-deal", {"dealer": 0, "pegging": [1, 2], "hands": [8], "crib": 4}, "cribbage.sides"),
        ("cribbage-by-deal", {"dealer": 2, "pegging": [1, 2], "hands": [8, 4], "crib": 4}, "cribbage.dealer"),
        ("hearts", {"hearts": [5, 8, 0, 0], "queen": 4}, "hearts.taker"),
        ("hearts", {"hearts": [5, 8, 0, 0]}, "hearts.missing"),
    ],
)
def test_missing_figures_and_people_who_are_not_there_are_told_and_not_scored(slug, facts, code):
    family, rules = family_of(shipped()[slug]), rules_of(shipped()[slug])
    card = family.read(facts)
    assert [(p.code, p.severity) for p in family.check(card, rules)] == [(code, Severity.FORM)]
    if code in SCORED_ALL_THE_SAME:
        assert family.score(card, rules).sides == rules.shape.sides
    else:
        with pytest.raises(ValueError, match=code):
            family.score(card, rules)


def test_all_but_the_unlikely_stop_a_card():
    assert [severity for severity in Severity if not severity.stops] == [Severity.UNLIKELY]
