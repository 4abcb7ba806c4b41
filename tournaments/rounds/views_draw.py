"""The draw of a night's next round: made, looked at, published."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, require_role
from tournaments.draws import jobs, making, rotation, wishes
from tournaments.draws.basis import why_stale
from tournaments.draws.forms import DrawForm
from tournaments.draws.keeping import next_drafts
from tournaments.draws.round_views import round_views
from tournaments.draws.words import (
    METHODS,
    fate_words,
    outlook_words,
    rematch_words,
    seat_in_words,
)
from tournaments.engine.formats import FORMATS
from tournaments.events.format_words import ABOUT, described
from tournaments.models import Draw, Entry, Event
from tournaments.requests import night_of, refusals_told, whole_number
from tournaments.rounds import publishing


@require_role("director")
def draw(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """The draw of the next round: make it, look at it, make it again, publish it."""
    found = night_of(club, event)
    drafts = next_drafts(found)
    latest = drafts.first()
    here = found.entries.filter(state=Entry.State.HERE).count()
    offered = rotation.odd_choices(found, here) if found.format == Event.Format.ROTATION else ["sit-out"]
    played = Draw.objects.filter(round__stage__event=found, state=Draw.State.PUBLISHED)
    last = latest or played.order_by("round__number").last()
    before = last.statement.get("plan", {}) if last else {}
    initial = {"planned": before.get("planned") or making.ROUNDS, "odd": before.get("odd"), "effort": "normal"}
    form = DrawForm(request.POST if request.POST.get("step") == "make" else None, initial=initial, odd=offered)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "publish":
                # the draw that was looked at: a second tap finds it published and does nothing
                chosen = get_object_or_404(Draw, round__stage__event=found, pk=whole_number(request.POST.get("draw")))
                publishing.publish_round(draw=chosen, by=actor_of(request))
                messages.success(
                    request,
                    _("Round %(n)d is published. Its seats can be seen and its cards are open.")
                    % {"n": chosen.round.number},
                )
                return redirect("desk_event", club.slug, found.slug)
            if form.is_valid():
                seen = whole_number(request.POST["seen"]) if request.POST.get("seen") else None
                jobs.begin(event=found, by=actor_of(request), seen=seen, **form.facts())
                return redirect("round_draw", club.slug, found.slug)
        if not form.is_bound or form.is_valid():  # a step was refused
            return redirect("round_draw", club.slug, found.slug)
    shown = round_views(Draw.objects.filter(pk=latest.pk)) if latest else []
    tables = rotation.tables_for(found, here, str(before.get("odd") or "sit-out")) or rotation.tables_for(
        found, here, "sit-out"
    )
    context = {
        "event": found,
        "form": form,
        "round": shown[0] if shown else None,
        "number": _next_number(found),
        "stale": why_stale(latest) if latest else "",
        "by_results": found.format in FORMATS,
        "rotation": found.format == Event.Format.ROTATION,
        "about": ABOUT[found.format],
        "described": described(found.format, found.options),
        "taken_back": [
            {"draw": one, "stale": why_stale(one)}
            for one in drafts.filter(state=Draw.State.WITHDRAWN)
            if latest is None or one.pk != latest.pk
        ],
        "here": here,
        "tables": len(tables.shapes) if tables else 0,
        "over": tables.sit_outs if tables else here,
        "seen": latest.number if latest else 0,
        "search": jobs.view_of(found),
        "wished": _wished(latest),
        "method": METHODS.get(latest.statement.get("how", {}).get("method", "")) if latest else None,
        "wishes": found.wishes.count(),
        "again": rematch_words(latest.statement) if latest else [],
        "outlook": outlook_words(latest.statement) if latest else "",
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/rounds/night_draw.html", context)


def _wished(draw: Draw | None) -> list[str]:
    """What became of the wishes in a draw, in words."""
    fates = rotation.fates_of(draw.statement) if draw else []
    name = wishes.names_of({person for fate in fates for person in fate.wish.people})
    return [fate_words(fate, name, seat_in_words) for fate in fates]


def _next_number(event: Event) -> int:
    return 1 + Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED).count()
