"""The treasurer's book: fees in, prizes out, other amounts, and what is left. Lines are only ever added."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.currency import in_units, money
from clubsite.names import in_order
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event
from tournaments.exports.spreadsheets import Sheet
from tournaments.exports.views import sheet_answer
from tournaments.models import Entry, Event, MoneyLine, PublishedPrizes, Season
from tournaments.prizes.actions import lines_in, outdated_prizes, published_prizes
from tournaments.prizes.views import AmountField
from tournaments.requests import event_of, refusals_told, submission_in, whole_number

MOST = 10**9  # of the smallest unit: more is a slip


def set_fee(*, event: Event, by: Actor, fee: int) -> Event:
    """Say what one entry pays. What is paid already stays as it is written. Raises StepRefused: the amount is no
    fee."""
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
    """Note that somebody has paid the event's fee. For who has paid already nothing is written. Raises StepRefused: the
    event has no fee."""
    with transaction.atomic():
        event = lock_event(entry.event)
        if done := MoneyLine.objects.filter(submission=submission, club=event.club).first():
            return done
        if paid := standing_lines(event, MoneyLine.Kind.FEE).filter(entry=entry).first():
            return paid
        if not event.fee:
            raise StepRefused(_("Set the fee of this event first."))
        fee = MoneyLine(kind=MoneyLine.Kind.FEE, amount=event.fee, entry=entry, submission=submission)
        return _write(fee, club=event.club, by=by, of=event)


def untick_fee(*, line: MoneyLine, by: Actor) -> MoneyLine:
    """Take a fee back that the same person has just ticked by mistake: its line is reversed. Doing it again changes
    nothing. Raises StepRefused: somebody else took it, or it is no fee."""
    if line.kind != MoneyLine.Kind.FEE or line.by_id is None or by.user is None or line.by_id != by.user.pk:
        raise StepRefused(_("Somebody else took this fee. A treasurer can give it back on the Money page."))
    return reverse_line(line=line, by=by, reason=_("ticked by mistake"))


def write_line(
    *, club: Club, by: Actor, line: MoneyLine, submission: UUID, of: Event | Season | None = None
) -> MoneyLine:
    """Write another amount, of an event, of a season or of the club as a whole: a line that says its kind, amount and
    words, and isn't saved yet.

    The same submission again returns what it wrote. Raises StepRefused: it isn't said what it was for, there is no
    amount, or its sign doesn't fit what kind it is."""
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
    """Put a slip right: a line with the opposite amount and the reason. A line is reversed once. Raises StepRefused:
    there is no reason, or the line reverses another."""
    reason = " ".join(reason.split())
    if not reason:
        raise StepRefused(_("Write why the line is reversed: both stay in the book."))
    if line.reverses_id:
        raise StepRefused(_("This line reverses another one. Write the amount as a new line instead."))
    with transaction.atomic():
        club = _held(line.club, line.event)
        if done := MoneyLine.objects.filter(reverses=line).first():
            return done
        return _reversed(club, line, by=by, words=reason[:120])


def pay_prizes(*, event: Event, by: Actor) -> list[MoneyLine]:
    """Write the money of the published prizes as gone out, a line for each winner.

    What an earlier version gave and this one doesn't is reversed, and all of it when the prizes were taken back. Doing
    it again writes nothing. Raises StepRefused: no prizes are published, and none are in the book."""
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
            gone = _("not in the prizes of version %(n)d") % {"n": published.number}
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
        return self.fees + self.income + self.prizes + self.costs


def totals_of(lines: QuerySet[MoneyLine]) -> MoneyTotals:
    """What lines come to. One query."""
    return _totals(lines.order_by().values_list("kind").annotate(Sum("amount")))


def lines_shown(lines: QuerySet[MoneyLine]) -> QuerySet[MoneyLine]:
    """Lines with all that is shown of them, the newest first. One query."""
    return lines.select_related("entry", "event", "by", "reversed_by", "reverses").order_by("-pk")


def standing_lines(event: Event, kind: MoneyLine.Kind) -> QuerySet[MoneyLine]:
    """An event's lines of one kind that aren't reversed and reverse none."""
    return MoneyLine.objects.filter(event=event, kind=kind, reverses=None, reversed_by=None)


