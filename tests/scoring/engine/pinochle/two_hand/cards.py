"""Rules and cards that the tests of pinochle for two start from."""

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import rules_of
from scoring.engine.pinochle.two_hand.card import Laying, TwoHandDeal

FLETCHER = rules_of(shipped()["fletcher-two-hand"])
CLASSIC = rules_of(shipped()["two-hand-pinochle-classic"])

FOUR_MARRIAGES = tuple(Laying(f"marriage-{suit}") for suit in ("spades", "hearts", "diamonds", "clubs"))


def deal(**facts):
    """A normal card of Fletcher's game, but for what is named: 0 makes 24 with 26, 1 has 19."""
    plain = {"bidder": 0, "bid": 24, "meld": (14, 6), "take": (12, 13), "last_trick": 1}
    return TwoHandDeal(**(plain | facts))


def classic(**facts):
    return TwoHandDeal(**({"meld": (140, 60), "take": (120, 130)} | facts))


def codes(problems):
    return [problem.code.rpartition(".")[2] for problem in problems]
