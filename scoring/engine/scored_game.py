"""A game's deals checked, scored and counted in order, as they stand in a file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from scoring.engine.arithmetic import SetSlip, Slip, check_running, check_sets
from scoring.engine.deal_files import FileGame
from scoring.engine.game import Progress, progress
from scoring.engine.in_game import judge_in_game
from scoring.engine.ledger import Problem, Score, Severity


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """One deal with everything the engine says of it.

    `score` is None where the card doesn't say what to score; `running` are the totals after the deal, and empty
    from such a deal on, and after the end of the game. A refused deal that can be scored counts as it is written,
    so that the scorer's totals are held against the same figures.
    """

    number: int  # from 1
    problems: tuple[Problem, ...]
    score: Score | None
    running: tuple[int, ...]
    slips: tuple[Slip | SetSlip, ...]  # that begin with this deal
    ruling: str
    refused: bool
    too_late: bool  # the game was over: refused for that


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One game of a file. `progress` is where it stands after the deals that can be counted."""

    game: FileGame
    deals: tuple[ScoredDeal, ...]
    progress: Progress

    @property
    def refused(self) -> tuple[int, ...]:
        """The numbers of the deals that are refused."""
        return tuple(deal.number for deal in self.deals if deal.refused)


def score_game(game: FileGame) -> ScoredGame:
    """Check and score every deal of a game, and count them in order.

    A deal is refused when it is impossible or against the rules and there is no ruling, when the card doesn't say
    what to score (no ruling helps there), and when the game was over before it.
    """
    family, rules = game.family, game.rules
    judged = list(judge_in_game(family, rules, [deal.facts for deal in game.deals], game.start))
    scores = [score for _problems, score in judged]
    known: list[Score] = [score for score in takewhile(lambda score: score is not None, scores) if score is not None]
    now = progress(known, rules, game.start)
    counted = len(now.running)
    slips: tuple[Slip | SetSlip, ...] = (
        *check_running(known[:counted], [deal.written for deal in game.deals[:counted]], game.start),
        *check_sets(known[:counted], [deal.written_sets for deal in game.deals[:counted]]),
    )
    deals = []
    for number, (deal, (found, score)) in enumerate(zip(game.deals, judged, strict=True), start=1):
        stopped = any(problem.severity is not Severity.UNLIKELY for problem in found)
        too_late = now.over and number > counted
        deals.append(
            ScoredDeal(
                number=number,
                problems=found,
                score=score,
                running=now.running[number - 1] if number <= counted else (),
                slips=tuple(slip for slip in slips if slip.deal == number),
                ruling=deal.ruling,
                refused=too_late or score is None or (stopped and not deal.ruling),
                too_late=too_late,
            )
        )
    return ScoredGame(game, tuple(deals), now)
