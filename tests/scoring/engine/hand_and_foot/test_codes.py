"""Every problem and every line of a Hand and Foot card, with all that its sentence is made of."""

from dataclasses import replace

import pytest

from scoring import wording
from scoring.engine.core.ledger import Line, Problem, Severity, named
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, HandAndFootDeal, RankMeld, SideCard
from scoring.engine.hand_and_foot.scoring import check, score
from tests.scoring.engine.hand_and_foot.columns import (
    CANASTA,
    CAUGHT,
    KNEE,
    MODERN,
    PARTNERS,
    SIMPSON,
    TWO_PLAYERS,
    WENT_OUT,
    deal,
    stopped,
)

FORM, IMPOSSIBLE = Severity.FORM, Severity.IMPOSSIBLE
AGAINST, UNLIKELY = Severity.AGAINST_RULES, Severity.UNLIKELY
SPANISH = replace(CANASTA, extras=(("all-black-threes", 480), ("first-turn", 500)), piles_bonus=((5, 500), (7, 2000)))
BY_DEAL = replace(PARTNERS, out_clean_by_deal=(3, 4), out_dirty_by_deal=(3, 5))
IN_SEQUENCE = replace(
    CANASTA, sequences=True, special_books=(("sequence", 1500),), out_special=True, threes_for=2, threes_against=2
)
NO_WILD_MELDS = replace(PARTNERS, wild_melds=False, out_wild=0)
PERFECT = replace(PARTNERS, perfect_bonus=100)
NO_FIRST_MELD = replace(PARTNERS, first_meld=())
BLACK_THREES = replace(PARTNERS, black_three_melds=True)
FLOATING = replace(PARTNERS, may_float=True)

NOTHING, HOLDING = SideCard(left=600), SideCard(left=200)
BOOKS = SideCard(clean=1, dirty=1, wild=1, special=(1, 1), red_threes=2, melded=1100, left=45)
OTHERS = SideCard(clean=2, red_threes=1, red_threes_missed=1, melded=500, left=700)
FIVE_LOW, FOUR_LOW = SideCard(clean=5, dirty=2, wild=1, melded=415, left=300), SideCard(clean=4, melded=140, left=300)
MANY = replace(CAUGHT, clean=4, dirty=3, melded=700, red_threes_missed=0)


def problem(code, severity, field, side=None, /, **args):
    return Problem(f"hand-and-foot.{code}", severity, field, named(**args), side)


def line(side, points, code, /, **args):
    return Line(side, points, f"hand-and-foot.{code}", named(**args))


def meld(rank, naturals=0, twos=0, jokers=0):
    return RankMeld(rank=rank, naturals=naturals, twos=twos, jokers=jokers)


def kept(written):
    """Cards left: "30 8-K, 1 joker"."""
    kinds = (kind.split() for kind in written.split(", "))
    return tuple(CardsLeft(of=of, count=int(count)) for count, of in kinds)


HELD = kept("30 8-K, 20 4-7")


def cards(*melds, left_cards=HELD, **noted):
    """A side whose cards are counted; figures are noted beside them."""
    return SideCard(counted=CountedCards(melds=melds, left=left_cards), **noted)


def laid(*melds, left_cards=HELD, **noted):
    """A deal in which the first side's cards are counted."""
    return stopped(cards(*melds, left_cards=left_cards, **noted), NOTHING)


EIGHT_PILES = [meld(rank, 7) for rank in "AKQJ9876"]

# --- problems ------------------------------------------------------------------------------------------

