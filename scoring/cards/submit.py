"""A deal's form: while it is typed, what it would change in its game and beyond; when it is sent, it is recorded or
shown again with its problems.

The page with the form (the scorekeeper's card, a table's own) says who sends it and what they may do.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias

from django.core.exceptions import ValidationError
from django.db.models import prefetch_related_objects
from django.http import JsonResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clubsite.accounts.models import Actor
from clubsite.offline import paragraphs_in, refusal
from clubsite.previews import preview
from scoring import wording
from scoring.cards.deals import (
    DealError,
    DealsMissing,
    GameOver,
    NotConfirmed,
    Refused,
    SentElsewhere,
    Signed,
    Superseded,
    TableMayNotCorrect,
    correct_deal,
    record_deal,
    score_in_game,
)
from scoring.cards.queries import Card, DealRow, Effect, card_of, preview_deal
from scoring.engine.core.game import Progress
from scoring.engine.core.ledger import Problem, Severity
from scoring.families import PAGES
from scoring.families.deal_form import DealForm, EnteredDeal
from scoring.models import Deal, DealVersion, Game
from scoring.templatetags.figures import points

# --- what a change to a game would bring beyond it ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class PublishedLine:
    key: int
    name: str
    points: int
    place: str  # "3", or "3=" where it is shared
    through: bool | None = None  # whether it is above the line of a cut; None where there is no cut


@dataclass(frozen=True, slots=True)
class Published:
    """Published standings that depend on a game, as they are when they are read."""

    title: str
    words: str  # what happens to them when the game changes
    lines: tuple[PublishedLine, ...]
    same: str = ""  # goes first where lines move and none crosses the line of a cut


Moves: TypeAlias = dict[str, Any]
"""Who would move in published standings: their `title` and `words`; `moves` in the order after the change, each with
its line `before` and `after`, and `crosses`: "in" or "out" for who would cross the line of a cut, else ""; `crossed`:
whether anybody does."""


@dataclass(frozen=True, slots=True)
class Consequences:
    sentences: tuple[str, ...] = ()
    tables: tuple[Moves, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sentences or self.tables)


# Sentences about what depends on a game, as it is when this is called.
Watch: TypeAlias = Callable[[Game], Sequence[str]]
# Published standings that depend on a game, as they are when this is called; None where nothing is published.
Standings: TypeAlias = Callable[[Game], Published | None]

WATCHES: list[Watch] = []
STANDINGS: list[Standings] = []
ANNULLED: list[Callable[[Game], str]] = []  # why a game counts for nobody, in words; "" where it counts


def preview_consequences(game: Game, change: Callable[[], object]) -> Consequences:
    """What `change` would do beyond the game: sentences that watches give only after it, and moves in published
    standings. Nothing for a change that is refused.
    """

    def read() -> tuple[list[list[str]], list[Published | None]]:
        return [list(watch(game)) for watch in WATCHES], [standings(game) for standings in STANDINGS]

    try:
        before, after = preview(change, read)
    except DealError:
        return Consequences()
    watched = zip(before[0], after[0], strict=True)
    sentences = tuple(sentence for old, new in watched for sentence in new if sentence not in old)
    tables = [moves_between(old, new) for old, new in zip(before[1], after[1], strict=True) if old and new]
    return Consequences(sentences, tuple(table for table in tables if table["moves"]))


def moves_between(before: Published, after: Published) -> Moves:
    """The lines that differ between two readings of the same standings."""
    by_key = {line.key: line for line in before.lines}
    moved = [(by_key[line.key], line) for line in after.lines if line.key in by_key and line != by_key[line.key]]
    moves = [
        {"before": old, "after": new, "crosses": "" if old.through == new.through else "in" if new.through else "out"}
        for old, new in moved
    ]
    crossed = any(move["crosses"] for move in moves)
    words = after.words if crossed or not after.same else f"{after.same} {after.words}"
    return {"title": after.title, "words": words, "moves": moves, "crossed": crossed}


# --- as typed ----------------------------------------------------------------------------------------


def live_check(form: DealForm) -> dict[str, Any]:
    """What recording the form as typed would do, for `_in_full.html`; where that can't be said yet, the labels of
    `empty` fields and the errors of `unreadable` ones."""
    form.full_clean()
    wrong = {name: errors for name, errors in form.errors.as_data().items() if name != "reason"}
    if wrong:
        empty = [name for name, errors in wrong.items() if errors[0].code == "required"]
        return {
            "empty": [form.field_label(name) for name in empty],
            "unreadable": [
                f"{form.field_label(name)}: {text}" if name in form.fields else text
                for name, errors in wrong.items()
                if name not in empty
                for error in errors
                for text in error.messages
            ],
        }
    effect = preview_deal(form.game, form.deal_number(), facts=form.facts())
    problems = sorted(effect.problems, key=lambda problem: problem.severity is Severity.UNLIKELY)
    sides = zip(form.sides, effect.points, effect.before.totals, effect.after.totals, strict=True)
    return {
        "problems": [problem_row(form, problem) for problem in problems],  # what stops the deal first
        "lines": effect.lines,
        "totals": [{"name": name, "points": figure, "before": old, "after": new} for name, figure, old, new in sides],
        "end": " ".join(_end_sentences(effect, form.sides)),  # "" where neither end nor winner would change
        "later": effect.later,
    }


def _end_sentences(effect: Effect, names: Sequence[str]) -> Iterator[str]:
    if effect.changes_winner:
        yield _winner_sentence(effect.before, effect.after, names=names)
    if effect.dropped:
        yield ngettext(
            "The game then ends before deal %(deals)s, which no longer counts.",
            "The game then ends before deals %(deals)s, which no longer count.",
            len(effect.dropped),
        ) % {"deals": wording.join_names([str(number) for number in effect.dropped])}
    if effect.regained:
        yield ngettext(
            "Deal %(deals)s, which came after the end, now counts.",
            "Deals %(deals)s, which came after the end, now count.",
            len(effect.regained),
        ) % {"deals": wording.join_names([str(number) for number in effect.regained])}


def _winner_sentence(before: Progress, after: Progress, *, names: Sequence[str]) -> str:
    winners = wording.join_names([names[side] for side in after.winners])
    if not after.over:
        return _("After this change the game goes on.")
    if len(after.winners) > 1:
        return _("After this the game is over, with %(sides)s level.") % {"sides": winners}
    if before.over:
        return _("After this change %(side)s won the game.") % {"side": winners}
    return _("After this the game is over: %(side)s won.") % {"side": winners}


def problem_row(form: DealForm, problem: Problem) -> dict[str, str]:
    """`field` is the id of the first input that the problem is about, "" for the whole card."""
    names = form.problem_fields(problem)
    field = form[names[0]] if names else None
    words = wording.describe_problem(problem, form.sides, words=wording.own_words(form.rules), players=form.players)
    return {
        "severity": problem.severity.value,
        "severity_words": str(wording.SEVERITIES[problem.severity]),
        "words": words,
        "field": "" if field is None else f"{field.id_for_label or field.auto_id}",
    }


def show_problems(form: DealForm, problems: Sequence[Problem]) -> None:
    """Put each problem at its figures; `form.problems` keeps all of them for the summary."""
    form.problems = tuple(problems)
    for problem in problems:
        names = form.problem_fields(problem)
        words = wording.problem_message(problem, wording.own_words(form.rules), players=form.players)
        for name in names[:1]:
            form.add_error(name, ValidationError(words, code=problem.code))
        for name in names[1:]:
            first = form[names[0]].auto_id
            form.fields[name].widget.attrs |= {"aria-invalid": "true", "aria-describedby": f"{first}_error"}


def add_change_link(words: str, url: str) -> SafeString:
    return format_html('{} <a href="{}">{}</a>', words, url, _("Change"))


def recorded_message(version: DealVersion, names: Sequence[str]) -> str:
    figures = ", ".join(f"{name} {points(figure)}" for name, figure in zip(names, version.by_side, strict=True))
    words = {"number": version.deal.number, "points": figures}
    if version.number > 1:
        return _("Deal %(number)d is corrected: %(points)s.") % words
    return _("Deal %(number)d is recorded: %(points)s.") % words


# --- sent --------------------------------------------------------------------------------------------


Within: TypeAlias = Callable[[], AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class Posted:
    """The outcome of a form: the recorded `version`, else the form to show again with its `status`.

    `card_now` reads the card that the form is shown on. `context` is for the form's template: `asking`, `live_check`,
    `late`, `beyond`. `late` is the deal that is on the card instead: `pk`, `number`, `by`, `at`, `points` of each side
    with its name; `same`: with exactly the figures that were typed. Where the game had ended, it is its last deal, if
    any, with `over`: how the game ended, and `why` as `Card.why`; `ended`: why the director ended it.
    """

    card_now: Callable[[], Card]
    form: DealForm
    status: int = 200
    version: DealVersion | None = None
    context: Mapping[str, Any] = field(default_factory=dict)


REFUSALS: dict[type[DealError], Promise] = {
    Signed: gettext_lazy("This card is signed, so only a director can change it. Ask the director."),
    TableMayNotCorrect: gettext_lazy(
        "A table can change only its own last deal, and only until the other side agrees to it. Ask the director."
    ),
}


def deal_form(card: Card) -> DealForm:
    return _build_form(card, card.next_number)


def sent_form(game: Game, data: Any) -> DealForm:
    """The form for the next deal as it was sent. Prefetches the game's sides."""
    prefetch_related_objects([game], "sides")
    return PAGES[game.rules.family.slug].form(data, game=game)


