"""Handicap between two players: points with which one of them starts the next game, moved by every game they play.

Source: 002, section 14. At most one of the two has a handicap. The loser of a game gains 4 points, or 8 when the loser
hasn't reached 75; they come off the winner's handicap first, and are added to the loser's when the winner has none. A
winner's handicap stops at nought: what it can't cover isn't passed on to the loser (a ruling).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

Handicaps: TypeAlias = tuple[int, int]  # of the two players, at least one of them 0

LEVEL: Handicaps = (0, 0)


@dataclass(frozen=True, slots=True)
class HandicapRules:
    """The numbers: a loser gains `gain` points, or `larger` with a total under `below`."""

    gain: int = 4
    below: int = 75
    larger: int = 8


@dataclass(frozen=True, slots=True)
class GameEnd:
    """One game between the two: who won it, and what the other had. Nobody won a game that was shared."""

    winner: int | None  # 0 or 1
    loser_total: int


def gain_of(loser_total: int, rules: HandicapRules) -> int:
    """What the loser of a game gains. Exactly 75 is not below 75.

    >>> [gain_of(total, HandicapRules()) for total in (74, 75)]
    [8, 4]
    """
    return rules.larger if loser_total < rules.below else rules.gain


def after(before: Handicaps, result: GameEnd, *, rules: HandicapRules) -> Handicaps:
    """The handicaps after a game.

    >>> after((8, 0), GameEnd(winner=1, loser_total=90), rules=HandicapRules())  # the text's example: 8, loses again
    (12, 0)
    >>> after((8, 0), GameEnd(winner=0, loser_total=60), rules=HandicapRules())  # the winner had it: 8 points come off
    (0, 0)
    >>> after((4, 0), GameEnd(winner=0, loser_total=60), rules=HandicapRules())  # floored at nought
    (0, 0)
    """
    if result.winner is None:
        return before
    gain = gain_of(result.loser_total, rules)
    winner, loser = before[result.winner], before[1 - result.winner]
    new = (max(0, winner - gain), loser) if winner else (0, loser + gain)
    return new if result.winner == 0 else (new[1], new[0])


def course(results: Iterable[tuple[GameEnd, HandicapRules]], start: Handicaps = LEVEL) -> tuple[Handicaps, ...]:
    """The handicaps after each of a row of games, every game by its own rules.

    >>> four = HandicapRules()
    >>> course([(GameEnd(1, 100), four), (GameEnd(1, 70), four), (GameEnd(1, 100), four), (GameEnd(0, 100), four)])
    ((4, 0), (12, 0), (16, 0), (12, 0))
    """
    _start, *states = accumulate(results, lambda now, game: after(now, game[0], rules=game[1]), initial=start)
    return tuple(states)