PROBLEMS = [
    # the shape of the card
    (HandAndFootDeal(sides=()), PARTNERS, [problem("sides", FORM, "sides", written=0, sides=2)]),
    (HandAndFootDeal(sides=(WENT_OUT,)), PARTNERS, [problem("sides", FORM, "sides", written=1, sides=2)]),
    (deal(WENT_OUT, CAUGHT, CAUGHT), PARTNERS, [problem("sides", FORM, "sides", written=3, sides=2)]),
    (deal(number=0), PARTNERS, [problem("number", AGAINST, "number", number=0, deals=4)]),
    (deal(number=5), PARTNERS, [problem("number", AGAINST, "number", number=5, deals=4)]),
    (deal(number=4), PARTNERS, []),
    (stopped(HOLDING, HOLDING, number=0), CANASTA, [problem("number", AGAINST, "number", number=0, deals=0)]),
    (stopped(HOLDING, HOLDING, number=5), CANASTA, []),
    (deal(out=-1), PARTNERS, [problem("out-side", FORM, "out", out=0, sides=2)]),
    (deal(out=2), PARTNERS, [problem("out-side", FORM, "out", out=3, sides=2)]),
    (deal(concealed=True), PARTNERS, [problem("not-played", AGAINST, "concealed", field="concealed")]),
    (stopped(HOLDING, HOLDING, concealed=True), CANASTA,
     [problem("not-played", AGAINST, "concealed", field="concealed")]),
    (deal(NOTHING, replace(WENT_OUT, red_threes=5), out=1), PARTNERS, []),
    # figures that can't be
    (deal(replace(WENT_OUT, clean=-1), replace(CAUGHT, dirty=-2)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "clean", 0, field="clean", written=-1),
      problem("negative", IMPOSSIBLE, "dirty", 1, field="dirty", written=-2)]),
    (stopped(SideCard(wild=-1), SideCard(red_threes=-1)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "wild", 0, field="wild", written=-1),
      problem("negative", IMPOSSIBLE, "red_threes", 1, field="red_threes", written=-1)]),
    (stopped(SideCard(red_threes_missed=-1), SideCard(perfect=-1)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "red_threes_missed", 0, field="red_threes_missed", written=-1),
      problem("not-played", AGAINST, "perfect", 1, field="perfect"),
      problem("negative", IMPOSSIBLE, "perfect", 1, field="perfect", written=-1)]),
    (stopped(SideCard(melded=-5), SideCard(left=-5)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "melded", 0, field="melded", written=-5),
      problem("negative", IMPOSSIBLE, "left", 1, field="left", written=-5)]),
    (stopped(SideCard(special=(0, -1), left=600), SideCard(special=(-1,), left=600)), KNEE,
     [problem("negative", IMPOSSIBLE, "special_5", 0, field="special_5", written=-1),
      problem("negative", IMPOSSIBLE, "special_7", 1, field="special_7", written=-1)]),
    (stopped(SideCard(clean=-1), SideCard(melded=2, left=600)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "clean", 0, field="clean", written=-1),
      problem("melded-unit", IMPOSSIBLE, "melded", 1, unit=5, written=2),
      problem("first-meld", AGAINST, "melded", 1, number=0, least=50, melded=2)]),
    (stopped(SideCard(clean=-1), SideCard(red_threes=11, left=600)), PARTNERS,
     [problem("negative", IMPOSSIBLE, "clean", 0, field="clean", written=-1)]),
    (stopped(SideCard(clean=-1, perfect=1, special=(1,)), NOTHING), PARTNERS,
     [problem("special", FORM, "special", 0, written=1, books=0),
      problem("not-played", AGAINST, "perfect", 0, field="perfect"),
      problem("negative", IMPOSSIBLE, "clean", 0, field="clean", written=-1)]),
    (stopped(SideCard(special=(1,), left=600), NOTHING), PARTNERS,
     [problem("special", FORM, "special", 0, written=1, books=0)]),
    (stopped(SideCard(special=(0, 0, 0), left=600), NOTHING), KNEE,
     [problem("special", FORM, "special", 0, written=3, books=2)]),
    (stopped(SideCard(perfect=1, left=600), NOTHING), PARTNERS,
     [problem("not-played", AGAINST, "perfect", 0, field="perfect")]),
    (stopped(SideCard(perfect=2, left=600), SideCard(perfect=3, left=600)), PERFECT,
     [problem("perfect-players", IMPOSSIBLE, "perfect", 1, written=3, players=2)]),
    (stopped(SideCard(perfect=2, left=250), *[SideCard(left=250)] * 3), SIMPSON,
     [problem("perfect-players", IMPOSSIBLE, "perfect", 0, written=2, players=1)]),
    (deal(replace(WENT_OUT, melded=802), replace(CAUGHT, left=261)), PARTNERS,
     [problem("melded-unit", IMPOSSIBLE, "melded", 0, unit=5, written=802),
      problem("left-unit", IMPOSSIBLE, "left", 1, unit=5, written=261)]),
    # the first meld
    (stopped(SideCard(melded=85, left=500), NOTHING, number=2), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=2, least=90, melded=85)]),
    (stopped(NOTHING, SideCard(melded=45, left=500)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 1, number=0, least=50, melded=45)]),
    (stopped(SideCard(melded=90, left=500), NOTHING, number=2), PARTNERS, []),
    (stopped(SideCard(melded=145, left=500), SideCard(melded=150, left=500), number=4), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=4, least=150, melded=145)]),
    (stopped(SideCard(wild=1, melded=145, left=500), NOTHING, number=4), NO_WILD_MELDS,
     [problem("no-wild-piles", AGAINST, "wild", 0, wild=1),
      problem("first-meld", AGAINST, "melded", 0, number=4, least=150, melded=145)]),
    (stopped(SideCard(melded=85, left=100, score_before=1500), SideCard(melded=85, left=100, score_before=1495)),
     CANASTA,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=90, melded=85)]),
    (deal(SideCard(clean=1, melded=85, left=55, score_before=3000), HOLDING, concealed=True), CANASTA, []),
    (deal(SideCard(clean=1, melded=85, left=55), SideCard(melded=115, left=50, score_before=3000), concealed=True),
     CANASTA,
     [problem("first-meld", AGAINST, "melded", 1, number=0, least=120, melded=115)]),
    (deal(SideCard(clean=2, melded=155, left=55, score_before=3000), SideCard(left=150), out=0, concealed=True),
     CANASTA, []),
    (deal(SideCard(melded=85, left=55, clean=0), HOLDING, concealed=True), replace(CANASTA, out_piles=0),
     [problem("concealed", AGAINST, "concealed", 0, least=11, most=12)]),
    # piles and the points melded
    (deal(replace(WENT_OUT, wild=5), CAUGHT), PARTNERS,
     [problem("piles", IMPOSSIBLE, "clean", 0, clean=3, dirty=2, wild=5)]),
    (deal(CAUGHT, replace(WENT_OUT, wild=5), out=1), PARTNERS,
     [problem("piles", IMPOSSIBLE, "clean", 1, clean=3, dirty=2, wild=5)]),
    (deal(WENT_OUT, SideCard(clean=3, melded=40, left=500)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 1, number=0, least=50, melded=40),
      problem("melded-low", IMPOSSIBLE, "melded", 1, clean=3, dirty=0, wild=0, least=105, melded=40)]),
    (deal(WENT_OUT, SideCard(clean=3, dirty=1, wild=1, melded=290, left=500)), PARTNERS,
     [problem("melded-low", IMPOSSIBLE, "melded", 1, clean=3, dirty=1, wild=1, least=295, melded=290)]),
    (deal(WENT_OUT, SideCard(clean=2, melded=82, left=500)), PARTNERS,
     [problem("melded-unit", IMPOSSIBLE, "melded", 1, unit=5, written=82)]),
    (stopped(SideCard(special=(1, 0), melded=30, left=900), SideCard(left=900)), KNEE,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=30),
      problem("melded-low", IMPOSSIBLE, "melded", 0, clean=1, dirty=0, wild=0, least=35, melded=30)]),
    (stopped(SideCard(special=(3, 0), melded=200, left=400), NOTHING), KNEE, []),  # of 24 sevens
    (stopped(SideCard(special=(4, 0), melded=200, left=400), NOTHING), KNEE,
     [problem("piles", IMPOSSIBLE, "clean", 0, clean=4, dirty=0, wild=0)]),
    (deal(FIVE_LOW, FOUR_LOW), BLACK_THREES, []),  # one of the piles may be of black threes
    (deal(FIVE_LOW, FOUR_LOW), PARTNERS,
     [problem("melded-together", IMPOSSIBLE, "melded", clean=9, dirty=2, wild=1, least=590, melded=555)]),
    # going out
    (deal(replace(WENT_OUT, clean=1), CAUGHT), PARTNERS,
     [problem("out-piles", AGAINST, "out", 0, need_clean=2, need_dirty=2, need_wild=1, clean=1, dirty=2, wild=1)]),
    (deal(replace(WENT_OUT, dirty=1), CAUGHT), PARTNERS,
     [problem("out-piles", AGAINST, "out", 0, need_clean=2, need_dirty=2, need_wild=1, clean=3, dirty=1, wild=1)]),
    (deal(replace(WENT_OUT, wild=0), CAUGHT), PARTNERS,
     [problem("out-piles", AGAINST, "out", 0, need_clean=2, need_dirty=2, need_wild=1, clean=3, dirty=2, wild=0)]),
    (deal(replace(WENT_OUT, clean=2, melded=600), CAUGHT), PARTNERS, []),
    (deal(), replace(PARTNERS, out_wild=2),
     [problem("out-piles", AGAINST, "out", 0, need_clean=2, need_dirty=2, need_wild=2, clean=3, dirty=2, wild=1)]),
    (deal(CAUGHT, replace(WENT_OUT, clean=0), out=1), PARTNERS,
     [problem("out-piles", AGAINST, "out", 1, need_clean=2, need_dirty=2, need_wild=1, clean=0, dirty=2, wild=1)]),
    (deal(SideCard(melded=100, left=50), HOLDING), CANASTA,
     [problem("out-piles-any", AGAINST, "out", 0, need=1, piles=0)]),
    (deal(SideCard(melded=200, clean=1, left=50), HOLDING), replace(CANASTA, out_piles=3),
     [problem("out-piles-any", AGAINST, "out", 0, need=3, piles=1)]),
    (deal(SideCard(melded=200, dirty=1, left=50), HOLDING), CANASTA, []),
    (deal(replace(BOOKS, special=(0, 1)), OTHERS), KNEE, [problem("out-special", AGAINST, "out", 0, rank="7")]),
    (deal(replace(BOOKS, special=(1, 0)), OTHERS), KNEE, [problem("out-special", AGAINST, "out", 0, rank="5")]),
    (deal(replace(BOOKS, special=()), OTHERS), KNEE,
     [problem("out-special", AGAINST, "out", 0, rank="7"), problem("out-special", AGAINST, "out", 0, rank="5")]),
    (deal(replace(BOOKS, special=()), OTHERS), replace(KNEE, out_special=False), []),
    (deal(BOOKS, OTHERS), KNEE, []),
    (deal(WENT_OUT, CAUGHT), TWO_PLAYERS,
     [problem("out-left", AGAINST, "left", 0, left=45),
      problem("red-threes-pack", IMPOSSIBLE, "red_threes", most=6, written=7)]),
    (deal(replace(WENT_OUT, red_threes=1, red_threes_missed=2, left=0), replace(CAUGHT, red_threes=1)), TWO_PLAYERS,
     [problem("out-red-threes", AGAINST, "red_threes_missed", 0, missed=2)]),
    (deal(replace(WENT_OUT, red_threes_missed=1), CAUGHT), PARTNERS,
     [problem("out-red-threes-partner", UNLIKELY, "red_threes_missed", 0, missed=1)]),
    (deal(CAUGHT, replace(WENT_OUT, red_threes_missed=1), out=1), PARTNERS,
     [problem("out-red-threes-partner", UNLIKELY, "red_threes_missed", 1, missed=1)]),
    # cards still held
    (stopped(SideCard(melded=60, left=195), NOTHING), PARTNERS,
     [problem("left-low", IMPOSSIBLE, "left", 0, dealt=52, melded_cards=12, held=40, least=200, left=195)]),
    (stopped(SideCard(melded=60, left=200), NOTHING), PARTNERS, []),
    (stopped(SideCard(melded=60, left=190, red_threes=1), SideCard(left=250, red_threes_missed=1)), PARTNERS,
     [problem("left-low", IMPOSSIBLE, "left", 0, dealt=52, melded_cards=13, held=39, least=195, left=190),
      problem("left-low", IMPOSSIBLE, "left", 1, dealt=52, melded_cards=0, held=52, least=255, left=250)]),
    (stopped(NOTHING, SideCard(clean=1, melded=95, left=135, red_threes=1, red_threes_missed=1)), PARTNERS,
     [problem("left-low", IMPOSSIBLE, "left", 1, dealt=52, melded_cards=20, held=32, least=155, left=135)]),
    (deal(replace(WENT_OUT, left=0), replace(MANY, left=5)), PARTNERS,
     [problem("left-none", AGAINST, "left", 0, holders=1, least=5, left=0),
      problem("left-none", AGAINST, "left", 1, holders=2, least=10, left=5)]),
    (deal(replace(WENT_OUT, left=0), replace(MANY, left=5, red_threes_missed=1)), PARTNERS,
     [problem("left-none", AGAINST, "left", 0, holders=1, least=5, left=0)]),
    (deal(replace(WENT_OUT, left=0), CAUGHT), FLOATING, []),
    (deal(SideCard(melded=100, dirty=1, left=20), SideCard(left=110)), CANASTA,
     [problem("left-low", IMPOSSIBLE, "left", 0, dealt=22, melded_cards=17, held=5, least=25, left=20)]),
    # all sides and one pack
    (deal(replace(WENT_OUT, red_threes=8), CAUGHT), PARTNERS,
     [problem("red-threes-pack", IMPOSSIBLE, "red_threes", most=10, written=11)]),
    (deal(replace(WENT_OUT, red_threes=7), CAUGHT), PARTNERS, []),
    (stopped(SideCard(wild=3, melded=800, left=200), SideCard(wild=3, melded=800, left=200)), PARTNERS,
     [problem("piles-together", IMPOSSIBLE, "sides", clean=0, dirty=0, wild=6)]),
    (deal(replace(WENT_OUT, wild=5), replace(CAUGHT, dirty=1, wild=1, melded=600)), PARTNERS,
     [problem("piles", IMPOSSIBLE, "clean", 0, clean=3, dirty=2, wild=5)]),
    (stopped(SideCard(clean=6, melded=210, left=200), SideCard(clean=6, melded=210, left=200)), PARTNERS,
     [problem("melded-together", IMPOSSIBLE, "melded", clean=12, dirty=0, wild=0, least=560, melded=420)]),
    (stopped(SideCard(clean=6, melded=205, left=200), SideCard(clean=6, melded=210, left=200)), PARTNERS,
     [problem("melded-low", IMPOSSIBLE, "melded", 0, clean=6, dirty=0, wild=0, least=210, melded=205)]),
    (deal(WENT_OUT, replace(CAUGHT, left=1710)), PARTNERS,
     [problem("pack-points", IMPOSSIBLE, "left", most=2950, melded=1200, left=1755, written=2955)]),
    # cards counted
    (laid(meld("joker", 0, 0, 3)), PARTNERS, [problem("counted-rank", FORM, "counted", 0, rank="joker")]),
    (laid(meld("2", 3)), PARTNERS, [problem("counted-rank", FORM, "counted", 0, rank="2")]),
    (laid(meld("red 3", 3)), PARTNERS, [problem("counted-rank", FORM, "counted", 0, rank="red 3")]),
    (stopped(cards(meld("red 3", 3)), cards(meld("K", 21))), PARTNERS,
     [problem("counted-rank", FORM, "counted", 0, rank="red 3"),
      problem("counted-size", AGAINST, "counted", 1, rank="K", cards=21, most=7)]),
    (laid(left_cards=(*HELD, *kept("1 9-Q"))), PARTNERS, [problem("counted-left", FORM, "counted", 0, of="9-Q")]),
    (laid(meld("K", -3, -1, -2), left_cards=(*HELD, *kept("-1 A"))), PARTNERS,
     [problem("counted-negative", IMPOSSIBLE, "counted", 0, of="K", written=-3),
      problem("counted-negative", IMPOSSIBLE, "counted", 0, of="2", written=-1),
      problem("counted-negative", IMPOSSIBLE, "counted", 0, of="joker", written=-2),
      problem("counted-negative", IMPOSSIBLE, "counted", 0, of="A", written=-1)]),
    (stopped(NOTHING, cards(meld("K", 3), meld("1", 3))), PARTNERS,
     [problem("counted-rank", FORM, "counted", 1, rank="1")]),
    (stopped(SideCard(melded=-5, left=200), cards(meld("1", 3), melded=-10, left=200)), PARTNERS,  # noted, so said
     [problem("counted-rank", FORM, "counted", 1, rank="1"),
      problem("negative", IMPOSSIBLE, "melded", 0, field="melded", written=-5),
      problem("negative", IMPOSSIBLE, "melded", 1, field="melded", written=-10)]),
    (stopped(cards(meld("K", -1), meld("Q", 2)), cards(meld("K", 2))), PARTNERS,
     [problem("counted-negative", IMPOSSIBLE, "counted", 0, of="K", written=-1),
      problem("first-meld", AGAINST, "melded", 1, number=0, least=50, melded=20),
      problem("counted-small", AGAINST, "counted", 1, rank="K", cards=2, least=3)]),
    (laid(meld("K", 7), melded=80), PARTNERS,
     [problem("counted-differs", FORM, "melded", 0, field="melded", written=80, counted=70)]),
    (stopped(NOTHING, cards(meld("K", 7), clean=2, dirty=1, wild=1, melded=75, left=405)), PARTNERS,
     [problem("melded-low", IMPOSSIBLE, "melded", 1, clean=2, dirty=1, wild=1, least=260, melded=75),
      problem("counted-differs", FORM, "clean", 1, field="clean", written=2, counted=1),
      problem("counted-differs", FORM, "dirty", 1, field="dirty", written=1, counted=0),
      problem("counted-differs", FORM, "wild", 1, field="wild", written=1, counted=0),
      problem("counted-differs", FORM, "melded", 1, field="melded", written=75, counted=70),
      problem("counted-differs", FORM, "left", 1, field="left", written=405, counted=400)]),
    (laid(meld("7", 7), special=(0, 1)), KNEE,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=35),
      problem("counted-differs", FORM, "special_7", 0, field="special_7", written=0, counted=1),
      problem("counted-differs", FORM, "special_5", 0, field="special_5", written=1, counted=0),
      problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=78, counted=57)]),
    (laid(meld("7", 7), special=(0,), left=400), KNEE,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=35),
      problem("counted-differs", FORM, "special_7", 0, field="special_7", written=0, counted=1),
      problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=78, counted=57)]),
    (laid(meld("7", 7), meld("5", 7), special=(1, 1), left=400), KNEE,
     [problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=78, counted=64)]),
    (laid(left_cards=(), melded=90, left=400), PARTNERS, []),
    (laid(meld("K", 7), left_cards=(), left=400), PARTNERS, []),
    (laid(meld("K", 2)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=20),
      problem("counted-small", AGAINST, "counted", 0, rank="K", cards=2, least=3)]),
    (laid(meld("K", 1, 1), melded=30, left=400), NO_FIRST_MELD,
     [problem("counted-small", AGAINST, "counted", 0, rank="K", cards=2, least=3),
      problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=1, wilds=1, cards=2, most=0)]),
    (laid(meld("K", 8)), PARTNERS, [problem("counted-size", AGAINST, "counted", 0, rank="K", cards=8, most=7)]),
    (laid(meld("K", 2, 1, 1)), PARTNERS,
     [problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=2, wilds=2, cards=4, most=1)]),
    (laid(meld("K", 4, 2, 1)), PARTNERS,
     [problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=4, wilds=3, cards=7, most=2)]),
    (laid(meld("K", 0, 3)), PARTNERS,
     [problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=0, wilds=3, cards=3, most=1)]),
    (laid(meld("A", 2, 0, 1)), PARTNERS, []),
    (laid(meld("wild", 1, 2, 1)), PARTNERS,
     [problem("counted-naturals", AGAINST, "counted", 0, rank="wild", naturals=1)]),
    (laid(meld("wild", 0, 2)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=40),
      problem("counted-small", AGAINST, "counted", 0, rank="wild", cards=2, least=3)]),
    (laid(meld("wild", 0, 2, 1)), PARTNERS, []),
    (laid(meld("wild", 0, 3)), NO_WILD_MELDS, [problem("counted-wild-meld", AGAINST, "counted", 0, rank="wild")]),
    (laid(meld("wild", 0, 2)), NO_WILD_MELDS,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=40),
      problem("counted-wild-meld", AGAINST, "counted", 0, rank="wild"),
      problem("counted-small", AGAINST, "counted", 0, rank="wild", cards=2, least=3)]),
    (laid(meld("3", 3)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=15),
      problem("counted-black-threes", AGAINST, "counted", 0, rank="3")]),
    (laid(meld("3", 2, 1)), PARTNERS,
     [problem("first-meld", AGAINST, "melded", 0, number=0, least=50, melded=30),
      problem("counted-black-threes", AGAINST, "counted", 0, rank="3"),
      problem("counted-wilds", AGAINST, "counted", 0, rank="3", naturals=2, wilds=1, cards=3, most=0)]),
    (laid(meld("K", 3), meld("K", 4)), PARTNERS,
     [problem("counted-open", AGAINST, "counted", 0, rank="K", count=2, size=7)]),
    (laid(meld("K", 3), meld("K", 4), meld("K", 7), meld("Q", 6), meld("Q", 5), meld("Q", 3)), PARTNERS,
     [problem("counted-open", AGAINST, "counted", 0, rank="K", count=2, size=7),
      problem("counted-open", AGAINST, "counted", 0, rank="Q", count=3, size=7)]),
    (laid(meld("K", 3), meld("K", 4), left_cards=kept("13 8-K")), CANASTA,
     [problem("counted-one-meld", AGAINST, "counted", 0, rank="K", count=2, size=7),
      problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=22, counted=20)]),
    (stopped(cards(meld("K", 7), meld("K", 5, 4), left_cards=kept("13 8-K")), HOLDING), CANASTA,
     [problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=5, wilds=4, cards=9, most=3),
      problem("counted-one-meld", AGAINST, "counted", 0, rank="K", count=2, size=7),
      problem("counted-pack", IMPOSSIBLE, "counted", of="K", counted=12, most=8)]),
    (deal(cards(meld("K", 7), meld("3", 4), left_cards=kept("12 4-7")), HOLDING), CANASTA, []),
    (stopped(cards(meld("K", 7), meld("3", 4), left_cards=kept("12 4-7")), HOLDING), CANASTA,
     [problem("counted-black-threes", AGAINST, "counted", 0, rank="3")]),
    (deal(HOLDING, cards(meld("K", 7), meld("3", 3, 1), left_cards=kept("12 4-7")), out=1), CANASTA,
     [problem("counted-wilds", AGAINST, "counted", 1, rank="3", naturals=3, wilds=1, cards=4, most=0)]),
    (laid(meld("K", 7), meld("K", 7), meld("K", 7)), PARTNERS,
     [problem("counted-pack", IMPOSSIBLE, "counted", of="K", counted=21, most=20)]),
    (laid(meld("wild", 0, 7), meld("wild", 0, 7), left_cards=(*HELD, *kept("7 2, 11 joker, 11 3"))), PARTNERS,
     [problem("counted-pack", IMPOSSIBLE, "counted", of="joker", counted=11, most=10),
      problem("counted-pack", IMPOSSIBLE, "counted", of="2", counted=21, most=20),
      problem("counted-pack", IMPOSSIBLE, "counted", of="3", counted=11, most=10)]),
    (stopped(cards(meld("K", 7), meld("6", 5, 2)),
             cards(meld("K", 7), meld("K", 7), left_cards=(*HELD, *kept("15 6")))),
     PARTNERS,
     [problem("counted-pack", IMPOSSIBLE, "counted", of="K", counted=21, most=20)]),
    (stopped(cards(meld("5", 7), meld("6", 7), left_cards=kept("67 4-7")), NOTHING), PARTNERS,
     [problem("counted-pack", IMPOSSIBLE, "counted", of="4-7", counted=81, most=80)]),
    (stopped(cards(meld("5", 7), meld("6", 7), left_cards=kept("66 4-7")), NOTHING), PARTNERS, []),
    (laid(meld("K", 7), left_cards=(*HELD, *kept("0 A"))), PARTNERS, []),
    (laid(left_cards=kept("5 8-K"), clean=7, melded=500), PARTNERS, []),  # how many cards are melded isn't said
    (laid(meld("K", 7), melded=70, left_cards=HELD[:1]), PARTNERS,
     [problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=52, counted=37)]),
    (deal(cards(*(meld(rank, 7) for rank in "AKQJ5"), meld("9", 6, 1), meld("8", 6, 1), meld("wild", 0, 7),
                left_cards=kept("1 4-7")), CAUGHT), PARTNERS, []),
    (laid(meld("K", 7), left_cards=HELD[:1]), PARTNERS,
     [problem("counted-dealt", IMPOSSIBLE, "counted", 0, dealt=52, counted=37)]),
    (stopped(NOTHING, cards(meld("K", 7), left_cards=kept("30 8-K, 12 4-7"), red_threes=1, red_threes_missed=1)),
     PARTNERS,
     [problem("counted-dealt", IMPOSSIBLE, "counted", 1, dealt=52, counted=51)]),
    (stopped(NOTHING, cards(meld("K", 7), left_cards=kept("30 8-K, 13 4-7"), red_threes=1, red_threes_missed=1)),
     PARTNERS,
     []),
    (laid(*EIGHT_PILES, left_cards=kept("1 joker")), PARTNERS,
     [problem("counted-holders", AGAINST, "counted", 0, holders=2, left=1)]),
    (laid(*EIGHT_PILES, left_cards=kept("1 joker"), red_threes_missed=1), PARTNERS, []),
    (laid(*EIGHT_PILES, left_cards=kept("1 joker")), FLOATING, []),
    (laid(*EIGHT_PILES, left_cards=()), PARTNERS,
     [problem("left-none", AGAINST, "left", 0, holders=2, least=10, left=0),
      problem("counted-holders", AGAINST, "counted", 0, holders=2, left=0)]),
    # Modern American Canasta, and what other rules count beside
    (stopped(SideCard(melded=125, left=60, extras=(0, 1)), SideCard(left=130)), MODERN, []),
    (stopped(SideCard(left=150, extras=(0, 0, 0, 0, 0)), SideCard(left=150)), MODERN,
     [problem("extras", FORM, "extras", 0, written=5, known=4)]),
    (stopped(SideCard(melded=500, left=60, extras=(2,)), SideCard(left=300, extras=(0, 0, 0, 5))), MODERN,
     [problem("extra-many", IMPOSSIBLE, "extra_unfinished-A", 0, field="extra_unfinished-A", most=1, written=2),
      problem("extra-many", IMPOSSIBLE, "extra_three-held", 1, field="extra_three-held", most=4, written=5)]),
    (stopped(SideCard(left=150, extras=(0, -1)), SideCard(left=150)), MODERN,
     [problem("negative", IMPOSSIBLE, "extra_unfinished-7", 0, field="extra_unfinished-7", written=-1)]),
    (deal(SideCard(dirty=2, melded=300, left=120, extras=(1, 0, 0, 3)), SideCard(left=130)), MODERN,
     [problem("extra-out", AGAINST, "extra_unfinished-A", 0, field="extra_unfinished-A"),
      problem("extra-many", IMPOSSIBLE, "extra_three-held", 0, field="extra_three-held", most=2, written=3)]),
    (stopped(SideCard(left=75, extras=(0, 0, 0, 2)), SideCard(left=25, extras=(0, 0, 0, 2))),
     replace(MODERN, hand=1),
     [problem("left-none", AGAINST, "left", 1, holders=2, least=30, left=25)]),
    (stopped(SideCard(melded=100, left=100, extras=(1,)), SideCard(left=150)), replace(MODERN, first_meld=()), []),
    (stopped(SideCard(melded=55, left=150, extras=(1,)), SideCard(left=150)), replace(MODERN, first_meld=()),
     [problem("melded-low", IMPOSSIBLE, "melded", 0, clean=0, dirty=0, wild=0, least=60, melded=55)]),
    (stopped(SideCard(special=(1, 0, 1, 1), melded=800, left=50), SideCard(left=150)), MODERN,
     [problem("piles", IMPOSSIBLE, "clean", 0, clean=1, dirty=0, wild=2)]),
    (stopped(SideCard(special=(0, 0, 0, 1), melded=135, left=50), SideCard(left=150)), MODERN,
     [problem("melded-low", IMPOSSIBLE, "melded", 0, clean=0, dirty=0, wild=1, least=140, melded=135)]),
    (stopped(SideCard(dirty=6, melded=500, left=50), SideCard(dirty=5, melded=450, left=50)), MODERN,
     [problem("piles-together", IMPOSSIBLE, "sides", clean=0, dirty=11, wild=0)]),  # of the sevens there is none
    (stopped(SideCard(red_threes=1, black_threes=3, left=200), SideCard(black_threes=2, left=200)), MODERN,
     [problem("black-threes-pack", IMPOSSIBLE, "black_threes", most=4, written=5)]),
    (stopped(SideCard(black_threes=1, left=200), SideCard(left=200)), CANASTA,
     [problem("not-played", AGAINST, "black_threes", 0, field="black_threes")]),
    (stopped(SideCard(red_threes_missed=1, left=200), SideCard(left=200)), MODERN,
     [problem("not-played", AGAINST, "red_threes_missed", 0, field="red_threes_missed")]),
    (deal(SideCard(), HOLDING, special_hand="pairs"), MODERN, []),
    (deal(SideCard(), HOLDING, special_hand="pairs"), CANASTA, [problem("special-hand", FORM, "special_hand")]),
    (stopped(HOLDING, HOLDING, special_hand="pairs"), MODERN, [problem("special-hand", FORM, "special_hand")]),
    (deal(SideCard(melded=200), HOLDING, special_hand="quads"), MODERN,
     [problem("special-hand-melds", AGAINST, "melded", 0, melded=200)]),
    (stopped(laid(meld("7", 4, 1), meld("A", 3), meld("K", 5, 2)).sides[0], SideCard(left=150)), MODERN,
     [problem("counted-wilds", AGAINST, "counted", 0, rank="7", naturals=4, wilds=1, cards=5, most=0)]),
    (stopped(cards(meld("K", 7), meld("K", 3), left_cards=kept("16 4-7")), SideCard(left=150)),
     replace(MODERN, first_meld=()),
     [problem("counted-one-meld", AGAINST, "counted", 0, rank="K", count=2, size=7),
      problem("counted-pack", IMPOSSIBLE, "counted", of="K", counted=10, most=8)]),
    (stopped(cards(meld("7", 3), meld("K", 4, 2, 1), left_cards=kept("16 8-K"), extras=(0, 0)), SideCard(left=150)),
     replace(MODERN, first_meld=()),
     [problem("counted-wilds", AGAINST, "counted", 0, rank="K", naturals=4, wilds=3, cards=7, most=2),
      problem("counted-differs", FORM, "extra_unfinished-7", 0, field="extra_unfinished-7", written=0, counted=1)]),
    (deal(SideCard(dirty=1, melded=300, left=5, extras=(1, 1)), HOLDING), SPANISH, []),
    (deal(SideCard(dirty=1, melded=300, left=5), SideCard(left=250, extras=(0, 1))), SPANISH,
     [problem("extra-not-out", AGAINST, "extra_first-turn", 1, field="extra_first-turn")]),
    (deal(WENT_OUT, CAUGHT, number=1), BY_DEAL,
     [problem("out-piles", AGAINST, "out", 0, need_clean=3, need_dirty=3, need_wild=1, clean=3, dirty=2, wild=1)]),
    (deal(WENT_OUT, CAUGHT, number=4), BY_DEAL,
     [problem("out-piles", AGAINST, "out", 0, need_clean=4, need_dirty=5, need_wild=1, clean=3, dirty=2, wild=1)]),
    (deal(replace(WENT_OUT, dirty=3), CAUGHT, number=None), BY_DEAL, []),
    (deal(SideCard(dirty=1, melded=300, left=5), HOLDING), IN_SEQUENCE,
     [problem("out-book", AGAINST, "out", 0, field="special_sequence")]),
    (stopped(SideCard(special=(9,), melded=500, left=50), HOLDING), IN_SEQUENCE,
     [problem("piles", IMPOSSIBLE, "clean", 0, clean=9, dirty=0, wild=0)]),
    (stopped(cards(meld("K", 7), left_cards=kept("15 4-7")), HOLDING), IN_SEQUENCE,
     [problem("not-played", AGAINST, "counted", field="counted")]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "rules", "expected"), PROBLEMS)
