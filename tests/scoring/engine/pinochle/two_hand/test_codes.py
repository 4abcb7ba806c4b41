"""Every problem and every line of a two-hand card, with all that its sentence is made of."""

from dataclasses import replace

import pytest

from scoring import wording
from scoring.engine.core.ledger import Line, Problem, Severity, named
from scoring.engine.pinochle.melds import Suit
from scoring.engine.pinochle.two_hand.card import Guess, LastDraw, Laying, TwoHandEnding
from scoring.engine.pinochle.two_hand.scoring import check, score
from tests.scoring.engine.pinochle.two_hand.cards import CLASSIC, FLETCHER, FOUR_MARRIAGES, classic, codes, deal

FORM, IMPOSSIBLE = Severity.FORM, Severity.IMPOSSIBLE
AGAINST, UNLIKELY = Severity.AGAINST_RULES, Severity.UNLIKELY
L, D = Laying, LastDraw
ONLY_TRICK_PLAY = replace(FLETCHER, meld_play_tricks_count=False)
LAST_DRAW_APART = replace(FLETCHER, last_draw_is_meld=False)
NO_REVOKES = replace(CLASSIC, revoke_loses="nothing")
BY_FIVES = replace(FLETCHER, opening_bid=22, bid_step=5)
MANY_CARDS = (L.DOUBLE_ACES, L.DOUBLE_KINGS, L.DOUBLE_JACKS, L.RUN)
MANY = ((L.ACES, L.ACES, L.KINGS, L.KINGS), (L.QUEENS, L.QUEENS, L.JACKS, L.JACKS, L.PINOCHLE, L.PINOCHLE))
SIX_MELDS = (L.KINGS, L.QUEENS, L.JACKS, L.MARRIAGE_HEARTS, L.MARRIAGE_SPADES, L.MARRIAGE_DIAMONDS)
TWENTY_FOUR = (L.DOUBLE_ACES, L.DOUBLE_KINGS, L.DOUBLE_QUEENS)


def problem(code, severity, field, side=None, /, **args):
    family = "two-hand" if f"two-hand.{code}" in wording.PROBLEMS else "pinochle"
    return Problem(f"{family}.{code}", severity, field, named(**args), side)


def line(side, points, code, /, **args):
    return Line(side, points, f"two-hand.{code}", named(**args))


def laid(one, other, trump=None):
    return deal(meld=(), laid=(one, other), trump=trump)


# --- problems ------------------------------------------------------------------------------------------