def payers_of(event: Event) -> list[tuple[Entry, MoneyLine | None]]:
    """Everybody on the list of an event, by name, and the fee that was paid and not given back. Not who was marked as
    here at a night, has gone before any draw and paid nothing: mostly a wrong name that was pressed; nor who was only
    expected at one. Two queries."""
    paid = {line.entry_id: line for line in standing_lines(event, MoneyLine.Kind.FEE)}
    listed = event.entries.all()
    if event.by_rounds:
        gone = ~Q(state=Entry.State.HERE) & Q(seats=None, sit_outs=None) & ~Q(pk__in=[pk for pk in paid if pk])
        listed = listed.exclude(pk__in=event.entries.filter(gone).values("pk"))
    entries = sorted(listed, key=lambda entry: in_order(entry.name))
    return [(entry, paid.get(entry.pk)) for entry in entries]


def book_of(club: Club, season: Season | None = None) -> list[tuple[Event | None, MoneyTotals]]:
    """What each event came to, the newest first, and at the end what belongs to none (None). Two queries.

    Of a season these are its events as they belong to it now, and its own other lines."""
    lines = MoneyLine.objects.filter(club=club)
    events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")
    if season is not None:
        events = events.filter(season=season)
        lines = lines.filter(event__season=season) | lines.filter(event=None, season=season)
    added_up = lines.order_by().values_list("event", "kind").annotate(Sum("amount"))
    sums = grouped((event, (kind, amount)) for event, kind, amount in added_up)
    rows: list[tuple[Event | None, MoneyTotals]] = [
        (event, _totals(sums[event.pk])) for event in events if event.pk in sums
    ]
    return [*rows, (None, _totals(sums[None]))] if None in sums else rows


def sum_of(rows: Iterable[tuple[Event | None, MoneyTotals]]) -> MoneyTotals:
    """All events together. No query."""
    return MoneyTotals(*map(sum, zip(*(astuple(totals) for _event, totals in rows), strict=True)))


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
            (line.at, line.what, line.about, in_units(line.amount, currency), line.actor)
            for line in lines_shown(MoneyLine.objects.filter(event=event)).reverse()
        ),
    )


def book_sheet(title: str, rows: Iterable[tuple[Event | None, MoneyTotals]], *, currency: str) -> Sheet:
    """The events of a season or the club with what each came to. No query."""
    heads = (_("Date"), _("Event"), _("Fees"), _("Other income"), _("Prizes"), _("Costs"), _("Left"))
    return Sheet(
        title,
        heads,
        tuple(
            (
                event.starts_at.astimezone(event.club.zone).date() if event else None,
                event.name if event else _("no event"),
                *(in_units(amount, currency) for amount in (*astuple(totals), totals.left)),
            )
            for event, totals in rows
        ),
    )


class FeeForm(forms.Form):
    def __init__(self, sent: Any = None, *, club: Club, fee: int) -> None:
        super().__init__(sent, initial={"fee": fee})
        label, words = gettext_lazy("Fee of one entry"), gettext_lazy("Leave empty if there is no fee.")
        self.fields["fee"] = AmountField(label=label, currency=club.money, help_text=words)


class LineForm(forms.Form):
    side = forms.ChoiceField(
        label=gettext_lazy("Did it come in or go out?"),
        choices=[("income", gettext_lazy("It came in")), ("cost", gettext_lazy("It went out"))],
        widget=forms.RadioSelect,
    )
    words = forms.CharField(
        label=gettext_lazy("What for"), max_length=120, help_text=gettext_lazy("For example: rent of the hall.")
    )
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    field_order = ("side", "words", "amount")

    def __init__(self, sent: Any = None, *, club: Club) -> None:
        super().__init__(sent, initial={"submission": uuid4()})
        self.fields["amount"] = AmountField(label=gettext_lazy("Amount"), currency=club.money)

    def clean_amount(self) -> int:
        """Raises ValidationError where there is none."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError(gettext_lazy("Write an amount of money, for example 12.50."))
        return amount

    def line(self) -> MoneyLine:
        """The valid form, as the verb `write_line` takes it."""
        data = self.cleaned_data
        sign = -1 if data["side"] == MoneyLine.Kind.COST else 1
        return MoneyLine(kind=data["side"], amount=sign * data["amount"], words=data["words"])


@club_page
def fees(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Who has paid: ticked at the door. Who ticked takes a slip back here; every other line is the treasurer's, on the
    page of the money."""
    found = event_of(club, event)
    if request.method == "POST":
        entry = get_object_or_404(found.entries, pk=whole_number(request.POST.get("entry")))
        entry.event = found
        with refusals_told(request):
            if "line" in request.POST:
                fees = MoneyLine.objects.select_related("club", "event", "season", "entry").filter(entry=entry)
                untick_fee(
                    line=get_object_or_404(fees, pk=whole_number(request.POST.get("line"))), by=actor_of(request)
                )
            else:
                submission = submission_in(request.POST.get("submission"))
                take_fee(entry=entry, by=actor_of(request), submission=submission)
        return redirect(f"{request.path}#entry-{entry.pk}")
    payers = payers_of(found)
    context = {
        "event": found,
        "payers": payers,
        "paid": sum(line is not None for _entry, line in payers),
        "taken": sum(line.amount for _entry, line in payers if line),
    }
    return render(request, "tournaments/money/fees.html", context)


