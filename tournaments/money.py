"""The treasurer's book: fees and dues in, prizes out, other amounts, and what is left, also year by year, in cash and
in the bank. Lines are only ever added."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from operator import attrgetter
from typing import Any
from uuid import UUID, uuid4, uuid5

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_safe

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from clubsite.accounts.roles import club_page, request_actor
from clubsite.currency import format_money, to_whole_units
from clubsite.names import name_sort_key
from tournaments.engine.rounds import grouped
from tournaments.errors import StepRefused
from tournaments.events.forms import YEARS, DayField
from tournaments.events.state import event_locked, lock_event
from tournaments.exports.spreadsheets import Cell, Sheet
from tournaments.exports.views import sheet_response
from tournaments.models import Dues, Entry, Event, MoneyLine, PublishedPrizes, Season
from tournaments.prizes.actions import outdated_prizes, published_lines, published_prizes
from tournaments.prizes.views import AmountField
from tournaments.requests import event_page, parse_submission, show_refusals, whole_number, whole_number_or_none

MOST_AMOUNT = 10**9  # of the smallest unit: more is a typing mistake
CASH, BANK = MoneyLine.Way.CASH, MoneyLine.Way.BANK


def set_fee(*, event: Event, by: Actor, fee: int) -> Event:
    """Set what one entry pays; fees already paid stay in the book. Raises StepRefused: the amount is no fee."""
    if not 0 <= fee <= MOST_AMOUNT:
        raise StepRefused(_("Write the fee as an amount of money, or 0 for none."))
    with event_locked(event) as event:
        if event.fee != fee:
            event.club.fix_currency()
            before, after = ({"fee": format_money(amount, event.club.money)} for amount in (event.fee, fee))
            event.fee = fee
            event.save()
            log(club=event.club, by=by, verb="money.set-fee", subject=event, old=before, new=after)
    return event


def take_fee(*, entry: Entry, by: Actor, submission: UUID, way: str = CASH) -> MoneyLine:
    """Record that somebody has paid the event's fee, unless they have already. Raises StepRefused: the event has no
    fee."""
    with event_locked(entry.event) as event:
        if done := MoneyLine.objects.filter(submission=submission, club=event.club).first():
            return done
        if paid := unreversed_lines(MoneyLine.Kind.FEE, event=event).filter(entry=entry).first():
            return paid
        if not event.fee:
            raise StepRefused(_("Set the fee of this event first."))
        fee = MoneyLine(kind=MoneyLine.Kind.FEE, amount=event.fee, entry=entry, way=way, submission=submission)
        return _write(fee, club=event.club, by=by, of=event)


def untick_fee(*, line: MoneyLine, by: Actor) -> MoneyLine:
    """Reverse a fee that the same person has just ticked by mistake; twice is once. Raises StepRefused: somebody else
    took it, or it is no fee."""
    if line.kind != MoneyLine.Kind.FEE or line.by_id is None or by.user is None or line.by_id != by.user.pk:
        raise StepRefused(_("Somebody else took this fee. A treasurer can give it back on the Money page."))
    return reverse_line(line=line, by=by, reason=_("ticked by mistake"))


def set_dues(*, club: Club, year: int, by: Actor, amount: int) -> Dues:
    """Set what a member pays for a year; dues already paid stay in the book. Raises StepRefused: the amount is no
    fee."""
    if not 0 <= amount <= MOST_AMOUNT:
        raise StepRefused(_("Write the fee as an amount of money, or 0 for none."))
    with club.locked_transaction() as club:
        dues = Dues.objects.filter(club=club, year=year).first() or Dues(club=club, year=year)
        if dues.amount != amount:
            club.fix_currency()
            before, dues.amount = dues.amount, amount
            dues.save()
            old, new = ({"dues": format_money(figure, club.money)} for figure in (before, amount))
            log(club=club, by=by, verb="money.set-dues", subject=year, old=old, new=new)
    return dues


def take_dues(
    *, dues: Dues, member: Member, by: Actor, submission: UUID, way: str = CASH, on: date | None = None
) -> MoneyLine:
    """Record that a member has paid for a year, unless they have already; the day is today if none is given. Raises
    StepRefused: there are no dues for that year, or the day is in the future."""
    with dues.club.locked_transaction() as club:
        if done := MoneyLine.objects.filter(submission=submission, club=club).first():
            return done
        member = Member.every.select_related("merged_into").get(pk=member.pk)
        member = member.merged_into or member  # somebody may have merged them since the page was shown
        if paid := unreversed_lines(MoneyLine.Kind.DUES, dues=dues).filter(member=member).first():
            return paid
        dues = Dues.objects.get(pk=dues.pk)
        if not dues.amount:
            raise StepRefused(_("Set the dues of this year first."))
        _refuse_future(club, on)
        line = MoneyLine(kind=MoneyLine.Kind.DUES, amount=dues.amount, dues=dues, member=member, way=way)
        line.submission = submission
        if on:
            line.on = on
        return _write(line, club=club, by=by, of=None)


def write_line(
    *, club: Club, by: Actor, line: MoneyLine, submission: UUID, of: Event | Season | None = None
) -> MoneyLine:
    """Write another amount, of an event, a season or the club: an unsaved line with its kind, amount and words. A move
    becomes two lines, out of `line.way` and into the other.

    The same submission again returns what it wrote. Raises StepRefused: there are no words or no amount, the sign
    doesn't fit the kind, or the day is in the future."""
    line.words, line.category = (" ".join(text.split()) for text in (line.words[:120], line.category[:40]))
    if not line.words:
        raise StepRefused(_("Write what the amount was for."))
    if not 0 < abs(line.amount) <= MOST_AMOUNT or (line.amount < 0) != (line.kind == MoneyLine.Kind.COST):
        raise StepRefused(_("Write the amount, for example 12.50, and say whether it came in or went out."))
    with transaction.atomic():
        club = _lock_book(club, of if isinstance(of, Event) else None)
        if done := MoneyLine.objects.filter(submission=submission, club=club).first():
            return done
        _refuse_future(club, line.on)
        line.submission = submission
        if line.kind == MoneyLine.Kind.MOVED:
            into = MoneyLine(kind=line.kind, amount=line.amount, on=line.on, words=line.words, category=line.category)
            into.way, into.submission = (BANK if line.way == CASH else CASH), uuid5(submission, "moved")
            line.amount = -line.amount
            _write(into, club=club, by=by, of=of)
        return _write(line, club=club, by=by, of=of)


