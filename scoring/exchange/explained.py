"""What the engine makes of a deal file, for people (plain text) and programs (JSON data), in the same words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring import wording
from scoring.engine.core.facts import KINDS
from scoring.engine.core.ledger import Args, Line, Problem
from scoring.engine.files.json_text import TextFault
from scoring.engine.files.scored_game import ScoredDeal, ScoredGame
from scoring.house_rules.in_words import sitting
from scoring.players import players_of
from scoring.templatetags.figures import points, signed
from scoring.templatetags.rule_texts import translated
from scoring.wording.named_rules import NamedRule

FORMAT = "nine-tables/scores"
VERSION = 1

FAULTS: dict[str, Promise] = {
    "not-utf-8": _("this is not UTF-8 text."),
    "not-json": _("this is not JSON ({detail})."),
    "too-deep": _("lists and objects are nested too deeply for a deal file."),
    "too-many-values": _("there is more in this file than can be read at once. Split it by seasons or events."),
    "twice": _("this field stands twice in the same object."),
    "not-a-number": _("{detail} is not a figure."),
    "too-large": _("no figure is beyond {detail}."),
    "missing": _("this field is missing."),
    "unknown": _("there is no such field."),
    "wrong-type": _("{detail} belongs here."),
    "not-a-choice": _("this must be one of: {detail}."),
    "wrong-number": _("there must be {detail} of these."),
    "two-handicaps": _("only one of the two can begin with a handicap: write 0 for the other."),
    "not-a-name": _("this must be a line of plain text, and a name can't be empty."),
    "too-long": _("at most {detail} characters fit here."),
    "not-an-id": _("this must be an identity as the program writes it, or left out."),
    "not-a-time": _("this must be a date and time with its offset, such as 2026-11-21T14:30:00+00:00."),
    "too-many-columns": _("a table of deals has at most {detail} columns, with short names. Take the others out."),
    "and-more": _("there may be more; the rest of the file is looked at when this is put right."),
    "other-game": _("another row of game {detail} has other rules, names, title or start."),
}
"""Why a file can't be read, by code; the sentence goes on after the line and the field."""

KIND_WORDS: dict[str, Promise] = {
    KINDS[int]: _("a whole number"),
    KINDS[bool]: _("true or false"),
    KINDS[str]: _("a text in quotation marks"),
    KINDS[tuple]: _("a list in square brackets"),
    KINDS[dict]: _("an object in braces"),
}


# --- files that can't be read --------------------------------------------------------------------------


def fault_words(fault: TextFault) -> str:
    """Why a file can't be read and where to look: "Line 9, game 1, deal 2, facts.bid: this field is missing."."""
    return f"{place_words(fault.path, fault.line, column=fault.column)}: {why_unreadable(fault)}"


def place_words(path: str, line: int = 0, *, column: int = 0) -> str:
    """Where to look in a file: "Line 9, game 1, deal 2, facts.bid"; 0 for a line or column that isn't known."""
    shown = printable(path)
    found = re.match(r"games\.(\d+)(?:\.deals\.(\d+))?(?:\.|$)", shown)
    game, deal = found.groups() if found else (None, None)  # counted from 0
    place = [
        _now("Line %(line)d") % {"line": line} if line else "",
        _now("column %(column)d") % {"column": column} if column else "",
        _now("game %(game)d") % {"game": int(game) + 1} if game else "",
        _now("deal %(deal)d") % {"deal": int(deal) + 1} if deal else "",
        shown[found.end() :] if found else shown,
    ]
    return ", ".join(filter(None, place))


def why_unreadable(fault: TextFault) -> str:
    """Why a file can't be read, for a place where the line and the field stand already."""
    detail = KIND_WORDS.get(fault.detail, fault.detail) if fault.code == "wrong-type" else fault.detail
    return str(FAULTS[fault.code]).format(detail=detail)


def printable(path: str) -> str:
    """A path with nothing in it that could trick a terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in path)


def faults_data(faults: Sequence[TextFault]) -> dict[str, Any]:
    """JSON data of why a file can't be read."""
    rows = [
        {"line": f.line, "column": f.column or None, "path": f.path, "code": f.code, "words": fault_words(f)}
        for f in faults
    ]
    return {"format": FORMAT, "version": VERSION, "faults": rows}


