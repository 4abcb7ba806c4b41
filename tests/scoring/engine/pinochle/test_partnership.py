"""St. Hilary partnership pinochle: the score of a card, and what is wrong with one."""

from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import assume, given

from lab.simulation.pinochle import may_redeal, play_partnership as play
from scoring import wording
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.game import progress
from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.partnership import UNSCORABLE, Ending, PartnershipDeal, PartnershipRules, check, score
from tests.scoring.engine.pinochle.strategies import ST_HILARY, cards, partnership_cards, true_partnership_deals


def deal(**facts):
    plain = {"bid_side": 0, "bid": 24, "meld": (10, 6), "take": (15, 10), "last_trick": 0}
    return PartnershipDeal(**(plain | facts))


def codes(problems):
    return [problem.code.removeprefix("pinochle.") for problem in problems]


def rules_of_lines(card, rules=ST_HILARY):
    return [(line.side, line.points, line.rule.removeprefix("pinochle.")) for line in score(card, rules).lines]


# --- the score -----------------------------------------------------------------------------------------


def test_a_bid_that_is_made_counts_meld_and_take():
    result = score(deal(), ST_HILARY)
    assert result.totals == (25, 16)
    assert (result.sets, result.first) == ((), 0)
    assert rules_of_lines(deal()) == [
        (0, 0, "made"), (0, 10, "meld"), (0, 15, "take-last"), (1, 6, "meld"), (1, 10, "take"),
    ]  # fmt: skip


def test_a_bid_reached_exactly_is_made():
    assert score(deal(bid=25), ST_HILARY).totals == (25, 16)


def test_a_bid_missed_by_one_is_a_set_and_meld_and_take_are_lost():
    result = score(deal(bid=26), ST_HILARY)
    assert result.totals == (-26, 16)
    assert result.sets == (0,)
    assert result.lines[0].rule == "pinochle.set"
    assert dict(result.lines[0].args) == {"bid": 26, "meld": 10, "take": 15, "total": 25, "short": 1}


def test_not_on_the_board_is_set_whatever_is_taken_and_the_others_count():
    card = deal(bid=36, meld=(10, 6), take=(25, 0))
    assert rules_of_lines(card)[0] == (0, -36, "set-off-board")
    assert rules_of_lines(deal(bid=35, take=(25, 0)))[0] == (0, 0, "made")


def test_the_others_lose_meld_without_a_counter_and_the_card_says_so():
    card = deal(take=(25, 0))
    assert score(card, ST_HILARY).totals == (35, 0)
    assert (1, 0, "meld-lost") in rules_of_lines(card)


def test_the_last_trick_alone_saves_no_meld_but_its_point_stays():
    card = deal(take=(24, 1), last_trick=1)
    assert score(card, ST_HILARY).totals == (34, 1)
    assert score(card, replace(ST_HILARY, last_trick_saves_meld=True)).totals == (34, 7)


def test_one_counter_saves_meld():
    assert score(deal(take=(24, 1), last_trick=0), ST_HILARY).totals == (34, 7)


def test_the_bid_side_needs_no_counter_unless_the_club_wants_it():
    card = deal(bid=15, meld=(20, 6), take=(0, 25), last_trick=1)
    assert score(card, ST_HILARY).totals == (20, 31)
    assert score(card, replace(ST_HILARY, meld_savers="both")).totals == (-15, 31)
    nobody = replace(ST_HILARY, meld_savers="nobody")
    assert score(deal(take=(25, 0)), nobody).totals == (35, 6)


def test_a_renege_by_the_bid_side():
    card = deal(ending=Ending.RENEGE_BID_SIDE, take=(), last_trick=None)
    assert (score(card, ST_HILARY).totals, score(card, ST_HILARY).sets) == ((-24, 6), (0,))


def test_a_renege_by_the_other_side():
    card = deal(ending=Ending.RENEGE_OTHER_SIDE, take=(), last_trick=None)
    assert (score(card, ST_HILARY).totals, score(card, ST_HILARY).sets) == ((34, -24), (1,))
    mild = replace(ST_HILARY, renege_other_side="nothing")
    assert (score(card, mild).totals, score(card, mild).sets) == ((34, 0), ())