def _refuse_future(club: Club, on: date | None) -> None:
    if on is not None and on > localdate(timezone=club.zone):
        raise StepRefused(_("This day is still to come. Write the day on which the money came in or went out."))


def reverse_line(*, line: MoneyLine, by: Actor, reason: str, on: date | None = None) -> MoneyLine:
    """Correct a mistake by a line with the opposite amount and the reason, on the same day unless another is given. A
    line is reversed once; both lines of a move are reversed together. Raises StepRefused: there is no reason, the line
    reverses another, or the day is in the future."""
    reason = " ".join(reason.split())
    if not reason:
        raise StepRefused(_("Write why you are reversing the line: both stay in the book."))
    if line.reverses_id:
        raise StepRefused(_("This line reverses another one. Write the amount as a new line instead."))
    with transaction.atomic():
        club = _lock_book(line.club, line.event)
        if done := MoneyLine.objects.filter(reverses=line).first():
            return done
        _refuse_future(club, on)
        on = on or line.on
        if line.kind == MoneyLine.Kind.MOVED:
            if line.amount > 0:
                raise StepRefused(_("Reverse the line of the money that went out. This one goes with it."))
            second = MoneyLine.objects.select_related("event", "season").get(submission=uuid5(line.submission, "moved"))
            _write_reversal(club, second, by=by, words=reason[:120], on=on)
        return _write_reversal(club, line, by=by, words=reason[:120], on=on)