@club_page
def event_money(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The money of an event: the fee, who has paid, prizes, other amounts, and what is left."""
    found = event_of(club, event)
    step = request.POST.get("step")
    fee = FeeForm(request.POST if step == "fee" else None, club=club, fee=found.fee)
    line = LineForm(request.POST if step == "line" else None, club=club)
    if request.method == "POST":
        with refusals_told(request):
            if _event_step(request, found, fee=fee, line=line):
                return redirect("event_money", club.slug, found.slug)
    lines = MoneyLine.objects.filter(event=found)
    shown, payers = list(lines_shown(lines)), payers_of(found)
    fees = grouped((line.amount, line) for line in shown if line.kind == MoneyLine.Kind.FEE and line.can_reverse)
    folded = {amount: equal for amount, equal in fees.items() if len(equal) > 1}
    context = {
        "event": found,
        "fee_form": fee,
        "line_form": line,
        "totals": totals_of(lines),
        "folded": folded,
        "lines": [line for line in shown if line not in folded.get(line.amount, ())],
        "people": len(payers),
        "paid": sum(line is not None for _entry, line in payers),
        "unpaid": prizes_unpaid(found),
        "outdated": outdated_prizes(found),
    }
    return render(request, "tournaments/money/event_money.html", context)


def _event_step(request: HttpRequest, event: Event, *, fee: FeeForm, line: LineForm) -> bool:
    """One step on an event's book; whether it was done. Raises StepRefused as the verbs do."""
    step, by = request.POST.get("step"), actor_of(request)
    if step == "fee" and fee.is_valid():
        set_fee(event=event, by=by, fee=fee.cleaned_data["fee"])
        messages.success(request, _("Saved."))
    elif step == "prizes":
        pay_prizes(event=event, by=by)
        messages.success(request, _("The prizes are in the book."))
    else:
        return step != "fee" and _line_step(request, event.club, of=event, line=line)
    return True


def _line_step(request: HttpRequest, club: Club, *, of: Event | Season | None, line: LineForm) -> bool:
    """Write a line of an event, a season or the club, or reverse one; whether it was done. Raises StepRefused."""
    step, by = request.POST.get("step"), actor_of(request)
    if step == "line" and line.is_valid():
        write_line(club=club, by=by, line=line.line(), submission=submission_in(request.POST.get("submission")), of=of)
        messages.success(request, _("It is in the book."))
    elif step == "reverse":
        lines = own_lines(club, of).select_related("club", "event", "season", "entry")
        found = get_object_or_404(lines, pk=whole_number(request.POST.get("line")))
        reverse_line(line=found, by=by, reason=request.POST.get("reason", ""))
        messages.success(request, _("The line is reversed. Both stay in the book."))
    elif step != "line":
        raise StepRefused(_("That step isn't known. Look at the page again."))
    else:
        return False
    return True


def own_lines(club: Club, of: Event | Season | None) -> QuerySet[MoneyLine]:
    """The lines of an event; or those of a season or of the club that belong to no event."""
    if isinstance(of, Event):
        return MoneyLine.objects.filter(event=of)
    lines = MoneyLine.objects.filter(club=club, event=None)
    return lines.filter(season=of) if of else lines


@club_page
def book(request: HttpRequest, club: Club, *, season: int | None = None) -> HttpResponse:
    """The club's book, or a season's: what each event came to, and what belongs to none."""
    found = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    line = LineForm(request.POST if request.POST.get("step") == "line" else None, club=club)
    if request.method == "POST":
        with refusals_told(request):
            if _line_step(request, club, of=found, line=line):
                return redirect(request.path)
    rows = book_of(club, found)
    context = {
        "season": found,
        "seasons": Season.objects.filter(club=club),
        "rows": rows,
        "all": sum_of(rows),
        "line_form": line,
        "lines": lines_shown(own_lines(club, found)),
    }
    return render(request, "tournaments/money/book.html", context)


@club_page
@require_safe
def event_money_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    found = event_of(club, event)
    return sheet_answer(event_money_sheet(found), kind)


@club_page
@require_safe
def book_file(request: HttpRequest, club: Club, *, kind: str, season: int | None = None) -> HttpResponse:
    found = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    title = f"{found.name if found else club.name} {_('money')}"
    return sheet_answer(book_sheet(title, book_of(club, found), currency=club.money), kind)
