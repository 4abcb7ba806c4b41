"""The clock of the round: the part that pages ask for anew, and the director's steps on it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page, public
from tournaments.errors import StepRefused
from tournaments.models import Round
from tournaments.requests import event_of, refusals_told
from tournaments.rounds import clock as clocks


@require_safe
@never_cache
@public
def clock(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The clock of the round that is being played: a part of a page, for htmx; else the way to the event's page. Its
    `Date` is the server's time."""
    found = event_of(club, event)
    if request.method == "HEAD":  # static/clock.js wants only the header with the time
        return HttpResponse()
    if not request.htmx:  # type: ignore[attr-defined]  # from django_htmx's middleware
        return redirect(found)
    context = {"event": found, "clock": clocks.clock_of(found)}
    return render(request, "tournaments/rounds/_clock_live.html", context)


@require_POST
@club_page
def round_clock(request: HttpRequest, club: Club, *, event: str, round: int) -> HttpResponse:
    """Start the clock of a round, pause it, go on, give more minutes, set it back."""
    found = event_of(club, event)
    one = get_object_or_404(Round.objects.select_related("stage__event__club"), pk=round, stage__event=found)
    step, by = request.POST.get("step"), actor_of(request)
    steps = {"pause": clocks.pause_clock, "go-on": clocks.go_on, "set-back": clocks.set_back}
    with refusals_told(request):
        if step == "start":
            clock = clocks.start_clock(round=one, by=by, minutes=_number(request, "minutes"))
        elif step == "add":
            more, seen = _number(request, "minutes"), _number(request, "seen")
            clock = clocks.add_minutes(round=one, by=by, minutes=more, seen=seen)
        elif step in steps:
            clock = steps[step](round=one, by=by)
        else:
            return HttpResponse(status=400)
        # How it stands now, be it by this step or by somebody who was quicker
        if now := clocks.clock_at(clock.round, timezone.now()):
            messages.success(request, clocks.clock_words(now))
    return redirect(f"{found.get_desk_url()}#clock")


def _number(request: HttpRequest, name: str) -> int:
    """Minutes as typed. Raises StepRefused for what is no number of minutes."""
    text = request.POST.get(name, "").strip().replace("\N{MINUS SIGN}", "-")
    if not text.removeprefix("-").isdecimal() or len(text) > 5:
        raise StepRefused(_("Write the minutes as a whole number."))
    return int(text)