def pay_prizes(*, event: Event, by: Actor) -> list[MoneyLine]:
    """Write the published prizes in the book, a line for each winner; twice is once.

    Lines that the published version no longer gives are reversed, and all of them if the prizes were taken back. Raises
    StepRefused: no prizes are published, and none are in the book."""
    with event_locked(event) as event:
        published = published_prizes(event)
        standing = list(unreversed_lines(MoneyLine.Kind.PRIZE, event=event).select_related("event", "entry"))
        if published is None and not standing:
            raise StepRefused(_("Publish the prizes first, then they can be written in the book."))
        winnings = prize_amounts(published) if published else []
        words = gone = _("the prizes were taken back")
        if published:
            words = _("prizes, version %(n)d") % {"n": published.number}
            gone = _("not in the prizes of version %(n)d") % {"n": published.number}
        lines = [
            _write_reversal(event.club, line, by=by, words=gone)
            for line in standing
            if _winner_and_amount(line) not in {(entry, amount) for entry, amount in winnings}
        ]
        entries = {entry.pk: entry for entry in event.entries.all()}
        for entry, amount in winnings:
            if (entry, amount) not in {_winner_and_amount(line) for line in standing}:
                prize = MoneyLine(kind=MoneyLine.Kind.PRIZE, amount=-amount, words=words, entry=entries.get(entry))
                prize.submission = uuid4()
                lines.append(_write(prize, club=event.club, by=by, of=event))
    return lines


def has_unpaid_prizes(event: Event) -> bool:
    """Whether the book differs from the published prizes. Three queries."""
    published = published_prizes(event)
    standing = sorted(map(_winner_and_amount, unreversed_lines(MoneyLine.Kind.PRIZE, event=event)))
    return standing != (prize_amounts(published) if published else [])


def prize_amounts(published: PublishedPrizes) -> list[tuple[int, int]]:
    """The entry and amount of each winner of a money prize, by entry."""
    got: dict[int, int] = {}
    for line in published_lines(published):
        for winner, amount in line.shares:
            got[winner.entry] = got.get(winner.entry, 0) + amount
    return [(entry, amount) for entry, amount in sorted(got.items()) if amount]


def _lock_book(club: Club, event: Event | None) -> Club:
    """The club as it is now, with the event (or the club, if there is none) locked until the transaction ends."""
    return lock_event(event).club if event else club.lock()


def _winner_and_amount(line: MoneyLine) -> tuple[int, int]:
    return line.entry_id or 0, -line.amount


def _write_reversal(club: Club, line: MoneyLine, *, by: Actor, words: str, on: date | None = None) -> MoneyLine:
    opposite = MoneyLine(kind=line.kind, amount=-line.amount, words=words, entry=line.entry, reverses=line)
    opposite.on = on or localdate(timezone=club.zone)
    for name in ("dues_id", "member_id", "way", "category"):
        setattr(opposite, name, getattr(line, name))
    opposite.submission = uuid5(line.submission, "reversed")
    return _write(opposite, club=club, by=by, of=line.event or line.season)


def _write(line: MoneyLine, *, club: Club, by: Actor, of: Event | Season | None) -> MoneyLine:
    event = of if isinstance(of, Event) else None
    club.fix_currency()
    line.club, line.event, line.season = club, event, of.season if isinstance(of, Event) else of
    line.by, line.actor = by.user, by.name
    line.on = line.on or localdate(timezone=club.zone)
    line.save()
    if line.kind == MoneyLine.Kind.MOVED and line.amount > 0 and not line.reverses:
        return line  # the log has the other of the two
    verb = "money.reverse" if line.reverses else f"money.{line.kind}"
    subject = event.about(line.entry) if event and line.entry else event or line.entry or line.member or line.words
    new = {"amount": format_money(line.amount, club.money), "words": line.words}
    log(club=club, by=by, verb=verb, subject=subject, new=new)
    return line