@pytest.mark.parametrize(
    ("ending", "nobody", "opponents"),
    [(Ending.LAY_DOWN_BID_SIDE, (-24, 16), (-24, 24)), (Ending.LAY_DOWN_OTHER_SIDE, (-24, 16), (25, 16))],
)
def test_a_wrong_lay_down_forfeits_what_is_missing(ending, nobody, opponents):
    card = deal(take=(7, 10), last_trick=None, ending=ending)
    assert check(card, ST_HILARY) == ()
    assert score(card, ST_HILARY).totals == nobody
    assert score(card, replace(ST_HILARY, lay_down_forfeit="opponents")).totals == opponents


def test_after_a_lay_down_a_single_point_is_a_counter():
    card = deal(take=(12, 1), last_trick=None, ending=Ending.LAY_DOWN_OTHER_SIDE)
    assert check(card, ST_HILARY) == ()
    assert score(card, ST_HILARY).totals[1] == 7


def test_the_bid_side_is_counted_first_at_150():
    scores = [score(deal(bid_side=1, bid=16), ST_HILARY)]
    ended = progress(scores, ST_HILARY, start=(140, 135))
    assert (ended.totals, ended.winners) == ((165, 151), (1,))


def test_a_card_without_two_columns_has_no_score():
    for card in (deal(meld=(1,)), deal(take=()), deal(bid_side=-1), deal(last_trick=2)):
        assert {p.code for p in check(card, ST_HILARY)} & UNSCORABLE
        with pytest.raises(ValueError, match="pinochle"):
            score(card, ST_HILARY)


# --- what is wrong with a card -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, []),
        ({"bid_side": 2}, ["bid-side"]),
        ({"last_trick": 2}, ["last-trick-side"]),
        ({"meld": (10, 6, 0)}, ["columns"]),
        ({"take": ()}, ["columns"]),
        ({"bid": 14}, ["bid-too-low"]),
        ({"bid": 15}, []),
        ({"bid": 61}, ["bid-high"]),
        ({"meld": (-1, 6)}, ["negative"]),
        ({"meld": (1000, 6)}, ["meld-most-pair"]),
        ({"meld": (150, 6)}, ["meld-high"]),
        ({"take": (15, 9)}, ["take-total"]),
        ({"take": (15, 11)}, ["take-total"]),
        ({"take": (26, -1)}, ["negative"]),
        ({"take": (0, 25)}, ["last-trick-take"]),
        ({"take": (24, 1), "last_trick": None}, ["last-trick-needed"]),
        ({"take": (24, 1), "last_trick": None, "meld": (10, 0)}, []),
        ({"take": (1, 24), "last_trick": None}, []),
        ({"take": (23, 2), "last_trick": None}, []),
        ({"take": (), "ending": Ending.RENEGE_BID_SIDE}, []),
        ({"take": (12, 3), "ending": Ending.LAY_DOWN_BID_SIDE, "last_trick": None}, []),
        ({"take": (15, 10), "ending": Ending.LAY_DOWN_BID_SIDE, "last_trick": None}, ["take-over"]),
        ({"take": (15, 10), "ending": Ending.LAY_DOWN_BID_SIDE, "last_trick": 0}, []),
        ({"take": (15, 11), "ending": Ending.LAY_DOWN_BID_SIDE, "last_trick": 0}, ["take-over"]),
    ],
)
def test_each_problem_and_its_neighbour_that_is_none(facts, expected):
    assert codes(check(deal(**facts), ST_HILARY)) == expected


def test_all_problems_come_at_once():
    card = deal(bid=3, meld=(1000, -1), take=(9, 9), last_trick=None)
    found = codes(check(card, ST_HILARY))
    assert found == ["bid-too-low", "negative", "meld-most-pair", "take-total"]


def test_a_club_that_opens_at_16_still_drops_at_15():
    rules = replace(ST_HILARY, opening_bid=16)
    assert codes(check(deal(bid=15), rules)) == []
    assert codes(check(deal(bid=14), rules)) == ["bid-too-low"]
    by_fives = replace(rules, bid_step=5)
    assert codes(check(deal(bid=24), by_fives)) == ["bid-step"]
    assert codes(check(deal(bid=21), by_fives)) == []


def test_takes_come_in_the_steps_of_the_counters():
    by_tens = replace(ST_HILARY, counters=(("A", 10), ("10", 10), ("K", 10)), last_trick=10)
    assert codes(check(deal(take=(155, 95)), by_tens)) == ["take-step", "take-step"]


