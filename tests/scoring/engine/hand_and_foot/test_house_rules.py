"""Hand, Knee and Foot, Canasta, and settings that a club may choose though no shipped rule set has them so."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.hand_and_foot import play
from scoring.engine.core.family import check_in_game
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, HandAndFootDeal, RankMeld, SideCard, Totals
from scoring.engine.hand_and_foot.cards import Piles, limits_of
from scoring.engine.hand_and_foot.scoring import FAMILY, check, score
from tests.scoring.engine.hand_and_foot.test_codes import BOOKS, OTHERS
from tests.scoring.engine.hand_and_foot.test_scoring import PARTNERS, codes, deal, stopped

TWO = rules_of(shipped()["hand-and-foot"], Shape(2, 1))
KNEE = rules_of(shipped()["hand-knee-and-foot"])
CANASTA = rules_of(shipped()["canasta"])


def cheap_twos(rules):
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
def test_true_deals_by_a_clubs_own_settings_are_never_refused(rules):
    rng = Random("house rules")
    for number in range(8):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == ()
        assert score(facts, rules).sides == rules.shape.sides


def test_where_twos_are_cheap_a_dirty_pile_is_worth_little():
    """A bound, and so no more than the least: seven twos."""
    assert limits_of(cheap_twos(PARTNERS)).least_melded(Piles(dirty=1)) == 0
    assert limits_of(PARTNERS).least_melded(Piles(dirty=1)) == 50


def test_however_many_wild_cards_a_pile_may_have_the_pack_has_only_so_many():
    """Three decks: eighteen wild cards, one for every dirty pile; beside eleven clean piles two for each."""
    loose = limits_of(replace(TWO, naturals_per_wild=0, naturals_least=0, wilds_most=None))
    assert [loose.piles_fit(Piles(11, dirty)) for dirty in (9, 10)] == [True, False]
    assert [loose.piles_fit(Piles(0, dirty)) for dirty in (18, 19)] == [True, False]


def test_going_out_may_need_more_in_later_deals_where_first_melds_go_by_the_score():
    rules = replace(CANASTA, out_clean_by_deal=(0, 2))
    one = SideCard(clean=1, melded=150, left=60)
    facts = HandAndFootDeal(sides=(one, SideCard(left=200)), out=0)
    for place, said in ((1, set()), (2, {"out-piles"})):
        assert codes(check_in_game(FAMILY, facts, rules=rules, before=(0, 0), place=place)) == said


def test_where_a_pile_closes_its_rank_no_pack_gives_two_of_a_rank():
    """Three decks have twelve kings, of which two canastas could be made; sevens take no wild card."""
    modern = rules_of(shipped()["canasta-modern-american"])
    once, often = (limits_of(replace(modern, decks_in_all=3, rank_once=closes)) for closes in (True, False))
    assert [once.piles_fit(Piles(dirty=dirty)) for dirty in (10, 11)] == [True, False]
    assert often.piles_fit(Piles(dirty=11))
    assert [once.piles_fit(Piles(8, 1)), once.piles_fit(Piles(8, 3))] == [True, False]


def test_the_figures_of_a_card_have_names_in_its_order():
    card = Totals(clean=1, dirty=2, wild=3, special=(4, 5), red_threes=6, red_threes_missed=7, melded=80, left=9)
    assert KNEE.figures[:5] == ("clean", "dirty", "wild", "special_7", "special_5")
    assert [card.figure(name, KNEE) for name in KNEE.figures] == [1, 2, 3, 4, 5, 6, 7, 80, 9]
    assert "wild" not in rules_of(shipped()["hand-and-foot-bicycle"], Shape(2, 2)).figures


def test_a_number_of_special_books_below_zero_is_named_by_its_rank():
    card = {"clean": 0, "dirty": 0, "wild": 0, "red_threes": 0, "melded": 0, "left": 600}
    sides = (SideCard(**card, special=(0, -1)), SideCard(**card, special=(0, 0)))
    problems = check(HandAndFootDeal(sides=sides, out=None, number=1), KNEE)
    assert ("hand-and-foot.negative", "special_5", 0) in {(p.code, p.field, p.side) for p in problems}


# --- Hand, Knee and Foot -------------------------------------------------------------------------------


def test_books_of_sevens_and_fives_have_bonuses_of_their_own():
    facts = deal(BOOKS, OTHERS)
    assert score(facts, KNEE).totals == (
        1100 + 500 + 300 + 2500 + 5000 + 3000 + 200 + 200 - 45,
        500 + 1000 + 100 - 500 - 700,
    )
    assert check(facts, KNEE) == ()


def test_thirty_nine_cards_are_dealt_to_each():
    assert (KNEE.packets, KNEE.dealt, KNEE.decks) == ((15, 13, 11), 78, 6)


def test_where_it_goes_by_the_score_a_first_meld_needs_more_of_who_is_ahead():
    by_score = replace(KNEE, first_meld_scores=(15_000, 30_000, 50_000))
    least = [by_score.least_first_meld(4, points) for points in (-200, 14_995, 15_000, 29_995, 30_000, 50_000)]
    assert least == [50, 50, 90, 90, 120, 150]
    assert by_score.least_first_meld(4) == 50  # nobody knows the score
    poor = SideCard(melded=85, left=900, score_before=20_000)
    assert codes(check(stopped(poor, OTHERS), by_score)) == {"first-meld"}
    assert check(stopped(replace(poor, score_before=9_000), OTHERS), by_score) == ()


# --- Canasta -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("before", "least"), [(-5, 15), (0, 50), (1495, 50), (1500, 90), (2995, 90), (3000, 120)])
def test_the_first_meld_of_canasta_goes_by_the_score(before, least):
    assert CANASTA.least_first_meld(None, before) == least


def test_all_four_red_threes_are_800():
    card = SideCard(red_threes=4, melded=90, left=100)
    assert score(stopped(card, SideCard(left=200)), CANASTA).totals == (800 + 90 - 100, -200)
    three = replace(card, red_threes=3)
    assert score(stopped(three, SideCard(left=200)), CANASTA).totals == (300 + 90 - 100, -200)


def test_red_threes_count_against_a_side_that_has_melded_nothing():
    card = SideCard(red_threes=4, left=250)
    result = score(stopped(card, SideCard(melded=90, left=150)), CANASTA)
    assert result.totals == (-800 - 250, 90 - 150)
    assert "hand-and-foot.red-threes-unmelded" in {line.rule for line in result.lines}


def test_going_out_concealed_is_200_and_needs_no_first_meld():
    card = SideCard(clean=1, melded=85, left=55, score_before=3200)
    facts = HandAndFootDeal(sides=(card, SideCard(left=300)), out=0, concealed=True)
    assert [line.points for line in score(facts, CANASTA).lines if line.rule.endswith("out-concealed")] == [200]
    assert check(facts, CANASTA) == ()
    assert codes(check(replace(facts, concealed=False), CANASTA)) == {"first-meld"}
    assert "not-played" in codes(check(replace(facts, out=None), CANASTA))
    assert "not-played" in codes(check(deal(concealed=True), PARTNERS))


# --- bonuses -------------------------------------------------------------------------------------------


def test_a_count_of_red_threes_may_earn_a_bonus():
    """twrtimes.com, Hand, Knee and Foot: seven red threes are 1,000."""
    rules = replace(KNEE, red_three_count=7, red_three_count_bonus=300)
    facts = stopped(SideCard(red_threes=7, melded=100, left=900), SideCard(left=1000))
    assert score(facts, rules).totals[0] == 1000 + 100 - 900


# --- going out concealed -------------------------------------------------------------------------------


def laid(*melds):
    """A side's melds: rank, natural cards and twos of each; the partner holds cards."""
    counted = tuple(RankMeld(rank=rank, naturals=naturals, twos=twos) for rank, naturals, twos in melds)
    left = (CardsLeft(of="4-7", count=14),)
    return SideCard(counted=CountedCards(melds=counted, left=left), score_before=0)