@dataclass(frozen=True, slots=True)
class MoneyTotals:
    """Amounts in the currency's smallest unit; what went out is below zero."""

    fees: int = 0
    dues: int = 0
    income: int = 0
    prizes: int = 0
    costs: int = 0

    @property
    def left(self) -> int:
        return self.fees + self.dues + self.income + self.prizes + self.costs


def money_totals(lines: QuerySet[MoneyLine]) -> MoneyTotals:
    """One query."""
    return _make_totals(lines.order_by().values_list("kind").annotate(Sum("amount")))


def with_details(lines: QuerySet[MoneyLine]) -> QuerySet[MoneyLine]:
    """Lines with all that pages show of them, the newest first. One query."""
    together = ("entry", "event", "dues", "member", "by", "reversed_by", "reverses")
    return lines.select_related(*together).order_by("-on", "-pk")


def unreversed_lines(kind: MoneyLine.Kind, **of: Any) -> QuerySet[MoneyLine]:
    """Lines of one kind that aren't reversed and reverse none."""
    return MoneyLine.objects.filter(kind=kind, reverses=None, reversed_by=None, **of)


def event_payers(event: Event) -> list[tuple[Entry, MoneyLine | None]]:
    """The people on an event's list by name, each with their fee, None if not paid. Two queries.

    On a night, people who left before any draw and paid nothing are left out: mostly a wrong name that was pressed."""
    paid = {line.entry_id: line for line in unreversed_lines(MoneyLine.Kind.FEE, event=event)}
    listed = event.entries.all()
    if event.by_rounds:
        gone = ~Q(state=Entry.State.HERE) & Q(seats=None, sit_outs=None) & ~Q(pk__in=[pk for pk in paid if pk])
        listed = listed.exclude(pk__in=event.entries.filter(gone).values("pk"))
    entries = sorted(listed, key=lambda entry: name_sort_key(entry.name))
    return [(entry, paid.get(entry.pk)) for entry in entries]


def book_rows(
    club: Club, season: Season | None = None, *, year: int | None = None
) -> list[tuple[Event | None, MoneyTotals]]:
    """The totals of each event, the newest first; last, with None, those of lines without an event. Two queries.

    With `season`, only its present events and its own lines; with `year`, only lines of that year."""
    lines = MoneyLine.objects.filter(club=club, **year_filter(year))
    events = Event.objects.filter(club=club).order_by("-starts_at", "-pk")
    if season is not None:
        events = events.filter(season=season)
        lines = lines.filter(event__season=season) | lines.filter(event=None, season=season)
    added_up = lines.order_by().values_list("event", "kind").annotate(Sum("amount"))
    sums = grouped((event, (kind, amount)) for event, kind, amount in added_up)
    rows: list[tuple[Event | None, MoneyTotals]] = [
        (event, _make_totals(sums[event.pk])) for event in events if event.pk in sums
    ]
    return [*rows, (None, _make_totals(sums[None]))] if None in sums else rows


def year_filter(year: int | None) -> dict[str, Any]:
    return {} if year is None else {"on__year": year}


def year_balances(club: Club) -> list[dict[str, int]]:
    """The balance of each year, the newest first: carried over, in, out, and left in cash and in the bank. One
    query."""
    lines = MoneyLine.objects.filter(club=club).order_by("on__year")
    years: dict[int, dict[str, int]] = {}
    left = {CASH.value: 0, BANK.value: 0}
    for year, way, kind, amount in lines.values_list("on__year", "way", "kind").annotate(Sum("amount")):
        if year not in years:
            years[year] = {"year": year, "carried": sum(left.values()), "came": 0, "went": 0}
        left[way] += amount
        if kind != MoneyLine.Kind.MOVED:
            years[year]["went" if kind in (MoneyLine.Kind.PRIZE, MoneyLine.Kind.COST) else "came"] += amount
        years[year] |= left | {"left": sum(left.values())}
    return list(reversed(years.values()))


