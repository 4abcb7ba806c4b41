"""Every problem that Hand and Foot can name, reached by a card; and what Knee and Foot, Canasta and clubs add."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot import PROBLEMS, HandAndFootDeal, HandAndFootRules, SideCard, check, score
from scoring.engine.hand_and_foot_card import CardsLeft, CountedCards, RankMeld
from scoring.engine.ledger import Severity
from scoring.engine.ruleset import shipped
from tests.engine.test_hand_and_foot import CAUGHT, PARTNERS, TWO_PLAYERS, WENT_OUT, codes, deal, stopped

KNEE: HandAndFootRules = rules_of(shipped()["hand-knee-and-foot"])
CANASTA: HandAndFootRules = rules_of(shipped()["canasta"])
SIMPSON: HandAndFootRules = rules_of(shipped()["hand-and-foot-simpson"])
NO_WILD_MELDS = replace(PARTNERS, wild_melds=False, out_wild=0)

NOTHING = SideCard(left=600)
HELD = (CardsLeft(of="8-K", count=30), CardsLeft(of="4-7", count=20))
MANY = SideCard(wild=3, melded=800, left=200)
LOW = SideCard(clean=6, melded=210, left=200)


def laid(*melds: RankMeld, held: tuple[CardsLeft, ...] = HELD, noted: int | None = None) -> HandAndFootDeal:
    """A deal in which the first side has these cards, counted."""
    return stopped(SideCard(counted=CountedCards(melds=melds, left=held), melded=noted), NOTHING)


def kings(naturals: int, twos: int = 0) -> RankMeld:
    return RankMeld(rank="K", naturals=naturals, twos=twos)


# By code, a card that has the problem.
CARDS: dict[str, tuple[HandAndFootDeal, HandAndFootRules]] = {
    "sides": (HandAndFootDeal(sides=(WENT_OUT,)), PARTNERS),
    "number": (deal(number=5), PARTNERS),
    "negative": (deal(replace(WENT_OUT, clean=-1), CAUGHT), PARTNERS),
    "special": (stopped(SideCard(special=(1,), left=600), NOTHING), PARTNERS),
    "out-side": (deal(out=2), PARTNERS),
    "not-played": (stopped(SideCard(perfect=1, left=600), NOTHING), PARTNERS),
    "perfect-players": (
        stopped(SideCard(perfect=2, left=250), *[SideCard(left=250)] * 3),
        SIMPSON,
    ),
    "melded-unit": (deal(WENT_OUT, replace(CAUGHT, melded=402)), PARTNERS),
    "left-unit": (deal(WENT_OUT, replace(CAUGHT, left=261)), PARTNERS),
    "piles": (deal(replace(WENT_OUT, wild=5), CAUGHT), PARTNERS),
    "no-wild-piles": (deal(), NO_WILD_MELDS),
    "melded-low": (deal(WENT_OUT, SideCard(clean=3, melded=40, left=500)), PARTNERS),
    "melded-high": (deal(WENT_OUT, SideCard(melded=1400, left=300)), PARTNERS),
    "melded-never": (deal(WENT_OUT, SideCard(clean=2, melded=80, left=500)), PARTNERS),
    "first-meld": (stopped(SideCard(melded=85, left=500), NOTHING, number=2), PARTNERS),
    "out-piles": (deal(replace(WENT_OUT, wild=0), CAUGHT), PARTNERS),
    "out-piles-any": (HandAndFootDeal(sides=(SideCard(melded=100), SideCard(left=300)), out=0), CANASTA),
    "out-special": (deal(replace(WENT_OUT, special=(1, 0)), replace(CAUGHT, left=1200)), KNEE),
    "out-left": (deal(WENT_OUT, CAUGHT), TWO_PLAYERS),
    "out-red-threes": (deal(replace(WENT_OUT, red_threes_missed=1, left=0), CAUGHT), TWO_PLAYERS),
    "out-red-threes-partner": (deal(replace(WENT_OUT, red_threes_missed=1), CAUGHT), PARTNERS),
    "left-low": (stopped(SideCard(melded=60, left=150), NOTHING), PARTNERS),
    "left-none": (deal(replace(WENT_OUT, left=0), CAUGHT), PARTNERS),
    "red-threes-pack": (deal(replace(WENT_OUT, red_threes=8), CAUGHT), PARTNERS),
    "piles-together": (stopped(MANY, MANY), PARTNERS),
    "melded-together": (stopped(LOW, LOW), PARTNERS),
    "pack-points": (deal(WENT_OUT, replace(CAUGHT, left=2000)), PARTNERS),
    "counted-rank": (laid(RankMeld(rank="joker", jokers=3)), PARTNERS),
    "counted-left": (laid(held=(*HELD, CardsLeft(of="9-Q", count=1))), PARTNERS),
    "counted-negative": (laid(kings(-3)), PARTNERS),
    "counted-differs": (laid(kings(7), noted=80), PARTNERS),
    "counted-small": (laid(kings(2)), PARTNERS),
    "counted-size": (laid(kings(8)), PARTNERS),
    "counted-wilds": (laid(kings(2, 2)), PARTNERS),
    "counted-naturals": (laid(RankMeld(rank="wild", naturals=1, twos=3)), PARTNERS),
    "counted-wild-meld": (laid(RankMeld(rank="wild", twos=3)), NO_WILD_MELDS),
    "counted-black-threes": (laid(RankMeld(rank="3", naturals=3)), PARTNERS),
    "counted-open": (laid(kings(3), kings(4)), PARTNERS),
    "counted-one-meld": (laid(kings(3), kings(4)), CANASTA),
    "counted-pack": (laid(kings(7), kings(7), kings(7)), PARTNERS),
    "counted-dealt": (laid(kings(7), held=HELD[:1]), PARTNERS),
    "counted-holders": (
        laid(*(RankMeld(rank=rank, naturals=7) for rank in "AKQJ9876"), held=(CardsLeft(of="joker", count=1),)),
        PARTNERS,
    ),
}


@pytest.mark.parametrize("code", CARDS)
def test_a_card_has_the_problem(code: str) -> None:
    facts, rules = CARDS[code]
    assert code in codes(check(facts, rules))


def test_every_problem_is_reached() -> None:
    reached = {f"hand-and-foot.{code}" for code in CARDS}
    exact = {"hand-and-foot.left-never", "hand-and-foot.together"}  # see test_hand_and_foot_exact
    assert set(PROBLEMS) - reached <= exact
    assert reached <= set(PROBLEMS)


# --- Hand, Knee and Foot -------------------------------------------------------------------------------

BOOKS = SideCard(clean=1, dirty=1, wild=1, special=(1, 1), red_threes=2, melded=1100, left=45)
OTHERS = SideCard(clean=2, red_threes=1, red_threes_missed=1, melded=500, left=700)


def test_books_of_sevens_and_fives_have_bonuses_of_their_own() -> None:
    facts = deal(BOOKS, OTHERS)
    lines = {line.rule.removeprefix("hand-and-foot."): line for line in score(facts, KNEE).lines if line.side == 0}
    assert [dict(line.args) for line in score(facts, KNEE).lines if line.rule.endswith("special-piles")] == [
        {"rank": "7", "count": 1, "each": 5000},
        {"rank": "5", "count": 1, "each": 3000},
    ]
    assert lines["out"].points == 200
    assert score(facts, KNEE).totals == (
        1100 + 500 + 300 + 2500 + 5000 + 3000 + 200 + 200 - 45,
        500 + 1000 + 100 - 500 - 700,
    )
    assert check(facts, KNEE) == ()


def test_going_out_needs_one_of_each_book() -> None:
    for short in (replace(BOOKS, clean=0), replace(BOOKS, dirty=0), replace(BOOKS, wild=0)):
        assert codes(check(deal(short, OTHERS), KNEE)) == {"out-piles"}
    assert codes(check(deal(replace(BOOKS, special=(0, 2)), OTHERS), KNEE)) == {"out-special"}


def test_thirty_nine_cards_are_dealt_to_each() -> None:
    assert (KNEE.packets, KNEE.dealt, KNEE.decks) == ((15, 13, 11), 78, 6)


def test_where_it_goes_by_the_score_a_first_meld_needs_more_of_who_is_ahead() -> None:
    by_score = replace(KNEE, first_meld_scores=(15_000, 30_000, 50_000))
    least = [by_score.least_first_meld(4, points) for points in (-200, 14_995, 15_000, 29_995, 30_000, 50_000)]
    assert least == [50, 50, 90, 90, 120, 150]
    assert by_score.least_first_meld(4) == 50  # nobody knows the score
    poor = SideCard(melded=85, left=900, score_before=20_000)
    assert codes(check(stopped(poor, OTHERS), by_score)) == {"first-meld"}
    assert check(stopped(replace(poor, score_before=9_000), OTHERS), by_score) == ()


# --- Canasta -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "least"), [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120)])
def test_the_first_meld_of_canasta_goes_by_the_score(before: int, least: int) -> None:
    assert CANASTA.least_first_meld(None, before) == least


def test_all_four_red_threes_are_800() -> None:
    card = SideCard(red_threes=4, melded=90, left=100)
    assert score(stopped(card, SideCard(left=200)), CANASTA).totals == (800 + 90 - 100, -200)
    three = replace(card, red_threes=3)
    assert score(stopped(three, SideCard(left=200)), CANASTA).totals == (300 + 90 - 100, -200)


def test_red_threes_count_against_a_side_that_has_melded_nothing() -> None:
    card = SideCard(red_threes=4, left=250)
    result = score(stopped(card, SideCard(melded=90, left=150)), CANASTA)
    assert result.totals == (-800 - 250, 90 - 150)
    assert "hand-and-foot.red-threes-unmelded" in {line.rule for line in result.lines}


def test_going_out_concealed_is_200_and_needs_no_first_meld() -> None:
    card = SideCard(clean=1, melded=85, left=55, score_before=3200)
    facts = HandAndFootDeal(sides=(card, SideCard(left=300)), out=0, concealed=True)
    assert [line.points for line in score(facts, CANASTA).lines if line.rule.endswith("out-concealed")] == [200]
    assert check(facts, CANASTA) == ()
    assert codes(check(replace(facts, concealed=False), CANASTA)) == {"first-meld"}
    assert "not-played" in codes(check(replace(facts, out=None), CANASTA))
    assert "not-played" in codes(check(deal(concealed=True), PARTNERS))


# --- options -------------------------------------------------------------------------------------------


def test_a_perfect_deal_earns_its_bonus() -> None:
    rules = replace(PARTNERS, perfect_bonus=100)
    facts = stopped(SideCard(perfect=2, left=600), NOTHING)
    assert score(facts, rules).totals == (200 - 600, -600)
    assert check(facts, rules) == ()
    assert [p.severity for p in check(replace(facts, sides=(SideCard(perfect=3, left=600), NOTHING)), rules)] == [
        Severity.IMPOSSIBLE
    ]


def test_a_count_of_red_threes_may_earn_a_bonus() -> None:
    """twrtimes.com, Hand, Knee and Foot: seven red threes are 1,000."""
    rules = replace(KNEE, red_three_count=7, red_three_count_bonus=300)
    facts = stopped(SideCard(red_threes=7, melded=100, left=900), SideCard(left=1000))
    assert score(facts, rules).totals[0] == 1000 + 100 - 900