def concealed_codes(card, rules=CANASTA):
    other = SideCard(left=200)
    facts = HandAndFootDeal(sides=(card, *[other] * (rules.shape.sides - 1)), out=0, concealed=True)
    return codes(check(facts, rules))


OWN = [("K", 7, 0), ("8", 4, 0)]  # eleven cards, with a canasta
PARTNERS_MELDS = [("A", 3, 0), ("Q", 5, 2), ("J", 5, 0)]


def test_who_goes_out_concealed_had_melded_nothing_and_the_partner_may_have():
    assert concealed_codes(laid(*OWN)) == set()
    assert concealed_codes(laid(*OWN, *PARTNERS_MELDS)) == set()
    assert concealed_codes(laid(("K", 7, 0), ("8", 5, 0), ("A", 3, 0))) == set()


@pytest.mark.parametrize(
    "melds",
    [
        [("K", 7, 0), ("8", 7, 0), ("A", 7, 0), ("Q", 7, 0), ("J", 7, 0)],  # 35 cards: none of these are one hand
        [("K", 8, 0), ("8", 5, 0)],
        [("K", 6, 0), ("8", 6, 0), ("A", 8, 0)],  # twelve cards without a canasta, or eight, or fourteen
        [("K", 7, 0), ("8", 3, 0)],
        [("7", 4, 0), ("6", 4, 0), ("5", 3, 0)],
    ],
)
def test_melds_that_no_hand_of_one_player_makes_are_not_concealed(melds):
    assert "concealed" in concealed_codes(laid(*melds))