# --- scored games --------------------------------------------------------------------------------------


# Ten thousand deals have some hundred thousand lines, but few different ones.


@lru_cache(maxsize=50_000)
def _why(rule: str, args: Args, *, language: str | None) -> str:
    return wording.why(Line(0, 0, rule, args), {})


@lru_cache(maxsize=50_000)
def _figure(figure: int, sign: bool, *, language: str | None) -> str:
    return signed(figure) if sign else points(figure)


class Explained:
    """A scored game in words. `number` is its place in the file, from 1; `rules` is a cache of the lines' rules by
    code, for games with the same rule set to share."""

    def __init__(self, scored: ScoredGame, number: int, *, rules: dict[str, NamedRule] | None = None) -> None:
        self.scored, self.number = scored, number
        self.game = scored.game
        self._language, self._own = get_language(), wording.own_words(scored.rules)
        sides = self.game.shape.sides
        self.names = [" & ".join(names) for names in self.game.sides] or [
            _now("Side %(number)d") % {"number": side} for side in range(1, sides + 1)
        ]
        self._players = players_of(self.game.sides, self.game.shape.per_side)
        self._width = max(len(name) for name in self.names)
        self._rules = {} if rules is None else rules
        self._several: dict[str, list[str]] = {}  # by code, the settings of a line that goes by several

    def rule(self, line: Line) -> NamedRule:
        """The rule that gives a line its points."""
        if line.rule not in self._rules:
            self._rules[line.rule] = wording.rule_of_line(line, self.game.rule_set)
        return self._rules[line.rule]

    # As text

    def text(self) -> Iterator[str]:
        """The game line by line: every deal with its points, why, what is wrong and the totals; who won."""
        rule_set = self.game.rule_set
        title = f": {self.game.title}" if self.game.title else ""
        yield _now("Game %(number)d") % {"number": self.number} + title
        yield _now("%(title)s (%(slug)s version %(version)d; %(sitting)s)") % {
            "title": translated(rule_set.title),
            "slug": rule_set.slug,
            "version": rule_set.version,
            "sitting": sitting(self.game.shape),
        }
        if any(self.game.start):
            yield _now("Start: %(totals)s") % {"totals": self._figures(self.game.start)}
        for deal in self.scored.deals:
            yield ""
            yield from self._deal_text(deal)
        yield ""
        yield self.result()

    def _deal_text(self, deal: ScoredDeal) -> Iterator[str]:
        heading = _now("Deal %(number)d") % {"number": deal.number}
        if deal.refused:
            heading = _now("%(deal)s, refused") % {"deal": heading}
        yield heading if deal.score is None else f"{heading}: {self._figures(deal.score.totals, sign=True)}"
        for line in deal.score.lines if deal.score is not None else ():
            yield f"  {self.names[line.side]:{self._width}}  {self._figure(line.points, True):>7}  {self._why(line)}"
        for problem in deal.problems:
            yield f"  ! {wording.SEVERITIES[problem.severity]}: {self._wrong(problem)}"
            yield f"      {self._where(problem)}"
        yield from (f"  ! {sentence}" for sentence in self.remarks(deal))
        if deal.running:
            said = _now("Totals as written: %(totals)s") if deal.provisional else _now("Totals: %(totals)s")
            yield f"  {said % {'totals': self._figures(deal.running)}}"

    def _figures(self, figures: Sequence[int], *, sign: bool = False) -> str:
        return ", ".join(
            f"{name} {self._figure(figure, sign)}" for name, figure in zip(self.names, figures, strict=True)
        )

    def _figure(self, figure: int, sign: bool) -> str:
        return _figure(figure, sign, language=self._language)

    # Sentences

    def _why(self, line: Line) -> str:
        if line.rule in self._own:
            return wording.why(line, self._own)
        return _why(line.rule, line.args, language=self._language)

    def remarks(self, deal: ScoredDeal) -> Iterator[str]:
        """What there is to say of a deal beside its points and problems: a ruling, the scorer's own totals."""
        if deal.ruling:
            yield _now("The director's ruling: %(reason)s") % {"reason": deal.ruling}
        if deal.too_late:
            won = self.scored.progress.over
            yield _now("The game was over before this deal.") if won else _now("All deals were played before this one.")
        elif deal.score is None:
            yield _now("There is nothing to score before this is put right; the totals stop here.")
        for slip in deal.slips:
            yield wording.slip(slip, self.names)

    def _wrong(self, problem: Problem) -> str:
        return wording.wrong(problem, self.names, own=self._own, players=self._players)

    def _where(self, problem: Problem) -> str:
        """The field that a problem is about, and the rule that isn't kept."""
        rule = wording.rule_of_problem(problem, self.game.rule_set)
        if not rule.settings:
            return _now("Field: %(field)s.") % {"field": problem.field}
        named = {"field": problem.field, "settings": ", ".join(rule.settings), "source": rule.source}
        return _now("Field: %(field)s. Rule: %(settings)s (%(source)s).") % named

    def result(self) -> str:
        """Where the game stands: who won and why it is over, or the totals so far; and what that depends on."""
        now = self.scored.progress
        totals = self._figures(now.totals)
        winners = wording.list_of([self.names[side] for side in now.winners])
        if self.scored.undecided:
            said = _now("Not decided yet: %(totals)s.") % {"totals": totals}
        elif not now.over:
            said = _now("Not over yet: %(totals)s.") % {"totals": totals}
        else:
            words = (
                _now("Shared by %(sides)s: %(totals)s.")
                if len(now.winners) > 1
                else _now("Won by %(sides)s: %(totals)s.")
            )
            why = wording.why_so_words(now, self.scored.rules) or wording.ENDED_BY[now.ended_by]
            said = f"{words % {'sides': winners, 'totals': totals}} {why}"
        counted = [str(deal.number) for deal in self.scored.deals if deal.refused and deal.running]
        if counted:
            more = ngettext(
                "Deal %(deals)s is refused, and counted as it is written.",
                "Deals %(deals)s are refused, and counted as they are written.",
                len(counted),
            )
            said = f"{said} {more % {'deals': wording.list_of(counted)}}"
        if self.scored.undecided:
            said = f"{said} {_now('Nothing is won before that is put right.')}"
        return said

    # As data

    def data(self) -> dict[str, Any]:
        """JSON data of the game; the same sentences as in the text."""
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
            "slips": [
                {"code": slip.code, "side": slip.side, "args": dict(slip.args), "words": wording.slip(slip, self.names)}
                for slip in deal.slips
            ],
        }

    def _line_data(self, line: Line) -> dict[str, Any]:
        rule = self.rule(line)
        if not rule.setting:
            self._several[line.rule] = list(rule.settings)
        return {
            "side": line.side,
            "points": line.points,
            "rule": line.rule,
            "args": dict(line.args),
            "words": self._why(line),
            "setting": rule.setting,
            "source": rule.source,
        }

    def _problem_data(self, problem: Problem) -> dict[str, Any]:
        rule = wording.rule_of_problem(problem, self.game.rule_set)
        return {
            "code": problem.code,
            "severity": problem.severity.value,
            "field": problem.field,
            "settings": list(rule.settings),
            "source": rule.source,
            "side": problem.side,
            "args": dict(problem.args),
            "words": self._wrong(problem),
        }


