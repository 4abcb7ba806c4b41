"""Every problem that all pinochles share, each with a card that has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from scoring.engine.core.ledger import Problem, Severity
from scoring.engine.pinochle.checks import (
    CHECK_CODES,
    ace_problems,
    bid_problems,
    columns,
    meld_problems,
    negatives,
    take_problems,
    whole_take,
)
from scoring.engine.pinochle.named_melds import Suit
from scoring.engine.pinochle.tricks import Sure, sure_problems, take_card_problems
from tests.scoring.engine.pinochle.strategies import ST_HILARY, THREE_HAND
from tests.scoring.engine.pinochle.two_hand.test_scoring import CLASSIC

BY_FIVES = replace(ST_HILARY, opening_bid=16, bid_step=5)


def reached() -> Iterator[Problem]:
    """Problems of one wrong figure after another."""
    yield from columns((1, 2, 3), 2, "take")
    yield from negatives((-1, 2), "take")
    for bid in (14, 24, 66):
        yield from bid_problems(bid, BY_FIVES)
    yield from meld_problems((142, 6), ST_HILARY, partners=False)
    yield from meld_problems((181, 6), ST_HILARY, partners=False)
    yield from meld_problems((209, 6), ST_HILARY, partners=True)
    yield from meld_problems((223, 6), ST_HILARY, partners=True)
    yield from meld_problems((48, 53), ST_HILARY, partners=True)
    yield from meld_problems((5540, 5540, 5540), THREE_HAND, partners=False)
    yield from take_problems((0, 25), 0, ST_HILARY)
    yield from take_problems((252, 150, 98), None, THREE_HAND)
    yield from whole_take((12, 12), ST_HILARY)
    yield from take_card_problems((249, 1), [0, 1], CLASSIC, trick=2)
    yield from take_card_problems((237, 2), [None], CLASSIC, trick=2)
    yield from sure_problems((2, 23), [1], [[Sure(10, 16), Sure(0, 0)]], ST_HILARY, tricks=12)
    yield from ace_problems((200, 0), (True, False), ST_HILARY, partners=True)


def test_a_card_reaches_every_problem_and_gives_its_sentence_what_it_asks_for() -> None:
    found = list(reached())
    assert {problem.code for problem in found} == CHECK_CODES.keys()
    for problem in found:
        assert CHECK_CODES[problem.code].format(**dict(problem.args))


@pytest.mark.parametrize(
    ("melds", "partners", "expected"),
    [
        ((142, 6), False, {"meld": 142, "cards": 12, "below": 130, "above": 150}),
        ((181, 6), False, {"meld": 181, "cards": 12, "most": 180}),
        ((223, 6), True, {"meld": 223, "cards": 12, "most": 222}),
        ((48, 53), True, {"meld": 53, "less": 52}),
    ],
)
def test_the_problem_says_what_could_be(melds: tuple[int, ...], partners: bool, expected: dict[str, int]) -> None:
    found = [p for p in meld_problems(melds, ST_HILARY, partners=partners) if p.code != "pinochle.meld-high"]
    assert [dict(problem.args) for problem in found] == [expected]


def test_a_side_without_tricks_may_meld_what_leaves_an_ace_of_trump_to_others() -> None:
    assert list(ace_problems((200, 0), (True, False), ST_HILARY, partners=True))
    assert not list(ace_problems((200, 0), (False, True), ST_HILARY, partners=True))
    assert not list(ace_problems((100, 0), (True, False), ST_HILARY, partners=True))  # 80 for kings, and marriages
    aces_count_nothing = replace(ST_HILARY, counters=(("K", 1),))
    assert not list(ace_problems((200, 0), (True, False), aces_count_nothing, partners=True))


def test_a_noted_trump_is_held_against_the_melds() -> None:
    assert not [p for p in meld_problems((180, 0), ST_HILARY, partners=False) if p.code != "pinochle.meld-high"]
    (problem,) = meld_problems((180, 0), ST_HILARY, partners=False, trump=Suit.HEARTS)
    assert (problem.code, dict(problem.args)["most"]) == ("pinochle.meld-most", 154)


def stopping(melds: tuple[int, int], trump: Suit | None = None) -> list[tuple[str, dict[str, int | str]]]:
    found = meld_problems(melds, ST_HILARY, partners=False, trump=trump)
    return [(problem.code, dict(problem.args)) for problem in found if problem.severity is not Severity.UNLIKELY]


def test_melds_that_only_another_trump_gives_in_one_deal() -> None:
    assert stopping((93, 4)) == []
    assert stopping((93, 4), Suit.HEARTS) == [("pinochle.melds-together", {"meld": 93, "less": 92})]
    assert not list(ace_problems((93, 4), (True, False), ST_HILARY, partners=False, trump=Suit.HEARTS))


def test_what_could_be_in_place_of_a_meld_is_told_for_the_trump_that_is_noted() -> None:
    assert stopping((154, 16)) == [("pinochle.melds-together", {"meld": 154, "less": 64})]
    assert stopping((154, 16), Suit.HEARTS) == [("pinochle.melds-together", {"meld": 154, "less": 56})]
