"""Money of a night: fees paid at the door, other amounts in and out, corrected by another line; and the book."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from uuid import UUID, uuid4, uuid5

from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.currency import in_units, money
from clubsite.names import in_order
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event
from tournaments.exports.spreadsheets import Sheet
from tournaments.models import Entry, Event, MoneyLine, PublishedPrizes, Season
from tournaments.prizes.actions import lines_in, published_prizes

MOST = 10**9  # of the smallest unit: more is a slip


def set_fee(*, event: Event, by: Actor, fee: int) -> Event:
    """Say what one entry pays. What is paid already stays as it is written.

    Raises:
        StepRefused: the amount is no fee.
    """
    if not 0 <= fee <= MOST:
        raise StepRefused(_("Write the fee as an amount of money, or 0 for none."))
    with transaction.atomic():
        event = lock_event(event)
        if event.fee != fee:
            event.club.keep_currency()
            before, after = ({"fee": money(one, event.club.money)} for one in (event.fee, fee))
            event.fee = fee
            event.save()
            log(club=event.club, by=by, verb="money.set-fee", subject=event, old=before, new=after)
    return event


def take_fee(*, entry: Entry, by: Actor, submission: UUID) -> MoneyLine:
    """Note that somebody has paid the event's fee. For who has paid already nothing is written.

    Raises:
        StepRefused: the event has no fee.
    """
    with transaction.atomic():
        event = lock_event(entry.event)
        if done := MoneyLine.objects.filter(submission=submission, club=event.club).first():
            return done
        if paid := standing_lines(event, MoneyLine.Kind.FEE).filter(entry=entry).first():
            return paid
        if not event.fee:
            raise StepRefused(_("Say first what the fee of this event is."))
        fee = MoneyLine(kind=MoneyLine.Kind.FEE, amount=event.fee, entry=entry, submission=submission)
        return _write(fee, club=event.club, by=by, of=event)


def untick_fee(*, line: MoneyLine, by: Actor) -> MoneyLine:
    """Take a fee back that the same person has just ticked by mistake: its line is reversed. Doing it again changes
    nothing.

    Raises:
        StepRefused: somebody else took it, or it is no fee.
    """
    if line.kind != MoneyLine.Kind.FEE or line.by_id is None or by.user is None or line.by_id != by.user.pk:
        raise StepRefused(_("Somebody else took this fee. A treasurer gives it back on the page of the money."))
    return reverse_line(line=line, by=by, reason=_("ticked by mistake"))


def write_line(
    *, club: Club, by: Actor, line: MoneyLine, submission: UUID, of: Event | Season | None = None
) -> MoneyLine:
    """Write another amount, of an event, of a season or of the club as a whole: a line that says its kind, amount and
    words, and isn't saved yet.

    The same submission again returns what it wrote.

    Raises:
        StepRefused: it isn't said what it was for, there is no amount, or its sign doesn't fit what kind it is.
    """
    line.words = " ".join(line.words.split())[:120]
    if not line.words:
        raise StepRefused(_("Write what the amount was for."))
    if not 0 < abs(line.amount) <= MOST or (line.amount < 0) != (line.kind == MoneyLine.Kind.COST):
        raise StepRefused(_("Write the amount, for example 12.50, and say whether it came in or went out."))
    with transaction.atomic():
        club = _held(club, of if isinstance(of, Event) else None)
        if done := MoneyLine.objects.filter(submission=submission, club=club).first():
            return done
        line.submission = submission
        return _write(line, club=club, by=by, of=of)


def reverse_line(*, line: MoneyLine, by: Actor, reason: str) -> MoneyLine:
    """Put a slip right: a line with the opposite amount and the reason. A line is reversed once.

    Raises:
        StepRefused: there is no reason, or the line reverses another.
    """
    reason = " ".join(reason.split())
    if not reason:
        raise StepRefused(_("Write why the line is reversed: both stay in the book."))
    if line.reverses_id:
        raise StepRefused(_("This line reverses another. Write the amount anew instead."))
    with transaction.atomic():
        club = _held(line.club, line.event)
        if done := MoneyLine.objects.filter(reverses=line).first():
            return done
        return _reversed(club, line, by=by, words=reason[:120])


def pay_prizes(*, event: Event, by: Actor) -> list[MoneyLine]:
    """Write the money of the published prizes as gone out, a line for each winner.

    What an earlier version gave and this one doesn't is reversed, and all of it when the prizes were taken back. Doing
    it again writes nothing.

    Raises:
        StepRefused: no prizes are published, and none are in the book.
    """
    with transaction.atomic():
        event = lock_event(event)
        published = published_prizes(event)
        standing = list(standing_lines(event, MoneyLine.Kind.PRIZE).select_related("event", "entry"))
        if published is None and not standing:
            raise StepRefused(_("Publish the prizes first, then they can be written in the book."))
        wanted = prize_lines(published) if published else []
        words = gone = _("the prizes were taken back")
        if published:
            words = _("prizes, version %(n)d") % {"n": published.number}
            gone = _("not so in the prizes of version %(n)d") % {"n": published.number}
        made = [
            _reversed(event.club, line, by=by, words=gone)
            for line in standing
            if _given(line) not in {(entry, amount) for entry, amount in wanted}
        ]
        entries = {entry.pk: entry for entry in event.entries.all()}
        for entry, amount in wanted:
            if (entry, amount) not in {_given(line) for line in standing}:
                prize = MoneyLine(kind=MoneyLine.Kind.PRIZE, amount=-amount, words=words, entry=entries.get(entry))
                prize.submission = uuid4()
                made.append(_write(prize, club=event.club, by=by, of=event))
    return made


def prizes_unpaid(event: Event) -> bool:
    """Whether the published prizes aren't in the book as they are. Three queries."""
    published = published_prizes(event)
    standing = sorted(map(_given, standing_lines(event, MoneyLine.Kind.PRIZE)))
    return standing != (prize_lines(published) if published else [])


