"""Every problem and every line of a partnership's and a three-hand card, with all that its sentence is made of."""

from dataclasses import replace

import pytest

from scoring.engine.core.ledger import Line, Problem, Severity, named
from scoring.engine.pinochle.partnership import Ending, check as check_partnership
from scoring.engine.pinochle.three_hand import check as check_three_hand
from tests.scoring.engine.pinochle.cards import (
    DOUBLE_DECK,
    LAID,
    NO_MARRIAGE,
    ST_HILARY,
    THREE_HAND,
    double,
    partnership,
    table,
    three_hand,
    three_totals,
    totals,
)

FORM, IMPOSSIBLE = Severity.FORM, Severity.IMPOSSIBLE
AGAINST, UNLIKELY = Severity.AGAINST_RULES, Severity.UNLIKELY
LAST_IS_NO_SCORING_TRICK = replace(THREE_HAND, last_trick_is_scoring=False)
BY_ONES = replace(THREE_HAND, counters=(("A", 1), ("10", 1), ("K", 1)), last_trick=2)
OPENING_AT_16 = replace(ST_HILARY, opening_bid=16)
BY_TENS = replace(ST_HILARY, counters=(("A", 10), ("10", 10), ("K", 10)), last_trick=10)


def problem(code, severity, field, side=None, /, **args):
    return Problem(f"pinochle.{code}", severity, field, named(**args), side)


SHOWN = problem("no-marriage-shown", UNLIKELY, "counted", 0)


def line(side, points, code, /, **args):
    return Line(side, points, f"pinochle.{code}", named(**args))


MANY_VALUES = replace(
    ST_HILARY, counters=(("A", 11), ("10", 10), ("K", 4), ("Q", 3), ("J", 2)), last_trick=10, meld_savers="nobody"
)


