"""Games of a file checked, scored and counted, and explained for people (plain text) and programs (JSON data), in the
same words."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.utils.translation import gettext as _, ngettext

from clubsite.names import side_name
from scoring import wording
from scoring.deal_files.formats import FileGame
from scoring.deal_files.json_text import TextFault
from scoring.engine.core.family import judge_deals
from scoring.engine.core.game import Progress, SetSlip, Slip, check_running_totals, check_set_marks, progress
from scoring.engine.core.ledger import Line, Problem, Score
from scoring.families.deal_form import player_names
from scoring.house_rules.in_words import describe_shape
from scoring.templatetags.figures import points, signed
from scoring.templatetags.rule_texts import translated

HEAD = {"format": "nine-tables/scores", "version": 1}


@dataclass(frozen=True, slots=True)
class ScoredDeal:
    """A deal with everything the engine says about it.

    `score` is None where the card doesn't say what to score. `running`, the totals after the deal, is empty from such a
    deal on and after the end of the game. A refused deal that can be scored counts as it is written, so that the
    scorer's totals are compared with the same figures; from there on totals are `provisional`.
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
    game: FileGame
    rules: Any  # the family's, for the game's shape
    deals: tuple[ScoredDeal, ...]
    progress: Progress  # after the deals that can be counted
    undecided: bool  # the deals as written end the game, but a refused one has to be corrected first

    @property
    def refused(self) -> tuple[int, ...]:
        return tuple(deal.number for deal in self.deals if deal.refused)


def score_game(game: FileGame) -> ScoredGame:
    """Check and score every deal of a game, and count them in order.

    A deal is refused when it is impossible or against the rules and there is no ruling, when the card doesn't say
    what to score, and when the game was over before it. Nobody wins with a refused deal or with totals that include it:
    from there on only the number of deals ends the game.
    """
    rules = game.engine_rules
    judged = list(judge_deals(game.family, rules, cards=[deal.facts for deal in game.deals], start=game.start))
    refused = [
        score is None or (not deal.ruling and any(problem.severity.stops for problem in problems))
        for deal, (problems, score) in zip(game.deals, judged, strict=True)
    ]
    accepted = refused.index(True) if True in refused else len(refused)
    scores = [score for score in takewhile(lambda score: score is not None, (score for _, score in judged)) if score]
    now = progress(scores, rules, start=game.start, accepted=accepted)
    counted = len(now.running)
    ended = now.over or counted < len(scores) or counted == rules.deals
    slips: tuple[Slip | SetSlip, ...] = (
        *check_running_totals(scores[:counted], [deal.written for deal in game.deals[:counted]], start=game.start),
        *check_set_marks(scores[:counted], [deal.written_sets for deal in game.deals[:counted]]),
    )
    deals = []
    for number, (deal, (problems, score)) in enumerate(zip(game.deals, judged, strict=True), start=1):
        too_late = ended and number > counted
        deals.append(
            ScoredDeal(
                number=number,
                problems=problems,
                score=score,
                running=now.running[number - 1] if number <= counted else (),
                slips=tuple(slip for slip in slips if slip.deal == number),
                ruling=deal.ruling,
                refused=too_late or refused[number - 1],
                too_late=too_late,
                provisional=accepted < number <= counted,
            )
        )
    return ScoredGame(game, rules, tuple(deals), now, not now.over and progress(scores, rules, start=game.start).over)


# --- in words ------------------------------------------------------------------------------------------