def category_totals(club: Club, year: int) -> list[dict[str, Any]]:
    """What came in and went out by category in a year; lines without one go by kind. One query."""
    lines = MoneyLine.objects.filter(club=club, **year_filter(year)).exclude(kind=MoneyLine.Kind.MOVED)
    rows: dict[str, dict[str, Any]] = {}
    for kind, category, amount in (
        lines.order_by("kind", "category").values_list("kind", "category").annotate(Sum("amount"))
    ):
        name = category or str(MoneyLine.Kind(kind).label).capitalize()
        row = rows.setdefault(name.casefold(), {"name": name, "came": 0, "went": 0})
        row["went" if kind in (MoneyLine.Kind.PRIZE, MoneyLine.Kind.COST) else "came"] += amount
    return sorted(rows.values(), key=lambda row: name_sort_key(row["name"]))


def dues_payers(club: Club, dues: Dues | None) -> list[tuple[Member, MoneyLine | None]]:
    """Active members and those who have paid for the year, by name, with their line: two lines where two names of one
    person had both paid before they were merged. Two queries."""
    paid = grouped((line.member_id, line) for line in unreversed_lines(MoneyLine.Kind.DUES, dues=dues)) if dues else {}
    members = Member.objects.filter(Q(active=True) | Q(pk__in=[pk for pk in paid if pk]), club=club)
    rows: list[tuple[Member, MoneyLine | None]] = []
    for member in sorted(members, key=attrgetter("by_name")):
        rows += [(member, line) for line in paid.get(member.pk, ())] or [(member, None)]
    return rows


def add_totals(rows: Iterable[tuple[Event | None, MoneyTotals]]) -> MoneyTotals:
    return MoneyTotals(*map(sum, zip(*(astuple(totals) for _event, totals in rows), strict=True)))


def _make_totals(sums: Iterable[tuple[str, int]]) -> MoneyTotals:
    by_kind = {kind: int(amount) for kind, amount in sums}
    kinds = MoneyLine.Kind
    return MoneyTotals(
        *(by_kind.get(kind, 0) for kind in (kinds.FEE, kinds.DUES, kinds.INCOME, kinds.PRIZE, kinds.COST))
    )


def lines_sheet(title: str, lines: QuerySet[MoneyLine], *, currency: str) -> Sheet:
    """Every line, the oldest first. One query."""
    heads = (_("Date"), _("What"), _("Who or what for"), f"{_('Amount')} {currency}", _("Written by"))
    rows = [
        (
            *(line.on, line.what, line.about, to_whole_units(line.amount, currency), line.actor),
            *(line.category, line.get_way_display(), line.event.name if line.event else "", line.at),
        )
        for line in with_details(lines).reverse()
    ]
    return Sheet(title, (*heads, _("Category"), _("Cash or bank"), _("Event"), _("Written")), rows)


def book_sheet(title: str, club: Club, *, season: Season | None) -> Sheet:
    """The totals of each event of a season or the club, then each line without an event. Three queries."""
    heads = (_("Date"), _("Event"), _("Fees"), _("Dues"), _("Other income"), _("Prizes"), _("Costs"), _("Left"))
    rows = [
        (event.starts_at.astimezone(club.zone).date(), event.name, totals)
        for event, totals in book_rows(club, season)
        if event
    ]
    for line in with_details(own_lines(club, season)).exclude(kind=MoneyLine.Kind.MOVED).reverse():
        words = ": ".join(part for part in (line.what, line.about) if part)
        rows.append((line.on, words, _make_totals([(line.kind, line.amount)])))
    cells: list[tuple[Cell, ...]] = [
        (on, words, *(to_whole_units(amount, club.money) for amount in (*astuple(totals), totals.left)))
        for on, words, totals in rows
    ]
    return Sheet(title, heads, cells)


