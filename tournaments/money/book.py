"""The book as it is read, also for spreadsheets: an event's lines, and what events brought a season or the club."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields

from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.currency import in_units
from clubsite.names import in_order
from tournaments.engine.grouping import grouped
from tournaments.exports.sheets import Sheet
from tournaments.models import Entry, Event, MoneyLine, Season


@dataclass(frozen=True, slots=True)
class MoneyTotals:
    """What came in and went out, in the currency's smallest unit: what went out is below nought."""

    fees: int = 0
    income: int = 0
    prizes: int = 0
    costs: int = 0

    @property
    def left(self) -> int:
        """What is left."""
        return self.fees + self.income + self.prizes + self.costs


@dataclass(frozen=True, slots=True)
class BookLine:
    """A line of the book, ready to be shown."""

    line: MoneyLine
    what: str  # "fee", "prize, reversed"
    about: str  # whose, or what for
    can_reverse: bool


@dataclass(frozen=True, slots=True)
class Payer:
    """Somebody on the list of an event, and the fee that was paid and not given back."""

    entry: Entry
    paid: MoneyLine | None


@dataclass(frozen=True, slots=True)
class EventTotals:
    """An event of a season's or the club's book; None for amounts that belong to no event."""

    event: Event | None
    totals: MoneyTotals


def totals_of(lines: QuerySet[MoneyLine]) -> MoneyTotals:
    """What lines come to. One query."""
    return _totals(lines.order_by().values_list("kind").annotate(Sum("amount")))


def lines_shown(lines: QuerySet[MoneyLine]) -> list[BookLine]:
    """Lines as they are shown, the newest first. One query."""
    found = lines.select_related("entry", "event", "by", "reversed_by", "reverses").order_by("-pk")
    return [
        BookLine(
            line,
            _("%(what)s, reversed") % {"what": line.get_kind_display()}
            if line.reverses_id
            else str(line.get_kind_display()),
            " · ".join(part for part in (line.entry.name if line.entry else "", line.words) if part),
            can_reverse=not line.reverses_id and not hasattr(line, "reversed_by"),
        )
        for line in found
    ]


def standing_lines(event: Event, kind: MoneyLine.Kind) -> QuerySet[MoneyLine]:
    """An event's lines of one kind that aren't reversed and reverse none."""
    return MoneyLine.objects.filter(event=event, kind=kind, reverses=None, reversed_by=None)


def payers_of(event: Event) -> list[Payer]:
    """Everybody on the list of an event, by name, and what they paid. Not who was marked as here at a night, has gone
    before any draw and paid nothing: mostly a wrong name that was pressed. Two queries."""
    paid = {line.entry_id: line for line in standing_lines(event, MoneyLine.Kind.FEE)}
    listed = event.entries.all()
    if event.by_rounds:
        gone = Q(state=Entry.State.WITHDRAWN, seats=None, sit_outs=None) & ~Q(pk__in=[pk for pk in paid if pk])
        listed = listed.exclude(pk__in=event.entries.filter(gone).values("pk"))
    entries = sorted(listed, key=lambda entry: in_order(entry.name))
    return [Payer(entry, paid.get(entry.pk)) for entry in entries]


def book_of(club: Club, season: Season | None = None) -> list[EventTotals]:
    """What each event came to, the newest first, and at the end what belongs to none. Two queries.

    Of a season these are its events as they belong to it now, and its own other lines.
    """
    lines = MoneyLine.objects.filter(club=club)
    events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")
    if season is not None:
        events = events.filter(season=season)
        lines = lines.filter(event__season=season) | lines.filter(event=None, season=season)
    added_up = lines.order_by().values_list("event", "kind").annotate(Sum("amount"))
    sums = grouped((event, (kind, amount)) for event, kind, amount in added_up)
    rows = [EventTotals(event, _totals(sums[event.pk])) for event in events if event.pk in sums]
    return [*rows, EventTotals(None, _totals(sums[None]))] if None in sums else rows


def sum_of(rows: Iterable[EventTotals]) -> MoneyTotals:
    """All events together. No query."""
    rows = list(rows)
    return MoneyTotals(*(sum(getattr(row.totals, field.name) for row in rows) for field in fields(MoneyTotals)))


def _totals(sums: Iterable[tuple[str, int]]) -> MoneyTotals:
    by_kind = {kind: int(amount) for kind, amount in sums}
    kinds = MoneyLine.Kind
    return MoneyTotals(*(by_kind.get(kind, 0) for kind in (kinds.FEE, kinds.INCOME, kinds.PRIZE, kinds.COST)))


def event_money_sheet(event: Event) -> Sheet:
    """Every line of an event's book, the oldest first. One query."""
    currency = event.club.money
    heads = (_("When"), _("What"), _("Who or what for"), f"{_('Amount')} {currency}", _("Written by"))
    return Sheet(
        f"{event.name} {_('money')}",
        heads,
        tuple(
            (one.line.at, one.what, one.about, in_units(one.line.amount, currency), one.line.actor)
            for one in reversed(lines_shown(MoneyLine.objects.filter(event=event)))
        ),
    )


def book_sheet(title: str, rows: Iterable[EventTotals], *, currency: str) -> Sheet:
    """The events of a season or the club with what each came to. No query."""
    heads = (_("Date"), _("Event"), _("Fees"), _("Other income"), _("Prizes"), _("Costs"), _("Left"))
    return Sheet(
        title,
        heads,
        tuple(
            (
                row.event.starts_at.astimezone(row.event.club.zone).date() if row.event else None,
                row.event.name if row.event else _("belongs to no event"),
                *(in_units(amount, currency) for amount in (*astuple(row.totals), row.totals.left)),
            )
            for row in rows
        ),
    )