class GameReport:
    """A scored game as text and as JSON data, in the same sentences. `number` is its place in the file, from 1."""

    def __init__(self, scored: ScoredGame, number: int) -> None:
        self.scored, self.number = scored, number
        self.game = scored.game
        self._own_words = wording.own_words(scored.rules)
        sides = self.game.shape.sides
        self.names = [side_name(names) for names in self.game.sides] or [
            _("Side %(number)d") % {"number": side} for side in range(1, sides + 1)
        ]
        self._players = player_names(self.game.sides, self.game.shape.per_side)
        self._width = max(len(name) for name in self.names)
        self._several: dict[str, list[str]] = {}  # by code, the settings of a line that depends on several

    # As text

    def text(self) -> Iterator[str]:
        rule_set = self.game.rule_set
        title = f": {self.game.title}" if self.game.title else ""
        yield _("Game %(number)d") % {"number": self.number} + title
        yield _("%(title)s (%(slug)s version %(version)d; %(sitting)s)") % {
            "title": translated(rule_set.title),
            "slug": rule_set.slug,
            "version": rule_set.version,
            "sitting": describe_shape(self.game.shape),
        }
        if any(self.game.start):
            yield _("Start: %(totals)s") % {"totals": self._figures(self.game.start)}
        for deal in self.scored.deals:
            yield ""
            yield from self._deal_text(deal)
        yield ""
        yield self.result()

    def _deal_text(self, deal: ScoredDeal) -> Iterator[str]:
        heading = _("Deal %(number)d") % {"number": deal.number}
        if deal.refused:
            heading = _("%(deal)s, refused") % {"deal": heading}
        yield heading if deal.score is None else f"{heading}: {self._figures(deal.score.totals, sign=True)}"
        for line in deal.score.lines if deal.score is not None else ():
            why = wording.explain_line(line, self._own_words)
            yield f"  {self.names[line.side]:{self._width}}  {signed(line.points):>7}  {why}"
        for problem in deal.problems:
            yield f"  ! {wording.SEVERITIES[problem.severity]}: {self._describe_problem(problem)}"
            yield f"      {self._rule_sentence(problem)}"
        yield from (f"  ! {sentence}" for sentence in self._remarks(deal))
        if deal.running:
            totals = _("Totals as written: %(totals)s") if deal.provisional else _("Totals: %(totals)s")
            yield f"  {totals % {'totals': self._figures(deal.running)}}"

    def _figures(self, figures: Sequence[int], *, sign: bool = False) -> str:
        shown = map(signed if sign else points, figures)
        return ", ".join(f"{name} {figure}" for name, figure in zip(self.names, shown, strict=True))

    def _remarks(self, deal: ScoredDeal) -> Iterator[str]:
        if deal.ruling:
            yield _("The director's ruling: %(reason)s") % {"reason": deal.ruling}
        if deal.too_late:
            won = self.scored.progress.over
            yield _("The game was over before this deal.") if won else _("All deals were played before this one.")
        elif deal.score is None:
            yield _("This can't be scored until it is corrected; the totals stop here.")
        for slip in deal.slips:
            yield wording.slip_message(slip, self.names)

    def _describe_problem(self, problem: Problem) -> str:
        return wording.describe_problem(problem, self.names, words=self._own_words, players=self._players)

    def _rule_sentence(self, problem: Problem) -> str:
        rule = wording.problem_rule(problem, self.game.rule_set)
        if not rule.settings:
            return _("Field: %(field)s.") % {"field": problem.field}
        named = {"field": problem.field, "settings": ", ".join(rule.settings), "source": rule.source}
        return _("Field: %(field)s. Rule: %(settings)s (%(source)s).") % named

    def result(self) -> str:
        now = self.scored.progress
        totals = self._figures(now.totals)
        winners = wording.join_names([self.names[side] for side in now.winners])
        if self.scored.undecided:
            words = _("Not decided yet: %(totals)s.") % {"totals": totals}
        elif not now.over:
            words = _("Not over yet: %(totals)s.") % {"totals": totals}
        else:
            won = _("Shared by %(sides)s: %(totals)s.") if len(now.winners) > 1 else _("Won by %(sides)s: %(totals)s.")
            why = wording.outcome_message(now, self.scored.rules) or wording.ENDED_BY[now.ended_by]
            words = f"{won % {'sides': winners, 'totals': totals}} {why}"
        counted = [str(deal.number) for deal in self.scored.deals if deal.refused and deal.running]
        if counted:
            remark = ngettext(
                "Deal %(deals)s is refused, and counted as written.",
                "Deals %(deals)s are refused, and counted as written.",
                len(counted),
            )
            words = f"{words} {remark % {'deals': wording.join_names(counted)}}"
        if self.scored.undecided:
            words = f"{words} {_('Nobody wins until that is corrected.')}"
        return words

    # As data

    def data(self) -> dict[str, Any]:
        now, rule_set = self.scored.progress, self.game.rule_set
        return {
            "title": self.game.title,
            "rules": {"slug": rule_set.slug, "version": rule_set.version, "title": rule_set.title},
            "shape": {"sides": self.game.shape.sides, "per_side": self.game.shape.per_side},
            "sides": self.names,
            "deals": [self._deal_data(deal) for deal in self.scored.deals],
            "settings": self._several,
            "totals": list(now.totals),
            "over": now.over,
            "undecided": self.scored.undecided,
            "ended_by": now.ended_by or None,
            "winners": list(now.winners),
            "refused": list(self.scored.refused),
            "words": self.result(),
        }

    def _deal_data(self, deal: ScoredDeal) -> dict[str, Any]:
        score = deal.score
        return {
            "number": deal.number,
            "refused": deal.refused,
            "too_late": deal.too_late,
            "ruling": deal.ruling,
            "points": None if score is None else list(score.totals),
            "running": list(deal.running) or None,
            "sets": [] if score is None else list(score.sets),
            "lines": [] if score is None else [self._line_data(line) for line in score.lines],
            "problems": [self._problem_data(problem) for problem in deal.problems],
            "slips": [self._slip_data(slip) for slip in deal.slips],
        }

    def _slip_data(self, slip: Slip | SetSlip) -> dict[str, Any]:
        words = wording.slip_message(slip, self.names)
        return {"code": slip.code, "side": slip.side, "args": dict(slip.args), "words": words}

    def _line_data(self, line: Line) -> dict[str, Any]:
        rule = wording.line_rule(line, self.game.rule_set)
        if not rule.setting:
            self._several[line.rule] = list(rule.settings)
        return {
            "side": line.side,
            "points": line.points,
            "rule": line.rule,
            "args": dict(line.args),
            "words": wording.explain_line(line, self._own_words),
            "setting": rule.setting,
            "source": rule.source,
        }

    def _problem_data(self, problem: Problem) -> dict[str, Any]:
        rule = wording.problem_rule(problem, self.game.rule_set)
        return {
            "code": problem.code,
            "severity": problem.severity.value,
            "field": problem.field,
            "settings": list(rule.settings),
            "source": rule.source,
            "side": problem.side,
            "args": dict(problem.args),
            "words": self._describe_problem(problem),
        }


def scores_json(games: Iterable[ScoredGame]) -> Iterator[str]:
    """JSON text, each game on a line of its own."""
    yield f'{json.dumps(HEAD)[:-1]}, "games": ['
    for number, scored in enumerate(games, start=1):
        data = GameReport(scored, number).data()
        yield f"{',' if number > 1 else ''}\n{json.dumps(data, ensure_ascii=False)}"
    yield "]}"


def faults_data(faults: Sequence[TextFault]) -> dict[str, Any]:
    rows = [
        {"line": f.line, "column": f.column or None, "path": f.path, "code": f.code, "words": f.words} for f in faults
    ]
    return {**HEAD, "faults": rows}


def summary_message(games: Sequence[ScoredGame]) -> str:
    deals, refused = sum(len(scored.deals) for scored in games), sum(len(scored.refused) for scored in games)
    words = ngettext("%(n)d refused", "%(n)d refused", refused) if refused else _("none refused")
    return _("%(games)s, %(deals)s: %(refused)s.") % {
        "games": ngettext("%(n)d game", "%(n)d games", len(games)) % {"n": len(games)},
        "deals": ngettext("%(n)d deal", "%(n)d deals", deals) % {"n": deals},
        "refused": words % {"n": refused},
    }