def correction_form(card: Card, now: DealRow, *, data: Any = None) -> DealForm:
    entered = EnteredDeal(now.facts, now.written, now.written_sets)
    return _build_form(card, now.number, data=data, now=entered, seen=now.version)


def _build_form(card: Card, number: int, **options: Any) -> DealForm:
    form = PAGES[card.game.rules.family.slug].form(game=card.game, number=number, **options)
    form.void_numbers = card.void_numbers
    return form


def post_deal(game: Game, data: Any, *, by: Actor, within: Within = nullcontext) -> Posted:
    """Record the deal of a form that was sent for a game, which comes with `rules` and `club`.

    A ruling in it counts only when a director sends it. Only the recording runs in the caller's `within` block, which
    other writers wait for.
    """
    form = sent_form(game, data)
    posted = Posted(partial(card_of, game), form, 422)
    if not form.is_valid():
        return posted
    if "check" in data:
        return replace(posted, status=200, context={"live_check": live_check(form)})
    deed = partial(
        record_deal,
        game=game,
        number=form.deal_number(),
        entered=form.entered_deal(ruled=by.director),
        by=by,
        submission=form.cleaned_data["submission"],
    )
    try:
        with within():
            version = deed()
    except Refused as refused:
        context = {"asking": isinstance(refused, NotConfirmed), "live_check": live_check(form)}
        show_problems(form, refused.problems)
        return replace(posted, context=context)
    except (GameOver, Superseded) as late:
        form.renew_submission()
        if isinstance(late, GameOver):
            card = _reread_card(game)
            return replace(posted, card_now=lambda: card, status=409, context={"late": _late_end(card)})
        now = _late_deal(late.version, form.sides, game=game)
        same = form.facts() == now["facts"]
        context = {"late": {**now, "same": same, "may_be_next": not same}}
        return replace(posted, card_now=partial(_reread_card, game), status=409, context=context)
    except DealsMissing:
        form.add_error(None, _("The deals before this one are missing. Open the card again."))
        return posted
    except SentElsewhere:
        return replace(posted, form=_offer_again(form), status=409)
    return replace(posted, status=200, version=version)


