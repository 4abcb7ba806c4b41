"""What a form as typed would do, told to the person who types: points, totals, problems, what is still empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import wording
from scoring.cards.queries import Card, Effect, LaterDeal, LineRow, NextDeal, effect_of
from scoring.engine.core.game import Progress
from scoring.engine.core.ledger import Problem, Severity
from scoring.families.deal_form import DealForm
from scoring.form_parts import own_field
from scoring.models import DealVersion
from scoring.templatetags.figures import points


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """One problem in words. `field` is the id of the first input to look at, "" for the whole card."""

    severity: str
    severity_words: str
    words: str
    field: str


@dataclass(frozen=True, slots=True)
class TotalRow:
    """One side: points of this deal, its total as recorded, and its total with the deal as typed."""

    name: str
    points: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Reckoning:
    """What a form as typed would do. Without `totals` it can't be reckoned yet: `empty` and `unreadable` say why."""

    empty: tuple[str, ...] = ()  # labels of fields
    unreadable: tuple[str, ...] = ()  # sentences
    problems: tuple[ProblemRow, ...] = ()
    lines: tuple[LineRow, ...] = ()
    totals: tuple[TotalRow, ...] = ()
    end: str = ""  # sentences, if the game would end elsewhere, go on again or be won by another side
    later: tuple[LaterDeal, ...] = ()  # later deals that would not keep the rules any more


def reckoning_of(card: Card | NextDeal, form: DealForm) -> Reckoning:
    """What recording the form as typed would do."""
    form.full_clean()
    wrong = {name: found for name, found in form.errors.as_data().items() if name != "reason"}
    if wrong:
        empty = [name for name, found in wrong.items() if found[0].code == "required"]
        return Reckoning(
            empty=tuple(form.name_of(name) for name in empty),
            unreadable=tuple(
                f"{form.name_of(name)}: {text}" if name in form.fields else text
                for name, found in wrong.items()
                if name not in empty
                for error in found
                for text in error.messages
            ),
        )
    effect = effect_of(card.game, form.deal_number(), facts=form.facts())
    problems = sorted(effect.problems, key=lambda problem: problem.severity is Severity.UNLIKELY)
    return Reckoning(
        problems=tuple(problem_row(form, problem) for problem in problems),  # what stops the deal first
        lines=effect.lines,
        totals=tuple(
            TotalRow(name, effect.points[side], effect.before.totals[side], effect.after.totals[side])
            for side, name in enumerate(card.names)
        ),
        end=" ".join(_end(effect, card.names)),
        later=effect.later,
    )


def _end(effect: Effect, names: Sequence[str]) -> Iterator[str]:
    """What would become of the end of the game, and of the deals about it."""
    if effect.changes_winner:
        yield _winner(effect.before, effect.after, names=names)
    if effect.dropped:
        yield ngettext(
            "With this the game ends before deal %(deals)s, which no longer counts.",
            "With this the game ends before deals %(deals)s, which no longer count.",
            len(effect.dropped),
        ) % {"deals": wording.list_of([str(number) for number in effect.dropped])}
    if effect.regained:
        yield ngettext(
            "With this deal %(deals)s counts, which came after the end.",
            "With this deals %(deals)s count, which came after the end.",
            len(effect.regained),
        ) % {"deals": wording.list_of([str(number) for number in effect.regained])}


def _winner(before: Progress, after: Progress, *, names: Sequence[str]) -> str:
    winners = wording.list_of([names[side] for side in after.winners])
    if not after.over:
        return _("With this the game is not over yet: it goes on.")
    if len(after.winners) > 1:
        return _("With this the game is over, with %(sides)s level.") % {"sides": winners}
    if before.over:
        return _("With this the game has %(side)s as the winner.") % {"side": winners}
    return _("With this the game is over, with %(side)s as the winner.") % {"side": winners}


def problem_row(form: DealForm, problem: Problem) -> ProblemRow:
    """A problem in words, with the input to look at."""
    names = form.fields_of(problem)
    field = form[names[0]] if names else None
    first = "" if field is None else f"{field.id_for_label or field.auto_id}"
    severity = wording.SEVERITIES[problem.severity]
    words = wording.wrong(problem, form.sides, own=wording.own_words(form.rules), players=form.players)
    return ProblemRow(problem.severity.value, str(severity), words, first)


def show_problems(form: DealForm, problems: Sequence[Problem]) -> None:
    """Put each problem beside the figures it is about; `form.problems` keeps all of them for the summary."""
    form.problems = tuple(problems)
    for problem in problems:
        names = form.fields_of(problem)
        words = wording.what_is_wrong(problem, wording.own_words(form.rules), players=form.players)
        for name in names[:1]:
            form.add_error(name, ValidationError(words, code=problem.code))
        for name in names[1:]:
            first = form[names[0]].auto_id
            own_field(form, name).widget.attrs |= {"aria-invalid": "true", "aria-describedby": f"{first}_error"}


def with_change(words: str, url: str) -> SafeString:
    """What was recorded, with a link to change it."""
    return format_html('{} <a href="{}">{}</a>', words, url, _("Change"))


def recorded_words(version: DealVersion, names: Sequence[str]) -> str:
    """A sentence saying that a deal is recorded or corrected, with its points."""
    figures = ", ".join(f"{name} {points(figure)}" for name, figure in zip(names, version.by_side, strict=True))
    words = {"number": version.deal.number, "points": figures}
    if version.number > 1:
        return _("Deal %(number)d is corrected: %(points)s.") % words
    return _("Deal %(number)d is recorded: %(points)s.") % words
