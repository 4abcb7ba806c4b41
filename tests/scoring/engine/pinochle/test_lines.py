"""Every line of the pinochle games: its side, its points, its code and all of its arguments."""

from dataclasses import replace

import pytest

from scoring import wording
from scoring.engine.pinochle.partnership import Ending, check as check_partnership, score as score_partnership
from scoring.engine.pinochle.three_hand import score as score_three_hand
from tests.scoring.engine.pinochle.cards import (
    DOUBLE_DECK,
    NO_MARRIAGE,
    ST_HILARY,
    THREE_HAND,
    partnership,
    table,
    three_hand,
    three_totals,
    totals,
)
from tests.scoring.engine.pinochle.test_codes import BY_ONES, OF_PARTNERS, OF_THREE, line

MELDED = [line(0, 27, "meld", meld=27), line(1, 9, "meld", meld=9)]
CONCEDED = totals(ending=Ending.CONCEDED, take=(), last_trick=None)
THROWN_IN = {"take": (), "last_trick": None}
WRONG_LAY_DOWN = {"take": (7, 10), "last_trick": None}
WRONG_DOWN = totals(bid=51, meld=(24, 32), take=(30, 14), last_trick=None, ending=Ending.LAY_DOWN_BID_SIDE)
GIVEN = replace(DOUBLE_DECK, lay_down_forfeit="opponents", meld_savers="nobody")

