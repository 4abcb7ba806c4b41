"""Rules, columns and deals that the tests of Hand and Foot and canasta start from."""

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import HandAndFootDeal, SideCard

RULE_SET = shipped()["hand-and-foot"]
PARTNERS = rules_of(RULE_SET, Shape(2, 2))
TWO_PLAYERS = rules_of(RULE_SET, Shape(2, 1))
KNEE = rules_of(shipped()["hand-knee-and-foot"])
CANASTA = rules_of(shipped()["canasta"])
MODERN = rules_of(shipped()["canasta-modern-american"])
SIMPSON = rules_of(shipped()["hand-and-foot-simpson"])

WENT_OUT = SideCard(clean=3, dirty=2, wild=1, red_threes=4, melded=800, left=45)
CAUGHT = SideCard(clean=1, dirty=2, red_threes=2, red_threes_missed=1, melded=400, left=260)


def deal(*sides, **facts):
    return HandAndFootDeal(sides=sides or (WENT_OUT, CAUGHT), **({"out": 0} | facts))


def stopped(*sides, **facts):
    """A deal that ended with the stock: nobody went out."""
    return deal(*sides, **({"out": None} | facts))


def codes(problems):
    return {problem.code.removeprefix("hand-and-foot.") for problem in problems}
