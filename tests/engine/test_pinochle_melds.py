"""Counting melds, and the totals that a pack allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from random import Random

import pytest

from scoring.engine.pinochle_cards import PinochleRules, counted, meld_table, pack, points_in_pack
from scoring.engine.pinochle_melds import (
    TRUMP_CLASSES,
    MeldTable,
    can_meld,
    fit_together,
    highest,
    meld_points,
    melds_of,
    reach,
    ways_of_two,
)
from scoring.engine.pinochle_play import legal, shuffled, winner
from tests.engine.strategies_pinochle import ST_HILARY, THREE_HAND, cards, counts

SINGLE, DOUBLE = meld_table(ST_HILARY), meld_table(THREE_HAND)
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)


@pytest.mark.parametrize(
    ("held", "trump", "points"),
    [
        ("ATKQJ.h", HEARTS, 15),
        ("ATKQJ.h", SPADES, 2),  # a run that isn't trump is worth its marriage
        ("AATTKKQQJJ.h", HEARTS, 150),
        ("KQ.h", HEARTS, 4),
        ("KQ.h", CLUBS, 2),
        ("KKQQ.h", HEARTS, 8),
        ("ATKKQJ.h", HEARTS, 15),  # a further king adds nothing
        ("ATKKQQJ.h", HEARTS, 19),  # a further marriage does
        ("9.h", HEARTS, 1),
        ("99.h", HEARTS, 2),
        ("99.h", CLUBS, 0),
        ("A.s A.h A.d A.c", HEARTS, 10),
        ("AA.s AA.h AA.d AA.c", HEARTS, 100),
        ("K.s K.h K.d K.c", HEARTS, 8),
        ("KK.s KK.h KK.d KK.c", HEARTS, 80),
        ("Q.s Q.h Q.d Q.c", HEARTS, 6),
        ("QQ.s QQ.h QQ.d QQ.c", HEARTS, 60),
        ("J.s J.h J.d J.c", HEARTS, 4),
        ("JJ.s JJ.h JJ.d JJ.c", HEARTS, 40),
        ("Q.s J.d", HEARTS, 4),
        ("QQ.s JJ.d", HEARTS, 30),
        ("QQ.s J.d", HEARTS, 4),
        ("Q.d J.s", HEARTS, 0),
        ("KQ.s KQ.h KQ.d KQ.c", HEARTS, 24),  # a marriage in every suit
        ("ATKQJ.s J.d", SPADES, 19),  # the queen serves in the run and in the pinochle
    ],
)
def test_the_scoring_sheet_of_st_hilary(held: str, trump: int, points: int) -> None:
    assert meld_points(counts(held), trump, SINGLE) == points


@pytest.mark.parametrize(
    ("held", "points"),
    [
        ("AAATTTKKKQQQJJJ.h", 2250),
        ("AAAATTTTKKKKQQQQJJJJ.h", 3000),
        ("KKKQQQ.h", 120),
        ("KKKQQQ.c", 60),
        ("AAA.s AAA.h AAA.d AAA.c", 2000),
        ("QQQ.s JJJJ.d", 600),
        ("QQQQ.s JJJJ.d", 900),
        ("KKK.s KKK.h KKK.d KKKK.c", 1600),
    ],
)
def test_the_double_pack_s_table(held: str, points: int) -> None:
    assert meld_points(counts(held), HEARTS, DOUBLE) == points


def test_each_meld_is_named() -> None:
    assert melds_of(counts("ATKKQQJ9.h Q.s J.d"), HEARTS, SINGLE) == [
        ("run", 1, 15),
        ("royal_marriage", 1, 4),
        ("nine_of_trump", 1, 1),
        ("pinochle", 1, 4),
    ]


def test_the_packs_are_whole() -> None:
    assert (len(pack(ST_HILARY)), points_in_pack(ST_HILARY)) == (48, 25)
    assert (len(pack(THREE_HAND)), points_in_pack(THREE_HAND)) == (80, 500)
    by_the_club_s_option = replace(THREE_HAND, counters=(("A", 10), ("10", 10), ("K", 10)))
    assert points_in_pack(by_the_club_s_option) == 500


def _packets(table: MeldTable, size: int) -> Iterator[tuple[int, ...]]:
    kinds = [kind for kind in range(24) if table.nines or kind % 6 != 5]
    for packet in combinations_with_replacement(kinds, size):
        if max(map(packet.count, packet)) <= table.copies:
            yield packet


@pytest.mark.parametrize(("table", "size"), [(SINGLE, 4), (DOUBLE, 5)])
def test_reachable_totals_are_exact_against_every_packet_of_a_few_cards(table: MeldTable, size: int) -> None:
    small = replace(table, hand_size=size)
    by_counting: dict[int, set[int]] = {trump: set() for trump in TRUMP_CLASSES}
    for packet in _packets(small, size):
        held = counted(packet)
        for trump in TRUMP_CLASSES:
            by_counting[trump].add(meld_points(held, trump, small))
    for trump in TRUMP_CLASSES:
        union = 0
        for totals in reach(small)[trump].values():
            union |= totals
        assert {n * small.unit for n in range(union.bit_length()) if union >> n & 1} == by_counting[trump]


@pytest.mark.parametrize(("rules", "seats"), [(ST_HILARY, 4), (THREE_HAND, 3)])
def test_what_real_hands_meld_is_reachable_alone_and_together(rules: PinochleRules, seats: int) -> None:
    rng = Random(7)
    table = meld_table(rules)
    for _deal in range(150):
        hands, _widow = shuffled(rng, rules, seats)
        for trump in range(4):
            melds = [meld_points(counted(hand), trump, table) for hand in hands]
            assert all(can_meld(table, meld, partners=False) for meld in melds)
            assert fit_together(table, melds, partners=False)
            if seats == 4:
                assert fit_together(table, (melds[0] + melds[2], melds[1] + melds[3]), partners=True)


def test_the_highest_hands() -> None:
    best = counts("AATTKKQQJJ.s JJ.d")
    assert highest(SINGLE) == meld_points(best, SPADES, SINGLE) == 180
    best = counts("AAAATTKKQQJJ.s AAAA.h AAAAJ.d AAAA.c")
    assert sum(best) == 25
    assert highest(DOUBLE) == meld_points(best, SPADES, DOUBLE) == 5540


@pytest.mark.parametrize("meld", [-1, 181, 179, 10**12])
def test_melds_that_no_player_can_have(meld: int) -> None:
    assert not can_meld(SINGLE, meld, partners=False)


def test_the_lowest_meld_on_the_scale_of_tens_is_a_marriage() -> None:
    assert not can_meld(DOUBLE, 45, partners=False)
    assert not can_meld(DOUBLE, 10, partners=False)
    assert can_meld(DOUBLE, 20, partners=False)


def test_one_pack_can_not_give_every_pair_of_high_melds() -> None:
    assert fit_together(SINGLE, (150, 4), partners=True)
    assert fit_together(SINGLE, (150, 150), partners=True)  # 100 + 40 + 10 against 80 + 60 + 10
    assert can_meld(SINGLE, 180, partners=True)
    assert not fit_together(SINGLE, (150, 180), partners=True)


def test_partners_can_not_both_hold_the_best_hand() -> None:
    assert can_meld(SINGLE, 180, partners=False)
    assert ways_of_two(SINGLE, CLUBS, 20)
    assert not can_meld(SINGLE, 360, partners=True)


def test_every_ace_of_trump_wins_a_counter() -> None:
    assert fit_together(SINGLE, (200, 0), partners=True)
    assert fit_together(SINGLE, (200, 0), partners=True, takes_nothing=(False, True))
    assert not fit_together(SINGLE, (200, 0), partners=True, takes_nothing=(True, False))


@pytest.mark.parametrize(
    ("held", "trick", "allowed"),
    [
        ("AK9.s Q.h", "", "AK9.s Q.h"),
        ("AK9.s Q.h", "T.s", "A.s"),  # head the trick
        ("K9.s Q.h", "T.s", "K9.s"),  # or follow
        ("A.s 9.h", "A.s", "A.s"),  # an equal card doesn't head it, but suit is followed
        ("K9.h Q.c", "T.s", "K9.h"),  # else trump
        ("K9.h Q.c", "T.s Q.h", "K.h"),  # over the highest trump
        ("J9.h Q.c", "T.s Q.h", "J9.h"),  # or under it
        ("Q.c A.d", "T.s Q.h", "Q.c A.d"),  # else anything
    ],
)
def test_the_strict_rules_of_play(held: str, trick: str, allowed: str) -> None:
    assert legal(cards(held), cards(trick), HEARTS) == cards(allowed)


@pytest.mark.parametrize(
    ("trick", "place"),
    [("T.s A.s K.s A.s", 1), ("A.s 9.h J.h J.h", 2), ("9.c A.s A.d T.d", 0)],
)
def test_who_wins_a_trick(trick: str, place: int) -> None:
    assert winner(cards(trick), HEARTS) == place