def test_five_nines_and_no_meld_may_be_thrown_in():
    assert may_redeal(cards("99.s 99.h 9.d AT.s AT.h AJ.c J.s"), ST_HILARY)
    assert not may_redeal(cards("99.s 99.h 9.d AT.s AT.h AJ.c J.s"), replace(ST_HILARY, five_nines=0))
    assert not may_redeal(cards("99.s 99.h AT.s AT.h AJ.c J.s T.d"), ST_HILARY)
    assert not may_redeal(cards("99.s 99.h 9.d AT.s AT.h KQ.c J.s"), ST_HILARY)


def test_a_deal_comes_about_even_where_nearly_all_cards_may_be_thrown_in():
    nothing = dict.fromkeys(("run", "royal_marriage", "marriage", "aces_around", "kings_around"), (0, 0))
    never = replace(ST_HILARY, five_nines=1, queens_around=(0, 0), jacks_around=(0, 0), pinochle=(0, 0), **nothing)
    assert play(Random(9), never, deals_before=0).bid >= 15


def test_the_settings_of_the_file_are_the_fields_of_the_rules():
    rule_set = shipped()["st-hilary-v3"]
    assert {s.name for s in rule_set.settings} == {f.name for f in fields(PartnershipRules)} - {"shape"}
    assert all(s.label and s.source for s in rule_set.settings)
    assert rules_of(rule_set).target == 150


# --- what holds for every card -------------------------------------------------------------------------


@given(true_partnership_deals())
def test_no_true_card_is_refused(card):
    assert [p for p in check(card, ST_HILARY) if p.severity != Severity.UNLIKELY] == []


def test_no_true_card_is_refused_in_a_long_row():
    rng = Random(2013)
    dealt = [play(rng, ST_HILARY, deals_before=number) for number in range(400)]
    refused = [d for d in dealt if any(p.severity != Severity.UNLIKELY for p in check(d, ST_HILARY))]
    assert refused == []
    assert {d.ending for d in dealt} == set(Ending) - {Ending.CONCEDED, Ending.NO_MARRIAGE}
    assert {(bool(d.meld), bool(d.counted)) for d in dealt} == {(True, False), (False, True), (True, True)}
    assert {d.last_trick for d in dealt} == {None, 0, 1}


@given(true_partnership_deals(replace(ST_HILARY, opening_bid=16, meld_savers="both", last_trick_saves_meld=True)))
def test_no_true_card_of_a_neighbouring_club_is_refused(card):
    rules = replace(ST_HILARY, opening_bid=16, meld_savers="both", last_trick_saves_meld=True)
    assert [p for p in check(card, rules) if p.severity != Severity.UNLIKELY] == []


@given(partnership_cards())
def test_totals_are_the_sums_of_lines_and_codes_are_known(card):
    result = score(card, ST_HILARY)
    assert sum(result.totals) == sum(line.points for line in result.lines)
    assert all(wording.why(line, {}) for line in result.lines)
    assert all(wording.what_is_wrong(problem, {}) for problem in check(card, ST_HILARY))


@given(partnership_cards())
def test_swapping_the_sides_mirrors_everything(card):
    last = None if card.last_trick is None else 1 - card.last_trick
    other = replace(card, bid_side=1 - card.bid_side, meld=card.meld[::-1], take=card.take[::-1], last_trick=last)
    assert score(other, ST_HILARY).totals == score(card, ST_HILARY).totals[::-1]
    mirrored = {(p.code, p.field, p.args, None if p.side is None else 1 - p.side) for p in check(other, ST_HILARY)}
    assert mirrored == {(p.code, p.field, p.args, p.side) for p in check(card, ST_HILARY)}


@given(partnership_cards())
def test_a_side_that_is_set_loses_exactly_the_bid(card):
    result = score(card, ST_HILARY)
    assume(result.sets)
    (side,) = result.sets
    assert result.totals[side] == -card.bid


@given(true_partnership_deals())
def test_facts_survive_being_stored(card):
    assert from_data(PartnershipDeal, to_data(card)) == card


@given(true_partnership_deals())
def test_the_same_seed_plays_the_same_deal(card):
    seed = card.bid
    assert play(Random(seed), ST_HILARY, deals_before=1) == play(Random(seed), ST_HILARY, deals_before=1)