LINES_OF_PARTNERS = [
    (partnership(), ST_HILARY,
     [line(0, 0, "made", bid=30, total=42),
      line(0, 15, "counted-run", count=1), line(0, 2, "counted-marriage", count=1, suit="clubs"),
      line(0, 10, "counted-aces", count=1), line(0, 15, "take-last", counters=14, last=1),
      line(1, 4, "counted-pinochle", count=1), line(1, 1, "counted-nine-of-trump", count=1),
      line(1, 4, "counted-jacks", count=1), line(1, 10, "take", take=10)]),
    (partnership(counted=table("2*pinochle", "marriage royal-marriage", "kings queens", "")), ST_HILARY,
     [line(0, 0, "made", bid=30, total=51),
      line(0, 30, "counted-pinochle", count=2), line(0, 2, "counted-some-marriage", count=1),
      line(0, 4, "counted-royal-marriage", count=1), line(0, 15, "take-last", counters=14, last=1),
      line(1, 8, "counted-kings", count=1), line(1, 6, "counted-queens", count=1), line(1, 10, "take", take=10)]),
    (totals(last_trick=1), ST_HILARY,
     [line(0, 0, "made", bid=30, total=42), MELDED[0], line(0, 15, "take", take=15),
      MELDED[1], line(1, 10, "take-last", counters=9, last=1)]),
    (totals(last_trick=None), ST_HILARY,
     [line(0, 0, "made", bid=30, total=42), MELDED[0], line(0, 15, "take", take=15),
      MELDED[1], line(1, 10, "take", take=10)]),
    (totals(take=(25, 0), last_trick=None), ST_HILARY,
     [line(0, 0, "made", bid=30, total=52), MELDED[0], line(0, 25, "take-last", counters=24, last=1),
      line(1, 0, "meld-lost", meld=9, counters=0, needed=1), line(1, 0, "take", take=0)]),
    (totals(take=(24, 1), last_trick=1), ST_HILARY,
     [line(0, 0, "made", bid=30, total=51), MELDED[0], line(0, 24, "take", take=24),
      line(1, 0, "meld-lost", meld=9, counters=0, needed=1), line(1, 1, "take-last", counters=0, last=1)]),
    (totals(take=(24, 1), last_trick=1), replace(ST_HILARY, take_stays=False),
     [line(0, 0, "made", bid=30, total=51), MELDED[0], line(0, 24, "take", take=24),
      line(1, 0, "meld-lost", meld=9, counters=0, needed=1), line(1, 0, "take-lost", take=1, needed=1)]),
    (totals(meld=(27, 1), take=(25, 0)), ST_HILARY,
     [line(0, 0, "made", bid=30, total=52), MELDED[0], line(0, 25, "take-last", counters=24, last=1),
      line(1, 0, "meld-lost", meld=1, counters=0, needed=1), line(1, 0, "take", take=0)]),
    (totals(bid=50, meld=(20, 0), take=(30, 20), last_trick=1), DOUBLE_DECK,  # 20 are recorded; nothing isn't too low
     [line(0, 0, "made", bid=50, total=50), line(0, 20, "meld", meld=20), line(0, 30, "take", take=30),
      line(1, 20, "take-last", counters=18, last=2)]),
    # what was dealt before
    (totals(redeals=(0, 2), deals_lost=(1, 0), last_trick=1), ST_HILARY,
     [line(0, 0, "deal-lost", times=1), line(0, 0, "made", bid=30, total=42), MELDED[0], line(0, 15, "take", take=15),
      line(1, 0, "redealt", times=2, nines=5), MELDED[1], line(1, 10, "take-last", counters=9, last=1)]),
    (replace(CONCEDED, redeals=(1, 0)), replace(ST_HILARY, concession=0),
     [line(0, 0, "redealt", times=1, nines=5), line(0, -30, "conceded", bid=30), MELDED[1]]),
    # a bid that wasn't made
    (totals(bid=43), ST_HILARY,
     [line(0, -43, "set", bid=43, meld=27, take=15, total=42, short=1), MELDED[1], line(1, 10, "take", take=10)]),
    (totals(bid=43), replace(ST_HILARY, set_points="reverted"),
     [line(0, 0, "set-reverted", bid=43, meld=27, take=15, total=42, short=1), MELDED[1],
      line(1, 10, "take", take=10)]),
    (totals(bid=43), replace(ST_HILARY, set_points="with-meld"),
     [line(0, -43, "set", bid=43, meld=27, take=15, total=42, short=1), line(0, -27, "set-meld", meld=27), MELDED[1],
      line(1, 10, "take", take=10)]),
    (totals(bid=50, meld=(19, 1), take=(30, 20), last_trick=1), replace(DOUBLE_DECK, set_points="with-meld"),
     [line(0, 0, "meld-too-low", meld=19, needed=20), line(0, -50, "set", bid=50, meld=0, take=30, total=30, short=20),
      line(1, 0, "meld-too-low", meld=1, needed=20), line(1, 20, "take-last", counters=18, last=2)]),
    (totals(bid=52), ST_HILARY,
     [line(0, -52, "set", bid=52, meld=27, take=15, total=42, short=10), MELDED[1], line(1, 10, "take", take=10)]),
    (totals(bid=53), ST_HILARY,
     [line(0, -53, "set-off-board", bid=53, meld=27, most=25), MELDED[1], line(1, 10, "take", take=10)]),
    (totals(bid=60, bid_side=1), replace(ST_HILARY, set_points="given"),
     [line(1, 0, "set-off-board-reverted", bid=60, meld=9, most=25), MELDED[0],
      line(0, 15, "take-last", counters=14, last=1), line(0, 60, "set-given", bid=60)]),
    (totals(bid=50, meld=(19, 1), take=(30, 20), last_trick=1), DOUBLE_DECK,
     [line(0, 0, "meld-too-low", meld=19, needed=20), line(0, -50, "set", bid=50, meld=0, take=30, total=30, short=20),
      line(1, 0, "meld-too-low", meld=1, needed=20), line(1, 20, "take-last", counters=18, last=2)]),
    (totals(bid=50, meld=(20, 30), take=(19, 31), last_trick=1), DOUBLE_DECK,
     [line(0, -50, "set-too-low", bid=50, meld=20, take=19, needed=20),
      line(1, 30, "meld", meld=30), line(1, 31, "take-last", counters=29, last=2)]),
    (totals(bid=50, meld=(20, 30), take=(19, 31), last_trick=1), replace(DOUBLE_DECK, set_points="reverted"),
     [line(0, 0, "set-too-low-reverted", bid=50, meld=20, take=19, needed=20),
      line(1, 30, "meld", meld=30), line(1, 31, "take-last", counters=29, last=2)]),
    (totals(bid=50, meld=(20, 30), take=(31, 19), last_trick=1), DOUBLE_DECK,
     [line(0, 0, "made", bid=50, total=51), line(0, 20, "meld", meld=20), line(0, 31, "take", take=31),
      line(1, 0, "take-too-low", meld=30, take=19, needed=20)]),
    (totals(bid=50, meld=(20, 30), take=(19, 31), last_trick=1), replace(DOUBLE_DECK, take_to_score=0),
     [line(0, 0, "meld-lost", meld=20, counters=19, needed=20),
      line(0, -50, "set", bid=50, meld=0, take=19, total=19, short=31),
      line(1, 30, "meld", meld=30), line(1, 31, "take-last", counters=29, last=2)]),
    # deals that were thrown in
    (totals(ending=Ending.RENEGE_BID_SIDE, **THROWN_IN), ST_HILARY,
     [line(0, -30, "renege-set", bid=30), line(1, 9, "renege-kept", meld=9)]),
    (totals(ending=Ending.RENEGE_BID_SIDE, bid_side=1, **THROWN_IN), replace(ST_HILARY, set_points="given"),
     [line(1, 0, "renege-set-reverted", bid=30), line(0, 27, "renege-kept", meld=27),
      line(0, 30, "set-given", bid=30)]),
    (totals(ending=Ending.RENEGE_OTHER_SIDE, **THROWN_IN), ST_HILARY,
     [line(0, 30, "renege-made", bid=30), MELDED[0], line(1, 0, "renege-lost", meld=9),
      line(1, -30, "renege-penalty", bid=30)]),
    (totals(ending=Ending.RENEGE_OTHER_SIDE, bid_side=1, **THROWN_IN), replace(ST_HILARY, renege_other_side="nothing"),
     [line(1, 30, "renege-made", bid=30), MELDED[1], line(0, 0, "renege-lost", meld=27)]),
    (CONCEDED, replace(ST_HILARY, concession=5),
     [line(0, -30, "conceded", bid=30), MELDED[1], line(1, 5, "concession", points=5)]),
    (CONCEDED, replace(ST_HILARY, concession=1),
     [line(0, -30, "conceded", bid=30), MELDED[1], line(1, 1, "concession", points=1)]),
    (CONCEDED, replace(ST_HILARY, concession=0, set_points="reverted"),
     [line(0, 0, "conceded-reverted", bid=30), MELDED[1]]),
    (CONCEDED, ST_HILARY, [line(0, -30, "conceded", bid=30), MELDED[1]]),  # by a ruling
    (partnership(**NO_MARRIAGE), DOUBLE_DECK, [line(0, -30, "no-marriage", bid=30)]),
    (partnership(**NO_MARRIAGE), replace(DOUBLE_DECK, set_points="given"),
     [line(0, 0, "no-marriage-reverted", bid=30), line(1, 30, "set-given", bid=30)]),
    # wrong lay-downs
    (totals(ending=Ending.LAY_DOWN_BID_SIDE, **WRONG_LAY_DOWN), ST_HILARY,
     [line(0, 0, "made", bid=30, total=34), MELDED[0], line(0, 7, "take", take=7), line(0, 0, "forfeit", points=8),
      MELDED[1], line(1, 10, "take", take=10)]),
    (totals(ending=Ending.LAY_DOWN_OTHER_SIDE, **WRONG_LAY_DOWN), replace(ST_HILARY, lay_down_forfeit="opponents"),
     [line(0, 0, "made", bid=30, total=42), MELDED[0], line(0, 7, "take", take=7),
      line(0, 8, "forfeit-gained", points=8), MELDED[1], line(1, 10, "take", take=10),
      line(1, 0, "forfeit", points=8)]),
    (totals(ending=Ending.LAY_DOWN_OTHER_SIDE, bid_side=1, bid=19, **WRONG_LAY_DOWN), ST_HILARY,
     [line(1, 0, "made", bid=19, total=19), MELDED[1], line(1, 10, "take", take=10),
      MELDED[0], line(0, 7, "take", take=7), line(0, 0, "forfeit", points=8)]),
    (totals(ending=Ending.LAY_DOWN_OTHER_SIDE, bid=43, **WRONG_LAY_DOWN),
     replace(ST_HILARY, lay_down_forfeit="opponents"),
     [line(0, -43, "set", bid=43, meld=27, take=15, total=42, short=1),  # 7 in tricks and the 8 forfeited
      MELDED[1], line(1, 10, "take", take=10), line(1, 0, "forfeit", points=8)]),
    (totals(ending=Ending.LAY_DOWN_BID_SIDE, bid_side=1, bid=20, **WRONG_LAY_DOWN),
     replace(ST_HILARY, lay_down_forfeit="opponents"),
     [line(1, 0, "forfeit", points=8), line(1, -20, "set", bid=20, meld=9, take=10, total=19, short=1),
      MELDED[0], line(0, 7, "take", take=7), line(0, 8, "forfeit-gained", points=8)]),
    (totals(bid=50, meld=(24, 32), take=(40, 8), last_trick=None, ending=Ending.LAY_DOWN_OTHER_SIDE), DOUBLE_DECK,
     [line(0, 0, "made", bid=50, total=64), line(0, 24, "meld", meld=24), line(0, 40, "take", take=40),
      line(1, 0, "take-too-low", meld=32, take=8, needed=20), line(1, 0, "forfeit", points=2)]),
    (totals(ending=Ending.LAY_DOWN_BID_SIDE), replace(ST_HILARY, lay_down_forfeit="opponents"),
     [line(0, 0, "made", bid=30, total=42), MELDED[0], line(0, 15, "take-last", counters=14, last=1),
      line(0, 0, "forfeit", points=0), MELDED[1], line(1, 10, "take", take=10)]),
]  # fmt: skip

