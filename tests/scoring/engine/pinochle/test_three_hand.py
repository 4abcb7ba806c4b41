"""Three-hand double pinochle: the score of a card, and what is wrong with one."""

from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given

from lab.simulation.pinochle import play_three_hand as play
from scoring import wording
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.pinochle.three_hand import UNSCORABLE, ThreeHandDeal, ThreeHandRules, check, score
from tests.scoring.engine.pinochle.strategies import THREE_HAND, three_hand_cards, true_three_hand_deals

LAST_IS_NO_SCORING_TRICK = replace(THREE_HAND, last_trick_is_scoring=False)


def deal(**facts):
    plain = {"bidder": 0, "bid": 500, "meld": (300, 120, 80), "take": (250, 150, 100), "last_trick": 0}
    return ThreeHandDeal(**(plain | facts))


def codes(problems):
    return [problem.code.removeprefix("pinochle.") for problem in problems]


def rules_of_lines(card):
    return [(line.side, line.points, line.rule.removeprefix("pinochle.")) for line in score(card, THREE_HAND).lines]


def test_a_bid_that_is_made():
    result = score(deal(), THREE_HAND)
    assert (result.totals, result.sets, result.first) == ((550, 270, 180), (), 0)
    assert rules_of_lines(deal())[:3] == [(0, 0, "made"), (0, 300, "meld"), (0, 250, "take-last")]


def test_a_bidder_who_falls_short_is_set_back_by_the_bid():
    result = score(deal(bid=560), THREE_HAND)
    assert (result.totals, result.sets) == ((-560, 270, 180), (0,))
    assert dict(result.lines[0].args) == {"bid": 560, "meld": 300, "take": 250, "total": 550, "short": 10}


def test_a_player_without_a_scoring_trick_loses_meld_and_the_card_says_so():
    card = deal(take=(300, 200, 0))
    assert score(card, THREE_HAND).totals == (600, 320, 0)
    assert (2, 0, "meld-lost-no-trick") in rules_of_lines(card)


def test_the_last_trick_alone_is_a_scoring_trick_unless_the_club_says_otherwise():
    card = deal(take=(300, 180, 20), last_trick=2)
    assert score(card, THREE_HAND).totals == (600, 300, 100)
    assert score(card, LAST_IS_NO_SCORING_TRICK).totals == (600, 300, 20)


def test_the_discard_counts_but_the_bidder_must_still_win_a_trick():
    card = deal(meld=(1000, 120, 80), take=(40, 300, 160), last_trick=1)
    assert codes(check(card, THREE_HAND)) == ["bidder-scored-needed"]
    won, lost = replace(card, bidder_scored=True), replace(card, bidder_scored=False)
    assert score(won, THREE_HAND).totals == (1040, 420, 240)
    assert score(lost, THREE_HAND).totals == (-500, 420, 240)
    assert codes(check(won, THREE_HAND)) == codes(check(lost, THREE_HAND)) == []


def test_nobody_asks_about_the_bidder_s_tricks_when_the_bid_is_missed_either_way():
    assert codes(check(deal(take=(40, 300, 160), last_trick=1), THREE_HAND)) == []


def test_a_concession_before_the_lead():
    result = score(deal(conceded=True, take=(), last_trick=None), THREE_HAND)
    assert (result.totals, result.sets) == ((-500, 220, 180), (0,))
    assert codes(check(deal(conceded=True, take=(), last_trick=None), THREE_HAND)) == []