def scores_json(games: Iterable[ScoredGame]) -> Iterator[str]:
    """The JSON text of all games of a file, each game on a line of its own."""
    yield f'{{"format": "{FORMAT}", "version": {VERSION}, "games": ['
    line = ""
    rules: dict[tuple[str, int], dict[str, NamedRule]] = {}  # by slug and version; most files have a single one
    for number, scored in enumerate(games, start=1):
        if line:
            yield f"{line},"
        by = scored.game.rule_set
        known = rules.setdefault((by.slug, by.version), {})
        line = json.dumps(Explained(scored, number, rules=known).data(), ensure_ascii=False)
    yield f"{line}]}}"


def summary(games: Sequence[ScoredGame]) -> str:
    """How many games and deals there were, and how many were refused."""
    deals, refused = sum(len(scored.deals) for scored in games), sum(len(scored.refused) for scored in games)
    return _now("%(games)s, %(deals)s: %(refused)s.") % {
        "games": ngettext("%(n)d game", "%(n)d games", len(games)) % {"n": len(games)},
        "deals": ngettext("%(n)d deal", "%(n)d deals", deals) % {"n": deals},
        "refused": ngettext("%(n)d refused", "%(n)d refused", refused) % {"n": refused}
        if refused
        else _now("none refused"),
    }
