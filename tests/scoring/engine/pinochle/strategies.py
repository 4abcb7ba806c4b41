"""Rules, cards and deals for the tests of both pinochles."""

from random import Random

from hypothesis import strategies as st

from lab.simulation.pinochle import play_partnership, play_three_hand
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.melds import counted
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal
from scoring.engine.pinochle.three_hand import ThreeHandDeal

ST_HILARY = rules_of(shipped()["st-hilary-v3"])
THREE_HAND = rules_of(shipped()["three-hand-double-pinochle"])

SEEDS = st.integers(0, 2**32)


def cards(text):
    """Cards from their ranks (T is the ten) and, after a point, their suit: "AAT.s Q9.h"."""
    found = []
    for packet in text.split():
        ranks, suit = packet.split(".")
        found += [6 * "shdc".index(suit) + "ATKQJ9".index(rank) for rank in ranks]
    return found


def counts(text):
    return counted(cards(text))


def true_partnership_deals(rules=ST_HILARY):
    """Deals really dealt, bid, passed, melded and played."""
    return st.builds(
        lambda seed, before: play_partnership(Random(seed), rules, deals_before=before), SEEDS, st.integers(0, 9)
    )


def true_three_hand_deals(rules=THREE_HAND):
    """Deals really dealt, bid, melded and played."""
    return st.builds(
        lambda seed, before: play_three_hand(Random(seed), rules, deals_before=before), SEEDS, st.integers(0, 9)
    )


def partnership_cards():
    """Whatever might be written in the right places of a card, true or not."""
    return st.builds(
        PartnershipDeal,
        bid_side=st.integers(0, 1),
        bid=st.integers(0, 70),
        meld=st.tuples(st.integers(-2, 400), st.integers(0, 60)) | st.tuples(st.integers(0, 20), st.integers(0, 20)),
        take=st.integers(-1, 26).map(lambda n: (n, 25 - n)) | st.tuples(st.integers(0, 25), st.integers(0, 25)),
        last_trick=st.sampled_from((None, 0, 1)),
        ending=st.sampled_from(Ending),
    )


def three_hand_cards():
    """Whatever might be written in the right places of a card, true or not."""
    tens = st.integers(-1, 60).map(lambda n: 10 * n)
    shared = st.tuples(st.integers(0, 50), st.integers(0, 50)).map(lambda t: (10 * t[0], 10 * t[1], 500 - 10 * sum(t)))
    return st.builds(
        ThreeHandDeal,
        bidder=st.integers(0, 2),
        bid=st.integers(48, 90).map(lambda n: 10 * n),
        meld=st.tuples(tens, tens, tens),
        take=shared | st.tuples(tens, tens, tens),
        last_trick=st.sampled_from((None, 0, 1, 2)),
        bidder_scored=st.sampled_from((None, True, False)),
        conceded=st.booleans(),
    )