class FeeForm(forms.Form):
    def __init__(self, sent: Any = None, *, club: Club, fee: int) -> None:
        super().__init__(sent, initial={"fee": fee})
        label, words = gettext_lazy("Fee of one entry"), gettext_lazy("Leave empty if there is no fee.")
        self.fields["fee"] = AmountField(label=label, currency=club.money, help_text=words)


class PaidOnForm(forms.Form):
    on = DayField(label=gettext_lazy("They paid on"))


class LineForm(forms.Form):
    side = forms.ChoiceField(
        label=gettext_lazy("Did it come in or go out?"),
        choices=[("income", gettext_lazy("It came in")), ("cost", gettext_lazy("It went out"))],
        widget=forms.RadioSelect,
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Cash or bank"), choices=MoneyLine.Way.choices, widget=forms.RadioSelect, required=False
    )
    on = DayField(label=gettext_lazy("Date"), required=False)
    category = forms.CharField(
        label=gettext_lazy("Category"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("For example: rent, drinks. The balance of a year adds up each category."),
    )
    words = forms.CharField(
        label=gettext_lazy("What for"), max_length=120, help_text=gettext_lazy("For example: rent of the hall.")
    )
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, sent: Any = None, *, club: Club, moves: bool = False) -> None:
        super().__init__(sent, initial={"submission": uuid4(), "way": CASH, "on": localdate(timezone=club.zone)})
        used = MoneyLine.objects.filter(club=club).exclude(category="").order_by("category")
        self.categories = list(used.values_list("category", flat=True).distinct())
        self.fields["category"].widget.attrs["list"] = "categories"
        if moves:
            self.fields["side"].choices = [  # type: ignore[attr-defined]  # it has choices
                *LineForm.base_fields["side"].choices,  # type: ignore[attr-defined]  # as above
                ("to-bank", gettext_lazy("It went from cash to the bank")),
                ("to-cash", gettext_lazy("It came from the bank into cash")),
            ]
        self.fields["amount"] = AmountField(label=gettext_lazy("Amount"), currency=club.money)

    def clean_amount(self) -> int:
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError(gettext_lazy("Write an amount of money, for example 12.50."))
        return amount

    def line(self) -> MoneyLine:
        """The valid form as an unsaved line for `write_line`."""
        data = self.cleaned_data
        sign = -1 if data["side"] == MoneyLine.Kind.COST else 1
        line = MoneyLine(amount=sign * data["amount"], **{name: data[name] for name in ("words", "on", "category")})
        from_way = {"to-bank": CASH, "to-cash": BANK}.get(data["side"])
        line.kind = MoneyLine.Kind.MOVED if from_way else data["side"]
        line.way = from_way or data["way"] or CASH
        return line