def test_a_card_without_three_columns_has_no_score():
    for card in (deal(meld=(1, 2)), deal(take=()), deal(bidder=3), deal(last_trick=-1)):
        assert {p.code for p in check(card, THREE_HAND)} & UNSCORABLE
        with pytest.raises(ValueError, match="pinochle"):
            score(card, THREE_HAND)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, []),
        ({"bidder": 3}, ["bidder"]),
        ({"last_trick": 3}, ["last-trick-player"]),
        ({"meld": (300, 120)}, ["columns"]),
        ({"bid": 490}, ["bid-too-low"]),
        ({"bid": 505}, ["bid-step"]),
        ({"bid": 1600}, ["bid-high"]),
        ({"meld": (-10, 120, 80)}, ["negative"]),
        ({"meld": (305, 120, 80)}, ["meld-impossible"]),
        ({"meld": (5560, 120, 80)}, ["meld-most"]),
        ({"meld": (4000, 120, 80)}, ["meld-high"]),
        ({"take": (250, 150, 90)}, ["take-total"]),
        ({"take": (252, 150, 98)}, ["take-step", "take-step"]),
        ({"take": (510, -10, 0)}, ["negative"]),
        ({"take": (10, 290, 200)}, ["last-trick-take"]),
        ({"take": (100, 400, 0), "bidder_scored": False, "last_trick": 1}, ["bidder-scored-take"]),
        ({"take": (50, 450, 0), "bidder_scored": False, "last_trick": 1}, []),
        ({"take": (50, 450, 0), "bidder_scored": False, "last_trick": 0}, ["bidder-scored-last"]),
        ({"take": (0, 450, 50), "bidder_scored": True, "last_trick": 1}, ["bidder-scored-nothing"]),
        ({"last_trick": None}, []),
    ],
)
def test_each_problem_and_its_neighbour_that_is_none(facts, expected):
    assert codes(check(deal(**facts), THREE_HAND)) == expected


def test_the_last_trick_is_asked_for_only_when_it_decides():
    card = deal(take=(300, 180, 20), last_trick=None)
    assert codes(check(card, THREE_HAND)) == []
    assert codes(check(card, LAST_IS_NO_SCORING_TRICK)) == ["last-trick-needed"]


def test_the_settings_of_the_file_are_the_fields_of_the_rules():
    rule_set = shipped()["three-hand-double-pinochle"]
    assert {s.name for s in rule_set.settings} == {f.name for f in fields(ThreeHandRules)} - {"shape"}
    assert all(s.label and s.source for s in rule_set.settings)


@given(true_three_hand_deals())
def test_no_true_card_is_refused(card):
    assert [p for p in check(card, THREE_HAND) if p.severity != Severity.UNLIKELY] == []


def test_no_true_card_is_refused_in_a_long_row():
    rng = Random(54)
    dealt = [play(rng, THREE_HAND, deals_before=number) for number in range(300)]
    refused = [d for d in dealt if any(p.severity != Severity.UNLIKELY for p in check(d, THREE_HAND))]
    assert refused == []
    assert {d.conceded for d in dealt} == {True, False}
    assert {d.last_trick for d in dealt} == {None, 0, 1, 2}


BY_TENS = replace(LAST_IS_NO_SCORING_TRICK, counters=(("A", 10), ("10", 10), ("K", 10)))


@given(true_three_hand_deals(BY_TENS))
def test_no_true_card_with_other_counters_is_refused(card):
    assert [p for p in check(card, BY_TENS) if p.severity != Severity.UNLIKELY] == []


@given(three_hand_cards())
def test_totals_are_the_sums_of_lines_and_codes_are_known(card):
    result = score(card, THREE_HAND)
    assert sum(result.totals) == sum(line.points for line in result.lines)
    assert all(wording.why(line, {}) for line in result.lines)
    assert all(wording.what_is_wrong(problem, {}) for problem in check(card, THREE_HAND))


@given(three_hand_cards())
def test_moving_every_player_one_seat_moves_everything(card):
    last = None if card.last_trick is None else (card.last_trick + 1) % 3
    meld, take = (card.meld[-1:] + card.meld[:-1]), (card.take[-1:] + card.take[:-1])
    moved = replace(card, bidder=(card.bidder + 1) % 3, meld=meld, take=take, last_trick=last)
    totals = score(card, THREE_HAND).totals
    assert score(moved, THREE_HAND).totals == totals[-1:] + totals[:-1]
    after = {(p.code, p.field, p.args, p.side) for p in check(moved, THREE_HAND)}
    before = check(card, THREE_HAND)
    assert after == {(p.code, p.field, p.args, None if p.side is None else (p.side + 1) % 3) for p in before}


@given(true_three_hand_deals())
def test_facts_survive_being_stored(card):
    assert from_data(ThreeHandDeal, to_data(card)) == card
