"""Pinochle for two with real packs: no true deal and no true claim is refused; and the last card drawn."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, strategies as st

from lab.simulation.pinochle import trick_points
from lab.simulation.two_hand import deal_table, is_dead, play
from scoring.engine.core.family import from_data, to_data
from scoring.engine.core.game import progress
from scoring.engine.pinochle.two_hand.card import SIDES, LastDraw as D, TwoHandDeal, TwoHandEnding
from scoring.engine.pinochle.two_hand.melds import follow
from scoring.engine.pinochle.two_hand.scoring import check, score
from tests.examples import examples
from tests.scoring.engine.pinochle.cards import cards
from tests.scoring.engine.pinochle.two_hand.cards import CLASSIC, FLETCHER, classic, deal

BOTH = pytest.mark.parametrize("rules", [FLETCHER, CLASSIC], ids=["fletcher", "classic"])
SEEDS = st.integers(0, 2**32)


def stopping(card, rules):
    return [problem for problem in check(card, rules) if problem.severity.stops]


@BOTH
@examples(60)
@given(seed=SEEDS, before=st.integers(0, 9))
def test_no_true_card_is_refused(rules, seed, before):
    card = play(Random(seed), rules, deals_before=before)
    assert stopping(card, rules) == []
    assert from_data(TwoHandDeal, to_data(card)) == card


def play_until_claim(rng, rules, deals_before):
    """A true deal in which somebody claims the game before the cards are counted: laid and won is what was by then."""
    table = deal_table(rng, rules, dealer=deals_before % SIDES)
    stop, number, take = rng.randint(1, rules.tricks_before_last_draw), 0, (0, 0)
    while number < stop or (not any(take) and number < rules.tricks_before_last_draw):
        number += 1
        table.trick(rng, number)
        take = (trick_points(table.players[0].won, rules), trick_points(table.players[1].won, rules))
    claimant = take.index(max(take))
    claim = replace(table.card(rng), ending=TwoHandEnding.CLAIM, claimant=claimant, take=take)
    meld = claim.meld or tuple(follow(laid, rules).total for laid in claim.laid)
    lost = claim.forfeits_all(claimant, rules)
    if claimant == claim.bidder and meld[claimant] + take[claimant] >= rules.opening_bid and not lost:
        return replace(
            claim, ending=TwoHandEnding.CHALLENGE, bid=rng.randint(rules.opening_bid, meld[claimant] + take[claimant])
        )
    return claim


@examples(60)
@given(seed=SEEDS, before=st.integers(0, 9))
def test_no_true_claim_is_refused(seed, before):
    claim = play_until_claim(Random(seed), FLETCHER, before)
    assert stopping(claim, FLETCHER) == []
    if claim.ending == TwoHandEnding.CLAIM:
        uncounted = replace(claim, take=(), last_trick=None, no_trick_points=None, trick_won=True)
        assert stopping(uncounted, FLETCHER) == []
        melds = [line for line in score(claim, FLETCHER).lines if not line.rule.startswith("two-hand.take")]
        assert [line for line in score(uncounted, FLETCHER).lines if "lost" not in line.rule] == [
            line for line in melds if "lost" not in line.rule
        ]


@BOTH
def test_totals_are_possible_where_the_same_melds_one_by_one_are(rules):
    rng = Random(48)
    for number in range(150):
        card = play(rng, rules, deals_before=number)
        if card.laid:
            totals = tuple(
                sum(x.points for x in score(card, rules).lines if ".laid-" in x.rule and x.side == side)
                for side in (0, 1)
            )
            if not any(card.forfeits_all(side, rules) for side in (0, 1)) and not score(card, rules).sets:
                assert stopping(replace(card, laid=(), meld=card.meld or totals), rules) == []


def test_a_dead_deal():
    """002, 7b: five nines and no meld, or six nines with or without."""
    assert is_dead(cards("99.s 99.h 99.d KQA.c T.s J.h J.s"), FLETCHER)
    assert is_dead(cards("99.s 99.h 9.d AA.c TT.s J.h J.s T.d"), FLETCHER)
    assert not is_dead(cards("99.s 99.h 9.d KQ.c TT.s J.h J.s T.d"), FLETCHER)
    assert not is_dead(cards("99.s 99.h AA.c TTA.s J.h J.s T.d"), FLETCHER)


@pytest.mark.parametrize(
    ("draw", "bonus"), [(D.NINE, 10), (D.NINE_OF_TRUMP, 11), (D.JACK_OF_CLUBS, 5), (D.NINE_PUT_BACK, 0), (D.OTHER, 0)]
)
def test_the_last_card_drawn(draw, bonus):
    """002, 9g and h; the bonus helps to make the contract."""
    card = deal(bid=26 + bonus, last_draw=(draw, D.OTHER))
    assert score(card, FLETCHER).totals == (26 + bonus, 19)
    apart = replace(FLETCHER, last_draw_is_meld=False)
    assert score(card, apart).sets == ((0,) if bonus else ())
    assert score(replace(card, bid=24), apart).totals == (26 + bonus, 19)


def test_without_a_claim_the_bidder_is_counted_first():
    now = progress([score(deal(), FLETCHER)], FLETCHER, start=(130, 140))
    assert (now.totals, now.winners, now.ended_by) == ((156, 159), (0,), "target")


def test_a_claim_counts_nothing_where_the_rules_know_none():
    assert score(classic(ending=TwoHandEnding.CLAIM, claimant=0), CLASSIC).claimant is None
