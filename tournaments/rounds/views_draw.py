"""The draw of a night's next round: made, looked at, published."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.draws import by_format, making, rotation, wishes
from tournaments.draws.brackets import coming_matches, seeding_words
from tournaments.draws.drafts import next_drafts, published_numbers
from tournaments.draws.formats import ROUNDS, why_stale
from tournaments.draws.round_views import round_view
from tournaments.draws.views import DrawForm
from tournaments.draws.words import METHODS, fate_words, outlook_words, rematch_words, seat_in_words
from tournaments.events.format_words import ABOUT, described
from tournaments.events.stages import stage_of
from tournaments.events.state import published_draws
from tournaments.models import Draw, Entry, Event
from tournaments.pictures.quality import quality_bars
from tournaments.requests import night_of, refusals_told, whole_number
from tournaments.rounds.publishing import deals_of
from tournaments.rounds.steps import take_step


@club_page
def draw(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The draw of the next round: make it, look at it, make it again, publish it."""
    found = night_of(club, event)
    drafts = next_drafts(found)
    latest = drafts.first()
    here = found.entries.filter(state=Entry.State.HERE).count()
    offered = rotation.odd_offers(found.rules.rule_set, here) if found.traits.searched else {}
    last = latest or published_draws(found).last()
    search = making.view_of(found)
    plan = last.statement.get("plan", {}) if last else {}
    before = search.job.asked if search else plan  # what was chosen last
    initial = {"planned": before.get("planned") or ROUNDS, "odd": before.get("odd"), "effort": "normal"}
    form = DrawForm(request.POST if request.POST.get("step") == "make" else None, initial=initial, odd=offered)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "publish":
                # the draw that was looked at: a second tap finds it published and does nothing
                chosen = get_object_or_404(Draw, round__stage__event=found, pk=whole_number(request.POST.get("draw")))
                return take_step(request, chosen, offered=("publish",))
            if form.is_valid():
                seen = whole_number(request.POST["seen"]) if request.POST.get("seen") else None
                making.start_draw(stage=stage_of(found), by=actor_of(request), options=form.options(), seen=seen)
                return redirect("round_draw", club.slug, found.slug)
        if not form.is_bound or form.is_valid():  # a step was refused
            return redirect("round_draw", club.slug, found.slug)
    end = None if latest else by_format.ended(found)
    wished = _wished(latest)
    tables = offered.get(str(before.get("odd"))) or next(iter(offered.values()), None)
    context = {
        "event": found,
        "form": form,
        "round": round_view(latest) if latest else None,
        "number": len(published_numbers(found)) + 1,
        "deals": deals_of(latest) if latest else 0,
        "ended": by_format.refusal(end) if end else "",
        "stale": why_stale(latest) if latest else "",
        "by_results": not found.traits.searched,
        "rotation": found.traits.searched,
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
        "search": search,
        "wished": wished,
        "method": METHODS.get(latest.statement.get("how", {}).get("method", "")) if latest else None,
        "wishes": found.wishes.count(),
        "again": [
            *seeding_words(latest.statement),
            *rematch_words(latest.statement),
            *([] if found.traits.searched else wished),
        ]
        if latest
        else [],
        "coming": coming_matches(found, latest) if latest else [],
        "quality": quality_bars(latest.statement) if latest else None,
        "outlook": outlook_words(latest.statement) if latest else "",
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/rounds/night_draw.html", context)


def _wished(draw: Draw | None) -> list[str]:
    """What became of the wishes in a draw, in words."""
    fates = rotation.fates_of(draw.statement) if draw else []
    name = wishes.names_of({person for fate in fates for person in fate.wish.people})
    return [fate_words(fate, name=name, seat=seat_in_words) for fate in fates]