PROBLEMS = [
    # the shape of the card
    (deal(bidder=2), FLETCHER, [problem("bidder", FORM, "bidder")]),
    (deal(bid=None), FLETCHER, [problem("bid-needed", FORM, "bid")]),
    (deal(last_trick=2), FLETCHER, [problem("last-trick-player", FORM, "last_trick")]),
    (deal(no_trick_points=2), FLETCHER, [problem("no-trick-player", FORM, "no_trick_points")]),
    (deal(ending=TwoHandEnding.CLAIM, claimant=2), FLETCHER, [problem("claimant", FORM, "claimant")]),
    (deal(ending=TwoHandEnding.CHALLENGE), FLETCHER, [problem("claimant", FORM, "claimant")]),
    (deal(meld=(14,)), FLETCHER, [problem("columns", FORM, "meld", needed=2, given=1)]),
    (deal(meld=(14,), laid=((), ())), FLETCHER, [problem("columns", FORM, "meld", needed=2, given=1)]),
    (deal(laid=((), (), ())), FLETCHER, [problem("columns", FORM, "laid", needed=2, given=3)]),
    (deal(take=()), FLETCHER, [problem("columns", FORM, "take", needed=2, given=0)]),
    (deal(last_draw=(D.NINE,)), FLETCHER, [problem("columns", FORM, "last_draw", needed=2, given=1)]),
    (deal(undeclared_nine=(True,)), FLETCHER, [problem("columns", FORM, "undeclared_nine", needed=2, given=1)]),
    (deal(revoked=(True,)), FLETCHER, [problem("columns", FORM, "revoked", needed=2, given=1)]),
    (deal(cards_wrong=(1,)), FLETCHER, [problem("columns", FORM, "cards_wrong", needed=2, given=1)]),
    (deal(cards_still_wrong=(1, 0, 0)), FLETCHER,
     [problem("columns", FORM, "cards_still_wrong", needed=2, given=3)]),
    (deal(led_early=(1,)), FLETCHER, [problem("columns", FORM, "led_early", needed=2, given=1)]),
    # the bid
    (deal(bid=19), FLETCHER, [problem("bid-too-low", AGAINST, "bid", bid=19, lowest=20, dropped=20)]),
    (deal(bid=24), BY_FIVES, [problem("bid-step", AGAINST, "bid", bid=24, lowest=22, step=5)]),
    (deal(bid=61), FLETCHER, [problem("bid-high", UNLIKELY, "bid", bid=61)]),
    # melds as totals
    (deal(meld=(14, -6)), FLETCHER, [problem("negative", IMPOSSIBLE, "meld", 1, points=-6)]),
    (deal(meld=(6, 1000)), FLETCHER, [problem("meld-impossible", IMPOSSIBLE, "meld", 1, meld=1000, cards=24)]),
    (deal(meld=(1, 0), last_draw=(D.NINE_PUT_BACK, D.OTHER)), FLETCHER, []),
    (deal(meld=(0, 6), last_draw=(D.NINE_PUT_BACK, D.OTHER)), FLETCHER,
     [problem("melds-together", IMPOSSIBLE, "meld")]),
    (deal(meld=(0, 100), laid=((), (L.DOUBLE_ACES,)), take=(25, 0), last_trick=0), FLETCHER,
     [problem("sure-take", IMPOSSIBLE, "take", 1, least=2, take=0),
      problem("meld-high", UNLIKELY, "meld", 1, meld=100)]),
    (deal(meld=(285, 20), trump=Suit.HEARTS), FLETCHER, [problem("meld-high", UNLIKELY, "meld", 0, meld=285)]),
    (deal(meld=(6, 90)), FLETCHER, []),
    (deal(meld=(6, 91)), FLETCHER, [problem("meld-high", UNLIKELY, "meld", 1, meld=91)]),
    (classic(meld=(145, 60)), CLASSIC, [problem("meld-impossible", IMPOSSIBLE, "meld", 0, meld=145, cards=24)]),
    # melds one by one
    (deal(laid=((L.ACES, L.PINOCHLE), (L.QUEENS,))), FLETCHER, []),
    (classic(meld=(), laid=((L.RUN, L.ADDED_KING), ())), CLASSIC,
     [problem("added-without-run", AGAINST, "laid", 0, place=2)]),
    (deal(meld=(14, 7), laid=((L.ACES, L.PINOCHLE), (L.QUEENS,))), FLETCHER,
     [problem("meld-differs", FORM, "meld", 1, written=7, counted=6)]),
    (laid((), (L.ACES, L.ADDED_KING)), FLETCHER, [problem("added-without-run", AGAINST, "laid", 1, place=2)]),
    (laid((), (L.ADDED_QUEEN,)), FLETCHER, [problem("added-without-run", AGAINST, "laid", 1, place=1)]),
    (laid((), (L.RUN, L.ROYAL_MARRIAGE, L.ADDED_QUEEN)), FLETCHER,
     [problem("added-without-run", AGAINST, "laid", 1, place=3)]),
    (laid((), (L.RUN, L.ADDED_KING, L.ROYAL_MARRIAGE)), FLETCHER,
     [problem("royal-from-run", AGAINST, "laid", 1, place=3)]),
    (laid((), (L.ACES,) * 3), FLETCHER, [problem("laid-too-often", AGAINST, "laid", 1, place=3)]),
    (laid((L.ACES,) * 4, (L.ADDED_KING,)), FLETCHER,
     [problem("laid-too-often", AGAINST, "laid", 0, place=3), problem("laid-too-often", AGAINST, "laid", 0, place=4),
      problem("added-without-run", AGAINST, "laid", 1, place=1)]),
    (laid((), (L.KINGS, L.MARRIAGE_HEARTS), Suit.HEARTS), FLETCHER,
     [problem("marriage-of-trump", AGAINST, "laid", 1, place=2)]),
    (laid(FOUR_MARRIAGES, ()), FLETCHER, [problem("no-trump", IMPOSSIBLE, "laid")]),
    (laid(FOUR_MARRIAGES, (), Suit.SPADES), FLETCHER, [problem("marriage-of-trump", AGAINST, "laid", 0, place=1)]),
    (laid((L.ACES,), (*MANY_CARDS, L.PINOCHLE)), FLETCHER,  # with spades as trump, the fewest
     [problem("cards-seen", IMPOSSIBLE, "laid", 1, needed=26, cards=24),
      problem("meld-high", UNLIKELY, "meld", 1, meld=239)]),
    (laid((), MANY_CARDS, Suit.HEARTS), FLETCHER,
     [problem("cards-seen", IMPOSSIBLE, "laid", 1, needed=26, cards=24),
      problem("meld-high", UNLIKELY, "meld", 1, meld=235)]),
    (laid((), TWENTY_FOUR), FLETCHER, [problem("meld-high", UNLIKELY, "meld", 1, meld=240)]),
    (laid((), (*TWENTY_FOUR, L.NINE)), FLETCHER, [problem("meld-high", UNLIKELY, "meld", 1, meld=241)]),  # exchanged
    (laid((), (*TWENTY_FOUR, L.NINE, L.NINE)), FLETCHER,
     [problem("cards-seen", IMPOSSIBLE, "laid", 1, needed=26, cards=25),
      problem("meld-high", UNLIKELY, "meld", 1, meld=242)]),
    (laid((L.ACES, L.ACES), (L.ACES,)), FLETCHER, [problem("laid-pack-any", IMPOSSIBLE, "laid")]),
    (laid((L.MARRIAGE_CLUBS,) * 2, (L.MARRIAGE_CLUBS,), Suit.HEARTS), FLETCHER,
     [problem("laid-pack", IMPOSSIBLE, "laid", lacking="3 K clubs, 3 Q clubs", there=2)]),
    (laid((L.PINOCHLE, L.PINOCHLE), (L.PINOCHLE,), Suit.HEARTS), FLETCHER,
     [problem("laid-pack", IMPOSSIBLE, "laid", lacking="3 Q spades, 3 J diamonds", there=2)]),
    (laid((L.RUN, L.RUN), (L.RUN,), Suit.SPADES), FLETCHER,
     [problem("laid-pack", IMPOSSIBLE, "laid",
              lacking="3 A spades, 3 10 spades, 3 K spades, 3 Q spades, 3 J spades", there=2)]),
    (laid(*MANY, Suit.CLUBS), FLETCHER, []),
    (classic(meld=(), laid=((L.NINE,) * 3, ())), CLASSIC, []),  # the dealer's turned up, and both declared
    (deal(meld=(), laid=((L.NINE, L.NINE), ()), last_draw=(D.OTHER, D.NINE_OF_TRUMP)), FLETCHER, []),
    (laid((L.NINE, L.NINE), (L.NINE,)), FLETCHER, [problem("too-many-nines", IMPOSSIBLE, "laid", nines=3)]),
    (deal(meld=(), laid=((L.NINE, L.NINE), ()), last_draw=(D.NINE_OF_TRUMP, D.OTHER)), FLETCHER,
     [problem("too-many-nines", IMPOSSIBLE, "laid", nines=3)]),
    (deal(meld=(), laid=((L.NINE, L.NINE), ()), last_draw=(D.NINE_PUT_BACK, D.NINE_OF_TRUMP)), FLETCHER,
     [problem("too-many-nines", IMPOSSIBLE, "laid", nines=3)]),
    (deal(meld=(), laid=((), ()), last_draw=(D.OTHER, D.NINE_PUT_BACK)), FLETCHER,
     [problem("put-back-undeclared", AGAINST, "last_draw", 1)]),
    (deal(last_draw=(D.NINE_PUT_BACK, D.NINE_PUT_BACK)), FLETCHER,
     [problem("put-back-twice", IMPOSSIBLE, "last_draw")]),
    (laid((*SIX_MELDS, L.ACES), SIX_MELDS, Suit.CLUBS), FLETCHER, []),  # as many as there are tricks: thirteen
    (laid((*SIX_MELDS, L.ACES), (*SIX_MELDS, L.ACES, L.NINE)), FLETCHER,
     [problem("too-many-melds", IMPOSSIBLE, "laid", laid=14, most=13)]),
    # what was taken
    (deal(take=(12, 12)), FLETCHER, [problem("take-total", IMPOSSIBLE, "take", total=24, needed=25)]),
    (deal(take=(26, -1)), FLETCHER, [problem("negative", IMPOSSIBLE, "take", 1, points=-1)]),
    (deal(take=(25, 0)), FLETCHER, [problem("last-trick-take", IMPOSSIBLE, "take", 1, take=0, last=1)]),
    (classic(take=(245, 5), last_trick=1), CLASSIC,
     [problem("last-trick-take", IMPOSSIBLE, "take", 1, take=5, last=10)]),
    (classic(take=(245, 5)), replace(CLASSIC, counters=(("A", 10), ("10", 10), ("K", 10))),
     [problem("take-step", IMPOSSIBLE, "take", 0, take=245, step=10),
      problem("take-step", IMPOSSIBLE, "take", 1, take=5, step=10)]),
    (deal(take=(13, 13)), ONLY_TRICK_PLAY, [problem("take-over", IMPOSSIBLE, "take", total=26, most=25)]),
    (deal(take=(12, 13)), ONLY_TRICK_PLAY, []),
    (deal(take=(13, 13), ending=TwoHandEnding.CLAIM, claimant=0), FLETCHER,
     [problem("take-over", IMPOSSIBLE, "take", total=26, most=25)]),
    (deal(take=(0, 0), last_trick=None), ONLY_TRICK_PLAY,
     [problem("take-little", IMPOSSIBLE, "take", total=0, last=1)]),
    (deal(take=(0, 1)), ONLY_TRICK_PLAY, []),
    (deal(meld=(0, 15), take=(25, 0), last_trick=0), FLETCHER, []),
    (deal(take=(15, 10), no_trick_points=0), FLETCHER, []),
    (deal(take=(15, 10), no_trick_points=1), FLETCHER, [problem("no-trick-last", IMPOSSIBLE, "no_trick_points", 1)]),
    (deal(take=(1, 24), last_trick=None, no_trick_points=1), FLETCHER, []),
    (deal(take=(0, 25), last_trick=None, no_trick_points=1), FLETCHER,
     [problem("no-trick-take", IMPOSSIBLE, "take", 1, take=25, most=24)]),
    (deal(take=(0, 25), last_trick=None, no_trick_points=1), replace(FLETCHER, counters=(("A", 3),)),
     [problem("no-trick-take", IMPOSSIBLE, "take", 1, take=25, most=24)]),
    (deal(take=(3, 4), no_trick_points=0), ONLY_TRICK_PLAY,
     [problem("no-trick-take", IMPOSSIBLE, "take", 0, take=3, most=0)]),
    (classic(take=(249, 1)), CLASSIC,
     [problem("take-cards", IMPOSSIBLE, "take", 0, take=249), problem("take-cards", IMPOSSIBLE, "take", 1, take=1)]),
    (laid((L.NINE, L.NINE), ()), FLETCHER, []),
    (replace(laid((L.NINE, L.NINE), ()), undeclared_nine=(False, True)), FLETCHER,
     [problem("undeclared-none-left", IMPOSSIBLE, "undeclared_nine", 1)]),
    # errors in play
    (deal(cards_wrong=(1, 0), cards_still_wrong=(0, 2)), FLETCHER,
     [problem("still-wrong", FORM, "cards_still_wrong", 1, still=2, wrong=0)]),
    (deal(cards_wrong=(0, -1)), FLETCHER, [problem("negative", IMPOSSIBLE, "cards_wrong", 1, points=-1)]),
    (deal(cards_still_wrong=(0, -1)), FLETCHER, [problem("negative", IMPOSSIBLE, "cards_still_wrong", 1, points=-1)]),
    (deal(led_early=(0, -1)), FLETCHER, [problem("negative", IMPOSSIBLE, "led_early", 1, points=-1)]),
    (deal(cards_wrong=(0, 5)), FLETCHER, []),
    (deal(cards_wrong=(0, 4), cards_still_wrong=(0, 2)), FLETCHER,
     [problem("cards-wrong-high", UNLIKELY, "cards_wrong", 1, cards=6)]),
    (deal(led_early=(6, 6)), FLETCHER, []),
    (deal(led_early=(7, 6)), FLETCHER, [problem("led-early-too-often", IMPOSSIBLE, "led_early", times=13, most=12)]),
    # the end of a game
    (deal(claimant=0), FLETCHER, [problem("claimant-without-claim", FORM, "claimant")]),
    (deal(ending=TwoHandEnding.CLAIM, claimant=1, take=(3, 0), last_trick=None), FLETCHER,
     [problem("claim-without-count", AGAINST, "trick_won", 1)]),
    (deal(ending=TwoHandEnding.CLAIM, claimant=1, take=(3, 0), last_trick=None, trick_won=True), FLETCHER, []),
    (deal(ending=TwoHandEnding.CLAIM, claimant=1, take=(), trick_won=True), FLETCHER, []),
    (deal(ending=TwoHandEnding.CLAIM, claimant=1, take=()), FLETCHER,
     [problem("claim-without-count", AGAINST, "trick_won", 1)]),
    (deal(ending=TwoHandEnding.CHALLENGE, claimant=0, take=(), trick_won=True), FLETCHER,
     [problem("columns", FORM, "take", needed=2, given=0)]),
    (deal(trick_won=True), FLETCHER, [problem("claimant-without-claim", FORM, "claimant")]),
    (deal(ending=TwoHandEnding.CLAIM, claimant=1, take=(3, 1), last_trick=None), FLETCHER, []),
    (deal(bidder=1, bid=20, take=(3, 14), last_trick=None, ending=TwoHandEnding.CHALLENGE, claimant=1), FLETCHER, []),
    (deal(bid=30, take=(3, 2), last_trick=None, ending=TwoHandEnding.CHALLENGE, claimant=0), FLETCHER,
     [problem("take-total", IMPOSSIBLE, "take", total=5, needed=25)]),  # it failed, so it is played out
    (deal(ending=TwoHandEnding.CHALLENGE, claimant=1), FLETCHER,
     [problem("challenge-not-bidder", AGAINST, "claimant")]),
    # what these rules have nothing of
    *((card, CLASSIC, [problem("not-in-rules", AGAINST, field)]) for field, card in (
        ("bidder", classic(bidder=0)),
        ("bid", classic(bid=20)),
        ("guess", classic(guess=Guess.RIGHT)),
        ("last_draw", classic(last_draw=(D.NINE, D.OTHER))),
        ("last_draw", classic(last_draw=(D.OTHER, D.JACK_OF_CLUBS))),
        ("undeclared_nine", classic(undeclared_nine=(False, True))),
        ("cards_wrong", classic(cards_wrong=(0, 1))),
        ("led_early", classic(led_early=(0, 1))),
        ("ending", classic(ending=TwoHandEnding.CLAIM, claimant=0)),
    )),
    (classic(revoked=(False, True)), NO_REVOKES, [problem("not-in-rules", AGAINST, "revoked")]),
    (classic(revoked=(False, True)), CLASSIC, []),
    (deal(last_draw=(D.OTHER, D.JACK_OF_CLUBS)), replace(FLETCHER, last_draw_nine=0), []),
    (deal(last_draw=(D.OTHER, D.JACK_OF_CLUBS)), replace(FLETCHER, last_draw_jack=0),
     [problem("not-in-rules", AGAINST, "last_draw")]),
    (deal(last_draw=(D.NINE, D.OTHER)), replace(FLETCHER, last_draw_jack=0), []),
    (deal(last_draw=(D.NINE, D.JACK_OF_CLUBS)), replace(FLETCHER, last_draw_nine=0),
     [problem("not-in-rules", AGAINST, "last_draw")]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "rules", "expected"), PROBLEMS)