def test_the_problems_say_all_of_themselves(card, rules, expected):
    assert list(check(card, rules)) == expected


# --- lines ---------------------------------------------------------------------------------------------


def of_went_out(side, *, out):
    """The lines of `WENT_OUT` by the rules of `PARTNERS`."""
    return [
        line(side, 800, "melded", points=800),
        line(side, 1500, "clean-piles", count=3, each=500),
        line(side, 600, "dirty-piles", count=2, each=300),
        line(side, 1500, "wild-piles", count=1, each=1500),
        *([line(side, 100, "out", each=100)] if out else []),
        line(side, 400, "red-threes", count=4, each=100),
        line(side, -45, "left", points=45),
    ]


def of_caught(side):
    return [
        line(side, 400, "melded", points=400),
        line(side, 500, "clean-piles", count=1, each=500),
        line(side, 600, "dirty-piles", count=2, each=300),
        line(side, 200, "red-threes", count=2, each=100),
        line(side, -100, "red-threes-missed", count=1, each=-100),
        line(side, -260, "left", points=260),
    ]


OF_OTHERS = [
    line(1, 500, "melded", points=500),
    line(1, 1000, "clean-piles", count=2, each=500),
    line(1, 100, "red-threes", count=1, each=100),
    line(1, -500, "red-threes-missed", count=1, each=-500),
    line(1, -700, "left", points=700),
]

