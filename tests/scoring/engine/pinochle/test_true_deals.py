"""Deals of pinochle dealt, bid, melded and played with real packs: none is refused, however clubs play."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.pinochle import may_redeal, play_partnership, play_three_hand
from scoring.engine.families import FAMILIES
from scoring.engine.pinochle.partnership import Ending
from tests.scoring.engine.pinochle.cards import DOUBLE_DECK, ST_HILARY, THREE_HAND, cards

PARTNERSHIP, THREE = FAMILIES["partnership-pinochle"], FAMILIES["three-hand-pinochle"]

OF_PARTNERS = {
    "st hilary": ST_HILARY,
    "all need counters": replace(ST_HILARY, opening_bid=16, meld_savers="both", last_trick_saves_meld=True),
    "double deck": DOUBLE_DECK,
    "double deck, conceding": replace(DOUBLE_DECK, concession=10, set_points="given", last_trick_saves_meld=False),
    "double deck, other table": replace(DOUBLE_DECK, aces_around=(10, 100, 200, 400), later_steps=((60, 5), (100, 10))),
    "opening at 16": replace(ST_HILARY, opening_bid=16, set_points="reverted", meld_to_record=6),
    "by fives": replace(ST_HILARY, bid_step=5, dropped_bid=10, concession=0, lay_down_forfeit="opponents"),
    "marriage needed": replace(ST_HILARY, no_marriage_is_set=True, renege_other_side="nothing", meld_savers="both"),
}
OF_THREE = {
    "three hand": THREE_HAND,
    "three hand, by tens": replace(
        THREE_HAND, last_trick_is_scoring=False, counters=(("A", 10), ("10", 10), ("K", 10))
    ),
}
TABLES = [(PARTNERSHIP, play_partnership, rules) for rules in OF_PARTNERS.values()]
TABLES += [(THREE, play_three_hand, rules) for rules in OF_THREE.values()]


@pytest.mark.parametrize(("family", "play", "rules"), TABLES, ids=[*OF_PARTNERS, *OF_THREE])
def test_no_true_card_is_refused_however_clubs_play(family, play, rules):
    rng = Random(20)
    for number in range(150):
        card = play(rng, rules, deals_before=number)
        assert [problem for problem in family.check(card, rules) if problem.severity.stops] == [], card
        assert family.read(family.write(card)) == card


def test_true_deals_of_partners_are_of_every_kind():
    rng = Random(2013)
    dealt = [play_partnership(rng, ST_HILARY, deals_before=number) for number in range(400)]
    assert {d.ending for d in dealt} == set(Ending) - {Ending.CONCEDED, Ending.NO_MARRIAGE}
    assert {(bool(d.meld), bool(d.counted)) for d in dealt} == {(True, False), (False, True), (True, True)}
    assert {d.last_trick for d in dealt} == {None, 0, 1}


def test_true_deals_of_three_are_of_every_kind():
    rng = Random(54)
    dealt = [play_three_hand(rng, THREE_HAND, deals_before=number) for number in range(300)]
    assert {d.conceded for d in dealt} == {True, False}
    assert {d.last_trick for d in dealt} == {None, 0, 1, 2}


def test_five_nines_and_no_meld_may_be_thrown_in():
    assert may_redeal(cards("99.s 99.h 9.d AT.s AT.h AJ.c J.s"), ST_HILARY)
    assert not may_redeal(cards("99.s 99.h 9.d AT.s AT.h AJ.c J.s"), replace(ST_HILARY, five_nines=0))
    assert not may_redeal(cards("99.s 99.h AT.s AT.h AJ.c J.s T.d"), ST_HILARY)
    assert not may_redeal(cards("99.s 99.h 9.d AT.s AT.h KQ.c J.s"), ST_HILARY)


def test_a_deal_comes_about_even_where_nearly_all_cards_may_be_thrown_in():
    nothing = dict.fromkeys(("run", "royal_marriage", "marriage", "aces_around", "kings_around"), (0, 0))
    never = replace(ST_HILARY, five_nines=1, queens_around=(0, 0), jacks_around=(0, 0), pinochle=(0, 0), **nothing)
    assert play_partnership(Random(9), never, deals_before=0).bid >= 15
