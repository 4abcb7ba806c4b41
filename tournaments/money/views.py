"""Pages of the book: fees at the door, the money of an event, of a season, of the club."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.errors import StepRefused
from tournaments.exports.views import ASKED_BY, sheet_answer
from tournaments.models import Event, MoneyLine, Season
from tournaments.money import actions
from tournaments.money.actions import book_of, book_sheet, event_money_sheet, lines_shown, payers_of, sum_of, totals_of
from tournaments.money.forms import FeeForm, LineForm
from tournaments.prizes.actions import outdated_prizes
from tournaments.requests import event_of, refusals_told, submission_in, whole_number


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
                actions.untick_fee(line=get_object_or_404(fees, pk=_pk(request)), by=actor_of(request))
            else:
                submission = submission_in(request.POST.get("submission"))
                actions.take_fee(entry=entry, by=actor_of(request), submission=submission)
        return redirect(f"{request.path}#entry-{entry.pk}")
    payers = payers_of(found)
    context = {
        "event": found,
        "payers": payers,
        "paid": sum(one.paid is not None for one in payers),
        "taken": sum(one.paid.amount for one in payers if one.paid),
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
    payers = payers_of(found)
    context = {
        "event": found,
        "fee_form": fee,
        "line_form": line,
        "totals": totals_of(lines),
        "lines": lines_shown(lines),
        "people": len(payers),
        "paid": sum(one.paid is not None for one in payers),
        "unpaid": actions.prizes_unpaid(found),
        "outdated": outdated_prizes(found),
    }
    return render(request, "tournaments/money/event_money.html", context)


def _event_step(request: HttpRequest, event: Event, *, fee: FeeForm, line: LineForm) -> bool:
    """One step on an event's book; whether it was done. Raises StepRefused as the verbs do."""
    post, by = request.POST, actor_of(request)
    step = post.get("step")
    if step == "fee" and fee.is_valid():
        actions.set_fee(event=event, by=by, fee=fee.cleaned_data["fee"])
        messages.success(request, _("Saved."))
    elif step == "line" and line.is_valid():
        submission = submission_in(post.get("submission"))
        actions.write_line(club=event.club, by=by, line=line.line(), submission=submission, of=event)
        messages.success(request, _("It is in the book."))
    elif step == "prizes":
        actions.pay_prizes(event=event, by=by)
        messages.success(request, _("The prizes are in the book."))
    elif step == "reverse":
        _reverse(request, MoneyLine.objects.filter(event=event))
    elif step not in ("fee", "line"):
        raise StepRefused(_("That step isn't known. Look at the page again."))
    else:
        return False
    return True


def _reverse(request: HttpRequest, lines: Any) -> None:
    found = get_object_or_404(lines.select_related("club", "event", "season", "entry"), pk=_pk(request))
    actions.reverse_line(line=found, by=actor_of(request), reason=request.POST.get("reason", ""))
    messages.success(request, _("The line is reversed. Both stay in the book."))


def _pk(request: HttpRequest) -> int:
    return whole_number(request.POST.get("line"))


@club_page
def book(request: HttpRequest, club: Club, *, season: int | None = None) -> HttpResponse:
    """The club's book, or a season's: what each event came to, and what belongs to none."""
    found = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    step = request.POST.get("step")
    line = LineForm(request.POST if step == "line" else None, club=club)
    own = MoneyLine.objects.filter(club=club, event=None)
    if found:
        own = own.filter(season=found)
    if request.method == "POST":
        with refusals_told(request):
            if step == "line" and line.is_valid():
                submission = submission_in(request.POST.get("submission"))
                actions.write_line(club=club, by=actor_of(request), line=line.line(), submission=submission, of=found)
                messages.success(request, _("It is in the book."))
                return redirect(request.path)
            if step == "reverse":
                _reverse(request, own)
                return redirect(request.path)
            if step != "line":
                raise StepRefused(_("That step isn't known. Look at the page again."))
    rows = book_of(club, found)
    context = {
        "season": found,
        "seasons": Season.objects.filter(club=club),
        "rows": rows,
        "all": sum_of(rows),
        "line_form": line,
        "lines": lines_shown(own),
    }
    return render(request, "tournaments/money/book.html", context)


@club_page
@require_http_methods(ASKED_BY)
def event_money_file(request: HttpRequest, club: Club, *, event: str, kind: str) -> HttpResponse:
    """The lines of an event's book for a spreadsheet."""
    found = event_of(club, event)
    back = reverse("event_money", args=[club.slug, found.slug])
    return sheet_answer(request, event_money_sheet(found), kind=kind, back=back)


@club_page
@require_http_methods(ASKED_BY)
def book_file(request: HttpRequest, club: Club, *, kind: str, season: int | None = None) -> HttpResponse:
    """The club's book, or a season's, for a spreadsheet."""
    found = get_object_or_404(Season, club=club, pk=season) if season is not None else None
    title = f"{found.name if found else club.name} {_('money')}"
    sheet = book_sheet(title, book_of(club, found), currency=club.money)
    return sheet_answer(request, sheet, kind=kind, back=reverse("club_money", args=[club.slug]))