def test_a_problem_says_all_of_itself(card, rules, expected):
    assert list(check(card, rules)) == expected


# --- lines ---------------------------------------------------------------------------------------------

MADE, FIRST, SECOND, TAKEN, TAKEN_LAST = (
    line(0, 0, "made", bid=24, total=26),
    line(0, 14, "meld", meld=14),
    line(1, 6, "meld", meld=6),
    line(0, 12, "take", take=12),
    line(1, 13, "take-last", counters=12, last=1),
)

LINES = [
    (deal(), FLETCHER, [MADE, FIRST, TAKEN, SECOND, TAKEN_LAST]),
    (deal(last_trick=None), FLETCHER, [MADE, FIRST, TAKEN, SECOND, line(1, 13, "take", take=13)]),
    (deal(bid=26), FLETCHER, [line(0, 0, "made", bid=26, total=26), FIRST, TAKEN, SECOND, TAKEN_LAST]),
    (deal(bid=27), FLETCHER, [line(0, 0, "set", bid=27, total=26, short=1), SECOND, TAKEN_LAST]),
    (deal(bidder=1, bid=20), FLETCHER, [line(1, 0, "set", bid=20, total=19, short=1), FIRST, TAKEN]),
    (deal(bid=27, guess=Guess.WRONG, cards_wrong=(0, 1)), FLETCHER,
     [line(0, 0, "set-awards", bid=27, total=26, short=1, awards=10), SECOND, TAKEN_LAST]),
    (deal(bidder=1, bid=20, last_draw=(D.OTHER, D.NINE)), LAST_DRAW_APART,
     [line(1, 0, "set-awards", bid=20, total=19, short=1, awards=10), FIRST, TAKEN]),
    (deal(guess=Guess.RIGHT), FLETCHER, [MADE, FIRST, TAKEN, SECOND, TAKEN_LAST, line(1, 5, "guess-right")]),
    (deal(guess=Guess.WRONG), FLETCHER, [MADE, FIRST, TAKEN, line(0, 5, "guess-wrong"), SECOND, TAKEN_LAST]),
    (deal(bidder=1, bid=19, guess=Guess.RIGHT), FLETCHER,
     [line(1, 0, "made", bid=19, total=19), SECOND, TAKEN_LAST, FIRST, TAKEN, line(0, 5, "guess-right")]),
    (deal(bidder=1, bid=19, guess=Guess.WRONG), FLETCHER,
     [line(1, 0, "made", bid=19, total=19), SECOND, TAKEN_LAST, line(1, 5, "guess-wrong"), FIRST, TAKEN]),
    # melds and last draws
    (laid((L.ROYAL_MARRIAGE, L.RUN, L.ADDED_KING), (L.DOUBLE_KINGS, L.NINE)), FLETCHER,
     [line(0, 0, "made", bid=24, total=33), line(0, 4, "laid-royal-marriage"), line(0, 15, "laid-run"),
      line(0, 2, "laid-added-king"), TAKEN, line(1, 80, "laid-double-kings"), line(1, 1, "laid-nine"), TAKEN_LAST]),
    (deal(last_draw=(D.NINE, D.OTHER)), FLETCHER,
     [line(0, 0, "made", bid=24, total=36), FIRST, line(0, 10, "last-draw-nine"), TAKEN, SECOND, TAKEN_LAST]),
    (deal(last_draw=(D.NINE_OF_TRUMP, D.JACK_OF_CLUBS)), FLETCHER,
     [line(0, 0, "made", bid=24, total=37), FIRST, line(0, 11, "last-draw-nine-of-trump", nine=10, meld=1), TAKEN,
      SECOND, line(1, 5, "last-draw-jack"), TAKEN_LAST]),
    (deal(last_draw=(D.NINE_PUT_BACK, D.OTHER)), FLETCHER,
     [MADE, FIRST, line(0, 0, "last-draw-put-back"), TAKEN, SECOND, TAKEN_LAST]),
    (classic(last_draw=(D.NINE, D.JACK_OF_CLUBS)), CLASSIC,  # by a ruling
     [line(0, 140, "meld", meld=140), line(0, 120, "take", take=120), line(1, 60, "meld", meld=60),
      line(1, 130, "take", take=130)]),
    (deal(last_draw=(D.JACK_OF_CLUBS, D.OTHER)), replace(FLETCHER, last_draw_jack=0),
     [MADE, FIRST, TAKEN, SECOND, TAKEN_LAST]),
    # penalties
    (deal(cards_wrong=(0, 2), cards_still_wrong=(0, 1)), FLETCHER,
     [MADE, FIRST, TAKEN, line(0, 15, "cards-wrong", cards=3), SECOND, TAKEN_LAST]),
    (deal(cards_still_wrong=(0, 1)), FLETCHER,
     [MADE, FIRST, TAKEN, line(0, 5, "cards-wrong", cards=1), SECOND, TAKEN_LAST]),
    (deal(led_early=(2, 0)), FLETCHER, [MADE, FIRST, TAKEN, SECOND, TAKEN_LAST, line(1, 10, "led-early", times=2)]),
    (deal(undeclared_nine=(False, True)), FLETCHER,
     [MADE, FIRST, TAKEN, line(1, 0, "lost-undeclared", meld=6, take=13)]),
    (deal(undeclared_nine=(True, False)), FLETCHER,
     [line(0, 0, "set", bid=24, total=0, short=24), line(0, 0, "lost-undeclared", meld=14, take=12),
      SECOND, TAKEN_LAST]),
    (deal(undeclared_nine=(False, True), revoked=(False, True)), FLETCHER,
     [MADE, FIRST, TAKEN, line(1, 0, "lost-undeclared", meld=6, take=13)]),
    (deal(undeclared_nine=(True, False), revoked=(False, True), last_draw=(D.OTHER, D.NINE)),
     replace(FLETCHER, undeclared_nine=False), [MADE, FIRST, TAKEN, line(1, 0, "lost-revoke", meld=16, take=13)]),
    (deal(revoked=(False, True), last_draw=(D.OTHER, D.NINE)), LAST_DRAW_APART,
     [MADE, FIRST, TAKEN, line(1, 0, "lost-revoke", meld=6, take=13), line(1, 10, "last-draw-nine")]),
    (deal(revoked=(False, True), led_early=(1, 0)), FLETCHER,
     [MADE, FIRST, TAKEN, line(1, 0, "lost-revoke", meld=6, take=13), line(1, 5, "led-early", times=1)]),
    (classic(revoked=(True, False)), CLASSIC,
     [line(0, 140, "meld", meld=140), line(0, 0, "take-lost-revoke", take=120), line(1, 60, "meld", meld=60),
      line(1, 130, "take", take=130)]),
    (classic(revoked=(True, False)), NO_REVOKES,  # by a ruling
     [line(0, 140, "meld", meld=140), line(0, 120, "take", take=120), line(1, 60, "meld", meld=60),
      line(1, 130, "take", take=130)]),
    # no points in the trick play
    (deal(take=(25, 0), last_trick=0), FLETCHER,
     [line(0, 0, "made", bid=24, total=39), FIRST, line(0, 25, "take-last", counters=24, last=1),
      line(1, 0, "lost-no-trick", meld=6), line(1, 0, "take", take=0)]),
    (deal(meld=(14, 0), take=(25, 0), last_trick=0), FLETCHER,
     [line(0, 0, "made", bid=24, total=39), FIRST, line(0, 25, "take-last", counters=24, last=1),
      line(1, 0, "take", take=0)]),
    (deal(take=(20, 5), last_trick=0, no_trick_points=1, last_draw=(D.OTHER, D.JACK_OF_CLUBS)), FLETCHER,
     [line(0, 0, "made", bid=24, total=34), FIRST, line(0, 20, "take-last", counters=19, last=1),
      line(1, 0, "lost-no-trick", meld=11), line(1, 5, "take", take=5)]),
    (deal(take=(20, 5), last_trick=0, no_trick_points=1, last_draw=(D.OTHER, D.NINE)), LAST_DRAW_APART,
     [line(0, 0, "made", bid=24, total=34), FIRST, line(0, 20, "take-last", counters=19, last=1),
      line(1, 0, "lost-no-trick", meld=6), line(1, 10, "last-draw-nine"), line(1, 5, "take", take=5)]),
    (classic(take=(250, 0)), CLASSIC,
     [line(0, 140, "meld", meld=140), line(0, 250, "take", take=250), line(1, 60, "meld", meld=60),
      line(1, 0, "take", take=0)]),
    # the end of a game
    (deal(bid=20, take=(0, 25), ending=TwoHandEnding.CHALLENGE, claimant=0), FLETCHER,
     [line(0, 0, "set", bid=20, total=14, short=6), line(0, 0, "take", take=0), SECOND,
      line(1, 25, "take-last", counters=24, last=1)]),
    (deal(bid=40, take=(3, 0), last_trick=None, ending=TwoHandEnding.CLAIM, claimant=0), FLETCHER,
     [line(0, 0, "claimed"), FIRST, line(0, 3, "take", take=3), SECOND, line(1, 0, "take", take=0)]),
    (deal(bid=40, take=(), ending=TwoHandEnding.CLAIM, claimant=0, trick_won=True), FLETCHER,
     [line(0, 0, "claimed"), FIRST, SECOND]),
    (deal(take=(3, 9), last_trick=None, ending=TwoHandEnding.CLAIM, claimant=1), FLETCHER,
     [FIRST, line(0, 3, "take", take=3), line(1, 0, "claimed"), SECOND, line(1, 9, "take", take=9)]),
    (deal(bid=20, take=(6, 0), last_trick=None, ending=TwoHandEnding.CHALLENGE, claimant=0), FLETCHER,
     [line(0, 0, "challenged", bid=20, total=20), FIRST, line(0, 6, "take", take=6), SECOND,
      line(1, 0, "take", take=0)]),
    (deal(bid=40, take=(25, 0), last_trick=0, ending=TwoHandEnding.CHALLENGE, claimant=0), FLETCHER,
     [line(0, 0, "set", bid=40, total=39, short=1), line(1, 0, "lost-no-trick", meld=6), line(1, 0, "take", take=0)]),
    # a contract where the rules know none, by a ruling
    (classic(bidder=1, bid=500), CLASSIC,
     [line(0, 140, "meld", meld=140), line(0, 120, "take", take=120), line(1, 60, "meld", meld=60),
      line(1, 130, "take", take=130)]),
]  # fmt: skip


