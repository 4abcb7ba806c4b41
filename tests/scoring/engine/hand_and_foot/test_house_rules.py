"""Going out concealed, and settings that a club may choose though no shipped rule set has them so."""

from dataclasses import replace
from random import Random

import pytest

from lab.simulation.hand_and_foot import play
from scoring.engine.core.family import check_in_game
from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import CardsLeft, CountedCards, RankMeld, SideCard, Totals
from scoring.engine.hand_and_foot.scoring import FAMILY, check, score
from tests.examples import cases
from tests.scoring.engine.hand_and_foot.columns import CANASTA, KNEE, PARTNERS, RULE_SET, TWO_PLAYERS, codes, deal

THREE_ALONE = rules_of(RULE_SET, Shape(3, 1))


def cheap_twos(rules):
    """A two is worth less than any natural card."""
    values = tuple((rank, 0 if rank == "2" else value) for rank, value in rules.card_values)
    return replace(rules, card_values=values)


@pytest.mark.parametrize("deals", cases(8, proof=100))
@pytest.mark.parametrize(
    "rules",
    [
        replace(PARTNERS, wild_melds=False, out_wild=0, out_clean=1, out_dirty=1, hand=11, foot=11),
        replace(THREE_ALONE, hand=11, foot=13, out_clean=1, out_dirty=1, first_meld=(50,)),
        replace(PARTNERS, decks_added=2, hand=15, card_values=tuple({**PARTNERS.values, "8": 5, "2": 25}.items())),
        replace(THREE_ALONE, pile_size=6, naturals_per_wild=1, out_bonus=200),
        replace(PARTNERS, naturals_per_wild=3),  # no wild card in a meld of three
        replace(PARTNERS, naturals_per_wild=0, naturals_least=0, wilds_most=None),  # as many as one likes
        replace(TWO_PLAYERS, hand=40, foot=41),  # all the pack is dealt: there is no card to turn up, and none to draw
        cheap_twos(PARTNERS),
        replace(CANASTA, wild_melds=True, wild_pile=1000),  # wild melds of any number of cards
        cheap_twos(CANASTA),
        replace(PARTNERS, card_values=tuple((rank, 0) for rank, _ in PARTNERS.card_values)),
    ],
    ids=[
        *("no-wild-melds", "eleven-and-thirteen", "six-decks", "piles-of-six", "fewer-wilds", "any-wilds"),
        *("all-dealt", "cheap-twos", "wild-canastas", "cheap-twos-of-canasta", "no-values"),
    ],
)
def test_true_deals_by_a_clubs_own_settings_are_never_refused(rules, deals, tried):
    rng = Random("house rules")
    tried(deals)
    for number in range(deals):
        facts = play(rng, rules, deals_before=number % 4)
        assert check(facts, rules) == ()
        assert score(facts, rules).sides == rules.shape.sides


def test_going_out_may_need_more_in_later_deals_where_first_melds_go_by_the_score():
    rules = replace(CANASTA, out_clean_by_deal=(0, 2))
    facts = deal(SideCard(clean=1, melded=150, left=60), SideCard(left=200))
    for place, found in ((1, set()), (2, {"out-piles"})):
        assert codes(check_in_game(FAMILY, facts, rules=rules, before=(0, 0), place=place)) == found


def test_the_figures_of_a_card_have_names_in_its_order():
    card = Totals(clean=1, dirty=2, wild=3, special=(4, 5), red_threes=6, red_threes_missed=7, melded=80, left=9)
    assert KNEE.figures[:5] == ("clean", "dirty", "wild", "special_7", "special_5")
    assert [card.figure(name, KNEE) for name in KNEE.figures] == [1, 2, 3, 4, 5, 6, 7, 80, 9]
    assert "wild" not in rules_of(shipped()["hand-and-foot-bicycle"], Shape(2, 2)).figures


# --- going out concealed -------------------------------------------------------------------------------


