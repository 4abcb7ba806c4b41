"""Counting melds, and the cards of a trick."""

from dataclasses import replace

import pytest

from lab.simulation.pinochle import count_melds, legal, meld_points, winner
from scoring.engine.pinochle.melds import MeldKind, meld_table, pack, points_in_pack
from tests.scoring.engine.pinochle.cards import ST_HILARY, THREE_HAND, cards, counts

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
def test_the_scoring_sheet_of_st_hilary(held, trump, points):
    assert meld_points(counts(held), trump, table=SINGLE) == points


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
def test_the_double_pack_s_table(held, points):
    assert meld_points(counts(held), HEARTS, table=DOUBLE) == points


def test_each_meld_is_named():
    held = counts("ATKKQQJ9.h Q.s J.d")
    one_each = (MeldKind.RUN, MeldKind.ROYAL_MARRIAGE, MeldKind.NINE_OF_TRUMP, MeldKind.PINOCHLE)
    assert [meld for meld in count_melds(held, HEARTS) if meld[1]] == [(kind, 1) for kind in one_each]
    assert [SINGLE.worth[kind][1] for kind in one_each] == [15, 4, 1, 4]


def test_the_packs_are_whole():
    assert (len(pack(ST_HILARY)), points_in_pack(ST_HILARY)) == (48, 25)
    assert (len(pack(THREE_HAND)), points_in_pack(THREE_HAND)) == (80, 500)
    by_the_club_s_option = replace(THREE_HAND, counters=(("A", 10), ("10", 10), ("K", 10)))
    assert points_in_pack(by_the_club_s_option) == 500


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
def test_the_strict_rules_of_play(held, trick, allowed):
    assert legal(cards(held), cards(trick), trump=HEARTS) == cards(allowed)


@pytest.mark.parametrize(("trick", "place"), [("T.s A.s K.s A.s", 1), ("A.s 9.h J.h J.h", 2), ("9.c A.s A.d T.d", 0)])
def test_who_wins_a_trick(trick, place):
    assert winner(cards(trick), HEARTS) == place