def post_correction(
    card: Card,
    deal: Deal,
    *,
    data: Any,
    by: Actor,
    watch: Callable[..., Consequences] = preview_consequences,
    within: Within = nullcontext,
) -> Posted:
    """Correct a deal from a form. What this changes later in the game, or beyond it by `watch` (called with the game
    and the correction), is shown first and has to be confirmed. `within`: as for `post_deal`."""
    now = card.deal(deal.number)
    if now is None:
        raise ValueError(f"{deal} isn't on its card")
    form = correction_form(card, now, data=data)
    context: dict[str, Any] = {"live_check": live_check(form)}
    shown = Posted(lambda: card, form, 422 if form.errors else 200, context=context)
    if not form.is_valid() or form.deal_number() != deal.number or "check" in data:
        return shown
    effect = preview_deal(card.game, deal.number, facts=form.facts())
    correction = partial(
        correct_deal,
        deal=deal,
        by=by,
        submission=form.cleaned_data["submission"],
        seen=form.cleaned_data["seen"],
        reason=form.cleaned_data["reason"],
    )
    entered = form.entered_deal(ruled=by.director)
    if not entered.sure and form.cleaned_data["seen"] >= now.version:  # else the correction says what came between
        beyond = watch(card.game, partial(correction, entered=replace(entered, sure=True)))
        if (beyond or effect.changes_end or effect.later) and not effect.problems:
            return replace(shown, status=422, context=context | {"asking": True, "beyond": beyond})
    try:
        with within():
            version = correction(entered=entered)
    except Refused as refused:
        show_problems(form, refused.problems)
        return replace(shown, status=422, context=context | {"asking": isinstance(refused, NotConfirmed)})
    except Superseded as late:
        context |= {"late": _late_deal(late.version, card.names, game=card.game)}
        return replace(shown, card_now=partial(_reread_card, card.game), status=409, context=context)
    except SentElsewhere:
        return replace(shown, form=_offer_again(form), status=409)
    except (Signed, TableMayNotCorrect) as refused:
        form.add_error(None, str(REFUSALS[type(refused)]))
        return replace(shown, status=409)
    return replace(shown, version=version)