def prize_lines(published: PublishedPrizes) -> list[tuple[int, int]]:
    """What each winner of a version gets in money: the entry and the amount, by entry."""
    got: dict[int, int] = {}
    for line in lines_in(published):
        for winner, amount in line.shares:
            got[winner.entry] = got.get(winner.entry, 0) + amount
    return [(entry, amount) for entry, amount in sorted(got.items()) if amount]


def _held(club: Club, event: Event | None) -> Club:
    """The club as it is now. The event, or the club where there is none, is held until the transaction ends: fees,
    prizes and slips of one event come one after another."""
    return lock_event(event).club if event else club.lock()


def _given(line: MoneyLine) -> tuple[int, int]:
    """Who got how much by a line of prizes."""
    return line.entry_id or 0, -line.amount


def _reversed(club: Club, line: MoneyLine, *, by: Actor, words: str) -> MoneyLine:
    opposite = MoneyLine(kind=line.kind, amount=-line.amount, words=words, entry=line.entry, reverses=line)
    opposite.submission = uuid5(line.submission, "reversed")
    return _write(opposite, club=club, by=by, of=line.event or line.season)


def _write(line: MoneyLine, *, club: Club, by: Actor, of: Event | Season | None) -> MoneyLine:
    event = of if isinstance(of, Event) else None
    club.keep_currency()
    line.club, line.event, line.season = club, event, of.season if isinstance(of, Event) else of
    line.by, line.actor = by.user, by.name
    line.save()
    verb = "money.reverse" if line.reverses else f"money.{line.kind}"
    subject = event.about(line.entry) if event and line.entry else event or line.entry or line.words
    new = {"amount": money(line.amount, club.money), "words": line.words}
    log(club=club, by=by, verb=verb, subject=subject, new=new)
    return line


@dataclass(frozen=True, slots=True)
class MoneyTotals:
    """What came in and went out, in the currency's smallest unit: what went out is below zero."""

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
