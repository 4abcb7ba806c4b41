"""Saving one line of the grid: by the verb that the card's page uses, with the route "paper"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor
from scoring.cards.deals import AskAgain, DealsMissing, GameOver, Refused, SentElsewhere, Superseded, record_deal
from scoring.cards.queries import Card, DealRow, card_of
from scoring.cards.submit import problem_row, show_problems
from scoring.engine.core.ledger import Problem
from scoring.families.deal_form import DealForm
from scoring.models import Game
from tournaments.keying.lines import KeyedLine, Lines, Said


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of a line: the line as it is shown now, and the card after it."""

    line: KeyedLine
    card: Card

    @property
    def status(self) -> int:
        """The answer's HTTP status."""
        return {"recorded": 200, "late": 409, "over": 409, "refused": 422, "asking": 422}.get(self.line.state, 200)


def save_line(game: Game, data: Any, *, by: Actor, totals: bool = True) -> Saved:
    """Record the deal that a line has, or say why not, with what was typed kept.

    `game` comes with `rules` and `club`. The same line sent twice is one deal.
    """
    card = card_of(game)
    maker = Lines(card, totals=totals)
    form = maker.form(data)
    layout, _line = maker.open(form, number_sent(data, card))
    if not form.is_valid():
        if there := card.deal(number_sent(data, card)):
            return _late(maker, form, number=there.number)
        return kept(maker, form, *unreadable(form), state="refused")
    try:
        version = record_deal(
            game=game,
            number=form.cleaned_data["number"],
            entered=form.entered(),
            by=replace(by, route="paper"),
            submission=form.cleaned_data["submission"],
        )
    except Refused as refused:
        said = told(form, refused.problems, names=set(layout.names()))
        return kept(maker, form, *said, state="asking" if isinstance(refused, AskAgain) else "refused")
    except DealsMissing:
        missing = _("Deal %(number)d isn't recorded yet: save it first.") % {"number": card.next_number}
        return kept(maker, form, Said(missing), state="refused")
    except SentElsewhere:
        form.renew()
        return kept(maker, form, Said(_("This line was sent for another card. Save it again.")), state="refused")
    except GameOver:
        card = card_of(_fresh(game))
        over = _("Not recorded: this game is over. If the card has more, look at the deals above.")
        return kept(Lines(card, totals=totals), form, Said(f"{over} {card.why}".strip()), state="over")
    except Superseded as late:
        return _late(Lines(card_of(_fresh(game)), totals=totals), form, number=late.version.deal.number)
    card = card_of(_fresh(game))
    maker = Lines(card, totals=totals)
    return Saved(maker.recorded(layout, form, deal=_deal(card, version.deal.number)), card)


def told(form: DealForm, problems: Sequence[Problem], *, names: Collection[str]) -> list[Said]:
    """Problems as sentences, worded as on the card's page. The boxes that they are about are marked and linked."""
    said = []
    for problem in problems:
        row = problem_row(form, problem)
        here = any(name in names for name in form.fields_of(problem)[:1])
        said.append(Said(row.words, row.severity, row.severity_words, row.field if here else ""))
    show_problems(form, problems)
    return said


def unreadable(form: DealForm) -> Iterator[Said]:
    """What of a form is missing or can't be read."""
    for name, errors in form.errors.items():
        field = form[name].id_for_label if name in form.fields else ""
        label = form.name_of(name) if name in form.fields else ""
        if name.startswith("written_"):
            label = _("Running total as written, %(side)s") % {"side": label}
        for words in errors:
            yield Said(f"{label}: {words}" if label else str(words), field=field)


def kept(maker: Lines, form: DealForm, *said: Said, state: str) -> Saved:
    """The line with what was typed, and what is said of it: nothing was recorded."""
    number = number_sent(form.data, maker.card)
    return Saved(maker.open(form, number, state=state, said=said)[1], maker.card)


def _late(maker: Lines, form: DealForm, *, number: int) -> Saved:
    """What stands in place of what was typed, with both figures where they differ."""
    card, deal = maker.card, _deal(maker.card, number)
    layout, _open = maker.open(form, number)
    line = maker.recorded(layout, form, deal=deal)
    who = {"who": deal.by, "when": date_format(timezone.localtime(deal.at), "TIME_FORMAT")}
    typed = maker.typed(layout, form, deal=deal)
    if not any(box.differs for row in typed for box in row.boxes):
        same = Said(_("%(who)s recorded this deal before you, at %(when)s, with the same figures.") % who)
        return Saved(replace(line, said=(same, *line.said)), card)
    other = Said(_("Not recorded: %(who)s recorded this deal before you, at %(when)s, with other figures.") % who)
    return Saved(replace(line, state="late", said=(other, *line.said), typed=typed), card)


def _deal(card: Card, number: int) -> DealRow:
    return next(deal for deal in card.deals if deal.number == number)


def number_sent(data: Any, card: Card) -> int:
    """The number that a line was sent with, or the next deal's."""
    text = str(data.get("number", ""))
    return int(text) if text.isdecimal() and len(text) <= 4 else card.next_number


def _fresh(game: Game) -> Game:
    """The game as it is now: its totals, its state."""
    return Game.objects.select_related("club", "rules").get(pk=game.pk)