LINES = [
    (deal(), PARTNERS, [*of_went_out(0, out=True), *of_caught(1)]),
    (deal(CAUGHT, WENT_OUT, out=1), PARTNERS, [*of_caught(0), *of_went_out(1, out=True)]),
    (stopped(), PARTNERS, [*of_went_out(0, out=False), *of_caught(1)]),
    (deal(WENT_OUT, CAUGHT, CAUGHT), PARTNERS, [*of_went_out(0, out=True), *of_caught(1)]),
    (deal(BOOKS, OTHERS), KNEE,
     [line(0, 1100, "melded", points=1100), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 300, "dirty-piles", count=1, each=300), line(0, 2500, "wild-piles", count=1, each=2500),
      line(0, 5000, "special-piles", rank="7", count=1, each=5000),
      line(0, 3000, "special-piles", rank="5", count=1, each=3000), line(0, 200, "out", each=200),
      line(0, 200, "red-threes", count=2, each=100), line(0, -45, "left", points=45), *OF_OTHERS]),
    (stopped(SideCard(special=(0, 2)), OTHERS), KNEE,
     [line(0, 6000, "special-piles", rank="5", count=2, each=3000), *OF_OTHERS]),
    (stopped(SideCard(red_threes=7, melded=100), SideCard()),  # twrtimes.com: seven red threes are 1,000
     replace(KNEE, red_three_count=7, red_three_count_bonus=300),
     [line(0, 100, "melded", points=100), line(0, 700, "red-threes", count=7, each=100),
      line(0, 300, "red-threes-count", count=7, points=300)]),
    (deal(BOOKS, SideCard()), PARTNERS,  # by a ruling
     [line(0, 1100, "melded", points=1100), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 300, "dirty-piles", count=1, each=300), line(0, 1500, "wild-piles", count=1, each=1500),
      line(0, 100, "out", each=100), line(0, 200, "red-threes", count=2, each=100), line(0, -45, "left", points=45)]),
    (deal(SideCard(clean=1, melded=85), HOLDING, concealed=True), CANASTA,
     [line(0, 85, "melded", points=85), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 200, "out-concealed", each=200), line(1, -200, "left", points=200)]),
    (deal(SideCard(clean=1, melded=85), HOLDING), CANASTA,
     [line(0, 85, "melded", points=85), line(0, 500, "clean-piles", count=1, each=500), line(0, 100, "out", each=100),
      line(1, -200, "left", points=200)]),
    (deal(SideCard(melded=85), SideCard(), concealed=True), PARTNERS,
     [line(0, 85, "melded", points=85), line(0, 100, "out", each=100)]),
    (stopped(SideCard(red_threes=4, melded=90), SideCard(red_threes=3, melded=90)), CANASTA,
     [line(0, 90, "melded", points=90), line(0, 400, "red-threes", count=4, each=100),
      line(0, 400, "red-threes-count", count=4, points=400), line(1, 90, "melded", points=90),
      line(1, 300, "red-threes", count=3, each=100)]),
    (stopped(SideCard(red_threes=4), SideCard(red_threes=3, red_threes_missed=2)), CANASTA,
     [line(0, -400, "red-threes-unmelded", count=4, each=-100),
      line(0, -400, "red-threes-count", count=4, points=-400),
      line(1, -300, "red-threes-unmelded", count=3, each=-100),
      line(1, -1000, "red-threes-missed", count=2, each=-500)]),
    (stopped(SideCard(perfect=2), SideCard(perfect=1)), PERFECT,
     [line(0, 200, "perfect", count=2, each=100), line(1, 100, "perfect", count=1, each=100)]),
    (stopped(SideCard(perfect=2), SideCard()), PARTNERS, []),
    (stopped(cards(meld("K", 7), meld("6", 5, 1, 1), left_cards=kept("1 joker")),
             cards(meld("K", 6), left_cards=(), left=45)),
     PARTNERS,
     [line(0, 165, "melded", points=165), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 300, "dirty-piles", count=1, each=300), line(0, -50, "left", points=50),
      line(1, 60, "melded", points=60), line(1, -45, "left", points=45)]),
    (stopped(cards(meld("A", 3), meld("K", 7), meld("Q", 7), meld("J", 6, 1), meld("J", 5, 2), meld("wild", 0, 7),
                   meld("wild", 0, 7), left_cards=kept("1 K, 2 9-Q")), SideCard()),
     PARTNERS,
     [line(0, 650, "melded", points=650), line(0, 1000, "clean-piles", count=2, each=500),
      line(0, 600, "dirty-piles", count=2, each=300), line(0, 3000, "wild-piles", count=2, each=1500),
      line(0, -10, "left", points=10)]),
    (stopped(cards(meld("7", 7), meld("7", 6, 1), meld("wild", 0, 3, 4), left_cards=()), SideCard()), KNEE,
     [line(0, 345, "melded", points=345), line(0, 300, "dirty-piles", count=1, each=300),
      line(0, 2500, "wild-piles", count=1, each=2500), line(0, 5000, "special-piles", rank="7", count=1, each=5000)]),
    (stopped(cards(meld("K", 8, 1), meld("3", 7), left_cards=()), SideCard()), CANASTA,
     [line(0, 135, "melded", points=135), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 300, "dirty-piles", count=1, each=300)]),
    (deal(SideCard(clean=1, special=(1,), red_threes=2, black_threes=1, melded=400, left=30, extras=(0, 1, 0, 1)),
          SideCard(red_threes=1, melded=150, left=200)), MODERN,
     [line(0, 400, "melded", points=400), line(0, 500, "clean-piles", count=1, each=500),
      line(0, 2500, "special-piles", rank="A", count=1, each=2500), line(0, 100, "out", each=100),
      line(0, 300, "red-threes-together", count=2, points=300),
      line(0, 100, "black-threes-together", count=1, points=100),
      line(0, -2500, "extra", field="extra_unfinished-7", count=1, each=-2500),
      line(0, -1500, "extra", field="extra_three-held", count=1, each=-1500), line(0, -30, "left", points=30),
      line(1, -150, "melded-against", points=150), line(1, -100, "red-threes-together", count=1, points=-100),
      line(1, -200, "left", points=200)]),
    (stopped(SideCard(special=(0, 0, 1), red_threes=4, melded=400), SideCard(special=(0, 0, 0, 1), melded=140)), MODERN,
     [line(0, 400, "melded", points=400),
      line(0, 2500, "special-book", field="special_joker", count=1, each=2500),
      line(0, 0, "red-threes-together", count=4, points=0),  # with one canasta they don't count
      line(1, 140, "melded", points=140), line(1, 3000, "special-book", field="special_2", count=1, each=3000)]),
    (stopped(cards(meld("wild", 0, 7), meld("A", 3), left_cards=()),
             cards(meld("wild", 0, 3, 4), meld("7", 3), left_cards=())), MODERN,
     [line(0, 200, "melded", points=200), line(0, 3000, "special-book", field="special_2", count=1, each=3000),
      line(0, -2500, "extra", field="extra_unfinished-A", count=1, each=-2500),
      line(1, 275, "melded", points=275), line(1, 2500, "special-book", field="special_joker", count=1, each=2500),
      line(1, -2500, "extra", field="extra_unfinished-7", count=1, each=-2500)]),
    (stopped(cards(meld("wild", 0, 4, 3), left_cards=()),
             cards(meld("wild", 0, 4), meld("A", 3, 1), left_cards=())), MODERN,
     [line(0, 230, "melded", points=230), line(0, 2000, "wild-piles", count=1, each=2000),
      line(1, -160, "melded-against", points=160),
      line(1, -2000, "extra", field="extra_unfinished-wild", count=1, each=-2000)]),
    (deal(SideCard(red_threes=2, left=100), SideCard(left=100), special_hand="garbage"), MODERN,
     [line(0, 3000, "special-hand", hand="garbage"), line(1, -100, "left", points=100)]),
    (deal(SideCard(clean=5, dirty=2, melded=800, extras=(1,)), cards(meld("3", 4), left_cards=kept("1 3"))), SPANISH,
     [line(0, 800, "melded", points=800), line(0, 2500, "clean-piles", count=5, each=500),
      line(0, 600, "dirty-piles", count=2, each=300), line(0, 500, "piles-bonus", count=5, points=500),
      line(0, 2000, "piles-bonus", count=7, points=2000), line(0, 100, "out", each=100),
      line(0, 480, "extra", field="extra_all-black-threes", count=1, each=480),
      line(1, 20, "melded", points=20), line(1, 480, "extra", field="extra_all-black-threes", count=1, each=480),
      line(1, -5, "left", points=5)]),
    (stopped(SideCard(special=(1,), red_threes=4, melded=90), SideCard()), IN_SEQUENCE,
     [line(0, 90, "melded", points=90), line(0, 1500, "special-book", field="special_sequence", count=1, each=1500),
      line(0, -400, "red-threes-short", count=4, each=-100), line(0, -400, "red-threes-count", count=4, points=-400)]),
    (stopped(SideCard(red_threes=4), SideCard()), replace(CANASTA, red_three_bonus_deducted=False),
     [line(0, -400, "red-threes-unmelded", count=4, each=-100)]),
    (stopped(cards(left_cards=kept("2 3")), SideCard()), replace(CANASTA, black_three_left=100),
     [line(0, -200, "left", points=200)]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "rules", "expected"), LINES)
def test_the_lines_say_all_of_themselves(card, rules, expected):
    assert list(score(card, rules).lines) == expected


def test_every_code_is_above():
    said = {found.code for *_card, problems in PROBLEMS for found in problems}
    said |= {found.rule for *_card, lines in LINES for found in lines}
    assert said == {code for code in (*wording.LINES, *wording.PROBLEMS) if code.startswith("hand-and-foot.")}
