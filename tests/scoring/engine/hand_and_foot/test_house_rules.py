"""Hand, Knee and Foot, Canasta, and settings that a club may choose though no shipped rule set has them so."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.bounds import Piles, limits_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, HandAndFootRules, SideCard, Totals
from scoring.engine.hand_and_foot.play import play
from scoring.engine.hand_and_foot.scoring import check, score
from tests.scoring.engine.hand_and_foot.test_codes import BOOKS, OTHERS
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, codes, deal, stopped

TWO: HandAndFootRules = rules_of(shipped()["hand-and-foot"], Shape(2, 1))
KNEE: HandAndFootRules = rules_of(shipped()["hand-knee-and-foot"])
CANASTA: HandAndFootRules = rules_of(shipped()["canasta"])


def cheap_twos(rules: HandAndFootRules) -> HandAndFootRules:
    """A two is worth less than any natural card."""
    values = tuple((rank, 0 if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


@pytest.mark.parametrize(
    "rules",
    [
        replace(PARTNERS, naturals_per_wild=3),  # no wild card in a meld of three
        replace(PARTNERS, naturals_per_wild=0, naturals_least=0, wilds_most=None),  # as many as one likes
        replace(TWO, hand=40, foot=41),  # all the pack is dealt: there is no card to turn up, and none to draw
        cheap_twos(PARTNERS),
        replace(CANASTA, wild_melds=True, wild_pile=1000),  # wild melds of any number of cards
        cheap_twos(CANASTA),
        replace(PARTNERS, card_values=tuple((rank, 0) for rank, _ in PARTNERS.card_values)),
    ],
    ids=("fewer-wilds", "any-wilds", "all-dealt", "cheap-twos", "wild-canastas", "cheap-twos-of-canasta", "no-values"),
)
def test_true_deals_by_a_clubs_own_settings_are_never_refused(rules: HandAndFootRules) -> None:
    rng = Random("house rules")
    for number in range(8):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == ()
        assert score(facts, rules).sides == rules.shape.sides


def test_where_twos_are_cheap_a_dirty_pile_is_worth_little() -> None:
    """A bound, and so no more than the least: seven twos."""
    assert limits_of(cheap_twos(PARTNERS)).least_melded(Piles(dirty=1)) == 0
    assert limits_of(PARTNERS).least_melded(Piles(dirty=1)) == 50


def test_however_many_wild_cards_a_pile_may_have_the_pack_has_only_so_many() -> None:
    """Three decks: eighteen wild cards, one for every dirty pile; beside eleven clean piles two for each."""
    loose = limits_of(replace(TWO, naturals_per_wild=0, naturals_least=0, wilds_most=None))
    assert [loose.piles_fit(Piles(11, dirty)) for dirty in (9, 10)] == [True, False]
    assert [loose.piles_fit(Piles(0, dirty)) for dirty in (18, 19)] == [True, False]


def test_the_figures_of_a_card_have_names_in_its_order() -> None:
    card = Totals(clean=1, dirty=2, wild=3, special=(4, 5), red_threes=6, red_threes_missed=7, melded=80, left=9)
    assert KNEE.figures[:5] == ("clean", "dirty", "wild", "special_7", "special_5")
    assert [card.figure(name, KNEE) for name in KNEE.figures] == [1, 2, 3, 4, 5, 6, 7, 80, 9]
    assert "wild" not in rules_of(shipped()["hand-and-foot-bicycle"], Shape(2, 2)).figures


def test_a_number_of_special_books_below_nought_is_named_by_its_rank() -> None:
    card: dict[str, Any] = {"clean": 0, "dirty": 0, "wild": 0, "red_threes": 0, "melded": 0, "left": 600}
    sides = (SideCard(**card, special=(0, -1)), SideCard(**card, special=(0, 0)))
    problems = check(HandAndFootDeal(sides=sides, out=None, number=1), KNEE)
    assert ("hand-and-foot.negative", "special_5", 0) in {(p.code, p.field, p.side) for p in problems}


# --- Hand, Knee and Foot -------------------------------------------------------------------------------


def test_books_of_sevens_and_fives_have_bonuses_of_their_own() -> None:
    facts = deal(BOOKS, OTHERS)
    assert score(facts, KNEE).totals == (
        1100 + 500 + 300 + 2500 + 5000 + 3000 + 200 + 200 - 45,
        500 + 1000 + 100 - 500 - 700,
    )
    assert check(facts, KNEE) == ()


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


# --- bonuses -------------------------------------------------------------------------------------------


def test_a_count_of_red_threes_may_earn_a_bonus() -> None:
    """twrtimes.com, Hand, Knee and Foot: seven red threes are 1,000."""
    rules = replace(KNEE, red_three_count=7, red_three_count_bonus=300)
    facts = stopped(SideCard(red_threes=7, melded=100, left=900), SideCard(left=1000))
    assert score(facts, rules).totals[0] == 1000 + 100 - 900
