"""A game's deals checked, scored and counted in order, as they stand in a file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from scoring.engine.core.arithmetic import SetSlip, Slip, check_running, check_sets
from scoring.engine.core.game import Progress, progress
from scoring.engine.core.ledger import Problem, Score
from scoring.engine.files.deal_files import FileGame
from scoring.engine.in_game import judge_in_game


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """One deal with everything the engine says of it.

    `score` is None where the card doesn't say what to score; `running` are the totals after the deal, and empty
    from such a deal on, and after the end of the game. A refused deal that can be scored counts as it is written,
    so that the scorer's totals are held against the same figures; from it on they are `provisional`.
    """

    number: int  # from 1
    problems: tuple[Problem, ...]
    score: Score | None
    running: tuple[int, ...]
    slips: tuple[Slip | SetSlip, ...]  # that begin with this deal
    ruling: str
    refused: bool
    too_late: bool  # the game was over: refused for that
    provisional: bool  # `running` has a refused deal in it


@dataclass(frozen=True, slots=True)
class ScoredGame:
    """One game of a file. `progress` is where it stands after the deals that can be counted.

    `undecided`: by the deals as written the game would be over, but a refused deal has to be put right first.
    """

    game: FileGame
    rules: Any  # the family's, for the game's shape
    deals: tuple[ScoredDeal, ...]
    progress: Progress
    undecided: bool

    @property
    def refused(self) -> tuple[int, ...]:
        """The numbers of the deals that are refused."""
        return tuple(deal.number for deal in self.deals if deal.refused)


def score_game(game: FileGame) -> ScoredGame:
    """Check and score every deal of a game, and count them in order.

    A deal is refused when it is impossible or against the rules and there is no ruling, when the card doesn't say
    what to score (no ruling helps there), and when the game was over before it. Nothing is won on a deal that is
    refused, nor on totals that it is part of: from it on the game goes on until its number of deals is played.
    """
    family, rules = game.family, game.rules
    judged = list(judge_in_game(family, rules, cards=[deal.facts for deal in game.deals], start=game.start))
    refused = [
        score is None or (not deal.ruling and any(problem.severity.stops for problem in found))
        for deal, (found, score) in zip(game.deals, judged, strict=True)
    ]
    accepted = refused.index(True) if True in refused else len(refused)
    known = [score for score in takewhile(lambda score: score is not None, (score for _, score in judged)) if score]
    now = progress(known, rules, start=game.start, accepted=accepted)
    counted = len(now.running)
    ended = now.over or counted < len(known) or counted == rules.deals
    slips: tuple[Slip | SetSlip, ...] = (
        *check_running(known[:counted], [deal.written for deal in game.deals[:counted]], start=game.start),
        *check_sets(known[:counted], [deal.written_sets for deal in game.deals[:counted]]),
    )
    deals = []
    for number, (deal, (found, score)) in enumerate(zip(game.deals, judged, strict=True), start=1):
        too_late = ended and number > counted
        deals.append(
            ScoredDeal(
                number=number,
                problems=found,
                score=score,
                running=now.running[number - 1] if number <= counted else (),
                slips=tuple(slip for slip in slips if slip.deal == number),
                ruling=deal.ruling,
                refused=too_late or refused[number - 1],
                too_late=too_late,
                provisional=accepted < number <= counted,
            )
        )
    return ScoredGame(game, rules, tuple(deals), now, not now.over and progress(known, rules, start=game.start).over)