def bidder_has(take, *, of=500, last_trick=0):
    """A three-hand card on which the second player bid, melded enough and took so much."""
    return three_totals(bidder=1, meld=(0, 600, 0), take=(of // 2, take, of - of // 2 - take), last_trick=last_trick)


# --- problems ------------------------------------------------------------------------------------------

EIGHTEEN = "2*aces 2*marriage:spades 2*marriage:diamonds marriage:clubs"  # cards, none a king or queen of hearts

OF_PARTNERS = [
    # the shape of the card
    (totals(bid_side=2), ST_HILARY, [problem("bid-side", FORM, "bid_side")]),
    (totals(last_trick=2), ST_HILARY, [problem("last-trick-side", FORM, "last_trick")]),
    (totals(meld=(27, 9, 0)), ST_HILARY, [problem("columns", FORM, "meld", needed=2, given=3)]),
    (totals(meld=()), ST_HILARY, [problem("columns", FORM, "meld", needed=2, given=0)]),
    (partnership(meld=(27, 9, 0)), ST_HILARY, [problem("columns", FORM, "meld", needed=2, given=3)]),
    (totals(take=(25,)), ST_HILARY, [problem("columns", FORM, "take", needed=2, given=1)]),
    (partnership(counted=LAID[:3]), ST_HILARY,
     [problem("counted-players", FORM, "counted", needed=4, given=3)]),
    # the bid
    (totals(bid=14), ST_HILARY, [problem("bid-too-low", AGAINST, "bid", bid=14, lowest=15, dropped=15)]),
    (totals(bid=12), OPENING_AT_16,
     [problem("bid-too-low", AGAINST, "bid", bid=12, lowest=16, dropped=15)]),
    (totals(bid=24), replace(ST_HILARY, opening_bid=16, bid_step=5),
     [problem("bid-step", AGAINST, "bid", bid=24, lowest=16, step=5)]),
    (double(bid=61), DOUBLE_DECK, [problem("bid-step", AGAINST, "bid", bid=61, lowest=60, step=5)]),
    (totals(bid=60), ST_HILARY, []),
    (double(bid=65), DOUBLE_DECK, []),
    (totals(bid=61), ST_HILARY, [problem("bid-high", UNLIKELY, "bid", bid=61)]),
    # the auction
    (partnership(dealer=4), ST_HILARY, [problem("dealer", FORM, "dealer", seats=4)]),
    (partnership(dealer=-1), ST_HILARY, [problem("dealer", FORM, "dealer", seats=4)]),
    (totals(dealer=1, bid=15), OPENING_AT_16,
     [problem("dropped-not-dealer", AGAINST, "bid_side", bid=15, lowest=16)]),
    (totals(dealer=2, bid=15), OPENING_AT_16, []),  # the bidders' other seat
    (totals(dealer=1, bid=15), ST_HILARY, []),  # anybody may open so
    (totals(bid=15), OPENING_AT_16, []),  # nobody says who dealt
    (totals(dealer=2, bid=15, bids=(0, 0, 0)), OPENING_AT_16, []),
    (totals(dealer=2, bids=(0, 15, 0, 30, 0)), OPENING_AT_16,
     [problem("bid-too-low", AGAINST, "bids", bid=15, lowest=16, dropped=15)]),
    (partnership(bids=(15, 0, 30, 0, 0)), ST_HILARY, [problem("dealer-needed", FORM, "dealer")]),
    (partnership(bids=(15, 0, 29, 0, 0)), ST_HILARY,
     [problem("dealer-needed", FORM, "dealer"), problem("auction-bid", AGAINST, "bids", highest=29, bid=30)]),
    (partnership(dealer=2, bids=(15, 0, 30, 0, 0)), ST_HILARY, [problem("auction-holder", AGAINST, "bid_side")]),
    (partnership(dealer=2, bids=(15, 0, 29, 0, 0)), ST_HILARY,
     [problem("auction-bid", AGAINST, "bids", highest=29, bid=30), problem("auction-holder", AGAINST, "bid_side")]),
    (partnership(dealer=2, bids=(0, 0, 0)), ST_HILARY,
     [problem("auction-bid", AGAINST, "bids", highest=15, bid=30)]),
    (partnership(dealer=3, bids=(15, 0, 30, 0)), ST_HILARY, [problem("auction-open", AGAINST, "bids", left=2)]),
    (partnership(dealer=3, bids=(15, 0, 30, 0, 0, 0, 0)), ST_HILARY,
     [problem("auction-long", AGAINST, "bids", enough=5, given=7)]),
    (partnership(dealer=3, bids=(20, 0, 20, 0, 0)), ST_HILARY,
     [problem("auction-low", AGAINST, "bids", place=3, bid=20, highest=20)]),
    (partnership(dealer=3, bids=(0, 14, 30, 0, 0)), ST_HILARY,
     [problem("bid-too-low", AGAINST, "bids", bid=14, lowest=15, dropped=15)]),
    (partnership(dealer=2, bid=16, bids=(0, 0, 0, 16)), ST_HILARY,
     [problem("auction-dropped", AGAINST, "bids", dropped=15)]),
    (double(dealer=3, bid=65, bids=(50, 60, 65, 0, 0, 0)), DOUBLE_DECK, []),
    (double(dealer=3, bid=65, bids=(50, 62, 65, 0, 0, 0)), DOUBLE_DECK,
     [problem("bid-step", AGAINST, "bids", bid=62, lowest=60, step=5)]),
    # the ending
    (totals(ending=Ending.CONCEDED), ST_HILARY, [problem("no-concession", AGAINST, "ending")]),
    (partnership(**NO_MARRIAGE), ST_HILARY, [problem("no-marriage-played", AGAINST, "ending")]),
    (partnership(**(NO_MARRIAGE | {"bid": 50, "meld": (0, 20)})), DOUBLE_DECK,
     [problem("no-marriage-melded", AGAINST, "meld")]),
    (partnership(**NO_MARRIAGE, bid=50), DOUBLE_DECK, []),
    (partnership(**(NO_MARRIAGE | {"bid": 50, "counted": table("aces", "", "", "")})), DOUBLE_DECK,
     [problem("no-marriage-melded", AGAINST, "meld")]),
    (totals(take=(), last_trick=None, ending=Ending.RENEGE_BID_SIDE), ST_HILARY, []),
    # melds as totals
    (totals(meld=(27, -9)), ST_HILARY, [problem("negative", IMPOSSIBLE, "meld", 1, points=-9)]),
    (totals(meld=(6, 207)), ST_HILARY,
     [problem("meld-impossible-pair", IMPOSSIBLE, "meld", 1, meld=207, cards=12, below=204, above=210)]),
    (totals(meld=(6, 223)), ST_HILARY,
     [problem("meld-most-pair", IMPOSSIBLE, "meld", 1, meld=223, cards=12, most=222)]),
    (totals(meld=(62, 220)), ST_HILARY, [problem("meld-high", UNLIKELY, "meld", 1, meld=220)]),
    (totals(meld=(63, 220)), ST_HILARY,
     [problem("meld-high", UNLIKELY, "meld", 1, meld=220),
      problem("meld-pack", IMPOSSIBLE, "meld", meld=283, most=282)]),
    (totals(meld=(6, 302)), replace(ST_HILARY, jacks_around=(4, 44)),  # by melds of its own only the hands are asked
     [problem("meld-high", UNLIKELY, "meld", 1, meld=302)]),
    (totals(meld=(6, 80)), ST_HILARY, []),
    (totals(meld=(6, 81)), ST_HILARY, [problem("meld-high", UNLIKELY, "meld", 1, meld=81)]),
    # melds by name
    (partnership(meld=(27, 9)), ST_HILARY, []),
    (partnership(meld=(27, 8)), ST_HILARY, [problem("counted-differs", FORM, "meld", 1, written=8, counted=9)]),
    (partnership(meld=(27, -9)), ST_HILARY,
     [problem("negative", IMPOSSIBLE, "meld", 1, points=-9),
      problem("counted-differs", FORM, "meld", 1, written=-9, counted=9)]),
    (double(meld=(0, 0), counted=table("run", "", "", "")), DOUBLE_DECK, []),  # too low to be recorded
    (double(meld=(0, 0), counted=table("run", "aces", "", "run")), DOUBLE_DECK,
     [problem("counted-differs", FORM, "meld", 0, written=0, counted=25)]),
    (double(meld=(0, 0), counted=table("aces", "aces", "", "")), DOUBLE_DECK,  # 20 are enough to be recorded
     [problem("counted-differs", FORM, "meld", 0, written=0, counted=20), SHOWN]),
    (partnership(counted=table("2*aces", "", "", ""), take=(1, 24), last_trick=1), ST_HILARY,
     [problem("sure-take", IMPOSSIBLE, "take", 0, least=2, take=1)]),
    (partnership(counted=table("2*aces", "", "", ""), take=(2, 23), last_trick=1), ST_HILARY, []),
    (partnership(counted=table("aces", "aces", "", ""), take=(1, 24), last_trick=1), ST_HILARY, []),
    (partnership(counted=table("2*run", "", "", ""), take=(2, 23), last_trick=1, bid=154), ST_HILARY,
     [problem("bid-high", UNLIKELY, "bid", bid=154),  # its ten cards are the highest ones and win every trick
      problem("sure-take", IMPOSSIBLE, "take", 0, least=6, take=2)]),
    (partnership(counted=table("2*run", "", "", ""), take=(6, 19), last_trick=1), ST_HILARY, []),
    (partnership(counted=table("", "aces aces", "", "")), ST_HILARY,
     [problem("counted-twice", FORM, "counted", 0, player=2)]),
    (partnership(counted=table("", "run run:hearts", "", "")), ST_HILARY,
     [problem("counted-twice", FORM, "counted", 0, player=2)]),
    (partnership(counted=table("", "", "3*run", "")), ST_HILARY,
     [problem("counted-number", AGAINST, "counted", 1, player=3, count=3, copies=2),
      problem("counted-copies", IMPOSSIBLE, "counted", 1, player=3,
              lacking="3 A hearts, 3 10 hearts, 3 K hearts, 3 Q hearts, 3 J hearts", there=2),
      problem("counted-cards", IMPOSSIBLE, "counted", 1, player=3, needed=15, cards=12)]),
    (partnership(counted=table("", "", "", "0*aces")), ST_HILARY,
     [problem("counted-number", AGAINST, "counted", 1, player=4, count=0, copies=2)]),
    (partnership(counted=table("", "", "", "-1*aces")), ST_HILARY,
     [problem("counted-number", AGAINST, "counted", 1, player=4, count=-1, copies=2)]),
    (partnership(counted=table("", "", "marriage", "")), ST_HILARY,
     [problem("marriage-suit", FORM, "counted", 1, player=3)]),
    (partnership(counted=table("", "marriage:hearts", "", "")), ST_HILARY,
     [problem("marriage-of-trump", AGAINST, "counted", 0, player=2, suit="hearts")]),
    (partnership(counted=table("", "", "", "run:clubs")), ST_HILARY,
     [problem("counted-suit", FORM, "counted", 1, player=4)]),
    (partnership(counted=table("", "", "", "aces:hearts")), ST_HILARY,
     [problem("counted-suit", FORM, "counted", 1, player=4)]),
    (partnership(counted=table("run:hearts marriage:clubs 2*marriage:spades", "", "", "")), ST_HILARY, []),
    (partnership(trump=None), ST_HILARY, [problem("trump-needed", FORM, "trump")]),
    (partnership(trump=None, counted=table("aces marriage:clubs", "", "", "")), ST_HILARY, []),
    (double(counted=table("", "2*nine-of-trump", "", "")), DOUBLE_DECK,
     [problem("counted-copies", IMPOSSIBLE, "counted", 0, player=2, lacking="2 9 hearts", there=0), SHOWN]),
    (partnership(counted=table("", "", "2*aces 2*kings", "")), ST_HILARY,
     [problem("counted-cards", IMPOSSIBLE, "counted", 1, player=3, needed=16, cards=12)]),
    (partnership(counted=table("2*aces kings", "", "", "")), ST_HILARY, []),
    (partnership(counted=table("run", "run", "royal-marriage", "")), ST_HILARY,
     [problem("counted-pack", IMPOSSIBLE, "counted", lacking="3 K hearts, 3 Q hearts", there=2)]),
    (partnership(counted=table("2*run royal-marriage", "royal-marriage", "", "")), ST_HILARY,  # told once
     [problem("counted-copies", IMPOSSIBLE, "counted", 0, player=1, lacking="3 K hearts, 3 Q hearts", there=2)]),
    (double(bid_side=1, counted=table("2*royal-marriage", "2*royal-marriage", "", "")), DOUBLE_DECK,
     [problem("no-marriage-left", IMPOSSIBLE, "counted", 1)]),
    (double(bid_side=1, counted=table("2*royal-marriage", "royal-marriage", "", "")), DOUBLE_DECK,
     [problem("no-marriage-shown", UNLIKELY, "counted", 1)]),
    (double(trump=None, counted=table("aces", "", "", "")), DOUBLE_DECK, [SHOWN]),
    (double(counted=table("", "run", "", "")), DOUBLE_DECK, []),
    (double(counted=table("aces", "", "", "")), replace(DOUBLE_DECK, no_marriage_is_set=False), []),
    *((double(counted=table("", "", melds, melds)), DOUBLE_DECK,
       [problem("no-marriage-left", IMPOSSIBLE, "counted", 0)]) for melds in ("2*kings", "2*queens")),
    (double(counted=table(EIGHTEEN, EIGHTEEN, "", "")), DOUBLE_DECK, [SHOWN]),  # the marriage makes a hand of twenty
    (double(counted=table(f"{EIGHTEEN} pinochle", f"{EIGHTEEN} pinochle", "", "")), DOUBLE_DECK,
     [problem("no-marriage-left", IMPOSSIBLE, "counted", 0)]),
    # what was dealt before
    (totals(redeals=(1, 0), deals_lost=(0, 1)), ST_HILARY, []),
    (totals(redeals=(1,)), ST_HILARY, [problem("columns", FORM, "redeals", needed=2, given=1)]),
    (totals(deals_lost=(0, -1)), ST_HILARY, [problem("negative", IMPOSSIBLE, "deals_lost", 1, points=-1)]),
    (totals(redeals=(1, 0)), replace(ST_HILARY, five_nines=0), [problem("no-redeals", AGAINST, "redeals")]),
    (totals(deals_lost=(1, 0)), replace(ST_HILARY, misdeals=0), [problem("no-deals-lost", AGAINST, "deals_lost")]),
    # what was taken
    (totals(take=(26, -1)), ST_HILARY, [problem("negative", IMPOSSIBLE, "take", 1, points=-1)]),
    (totals(take=(155, 95)), BY_TENS,
     [problem("take-step", IMPOSSIBLE, "take", 0, take=155, step=10),
      problem("take-step", IMPOSSIBLE, "take", 1, take=95, step=10)]),
    (totals(take=(25, 0), last_trick=1), ST_HILARY,
     [problem("last-trick-take", IMPOSSIBLE, "take", 1, take=0, last=1)]),
    (totals(take=(15, 10)), replace(ST_HILARY, counters=(("A", 2), ("10", 2), ("K", 2)), last_trick=2),
     [problem("take-step", IMPOSSIBLE, "take", 0, take=15, step=2),
      problem("take-total", IMPOSSIBLE, "take", total=25, needed=50)]),
    (totals(take=(25, 24)), replace(ST_HILARY, counters=(("A", 2), ("10", 2), ("K", 2))), []),  # 1 for the last trick
    (totals(take=(15, 9)), ST_HILARY, [problem("take-total", IMPOSSIBLE, "take", total=24, needed=25)]),
    (totals(take=(20, 6), ending=Ending.LAY_DOWN_BID_SIDE), ST_HILARY,
     [problem("take-over", IMPOSSIBLE, "take", total=26, most=25, last=1)]),
    (totals(take=(20, 5), ending=Ending.LAY_DOWN_OTHER_SIDE, last_trick=None), ST_HILARY,
     [problem("take-over", IMPOSSIBLE, "take", total=25, most=24, last=0)]),
    (totals(take=(12, 3), ending=Ending.LAY_DOWN_BID_SIDE, last_trick=None), ST_HILARY, []),
    (totals(take=(15, 10), ending=Ending.LAY_DOWN_BID_SIDE), ST_HILARY, []),
    (totals(take=(24, 1), last_trick=None), ST_HILARY,
     [problem("last-trick-needed", FORM, "last_trick")]),
    (totals(meld=(27, 0), take=(24, 1), last_trick=None), ST_HILARY, []),  # there is no meld to save
    *((totals(take=take, last_trick=None), ST_HILARY, []) for take in ((1, 24), (23, 2))),
    (totals(meld=(27, 0), take=(24, 1), last_trick=None), replace(ST_HILARY, take_stays=False),
     [problem("last-trick-needed", FORM, "last_trick")]),
    (totals(bid=20, take=(1, 24), last_trick=None), replace(ST_HILARY, meld_savers="both"),
     [problem("last-trick-needed", FORM, "last_trick")]),
    (double(counted=(), meld=(30, 20), take=(26, 24), last_trick=None),
     replace(DOUBLE_DECK, counters_to_save_meld=24, last_trick_saves_meld=False),
     [problem("last-trick-needed", FORM, "last_trick")]),
    (double(counted=(), meld=(30, 20), take=(25, 25), last_trick=None),
     replace(DOUBLE_DECK, meld_savers="other-side", counters_to_save_meld=25, last_trick_saves_meld=False),
     [problem("last-trick-needed", FORM, "last_trick")]),
    (totals(take=(249, 1)), MANY_VALUES,
     [problem("take-cards", IMPOSSIBLE, "take", 0, take=249), problem("take-cards", IMPOSSIBLE, "take", 1, take=1)]),
    # all at once
    (totals(bid=3, meld=(1000, -1), take=(9, 9), last_trick=None), ST_HILARY,
     [problem("bid-too-low", AGAINST, "bid", bid=3, lowest=15, dropped=15),
      problem("negative", IMPOSSIBLE, "meld", 1, points=-1),
      problem("meld-most-pair", IMPOSSIBLE, "meld", 0, meld=1000, cards=12, most=222),
      problem("take-total", IMPOSSIBLE, "take", total=18, needed=25)]),
]  # fmt: skip

OF_THREE = [
    (three_totals(bidder=3), THREE_HAND, [problem("bidder", FORM, "bidder")]),
    (three_totals(bidder=-1), THREE_HAND, [problem("bidder", FORM, "bidder")]),
    (three_totals(last_trick=3), THREE_HAND, [problem("last-trick-player", FORM, "last_trick")]),
    (three_totals(meld=(150, 100)), THREE_HAND, [problem("columns", FORM, "meld", needed=3, given=2)]),
    (three_totals(meld=()), THREE_HAND, [problem("columns", FORM, "meld", needed=3, given=0)]),
    (three_hand(meld=(150, 100)), THREE_HAND, [problem("columns", FORM, "meld", needed=3, given=2)]),
    (three_totals(take=(500,)), THREE_HAND, [problem("columns", FORM, "take", needed=3, given=1)]),
    (three_hand(counted=table("run", "aces")), THREE_HAND,
     [problem("counted-players", FORM, "counted", needed=3, given=2)]),
    (three_hand(dealer=3), THREE_HAND, [problem("dealer", FORM, "dealer", seats=3)]),
    (three_hand(dealer=0, bids=(500, 0, 0)), THREE_HAND, [problem("auction-holder", AGAINST, "bidder")]),
    (three_hand(dealer=0, bidder=1, bids=(500, 0, 0)), THREE_HAND, []),  # the dealer's left calls first
    (three_hand(dealer=0, bidder=2, bids=(0, 500, 0)), THREE_HAND, []),
    (three_hand(bid=490), THREE_HAND, [problem("bid-too-low", AGAINST, "bid", bid=490, lowest=500, dropped=500)]),
    (three_hand(dealer=0, bidder=0, bids=(0, 0)), THREE_HAND, []),  # the dealer has to take it
    (three_hand(bid=1600), THREE_HAND, [problem("bid-high", UNLIKELY, "bid", bid=1600)]),
    (three_hand(bid=505), THREE_HAND, [problem("bid-step", AGAINST, "bid", bid=505, lowest=500, step=10)]),
    (three_hand(bid=610), replace(THREE_HAND, later_steps=((600, 50),)),
     [problem("bid-step", AGAINST, "bid", bid=610, lowest=600, step=50)]),
    (three_hand(meld=(150, 100, 50)), THREE_HAND,
     [problem("counted-differs", FORM, "meld", 2, written=50, counted=60)]),
    (three_hand(meld=(150, 100, -60)), THREE_HAND,
     [problem("negative", IMPOSSIBLE, "meld", 2, points=-60),
      problem("counted-differs", FORM, "meld", 2, written=-60, counted=60)]),
    (three_hand(counted=table("", "", "4*aces 3*run")), THREE_HAND,
     [problem("counted-cards", IMPOSSIBLE, "counted", 2, player=3, needed=28, cards=25)]),
    (three_hand(counted=table("4*aces", "run", "")), THREE_HAND,
     [problem("counted-pack", IMPOSSIBLE, "counted", lacking="5 A hearts", there=4)]),
    (three_hand(counted=table("", "", "4*aces"), take=(350, 130, 20)), THREE_HAND,
     [problem("sure-take", IMPOSSIBLE, "take", 2, least=40, take=20)]),
    (three_totals(meld=(0, 305, 0)), THREE_HAND,
     [problem("meld-impossible", IMPOSSIBLE, "meld", 1, meld=305, cards=25, below=300, above=310)]),
    (three_hand(counted=(), meld=(0, 0, 5540)), THREE_HAND,  # its pinochle needs spades or diamonds as trump
     [problem("meld-most", IMPOSSIBLE, "meld", 2, meld=5540, cards=25, most=5500)]),
    (three_totals(take=(352, 98, 50)), THREE_HAND,
     [problem("take-step", IMPOSSIBLE, "take", 0, take=352, step=5),
      problem("take-step", IMPOSSIBLE, "take", 1, take=98, step=5)]),
    (three_totals(take=(-10, 460, 50), last_trick=1), THREE_HAND,
     [problem("negative", IMPOSSIBLE, "take", 0, points=-10)]),
    (three_totals(take=(490, 10, 0), last_trick=1), THREE_HAND,
     [problem("last-trick-take", IMPOSSIBLE, "take", 1, take=10, last=20)]),
    (three_totals(take=(350, 100, 60)), THREE_HAND, [problem("take-total", IMPOSSIBLE, "take", total=510, needed=500)]),
    # whether the bidder won a trick with points: five cards are discarded, ten points at most each
    (three_totals(take=(50, 450, 0), bidder_scored=False), THREE_HAND,
     [problem("bidder-scored-last", IMPOSSIBLE, "bidder_scored", 0)]),
    (three_totals(take=(50, 450, 0), bidder_scored=False, last_trick=1), THREE_HAND, []),
    (three_totals(bidder=1, take=(400, 55, 45), bidder_scored=False), THREE_HAND,
     [problem("bidder-scored-take", IMPOSSIBLE, "bidder_scored", 1, take=55, most=50)]),
    (three_totals(bidder=1, take=(37, 6, 7), bidder_scored=False), BY_ONES,
     [problem("bidder-scored-take", IMPOSSIBLE, "bidder_scored", 1, take=6, most=5)]),
    (three_totals(bidder=1, take=(38, 5, 7), bidder_scored=False), BY_ONES, []),
    (three_totals(bidder=1, take=(430, 70, 0), bidder_scored=False, last_trick=None), LAST_IS_NO_SCORING_TRICK, []),
    (three_totals(bidder=1, take=(430, 70, 0), bidder_scored=False), LAST_IS_NO_SCORING_TRICK,
     [problem("bidder-scored-take", IMPOSSIBLE, "bidder_scored", 1, take=70, most=50)]),
    (three_totals(bidder=1, take=(430, 70, 0), bidder_scored=False, last_trick=None), THREE_HAND,
     [problem("bidder-scored-take", IMPOSSIBLE, "bidder_scored", 1, take=70, most=50)]),
    (three_totals(bidder=1, take=(425, 75, 0), bidder_scored=False, last_trick=None), LAST_IS_NO_SCORING_TRICK,
     [problem("bidder-scored-take", IMPOSSIBLE, "bidder_scored", 1, take=75, most=50)]),
    (three_totals(bidder=2, take=(450, 50, 0), bidder_scored=True), THREE_HAND,
     [problem("bidder-scored-nothing", IMPOSSIBLE, "bidder_scored", 2)]),
    (three_totals(bidder=1, take=(42, 1, 7), bidder_scored=True), BY_ONES, []),
    (three_totals(bidder=2, take=(430, 50, 20), bidder_scored=True, last_trick=2), THREE_HAND, []),
    (three_totals(bidder=2, take=(430, 50, 20), bidder_scored=True, last_trick=2), LAST_IS_NO_SCORING_TRICK,
     [problem("bidder-scored-nothing", IMPOSSIBLE, "bidder_scored", 2)]),
    (three_totals(bidder=2, take=(425, 50, 25), bidder_scored=True, last_trick=2), LAST_IS_NO_SCORING_TRICK, []),
    *((bidder_has(take), THREE_HAND, [problem("bidder-scored-needed", FORM, "bidder_scored", 1, take=take)])
      for take in (5, 20, 50)),
    *((bidder_has(take), THREE_HAND, []) for take in (0, 55)),  # no trick with points, and one at least
    (bidder_has(20, last_trick=1), THREE_HAND, []),  # the last trick is one
    *((bidder_has(take, last_trick=1), LAST_IS_NO_SCORING_TRICK,
       [problem("bidder-scored-needed", FORM, "bidder_scored", 1, take=take)]) for take in (25, 70)),
    *((bidder_has(take, last_trick=1), LAST_IS_NO_SCORING_TRICK, []) for take in (20, 75)),
    (bidder_has(1, of=50), BY_ONES, [problem("bidder-scored-needed", FORM, "bidder_scored", 1, take=1)]),
    (three_totals(take=(300, 200, 0), last_trick=None), THREE_HAND, []),  # it wasn't the third player's
    (three_totals(take=(300, 180, 20), last_trick=None), LAST_IS_NO_SCORING_TRICK,
     [problem("last-trick-needed", FORM, "last_trick")]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "rules", "expected"), OF_PARTNERS)
def test_a_problem_of_a_partnership_s_card_says_all_of_itself(card, rules, expected):
    assert list(check_partnership(card, rules)) == expected


@pytest.mark.parametrize(("card", "rules", "expected"), OF_THREE)
def test_a_problem_of_a_three_hand_card_says_all_of_itself(card, rules, expected):
    assert list(check_three_hand(card, rules)) == expected
