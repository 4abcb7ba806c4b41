"""One entry of a competition: its name and member; withdrawing, returning, and who takes the place."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from tournaments.cuts import reserves
from tournaments.cuts.views import PlayOffForm, play_off_form, play_off_sent
from tournaments.draws.changes import latest_group, seat_of, seat_reserve, table_has_begun
from tournaments.entries import actions as entries
from tournaments.entries.forms import EntryForm
from tournaments.errors import StepRefused
from tournaments.events.state import stage_draw
from tournaments.models import Entry, Event
from tournaments.requests import competition_page, show_refusals, show_refusals_on, whole_number


@competition_page
def entry(request: HttpRequest, club: Club, *, event: Event, entry: int) -> HttpResponse:
    this_entry = get_object_or_404(Entry.objects.select_related("member", "event__club"), event=event, pk=entry)
    this_entry.event = event
    step = request.POST.get("step", "")
    form = EntryForm(request.POST if step == "change" else None, entry=this_entry)
    sent = play_off_sent(request, event, step="next-play-off")
    if request.method == "POST" and (not sent or sent.is_valid()):
        if step != "change":
            with show_refusals(request):
                _take_step(request, this_entry, step=step, play_off=sent)
            return redirect("entry", club.slug, event.slug, this_entry.pk)
        with show_refusals_on(form):
            if form.is_valid():
                entries.change_entry(
                    entry=this_entry,
                    by=request_actor(request),
                    **({"eligible": this_entry.eligible} | form.cleaned_data),
                )
                messages.success(request, _("Saved."))
                return redirect("entries", club.slug, event.slug)
    context = {"event": event, "entry": this_entry, "form": form, "reached": latest_group(this_entry)}
    context |= _place_context(event, this_entry, sent=sent)
    wrong = bool(form.errors or sent)
    return render(request, "tournaments/pages/entry.html", context, status=422 if wrong else 200)


def _take_step(request: HttpRequest, entry: Entry, *, step: str, play_off: PlayOffForm | None) -> None:
    by, reason = request_actor(request), request.POST.get("reason", "")
    deeds: dict[str, tuple[Callable[..., Entry], str]] = {
        "withdraw": (partial(entries.withdraw, reason=reason), _("%(name)s has withdrawn.")),
        "disqualify": (partial(entries.disqualify, reason=reason), _("%(name)s is disqualified.")),
        "return": (entries.return_entry, _("%(name)s: %(state)s.")),
        "call-up": (entries.call_up_reserve, _("%(name)s has a place.")),
        "reserve": (entries.make_reserve, _("%(name)s is a reserve.")),
    }
    if step in deeds:
        deed, words = deeds[step]
        state = deed(entry=entry, by=by).get_state_display()
        messages.success(request, words % {"name": entry, "state": state})
    elif step in ("seat", "replace"):
        other = get_object_or_404(Entry, event=entry.event, pk=whole_number(request.POST.get("other")))
        if step == "seat":
            seat_reserve(leaving=entry, entering=other, by=by)
        else:
            reserves.replace_finalist(entry=entry, reserve=other, by=by)
        messages.success(request, _("%(new)s takes the place of %(old)s from now on.") % {"new": other, "old": entry})
    elif step in ("next-lots", "next-play-off"):
        line = entries.finalist_line(entry)
        if line is None:
            raise StepRefused(_("%(name)s has no place to give to somebody else.") % {"name": entry})
        points = play_off.points() if play_off else None
        level = list(points) if points is not None else reserves.next_in_line(line).level
        reserves.settle_next(line=line, by=by, entries=level, points=points)
    else:
        raise Http404


def _place_context(event: Event, entry: Entry, *, sent: PlayOffForm | None) -> dict[str, Any]:
    """What the director may do about the entry's place now; `sent`: invalid play-off points."""
    finished = event.state == Event.State.FINISHED
    gone = not finished and entry.state == Entry.State.WITHDRAWN
    line = None if finished else entries.finalist_line(entry)
    offer = reserves.next_in_line(line) if line and gone else None
    seat = seat_of(entry)
    vacant = gone and offer is None and seat and seat.draw.round.stage.number == 1 and not table_has_begun(seat.group)
    reserve = event.entries.filter(state=Entry.State.RESERVE).order_by("number").first() if vacant else None
    by_pk = event.entries.in_bulk([*(offer.level if offer else ()), *([offer.entry] if offer and offer.entry else [])])
    following = event.stages.filter(number=line.cut.stage.number + 1).first() if line else None
    begun = bool(seat and table_has_begun(seat.group) and following and seat.draw.round.stage_id == following.pk)
    return {
        "line": line,
        "next_in_line": by_pk.get(offer.entry) if offer and offer.entry else None,
        "level": play_off_form([by_pk[pk] for pk in offer.level], sent) if offer and offer.level else None,
        "nobody_left": bool(offer and not offer.entry and not offer.level),
        "begun": begun,
        "seat_drawn": bool(following and stage_draw(following)),
        "reserve": reserve,
        "room": entries.free_places(event),
        "seat": seat,
        "finished": finished,
    }