def refusal_response(posted: Posted) -> JsonResponse:
    """Why a form isn't recorded, for the script that sent it: a hundredth of the size of the page."""
    late = posted.context.get("late")
    if late is not None:
        page = render_to_string("scoring/cards/effect/_late.html", {"late": late, "at_table": True})
        state = "same" if late.get("same") else "late"
        return refusal(state, why=paragraphs_in(page), status=posted.status, over="over" in late)
    form, check = posted.form, posted.context.get("live_check")
    page = render_to_string("scoring/cards/form/_refused.html", {**posted.context, "form": form})
    why = paragraphs_in(page)
    if form.problems:
        why += [problem["words"] for problem in check["problems"]] if check else []
    else:
        fields = (name for name in form.errors if name in form.fields)
        why += [f"{form.field_label(name)}: {words}" for name in fields for words in form.errors[name]]
    return refusal("late" if posted.status == 409 else "refused", why=why, status=posted.status)


def _offer_again(form: DealForm) -> DealForm:
    """The form with an error and a new submission id, so that it can be sent again."""
    form.add_error(None, _("This form was for another card. Check the figures, then save again."))
    form.renew_submission()
    return form


def _reread_card(game: Game) -> Card:
    return card_of(Game.get_or_404(game.club, game.pk))


def _late_deal(version: DealVersion, names: Sequence[str], *, game: Game) -> dict[str, Any]:
    """The deal as it is now, void or not, with the points of its figures."""
    if not version.current:
        version = DealVersion.objects.select_related("deal").get(deal=version.deal_id, current=True)
    family, deal = game.rules.family, version.deal
    facts = family.read(version.facts)
    points = list(zip(names, score_in_game(game, deal.number, facts=facts).totals, strict=True))
    shown = {"pk": deal.pk, "number": deal.number, "by": version.actor, "at": version.at}
    return {**shown, "facts": facts, "points": points}


def _late_end(card: Card) -> dict[str, Any]:
    """How a game ended: its last deal, or the director's reason."""
    late: dict[str, Any] = {"over": card.state_words}
    if card.game.ended_by == "director":
        return {**late, "ended": card.game.reason.rstrip(".")}
    if not card.deals:
        return late
    last = card.deals[-1]
    return {**late, "pk": last.pk, "number": last.number, "by": last.by, "at": last.at, "why": card.why}
