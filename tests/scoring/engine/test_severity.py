"""How bad a problem is: what isn't filled in right is neither impossible nor against the rules."""

import pytest

from scoring.engine.core.ledger import Severity
from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES, family_of, rules_of
from tests.scoring.engine.hand_and_foot import test_codes as hand_and_foot_codes
from tests.scoring.engine.pinochle import test_codes as pinochle_codes
from tests.scoring.engine.pinochle.two_hand import test_codes as two_hand_codes

TOLD = [
    problem
    for cases in (
        hand_and_foot_codes.PROBLEMS,
        pinochle_codes.OF_PARTNERS,
        pinochle_codes.OF_THREE,
        two_hand_codes.PROBLEMS,
    )
    for _card, _rules, problems in cases
    for problem in problems
]
"""Every problem that the tests of the codes bring about."""

MINUS = ("hand-and-foot.negative", "hand-and-foot.counted-negative")  # no pack has fewer cards than none


def test_a_card_that_does_not_say_what_to_score_is_not_filled_in_right():
    unscorable = frozenset().union(*(family.unscorable for family in FAMILIES.values())).difference(MINUS)
    said = {problem.code for problem in TOLD} & unscorable
    assert unscorable - said == {"points-only.sides"}
    assert [p for p in TOLD if p.code in unscorable and p.severity is not Severity.FORM] == []


@pytest.mark.parametrize(
    ("slug", "facts", "code"),
    [
        ("st-hilary-v3", {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": []}, "pinochle.columns"),
        ("st-hilary-v3", {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10], "dealer": 7}, "pinochle.dealer"),
        ("st-hilary-v3", {"bid_side": 2, "bid": 20, "meld": [10, 4], "take": [15, 10]}, "pinochle.bid-side"),
        ("fletcher-two-hand", {"bidder": 0, "meld": [14, 6], "take": [12, 13]}, "two-hand.bid-needed"),
        ("hand-and-foot", {"sides": []}, "hand-and-foot.sides"),
        ("euchre", {"points": [2]}, "points-only.sides"),
    ],
)
def test_missing_figures_and_people_who_are_not_there(slug, facts, code):
    family = family_of(shipped()[slug])
    found = family.check(family.read(facts), rules_of(shipped()[slug]))
    assert [(p.code, p.severity) for p in found] == [(code, Severity.FORM)]


def test_all_but_the_unlikely_stop_a_card():
    assert [severity for severity in Severity if not severity.stops] == [Severity.UNLIKELY]