def test_the_first_meld_is_waived_only_where_the_side_had_melded_nothing():
    low = [("7", 7, 0), ("6", 4, 0)]  # 55 points, where the first meld needs 120
    assert "first-meld" not in concealed_codes(replace(laid(*low), score_before=3000))
    partner = [*low, ("4", 3, 0)]  # 15 points are no first meld
    assert {"first-meld", "concealed"} <= concealed_codes(replace(laid(*partner), score_before=3000))
    written = SideCard(clean=2, melded=85, left=55, score_before=3000)  # two canastas are more than one hand
    assert "first-meld" in concealed_codes(written)
    assert "concealed" in concealed_codes(SideCard(melded=85, left=55, score_before=0))


def test_for_two_players_the_hand_grows_by_a_card_a_turn():
    two_hand = rules_of(shipped()["canasta-two-hand"])
    assert two_hand.concealed_cards == (16, 36)
    melds = [("K", 7, 0), ("8", 7, 0), ("A", 3, 0)]
    assert "concealed" not in concealed_codes(laid(*melds), two_hand)
    assert "concealed" in concealed_codes(laid(*melds[:2]), two_hand)
    assert "concealed" in concealed_codes(laid(*melds, ("Q", 7, 0), ("J", 7, 0), ("10", 8, 0)), two_hand)
    assert "concealed" in concealed_codes(SideCard(clean=6, melded=450), two_hand)


def test_no_true_hand_that_goes_out_concealed_is_refused():
    rng = Random(3)
    for _deal in range(200):
        ranks = rng.sample(("A", "K", "Q", "J", "10", "9", "8"), 7)
        own = [(ranks[0], 7, 0), *rng.choice([[(ranks[1], 4, 0)], [(ranks[1], 4, 1)], [(ranks[1], 5, 0)]])]
        before = [(rank, rng.randint(3, 8), 0) for rank in ranks[2 : 2 + rng.randrange(6)]]
        points = sum(CANASTA.values[rank] * naturals for rank, naturals, _twos in before)
        if not before or points >= 50:
            assert concealed_codes(laid(*own, *before)) == set(), (own, before)
