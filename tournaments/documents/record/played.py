"""Draws and deals of an event as sections of its record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from django.db.models import Prefetch
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubsite.names import BETWEEN
from scoring.cards.queries import Card, DealRow, all_versions_of, cards_of
from scoring.models import DealVersion
from scoring.templatetags.figures import points, signed
from tournaments.documents.from_draws import title_of_draw, version_of_draw
from tournaments.documents.record.blocks import Head, RecordBlock, Sentences, TextTable
from tournaments.draws import rotation
from tournaments.draws.brackets import seeding_words
from tournaments.draws.words import METHODS, fairness_words, rematch_words, seat_in_words, statement_words
from tournaments.models import Draw, Event, GroupGame, Seat, SitOut

Name = Callable[[int], str]


def draws_in(event: Event, name: Name) -> Iterator[RecordBlock]:
    """Every version of every draw: who sat where, who sat out, and what the draw says of itself. Five queries."""
    draws = (
        Draw.objects.filter(round__stage__event=event)
        .select_related("round__stage__event", "made_by")
        .prefetch_related(
            Prefetch("sit_outs", SitOut.objects.select_related("entry")),
            "tables__groups",
            Prefetch("tables__groups__seats", Seat.objects.select_related("entry")),
        )
        .order_by("round__stage__number", "round__number", "number")
    )
    for draw in draws:
        yield from _draw(draw, name)


def _draw(draw: Draw, name: Name) -> Iterator[RecordBlock]:
    event = draw.round.stage.event
    yield Head(f"{title_of_draw(draw)} · {version_of_draw(draw)} · {draw.get_state_display()}")
    when = [_("Made %(at)s.") % {"at": moment(draw.made_at)}]
    if draw.published_at:
        when.append(_("Published %(at)s.") % {"at": moment(draw.published_at)})
    when.append(_("Lot number %(seed)d.") % {"seed": draw.seed})
    yield Sentences((" ".join(when), *_said(draw, name)))
    lines = [
        (
            BETWEEN.join(filter(None, [group.label_in(event), draw.match_name(table.number)])),
            "  –  ".join(", ".join(side) for side in group.names),
        )
        for table in draw.tables.all()
        for group in table.groups.all()
        if group.seats.all()
    ]
    yield TextTable((_("Table"), _("Sides")), tuple(lines), 1)
    if out := [one.entry.name for one in draw.sit_outs.all()]:
        yield Sentences((", ".join(out),), _("Without a seat:"))


def _said(draw: Draw, name: Name) -> Iterable[str]:
    """The statement of a draw in sentences."""
    said = draw.statement
    if not draw.round.stage.event.traits.searched:
        own = (
            [*seeding_words(said), *rematch_words(said)]
            if draw.round.stage.event.by_rounds
            else [fairness_words(draw.round.stage, said)]
        )
        return [words for words in own if words]
    method = METHODS.get(said.get("how", {}).get("method", ""))
    lines = statement_words(rotation.statement_of(said), rotation.fates_of(said), name=name, seat=seat_in_words)
    return [str(method), *lines] if method else lines


def deals_in(event: Event) -> Iterator[RecordBlock]:
    """Every game with its deals: each version with who said so and how, and the lines of its points. Nine queries."""
    rows = list(
        GroupGame.objects.filter(group__table__draw__round__stage__event=event)
        .select_related("group__table__draw__round__stage__event", "game__rules", "game__club")
        .order_by(
            *("group__table__draw__round__stage__number", "group__table__draw__round__number"),
            *("group__table__draw__number", "group__table__number", "group__number", "number"),
        )
    )
    cards = cards_of([row.game for row in rows])
    versions = all_versions_of(cards)
    both = zip(rows, cards, strict=True)
    for draw, of_draw in groupby(both, lambda pair: pair[0].group.table.draw):
        yield Head(_("Deals of %(what)s") % {"what": title_of_draw(draw)})
        for row, card in of_draw:
            if card.deals or any(side.absent for side in card.sides):
                yield from _game(row, card, versions=versions)


def _game(row: GroupGame, card: Card, *, versions: dict[int, tuple[DealRow, ...]]) -> Iterator[RecordBlock]:
    state = card.state_words
    if row.game.set_aside:
        state = _("%(state)s; set aside with the draw that was taken back") % {"state": state}
    title = card.game.title.removeprefix(f"{row.group.table.draw.round.stage.event.name} · ")
    yield Head(f"{title} · {state}", listed=False)
    if any(side.absent for side in card.sides):
        yield Sentences((card.state_words,))
    totals = "; ".join(f"{side.name} {points(side.total)}" for side in card.sides)
    yield Sentences((totals,), _("In the end:"))
    if card.why:
        yield Sentences((card.why,))
    for deal in card.deals:
        for version in versions[deal.pk]:
            current = version.version == deal.version
            yield _deal(card, deal if current else version, current=current)


def _deal(card: Card, deal: DealRow, *, current: bool) -> Sentences:
    head = _("Deal %(n)d.") % {"n": deal.number}
    if deal.version > 1 or not current:
        head = _("Deal %(n)d, version %(version)d.") % {"n": deal.number, "version": deal.version}
    said = _("%(state)s, by %(who)s %(how)s, %(at)s.") % {
        "state": DealVersion.State(deal.state).label,
        "who": deal.by,
        "how": deal.route,
        "at": moment(deal.at),
    }
    lines = [said, *_remarks(deal)]
    for n, name in enumerate(card.names):
        why = "; ".join(f"{line.words} ({signed(line.points)})" for line in deal.lines if line.side == n)
        running = _(", total %(points)s") % {"points": points(deal.running[n])} if deal.counts else ""
        lines.append(f"{name}: {signed(deal.points[n])}{running}. {why}")
    return Sentences(tuple(lines), head)


def _remarks(deal: DealRow) -> Iterator[str]:
    if deal.reason:
        yield _("Reason: %(reason)s") % {"reason": deal.reason}
    if deal.ruling:
        yield _("The director's ruling: %(reason)s") % {"reason": deal.ruling}
    yield from (_("Set aside: %(problem)s") % {"problem": problem} for problem in deal.overruled)
    yield from (_("What the scorer wrote: %(slip)s") % {"slip": slip} for slip in deal.slips)
    if deal.agreed_by:
        yield _("%(names)s: agreed.") % {"names": deal.agreed_by}


def moment(at: Any, format: str = "DATETIME_FORMAT") -> str:
    """When something was done, as the record says it."""
    return date_format(localtime(at), format)
