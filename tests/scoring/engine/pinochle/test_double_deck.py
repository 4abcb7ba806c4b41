"""Pinochle with two packs: 20 in tricks to score at all, and bids that are set without play."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.pinochle import play_partnership as play
from scoring.engine.core.ledger import Line
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal, check, score

RULES = rules_of(shipped()["double-deck-partnership-pinochle"])


def card(**facts):
    """The issue's card, but for what is named: bid 51 by the first side, which makes it."""
    written = {"bid_side": 0, "bid": 51, "meld": (24, 32), "take": (36, 14)} | facts
    return PartnershipDeal(**written)


def of(side, deal, rules=RULES):
    return [(line.points, line.rule) for line in score(deal, rules).lines if line.side == side]


def test_a_side_with_less_than_20_in_tricks_scores_nothing_for_the_deal():
    assert check(card(), RULES) == ()
    assert score(card(), RULES).totals == (60, 0)
    reason = score(card(), RULES).lines[-1]
    args = (("meld", 32), ("take", 14), ("needed", 20))
    assert reason == Line(1, 0, "pinochle.take-too-low", args)


@pytest.mark.parametrize(("take", "points"), [((31, 19), 0), ((30, 20), 52), ((29, 21), 53)])
def test_20_in_tricks_are_enough(take, points):
    assert score(card(take=take), RULES).totals[1] == points


def test_the_last_trick_counts_towards_the_20():
    for last in (0, 1, None):
        assert score(card(take=(30, 20), last_trick=last), RULES).totals == (54, 52)


def test_a_side_without_meld_scores_nothing_either():
    assert score(card(meld=(24, 0)), RULES).totals == (60, 0)


def test_a_bid_side_with_less_than_20_in_tricks_is_set_however_much_it_melds():
    result = score(card(meld=(150, 32), take=(19, 31)), RULES)
    assert (result.totals, result.sets) == ((-51, 63), (0,))
    assert of(0, card(meld=(150, 32), take=(19, 31))) == [(-51, "pinochle.set-too-low")]


def test_a_club_may_play_that_a_low_take_costs_the_meld_alone():
    assert score(card(), replace(RULES, take_to_score=0)).totals == (60, 14)


def test_tricks_laid_down_wrongly_help_the_side_that_is_given_them():
    down = card(take=(30, 14), ending=Ending.LAY_DOWN_BID_SIDE)
    assert score(down, RULES).totals == (54, 0)
    assert of(1, down) == [(0, "pinochle.take-too-low")]
    given = replace(RULES, lay_down_forfeit="opponents", meld_savers="nobody")
    assert score(down, given).totals == (54, 52)
    last_noted = replace(down, take=(32, 14), last_trick=0)
    assert score(last_noted, given).totals == (56, 0)


def test_the_note_of_a_wrong_lay_down_stays_where_nothing_counts():
    down = card(take=(40, 8), ending=Ending.LAY_DOWN_OTHER_SIDE)
    assert of(1, down) == [(0, "pinochle.take-too-low"), (0, "pinochle.forfeit")]


@pytest.mark.parametrize(("meld", "others"), [((14, 32), 32), ((24, 18), 0), ((0, 0), 0)])
def test_a_bid_side_short_of_its_meld_is_set_without_play(meld, others):
    unplayed = card(bid=60, meld=meld, take=(), ending=Ending.CONCEDED)
    assert check(unplayed, RULES) == ()
    result = score(unplayed, RULES)
    assert (result.totals, result.sets) == ((-60, others), (0,))


def test_clubs_give_the_others_25_beside_meld_or_play_all_deals():
    unplayed = card(take=(), ending=Ending.CONCEDED)
    assert score(unplayed, replace(RULES, concession=25)).totals == (-51, 57)
    played = replace(RULES, concession=None)
    assert [problem.code for problem in check(unplayed, played)] == ["pinochle.no-concession"]


def test_some_true_deals_are_set_without_play():
    rng = Random(8)
    dealt = [play(rng, RULES, deals_before=number) for number in range(400)]
    assert {Ending.PLAYED, Ending.CONCEDED} <= {deal.ending for deal in dealt}
    assert not any(check(deal, RULES) for deal in dealt if deal.ending is Ending.CONCEDED)
