"""What one pack lets the players meld together: the engine's figures are those of an exhaustive search."""

from dataclasses import replace
from itertools import product

import pytest

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.pinochle.melds import (
    CLUBS,
    DIAMONDS,
    FOUND,
    SPADES,
    TRUMP_CLASSES,
    all_totals,
    meld_table,
    nearest_totals,
    one_pack,
)
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.engine.pinochle.three_hand import ThreeHandDeal
from tests.examples import as_proof
from tests.scoring.engine.pinochle.one_pack import most_of_all, partners_totals
from tests.scoring.engine.pinochle.test_possible_totals import SMALL_PACKS, declared, hands, whole_pack, without

SLUGS = ["st-hilary-v3", "double-deck-partnership-pinochle", "three-hand-double-pinochle"]
SLOW = [as_proof([slug]) for slug in SLUGS[1:]]


@pytest.mark.parametrize("slug", [SLUGS[0], *SLOW])
def test_no_pack_gives_all_players_more_than_the_search_finds(slug):
    rules = rules_of(shipped()[slug])
    found = [most_of_all(meld_table(rules), trump, players=rules.shape.players) for trump in TRUMP_CLASSES]
    assert max(found) == FOUND[slug].all_players


@pytest.mark.parametrize("slug", [SLUGS[0], SLOW[0]])
def test_partners_meld_just_the_totals_that_the_search_finds(slug):
    table = meld_table(rules_of(shipped()[slug]))
    found = set().union(*(partners_totals(table, trump) for trump in TRUMP_CLASSES))
    assert set(all_totals(table, partners=True)) == found


def test_st_hilary():
    """Of 313 totals that two hands give by themselves, no pack gives 95."""
    table = meld_table(rules_of(shipped()[SLUGS[0]]))
    by_hands = set(all_totals(replace(table, partners_most=None), partners=True))
    by_pack = set(all_totals(table, partners=True))
    assert (len(by_hands), len(by_hands - by_pack), max(by_pack)) == (313, 95, 222)
    assert {*range(205, 210)} <= by_hands - by_pack


@pytest.mark.parametrize("slug", ["partnership-pinochle-times-ten", "partnership-pinochle-ten-and-five"])
def test_in_the_scale_of_ten_everything_is_ten_times_what_it_is_at_st_hilary(slug):
    rules, usual = rules_of(shipped()[slug]), rules_of(shipped()[SLUGS[0]])
    totals = [all_totals(meld_table(r), partners=True) for r in (rules, usual)]
    assert set(totals[0]) == {10 * total for total in totals[1]}
    assert one_pack(rules).all_players == 10 * one_pack(usual).all_players


# --- the search, in small packs, against every deal there is ------------------------------------------------


@pytest.mark.daily(4)
@pytest.mark.parametrize("table", [table for table in SMALL_PACKS if len(whole_pack(table)) and table.hand_size <= 5])
def test_the_search_finds_what_all_pairs_of_hands_of_a_small_pack_give(table):
    for trump in {SPADES, DIAMONDS, CLUBS} & set(table.suits):
        totals = set()
        seen = {}
        for hand in hands(whole_pack(table), table.hand_size):
            if sum(whole_pack(table)) < 2 * table.hand_size:
                return
            others = {
                declared(other, trump, table) for other in hands(without(whole_pack(table), hand), table.hand_size)
            }
            seen.setdefault(tuple(sorted(declared(hand, trump, table))), set()).update(others)
        for own, others_of in seen.items():
            for other in others_of:
                totals |= {one + two for one, two in product(own, other)}
        assert partners_totals(table, trump) == totals
        assert most_of_all(table, trump, players=2) == max(totals)


# --- cards ---------------------------------------------------------------------------------------------


def codes(slug, **facts):
    rule_set = shipped()[slug]
    family = family_of(rule_set)
    kind = {"partnership-pinochle": PartnershipDeal, "three-hand-pinochle": ThreeHandDeal}[family.slug]
    found = family.check(kind(**facts), rules_of(rule_set))
    return {problem.code.removeprefix("pinochle.") for problem in found if problem.severity.stops}


@pytest.mark.parametrize(
    ("meld", "wrong"),
    [
        ((222, 0), set()),
        ((223, 0), {"meld-most-pair"}),
        ((300, 0), {"meld-most-pair"}),
        ((205, 0), {"meld-impossible-pair"}),
        ((209, 0), {"meld-impossible-pair"}),
        ((204, 0), set()),
        ((222, 60), set()),
        ((200, 83), {"meld-pack"}),
        ((242, 242), {"meld-most-pair"}),
    ],
)
def test_totals_of_melds_are_held_against_one_pack(meld, wrong):
    assert codes("st-hilary-v3", bid_side=0, bid=25, meld=meld, take=(15, 10), last_trick=0) == wrong


def test_double_packs():
    double = {"bid_side": 0, "bid": 50, "take": (30, 20), "last_trick": 0}
    assert codes("double-deck-partnership-pinochle", **double, meld=(630, 630)) == {"meld-most-pair"}
    assert codes("double-deck-partnership-pinochle", **double, meld=(572, 64)) == set()
    assert codes("double-deck-partnership-pinochle", **double, meld=(503, 0)) == {"meld-impossible-pair"}
    assert codes("double-deck-partnership-pinochle", **double, meld=(400, 238)) == {"meld-pack"}
    three = {"bidder": 0, "bid": 500, "take": (250, 150, 100), "last_trick": 0}
    assert codes("three-hand-double-pinochle", **three, meld=(5540, 5540, 5540)) == {"meld-pack"}
    second = nearest_totals(meld_table(rules_of(shipped()[SLUGS[2]])), 10_700 - 5540 + 1, partners=False)[0]
    assert codes("three-hand-double-pinochle", **three, meld=(5540, second, 0)) == set()


def test_other_values_of_melds_are_held_against_the_hands_alone():
    rules = rules_of(shipped()["st-hilary-v3"])
    assert one_pack(replace(rules, opening_bid=16, target=200)) == FOUND["st-hilary-v3"]
    assert one_pack(replace(rules, pinochle=(4, 40))) is None