THREE_MELDED = [line(player, meld, "meld", meld=meld) for player, meld in enumerate((150, 100, 60))]

LINES_OF_THREE = [
    (three_hand(), THREE_HAND,
     [line(0, 0, "made", bid=500, total=500),
      line(0, 150, "counted-run", count=1), line(0, 350, "take-last", counters=330, last=20),
      line(1, 100, "counted-aces", count=1), line(1, 100, "take", take=100),
      line(2, 40, "counted-royal-marriage", count=1), line(2, 20, "counted-marriage", count=1, suit="clubs"),
      line(2, 50, "take", take=50)]),
    (three_totals(bidder=1, bid=700, last_trick=2), THREE_HAND,
     [line(1, -700, "set", bid=700, meld=100, take=100, total=200, short=500),
      THREE_MELDED[2], line(2, 50, "take-last", counters=30, last=20),
      THREE_MELDED[0], line(0, 350, "take", take=350)]),
    (three_totals(bid=700), replace(THREE_HAND, set_points="given"),
     [line(0, 0, "set-reverted", bid=700, meld=150, take=350, total=500, short=200),
      THREE_MELDED[1], line(1, 100, "take", take=100), THREE_MELDED[2], line(2, 50, "take", take=50),
      line(1, 700, "set-given", bid=700), line(2, 700, "set-given", bid=700)]),
    (three_totals(meld=(150, 0, 60), take=(480, 20, 0), last_trick=None), THREE_HAND,
     [line(0, 0, "made", bid=500, total=630), THREE_MELDED[0], line(0, 480, "take", take=480),
      line(1, 20, "take", take=20), line(2, 0, "meld-lost-no-trick", meld=60), line(2, 0, "take", take=0)]),
    (three_totals(take=(20, 480, 0), bidder_scored=False, last_trick=1), THREE_HAND,
     [line(0, 0, "meld-lost-no-trick", meld=150),
      line(0, -500, "set", bid=500, meld=0, take=20, total=20, short=480),
      THREE_MELDED[1], line(1, 480, "take-last", counters=460, last=20),
      line(2, 0, "meld-lost-no-trick", meld=60), line(2, 0, "take", take=0)]),
    (three_hand(meld=(140, 100, 60)), THREE_HAND,  # by a ruling
     [line(0, -500, "set", bid=500, meld=140, take=350, total=490, short=10),
      line(1, 100, "counted-aces", count=1), line(1, 100, "take", take=100),
      line(2, 40, "counted-royal-marriage", count=1), line(2, 20, "counted-marriage", count=1, suit="clubs"),
      line(2, 50, "take", take=50)]),
    (three_hand(meld=(150, 90, 60)), THREE_HAND,
     [line(0, 0, "made", bid=500, total=500), line(0, 150, "counted-run", count=1),
      line(0, 350, "take-last", counters=330, last=20), line(1, 90, "meld", meld=90), line(1, 100, "take", take=100),
      line(2, 40, "counted-royal-marriage", count=1), line(2, 20, "counted-marriage", count=1, suit="clubs"),
      line(2, 50, "take", take=50)]),
    (three_totals(take=(40, 9, 1)), BY_ONES,
     [line(0, -500, "set", bid=500, meld=150, take=40, total=190, short=310),
      THREE_MELDED[1], line(1, 9, "take", take=9), THREE_MELDED[2], line(2, 1, "take", take=1)]),
    (three_hand(conceded=True, take=(), last_trick=None), THREE_HAND,
     [line(0, -500, "conceded", bid=500), line(1, 100, "counted-aces", count=1), line(1, 100, "concession", points=100),
      line(2, 40, "counted-royal-marriage", count=1), line(2, 20, "counted-marriage", count=1, suit="clubs"),
      line(2, 100, "concession", points=100)]),
    (three_totals(bidder=2, conceded=True, take=(), last_trick=None), THREE_HAND,
     [line(2, -500, "conceded", bid=500), THREE_MELDED[0], line(0, 100, "concession", points=100),
      THREE_MELDED[1], line(1, 100, "concession", points=100)]),
    (three_totals(conceded=True, take=(), last_trick=None), replace(THREE_HAND, set_points="given"),
     [line(0, 0, "conceded-reverted", bid=500), THREE_MELDED[1], line(1, 100, "concession", points=100),
      THREE_MELDED[2], line(2, 100, "concession", points=100),
      line(1, 500, "set-given", bid=500), line(2, 500, "set-given", bid=500)]),
]  # fmt: skip


