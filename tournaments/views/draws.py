"""The draw of a night's next round: made, searched, wished for, looked at, changed by hand, published."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, require_role
from tournaments import draw_jobs, hand_edits, night, rotation, wishes
from tournaments.basis import why_stale
from tournaments.draw_words import (
    METHODS,
    again_words,
    fate_words,
    outlook_words,
    rematch_words,
    seat_in_words,
    warnings,
)
from tournaments.draws import next_drafts
from tournaments.engine.formats import FORMATS
from tournaments.format_words import ABOUT, described
from tournaments.models import Draw, DrawJob, Entry, Event, Wish
from tournaments.night_forms import DrawForm, WishForm
from tournaments.queries import round_views
from tournaments.requests import event_of, night_of, refusals_told, whole_number


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
    initial = {"planned": before.get("planned") or night.ROUNDS, "odd": before.get("odd"), "effort": "normal"}
    form = DrawForm(request.POST if request.POST.get("step") == "make" else None, initial=initial, odd=offered)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "publish":
                # the draw that was looked at: a second tap finds it published and does nothing
                chosen = get_object_or_404(Draw, round__stage__event=found, pk=whole_number(request.POST.get("draw")))
                night.publish_round(draw=chosen, by=actor_of(request))
                messages.success(
                    request,
                    _("Round %(n)d is published. Its seats can be seen and its cards are open.")
                    % {"n": chosen.round.number},
                )
                return redirect("desk_event", club.slug, found.slug)
            if form.is_valid():
                seen = whole_number(request.POST["seen"]) if request.POST.get("seen") else None
                draw_jobs.begin(event=found, by=actor_of(request), seen=seen, **form.facts())
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
        "search": draw_jobs.view_of(found),
        "wished": _wished(latest),
        "method": METHODS.get(latest.statement.get("how", {}).get("method", "")) if latest else None,
        "wishes": found.wishes.count(),
        "again": rematch_words(latest.statement) if latest else [],
        "outlook": outlook_words(latest.statement) if latest else "",
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/night_draw.html", context)


@require_role("director")
def search(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """How far the search for the next draw is; its best so far taken, the search stopped, or started again."""
    found = night_of(club, event)
    if request.method == "POST":
        step = request.POST.get("step")
        with refusals_told(request):
            if step == "best":
                draw_jobs.take_best(event=found, by=actor_of(request))
            elif step == "again":
                draw_jobs.start_again(event=found)
            elif step == "stop":
                draw_jobs.stop(event=found)
            else:
                return HttpResponse(status=400)
        return redirect("round_draw", club.slug, found.slug)
    if not request.htmx:  # type: ignore[attr-defined]
        return redirect("round_draw", club.slug, found.slug)
    now = draw_jobs.view_of(found)
    if now is None or now.job.state != DrawJob.State.RUNNING or not now.alive:
        return HttpResponseClientRefresh()
    return render(request, "tournaments/_search.html", {"event": found, "search": now})


@require_role("director")
def wish_list(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """The wishes for an event's draws: who shall be partners or not, keep apart, or stay at a table."""
    found = night_of(club, event)
    if found.format != Event.Format.ROTATION:
        raise Http404
    form = WishForm(request.POST if request.POST.get("step") == "add" else None, event=found)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "remove":
                wish = get_object_or_404(Wish, event=found, pk=whole_number(request.POST.get("wish")))
                wishes.remove_wish(wish=wish, by=actor_of(request))
                return redirect("wishes", club.slug, found.slug)
            if form.is_valid():
                made = wishes.add_wish(event=found, by=actor_of(request), **form.cleaned_data)
                messages.success(request, f"{wishes.told(made)}.")
                return redirect("wishes", club.slug, found.slug)
    listed = list(found.wishes.select_related("entry", "other"))
    here = {wish.pk for wish in listed if all(e.state == Entry.State.HERE for e in (wish.entry, wish.other) if e)}
    names = {e.pk: e.name for wish in listed for e in (wish.entry, wish.other) if e}
    context = {
        "event": found,
        "form": form,
        "wishes": [{"wish": wish, "words": wishes.told(wish), "waits": wish.pk not in here} for wish in listed],
        "warnings": warnings(wishes.wishes_of(found), names.__getitem__),
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/wishes.html", context)


@require_role("director")
def by_hand(request: HttpRequest, club: Club, event: str, draw: int) -> HttpResponse:
    """Change a draft by hand: choose two, see what that brings, let them change places. Any format."""
    found = event_of(club, event)
    draws = Draw.objects.select_related("round__stage__event__club", "round__stage__event__rules")
    one = get_object_or_404(draws, round__stage__event=found, pk=draw)
    at = [club.slug, found.slug]
    back = reverse("round_draw", args=at) if found.by_rounds else reverse("draw_step", args=[*at, one.pk])
    chosen = [request.POST.get(name) or request.GET.get(name) or "" for name in ("one", "other")]
    pair = [whole_number(text) for text in chosen if text]
    with refusals_told(request):
        hand_edits.refuse_unless_open(one)
        if request.method == "POST" and len(pair) == 2:
            made = hand_edits.exchange(draw=one, one=pair[0], other=pair[1], by=actor_of(request))
            messages.success(request, _("Changed. It is version %(n)d of the draw now.") % {"n": made.number})
            return redirect("draw_by_hand", club.slug, found.slug, made.pk)
        return _exchange_page(request, one, pair, back)
    return redirect(back)


def _exchange_page(request: HttpRequest, one: Draw, pair: list[int], back: str) -> HttpResponse:
    """Who can change places in a draft, and what it brings when the chosen two do."""
    change = None
    with refusals_told(request):
        if len(pair) == 2:
            change = hand_edits.looked_at(draw=one, one=pair[0], other=pair[1])
    units = hand_edits.units_of(one)
    name = {entry: unit.names for unit in units for entry in unit.entries}
    context = {
        "event": one.round.stage.event,
        "draw": one,
        "back": back,
        "round": round_views(Draw.objects.filter(pk=one.pk))[0],
        "units": units,
        "chosen": [*pair, None, None][:2],
        "change": change,
        "warnings": [again_words(again.names, again.role, again.times) for again in change.again] if change else [],
        "broken": [fate_words(fate, lambda pk: name.get(pk, str(pk)), seat_in_words) for fate in change.broken]
        if change
        else [],
    }
    return render(request, "tournaments/by_hand.html", context)


def _wished(draw: Draw | None) -> list[str]:
    """What became of the wishes in a draw, in words."""
    fates = rotation.fates_of(draw.statement) if draw else []
    name = wishes.names_of({person for fate in fates for person in fate.wish.people})
    return [fate_words(fate, name, seat_in_words) for fate in fates]


def _next_number(event: Event) -> int:
    return 1 + Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED).count()
