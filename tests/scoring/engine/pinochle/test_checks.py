"""Every problem that all pinochles share, each with a card that has it."""

import inspect
import re
from dataclasses import replace

import pytest

from scoring import wording
from scoring.engine.core.ledger import Severity
from scoring.engine.pinochle import auction
from scoring.engine.pinochle.auction import (
    all_bids,
    all_takes,
    bid_problems,
    columns,
    meld_problems,
    negatives,
    noted_meld_problems,
    sure_problems,
    take_problems,
    whole_take,
)
from scoring.engine.pinochle.melds import PlayerMelds, Suit, points_in_pack
from tests.scoring.engine.pinochle.strategies import ST_HILARY, THREE_HAND
from tests.scoring.engine.pinochle.two_hand.test_scoring import CLASSIC

BY_FIVES = replace(ST_HILARY, opening_bid=16, bid_step=5)


def reached():
    """Problems of one wrong figure after another."""
    yield from columns((1, 2, 3), 2, field="take")
    yield from negatives((-1, 2), "take")
    for bid in (14, 24, 66):
        yield from bid_problems(bid, BY_FIVES)
    yield from meld_problems((142, 180), ST_HILARY, partners=False)
    yield from meld_problems((181, 6), ST_HILARY, partners=False)
    yield from meld_problems((205, 6), ST_HILARY, partners=True)
    yield from meld_problems((361, 6), ST_HILARY, partners=True)
    yield from meld_problems((200, 83), ST_HILARY, partners=True)
    yield from noted_meld_problems((9, 0), [PlayerMelds()] * 4, trump=None, rules=ST_HILARY)
    yield from take_problems((0, 25), 0, rules=ST_HILARY)
    yield from take_problems((252, 150, 98), None, rules=THREE_HAND)
    yield from whole_take((12, 12), ST_HILARY)
    yield from take_problems((249, 1), None, rules=CLASSIC)
    yield from sure_problems((1, 24), [[2, 0]])


def test_a_card_reaches_every_problem_and_gives_its_sentence_what_it_asks_for():
    found = list(reached())
    checks, _heading, _auction = inspect.getsource(auction).partition("# --- the auction")  # see test_auction
    written = set(re.findall(r'"(pinochle\.[a-z-]+)', checks))
    both = {f"{code}-pair" for code in written if code.startswith(("pinochle.meld-impossible", "pinochle.meld-most"))}
    assert {problem.code for problem in found} == written | both
    assert all(wording.what_is_wrong(problem, {}) for problem in found)


@pytest.mark.parametrize(
    ("melds", "partners", "expected"),
    [
        ((142, 6), False, {"meld": 142, "cards": 12, "below": 130, "above": 150}),
        ((181, 6), False, {"meld": 181, "cards": 12, "most": 180}),
        ((361, 6), True, {"meld": 361, "cards": 12, "most": 222}),
    ],
)
def test_the_problem_says_what_could_be(melds, partners, expected):
    found = [p for p in meld_problems(melds, ST_HILARY, partners=partners) if p.code != "pinochle.meld-high"]
    assert [dict(problem.args) for problem in found] == [expected]


def test_a_noted_trump_is_held_against_the_melds():
    assert not [p for p in meld_problems((180, 0), ST_HILARY, partners=False) if p.code != "pinochle.meld-high"]
    (problem,) = meld_problems((180, 0), ST_HILARY, partners=False, trump=Suit.HEARTS)
    assert (problem.code, dict(problem.args)["most"]) == ("pinochle.meld-most", 154)


@pytest.mark.parametrize(
    ("take", "wrong"),
    [
        ((249, 1), [0, 1]),  # cards count 11, 10, 4, 3 and 2: none are worth 1, or all but 1
        ((239, 11), []),  # 229 and the last trick
        ((12, 238), []),
        ((240, 10), []),
        ((260, 0), []),  # told by the sum
    ],
)
def test_a_take_comes_from_cards_and_the_last_trick(take, wrong):
    found = [
        problem.side for problem in take_problems(take, None, rules=CLASSIC) if problem.code == "pinochle.take-cards"
    ]
    assert found == wrong


def allowed(problems):
    return all(problem.severity == Severity.UNLIKELY for problem in problems)


@pytest.mark.parametrize("rules", [ST_HILARY, BY_FIVES, THREE_HAND, CLASSIC], ids=str)
def test_the_bids_and_takes_there_are_are_those_that_the_check_allows(rules):
    most = 3 * rules.opening_bid
    assert list(all_bids(most, rules)) == [bid for bid in range(most + 1) if allowed(bid_problems(bid, rules))]
    takes = range(points_in_pack(rules) + 1)
    assert list(all_takes(rules)) == [n for n in takes if allowed(take_problems((n,), None, rules=rules))]