SETS = ("set", "set-off-board", "set-too-low", "renege-set", "renege-penalty", "conceded", "no-marriage")


def sides_set(lines):
    """The sides that are set, by the lines that say so."""
    codes = [(line.side, line.rule.removeprefix("pinochle.").removesuffix("-reverted")) for line in lines]
    return tuple(side for side, code in codes if code in SETS)


@pytest.mark.parametrize(("card", "rules", "expected"), LINES_OF_PARTNERS)
def test_the_lines_of_a_partnership_s_card_say_all_of_themselves(card, rules, expected):
    result = score_partnership(card, rules)
    assert list(result.lines) == expected
    assert (result.sides, result.first, result.sets) == (2, card.bid_side, sides_set(expected))


@pytest.mark.parametrize(("card", "rules", "expected"), LINES_OF_THREE)
def test_the_lines_of_a_three_hand_card_say_all_of_themselves(card, rules, expected):
    result = score_three_hand(card, rules)
    assert list(result.lines) == expected
    assert (result.sides, result.first, result.sets) == (3, card.bidder, sides_set(expected))


@pytest.mark.parametrize(
    ("card", "rules", "points"),
    [
        # the last trick alone saves no meld, one counter does, and after a lay-down a single point is one
        (totals(take=(24, 1), last_trick=1), ST_HILARY, (51, 1)),
        (totals(take=(24, 1), last_trick=1), replace(ST_HILARY, last_trick_saves_meld=True), (51, 10)),
        (totals(take=(24, 1)), ST_HILARY, (51, 10)),
        (totals(take=(12, 1), last_trick=None, ending=Ending.LAY_DOWN_OTHER_SIDE), ST_HILARY, (39, 10)),
        # the bid side needs none unless the club wants it
        (totals(bid=15, take=(0, 25), last_trick=1), ST_HILARY, (27, 34)),
        (totals(bid=15, take=(0, 25), last_trick=1), replace(ST_HILARY, meld_savers="both"), (-15, 34)),
        (totals(take=(25, 0)), replace(ST_HILARY, meld_savers="nobody"), (52, 9)),
        # two packs: 20 with the last trick, which counts two
        (totals(bid=50, meld=(25, 26), take=(30, 20), last_trick=1), DOUBLE_DECK, (55, 46)),
        (totals(bid=50, meld=(25, 26), take=(30, 20), last_trick=1),
         replace(DOUBLE_DECK, last_trick_saves_meld=False), (55, 20)),
        # what the bid side forfeits by a wrong lay-down is the others' where the club plays so
        (WRONG_DOWN, DOUBLE_DECK, (54, 0)),
        (WRONG_DOWN, GIVEN, (54, 52)),
        (replace(WRONG_DOWN, take=(32, 14), last_trick=0), GIVEN, (56, 0)),
    ],
)  # fmt: skip
def test_what_saves_a_meld_and_lets_a_side_score_at_all(card, rules, points):
    assert check_partnership(card, rules) == ()
    assert score_partnership(card, rules).totals == points