def laid(*melds, before=0):
    """A side's melds: rank, natural cards and twos of each; the partner holds cards."""
    counted = tuple(RankMeld(rank=rank, naturals=naturals, twos=twos) for rank, naturals, twos in melds)
    left = (CardsLeft(of="4-7", count=14),)
    return SideCard(counted=CountedCards(melds=counted, left=left), score_before=before)


def concealed_codes(card, rules=CANASTA):
    others = [SideCard(left=200)] * (rules.shape.sides - 1)
    return codes(check(deal(card, *others, concealed=True), rules))


OWN = [("K", 7, 0), ("8", 4, 0)]  # eleven cards, with a canasta
PARTNERS_MELDS = [("A", 3, 0), ("Q", 5, 2), ("J", 5, 0)]
LOW = [("7", 7, 0), ("6", 4, 0)]  # 55 points, where the first meld needs 120
ALONE = rules_of(shipped()["canasta-two-hand"])  # the hand grows by a card a turn
LAID_ALONE = [("K", 7, 0), ("8", 7, 0), ("A", 3, 0)]


@pytest.mark.parametrize(
    ("card", "rules", "found"),
    [
        # who goes out concealed had melded nothing, and the partner may have
        (laid(*OWN), CANASTA, set()),
        (laid(*OWN, *PARTNERS_MELDS), CANASTA, set()),
        (laid(("K", 7, 0), ("8", 5, 0), ("A", 3, 0)), CANASTA, set()),
        # melds that no hand of one player makes: 35 cards, thirteen, and so on
        (laid(*((rank, 7, 0) for rank in "K8AQJ")), CANASTA, {"concealed"}),
        (laid(("K", 8, 0), ("8", 5, 0)), CANASTA, {"concealed"}),
        (laid(("K", 6, 0), ("8", 6, 0), ("A", 8, 0)), CANASTA, {"concealed"}),  # twelve without a canasta, or fourteen
        (laid(("K", 7, 0), ("8", 3, 0)), CANASTA, {"concealed"}),
        (laid(("7", 4, 0), ("6", 4, 0), ("5", 3, 0)), CANASTA, {"concealed"}),
        # the first meld is waived only where the side had melded nothing
        (laid(*LOW, before=3000), CANASTA, set()),
        (laid(*LOW, ("4", 3, 0), before=3000), CANASTA, {"concealed", "first-meld"}),  # 15 points are no first meld
        (SideCard(clean=2, melded=85, left=55, score_before=3000), CANASTA, {"first-meld"}),  # no hand has two canastas
        (SideCard(melded=85, left=55, score_before=0), CANASTA, {"concealed"}),
        # alone
        (laid(*LAID_ALONE), ALONE, set()),
        (laid(*LAID_ALONE[:2]), ALONE, {"concealed"}),
        (laid(*LAID_ALONE, ("Q", 7, 0), ("J", 7, 0), ("10", 8, 0)), ALONE, {"concealed"}),
        (SideCard(clean=6, melded=450), ALONE, {"concealed"}),
    ],
)
def test_who_goes_out_concealed_lays_a_whole_hand(card, rules, found):
    assert concealed_codes(card, rules) & {"concealed", "first-meld"} == found


def test_alone_a_concealed_hand_has_sixteen_cards_to_thirty_six():
    assert ALONE.concealed_cards == (16, 36)


def test_no_true_hand_that_goes_out_concealed_is_refused():
    rng = Random(3)
    for _deal in range(200):
        ranks = rng.sample(("A", "K", "Q", "J", "10", "9", "8"), 7)
        own = [(ranks[0], 7, 0), *rng.choice([[(ranks[1], 4, 0)], [(ranks[1], 4, 1)], [(ranks[1], 5, 0)]])]
        before = [(rank, rng.randint(3, 8), 0) for rank in ranks[2 : 2 + rng.randrange(6)]]
        points = sum(CANASTA.values[rank] * naturals for rank, naturals, _twos in before)
        if not before or points >= 50:
            assert concealed_codes(laid(*own, *before)) == set(), (own, before)
