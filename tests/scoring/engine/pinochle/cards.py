"""Rules, cards, melds and deals that the tests of pinochle start from."""

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.melds import Meld, MeldKind, PlayerMelds, Suit, count_kinds
from scoring.engine.pinochle.partnership import Ending, PartnershipDeal
from scoring.engine.pinochle.three_hand import ThreeHandDeal

ST_HILARY = rules_of(shipped()["st-hilary-v3"])
DOUBLE_DECK = rules_of(shipped()["double-deck-partnership-pinochle"])
THREE_HAND = rules_of(shipped()["three-hand-double-pinochle"])

NAMES = {kind.value: kind for kind in MeldKind}


def cards(text):
    """Cards from their ranks (T is the ten) and, after a point, their suit: "AAT.s Q9.h"."""
    found = []
    for packet in text.split():
        ranks, suit = packet.split(".")
        found += [6 * "shdc".index(suit) + "ATKQJ9".index(rank) for rank in ranks]
    return found


def counts(text):
    return count_kinds(cards(text))


def melds(text):
    """Melds from their names: "2*run aces marriage:hearts"."""
    found = []
    for word in text.split():
        many, _, name = word.rpartition("*")
        kind, _, suit = name.partition(":")
        found.append(Meld(NAMES[kind], Suit(suit) if suit else None, int(many or 1)))
    return PlayerMelds(tuple(found))


def table(*players):
    return tuple(melds(player) for player in players)


LAID = table("run", "marriage:clubs aces", "pinochle nine-of-trump", "jacks")
LAID_WITHOUT_NINE = table("run", "marriage:clubs aces", "pinochle", "jacks")
NO_MARRIAGE = {"ending": Ending.NO_MARRIAGE, "meld": (), "counted": (), "take": (), "last_trick": None}


def partnership(**facts):
    """A card with counted melds, 27 against 9, but for what is named."""
    plain = {"bid_side": 0, "bid": 30, "take": (15, 10), "last_trick": 0}
    return PartnershipDeal(**({**plain, "trump": Suit.HEARTS, "counted": LAID} | facts))


def totals(**facts):
    """A partnership's card without the melds by name or the trump: 27 against 9, but for what is named."""
    return partnership(**({"counted": (), "trump": None, "meld": (27, 9)} | facts))


def double(**facts):
    """A double deck's card with counted melds, but for what is named."""
    return partnership(**({"bid": 50, "take": (30, 20), "counted": LAID_WITHOUT_NINE} | facts))


def three_hand(**facts):
    plain = {"bidder": 0, "bid": 500, "take": (350, 100, 50), "last_trick": 0}
    laid = table("run", "aces", "royal-marriage marriage:clubs")
    return ThreeHandDeal(**({**plain, "trump": Suit.HEARTS, "counted": laid} | facts))


def three_totals(**facts):
    """A three-hand card without the melds by name or the trump, but for what is named."""
    return three_hand(**({"counted": (), "trump": None, "meld": (150, 100, 60)} | facts))