@pytest.mark.parametrize(
    ("set_points", "partners", "alone"),
    [("deducted", (-60, 19), (-700, 200, 110)), ("with-meld", (-87, 19), (-850, 200, 110)),
     ("reverted", (0, 19), (0, 200, 110)),
     ("given", (0, 79), (0, 900, 810))],
)  # fmt: skip
def test_what_a_failed_bid_costs(set_points, partners, alone):
    result = score_partnership(partnership(bid=60), replace(ST_HILARY, set_points=set_points))
    assert (result.totals, result.sets) == (partners, (0,))
    three = score_three_hand(three_hand(bid=700), replace(THREE_HAND, set_points=set_points))
    assert (three.totals, three.sets) == (alone, (0,))


@pytest.mark.parametrize("set_points", ["deducted", "with-meld", "reverted", "given"])
@pytest.mark.parametrize("ending", [Ending.RENEGE_BID_SIDE, Ending.CONCEDED, Ending.NO_MARRIAGE])
def test_every_way_to_be_set_costs_the_same(set_points, ending):
    rules = replace(ST_HILARY, set_points=set_points, concession=5, no_marriage_is_set=True)
    melded = {Ending.RENEGE_BID_SIDE: 9, Ending.CONCEDED: 14, Ending.NO_MARRIAGE: 0}[ending]
    own = 0 if ending is Ending.NO_MARRIAGE else 27
    facts = NO_MARRIAGE if ending is Ending.NO_MARRIAGE else {"take": (), "last_trick": None, "ending": ending}
    card = partnership(**facts)
    assert check_partnership(card, rules) == ()
    result = score_partnership(card, rules)
    cost, gain = {"deducted": (-30, 0), "with-meld": (-30 - own, 0), "reverted": (0, 0), "given": (0, 30)}[set_points]
    assert (result.totals, result.sets) == ((cost, melded + gain), (0,))


def test_every_code_of_both_games_is_above():
    said = {found.code for *_card, problems in OF_PARTNERS + OF_THREE for found in problems}
    said |= {found.rule for *_card, lines in LINES_OF_PARTNERS + LINES_OF_THREE for found in lines}
    assert said == {code for code in (*wording.LINES, *wording.PROBLEMS) if code.startswith("pinochle.")}