@event_page
def fees(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """Who has paid, ticked at the door. Whoever ticked can undo it here; a treasurer reverses other lines on the Money
    page."""
    if request.method == "POST":
        entry = get_object_or_404(event.entries, pk=whole_number(request.POST.get("entry")))
        entry.event = event
        with show_refusals(request):
            if "line" in request.POST:
                fees = MoneyLine.objects.select_related("club", "event", "season", "entry").filter(entry=entry)
                untick_fee(
                    line=get_object_or_404(fees, pk=whole_number(request.POST.get("line"))), by=request_actor(request)
                )
            else:
                submission = parse_submission(request.POST.get("submission"))
                take_fee(entry=entry, by=request_actor(request), submission=submission, way=_payment_way(request))
        return redirect(f"{request.get_full_path()}#entry-{entry.pk}")
    context = {"event": event, **_payers_context(request, event_payers(event))}
    return render(request, "tournaments/money/fees.html", context)


def _requested_year(request: HttpRequest) -> int | None:
    """The year in the address. Raises Http404 for an impossible one."""
    year = whole_number_or_none(request.GET.get("year"))
    if year is not None and year not in YEARS:
        raise Http404
    return year


def _payment_way(request: HttpRequest) -> str:
    """Whether the people whose names are pressed pay in cash or by bank."""
    return BANK if request.GET.get("by") == BANK else CASH


def _payers_context(request: HttpRequest, payers: Sequence[tuple[Any, MoneyLine | None]]) -> dict[str, Any]:
    """Who has paid, how many and how much, for the lists of names to press."""
    taken = [line.amount for _who, line in payers if line]
    return {"payers": payers, "paid": len(taken), "taken": sum(taken), "by_bank": _payment_way(request) == BANK}


@club_page
def dues(request: HttpRequest, club: Club) -> HttpResponse:
    year = _requested_year(request) or localdate(timezone=club.zone).year
    by_year = {row.year: row for row in Dues.objects.filter(club=club)}
    of_year = by_year.get(year)
    usual = of_year.amount if of_year else max(by_year.items())[1].amount if by_year else 0
    form = FeeForm(request.POST if request.POST.get("step") == "dues" else None, club=club, fee=usual)
    form.fields["fee"].label = _("Dues of a member for %(year)d") % {"year": year}
    paid_on = PaidOnForm(request.GET if "on" in request.GET else {"on": localdate(timezone=club.zone)})
    by, to = request_actor(request), request.get_full_path()
    if request.POST.get("step") == "dues" and form.is_valid():
        with show_refusals(request):
            set_dues(club=club, year=year, by=by, amount=form.cleaned_data["fee"])
            messages.success(request, _("Saved."))
        return redirect(to)
    if of_year and "entry" in request.POST and paid_on.is_valid():
        of_year.club = club
        member = get_object_or_404(Member, club=club, pk=whole_number(request.POST["entry"]))
        with show_refusals(request):
            if "line" in request.POST:
                lines = unreversed_lines(MoneyLine.Kind.DUES, dues=of_year, member=member).select_related(
                    "club", "entry"
                )
                line = lines.filter(pk=whole_number(request.POST["line"])).first()  # none after a second tap
                if line:
                    reverse_line(line=line, by=by, reason=_("ticked by mistake"))
            else:
                submission = parse_submission(request.POST.get("submission"))
                day, way = paid_on.cleaned_data["on"], _payment_way(request)
                take_dues(dues=of_year, member=member, by=by, submission=submission, way=way, on=day)
        return redirect(f"{to}#entry-{member.pk}")
    context = {
        "year": year,
        "dues": of_year,
        "form": form,
        "paid_on": paid_on,
        "can_pay": of_year and of_year.amount and paid_on.is_valid(),
        "years": sorted({*by_year, year - 1, year + 1}),
        **_payers_context(request, dues_payers(club, of_year)),
    }
    return render(request, "tournaments/money/dues.html", context)


@event_page
def event_money(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    step = request.POST.get("step")
    fee = FeeForm(request.POST if step == "fee" else None, club=club, fee=event.fee)
    line = LineForm(request.POST if step == "line" else None, club=club)
    if request.method == "POST":
        with show_refusals(request):
            if _do_event_step(request, event, fee=fee, line=line):
                return redirect("event_money", club.slug, event.slug)
    lines = MoneyLine.objects.filter(event=event)
    shown, payers = list(with_details(lines)), event_payers(event)
    fees = grouped((line.amount, line) for line in shown if line.kind == MoneyLine.Kind.FEE and line.can_reverse)
    folded = {amount: equal for amount, equal in fees.items() if len(equal) > 1}
    context = {
        "event": event,
        "fee_form": fee,
        "line_form": line,
        "totals": money_totals(lines),
        "folded": folded,
        "lines": [line for line in shown if line not in folded.get(line.amount, ())],
        "people": len(payers),
        "paid": sum(line is not None for _entry, line in payers),
        "unpaid": has_unpaid_prizes(event),
        "outdated": outdated_prizes(event),
    }
    return render(request, "tournaments/money/event_money.html", context)


def _do_event_step(request: HttpRequest, event: Event, *, fee: FeeForm, line: LineForm) -> bool:
    """Do one step on an event's book; returns whether it was done. Raises StepRefused."""
    step, by = request.POST.get("step"), request_actor(request)
    if step == "fee" and fee.is_valid():
        set_fee(event=event, by=by, fee=fee.cleaned_data["fee"])
        messages.success(request, _("Saved."))
    elif step == "prizes":
        pay_prizes(event=event, by=by)
        messages.success(request, _("The prizes are in the book."))
    else:
        return step != "fee" and _do_line_step(request, event.club, of=event, line=line)
    return True


def _do_line_step(request: HttpRequest, club: Club, *, of: Event | Season | None, line: LineForm) -> bool:
    """Write or reverse a line of an event, a season or the club; returns whether it was done. Raises StepRefused."""
    step, by = request.POST.get("step"), request_actor(request)
    if step == "line" and line.is_valid():
        write_line(
            club=club, by=by, line=line.line(), submission=parse_submission(request.POST.get("submission")), of=of
        )
        messages.success(request, _("It is in the book."))
    elif step == "reverse":
        lines = own_lines(club, of).select_related("club", "event", "season", "entry")
        mistake = get_object_or_404(lines, pk=whole_number(request.POST.get("line")))
        try:
            on = DayField(required=False).clean(request.POST.get("on", ""))
        except ValidationError as error:
            raise StepRefused(" ".join(error.messages)) from error
        reverse_line(line=mistake, by=by, reason=request.POST.get("reason", ""), on=on)
        messages.success(request, _("The line is reversed. Both stay in the book."))
    elif step != "line":
        raise StepRefused(_("That step isn't possible here. Reload the page."))
    else:
        return False
    return True


def own_lines(club: Club, of: Event | Season | None) -> QuerySet[MoneyLine]:
    """The lines of an event; or those of a season or the club that belong to no event."""
    if isinstance(of, Event):
        return MoneyLine.objects.filter(event=of)
    lines = MoneyLine.objects.filter(club=club, event=None)
    return lines.filter(season=of) if of else lines


@club_page
def book(request: HttpRequest, club: Club, *, season: int | None = None) -> HttpResponse:
    """The book of the club, of one of its years, or of a season."""
    this_season = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    year = None if this_season else _requested_year(request)
    line = LineForm(request.POST if request.POST.get("step") == "line" else None, club=club, moves=this_season is None)
    if request.method == "POST":
        with show_refusals(request):
            if _do_line_step(request, club, of=this_season, line=line):
                return redirect(request.get_full_path())
    rows = book_rows(club, this_season, year=year)
    years = [] if this_season else year_balances(club)
    context = {
        "season": this_season,
        "seasons": Season.objects.filter(club=club),
        "rows": rows,
        "all": add_totals(rows),
        "year": year,
        "query": f"?year={year}" if year else "",
        "years": years,
        "balance": next((row for row in years if year in (None, row["year"])), None),
        "categories": category_totals(club, year) if year else [],
        "line_form": line,
        "lines": with_details(
            own_lines(club, this_season).filter(**year_filter(year)).exclude(kind=MoneyLine.Kind.DUES)
        ),
    }
    return render(request, "tournaments/money/book.html", context)


@event_page
@require_safe
def event_money_file(request: HttpRequest, club: Club, *, event: Event, kind: str) -> HttpResponse:
    title = f"{event.name} {_('money')}"
    return sheet_response(lines_sheet(title, MoneyLine.objects.filter(event=event), currency=club.money), kind)


@club_page
@require_safe
def book_file(request: HttpRequest, club: Club, *, kind: str, season: int | None = None) -> HttpResponse:
    this_season = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    year = None if this_season else _requested_year(request)
    title = f"{this_season.name if this_season else club.name} {_('money')} {year or ''}".strip()
    if year is None:
        return sheet_response(book_sheet(title, club, season=this_season), kind)
    lines = MoneyLine.objects.filter(club=club, **year_filter(year))
    return sheet_response(lines_sheet(title, lines, currency=club.money), kind)