@pytest.mark.parametrize(("card", "rules", "expected"), LINES)
def test_the_lines_say_all_of_themselves(card, rules, expected):
    result = score(card, rules)
    assert list(result.lines) == expected
    assert (result.sides, result.first) == (2, card.bidder if rules.bidding else None)
    assert result.sets == tuple(line.side for line in expected if line.rule.startswith("two-hand.set"))


def test_every_code_is_above():
    said = {found.code for *_card, problems in PROBLEMS for found in problems}
    said |= {found.rule for *_card, lines in LINES for found in lines}
    of_games = {"two-hand.claim-short"}  # tests/scoring/engine/test_in_game.py
    known = {code for code in (*wording.LINES, *wording.PROBLEMS) if code.startswith("two-hand.")}
    assert known - said == of_games | {f"two-hand.laid-{of.value}" for of in Laying} - said


# --- nines of trump that weren't declared ---------------------------------------------------------------

NINE, NINES, NONE_LEFT = (L.NINE,), (L.NINE, L.NINE), ["undeclared-none-left"]
DRAWN_BY_OTHER = (D.OTHER, D.NINE_OF_TRUMP)


@pytest.mark.parametrize(
    ("facts", "silent", "drawn", "found"),
    [
        ({"laid": (NINES, ())}, (False, True), (), NONE_LEFT),
        ({"laid": ((), NINES)}, (True, False), (), NONE_LEFT),
        ({"laid": (NINES, ())}, (True, False), (), NONE_LEFT),
        ({"laid": (NINE, NINE)}, (True, False), (), NONE_LEFT),
        ({"laid": (NINE, ())}, (True, True), (), NONE_LEFT * 2),
        ({"laid": (NINE, ())}, (False, True), (), []),
        ({"laid": (NINE, ())}, (True, False), (), []),
        ({"laid": ((), ())}, (True, True), (), []),
        # the one put under the stock was drawn last by the other player, who may have kept silent about it
        ({"laid": (NINES, ())}, (False, True), DRAWN_BY_OTHER, []),
        ({"laid": (NINE, ())}, (True, False), DRAWN_BY_OTHER, []),
        ({"laid": (NINE, NINE)}, (True, False), DRAWN_BY_OTHER, NONE_LEFT),
        ({"laid": (NINES, ())}, (True, False), (D.NINE_PUT_BACK, D.OTHER), []),
        # a meld of 1 is a nine of trump; when both players kept silent about one there is no third
        ({"meld": (1, 0)}, (True, True), (), NONE_LEFT * 2),
        ({"meld": (1, 0)}, (False, True), (), []),
        ({"meld": (2, 0)}, (True, True), (), []),
    ],
)
def test_a_player_keeps_silent_only_about_a_nine_that_is_left(facts, silent, drawn, found):
    card = deal(**({"meld": ()} | facts), undeclared_nine=silent, last_draw=drawn)
    assert codes(check(card, FLETCHER)) == found
