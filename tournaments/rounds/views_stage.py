"""A stage being played: one version of its draw, published or taken back; a group's set ended, or all games that were
left open."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from tournaments.draws.changes import changed_words, successor
from tournaments.draws.drafts import WITH_EVENT
from tournaments.draws.formats import why_stale
from tournaments.draws.round_views import round_view
from tournaments.draws.words import draw_words, fairness_words
from tournaments.events.state import published_cut
from tournaments.models import Draw, Group
from tournaments.requests import competition_of, event_of, numbers_in, refusals_told
from tournaments.rounds import closing, publishing
from tournaments.rounds.forms import ReasonForm
from tournaments.rounds.seat_changes import seats_open
from tournaments.rounds.steps import take_step


@club_page
def draw_step(request: HttpRequest, club: Club, *, event: str, draw: int) -> HttpResponse:
    """One version of a draw: its tables; publish it, make another, take it back."""
    found = competition_of(club, event)
    one = get_object_or_404(WITH_EVENT, pk=draw, round__stage__event=found)
    stage = one.round.stage
    if request.method == "POST":
        with refusals_told(request):
            return take_step(request, one, offered=("publish", "take-back"))
        return redirect("draw_step", club.slug, found.slug, one.pk)
    versions = list(Draw.objects.filter(round=one.round).order_by("number"))
    published = next((d for d in versions if d.state == Draw.State.PUBLISHED), None)
    context = {
        "event": found,
        "stage": stage,
        "draw": one,
        "round": round_view(one),
        "words": draw_words(one.statement),
        "fairness": fairness_words(stage, one.statement),
        "versions": versions,
        "published": published,
        "seen": versions[-1].number,
        "deals": publishing.deals_of(one),
        "cut": published_cut(stage),
        "stale": "" if published else why_stale(one),
        "seats_open": seats_open(one),
        "sure": request.GET.get("step") == "take-back",
    }
    return render(request, "tournaments/rounds/draw_step.html", context)


@club_page
def end_set(request: HttpRequest, club: Club, *, event: str, group: int) -> HttpResponse:
    """End a group's set early, with the reason; or let it go on again."""
    found = competition_of(club, event)
    one = get_object_or_404(
        Group.objects.select_related("table__draw__round__stage__event__rules"),
        pk=group,
        table__draw__round__stage__event=found,
    )
    if newer := successor(one.table.draw):
        messages.info(request, changed_words(one.table.draw, newer))
        now = get_object_or_404(newer.groups, table__number=one.table.number, number=one.number)
        return redirect("end_set", club.slug, found.slug, now.pk)
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        with refusals_told(request):
            if request.POST.get("step") == "reopen":
                closing.reopen_set(group=one, by=actor_of(request), reason=reason)
                messages.success(request, _("The set of table %(table)s goes on.") % {"table": one})
            else:
                closing.end_set(group=one, by=actor_of(request), reason=reason)
                messages.success(request, _("The set of table %(table)s is ended.") % {"table": one})
            return redirect("desk_event", club.slug, found.slug)
        return redirect("end_set", club.slug, found.slug, one.pk)
    view = next(v for v in round_view(one.table.draw).groups if v.group.pk == one.pk)
    return render(request, "tournaments/rounds/end_set.html", {"event": found, "group": one, "view": view})


@club_page
def open_games(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The games that closed rounds or earlier stages have left open: end them all as they stand, with one reason."""
    found = event_of(club, event)
    form = ReasonForm(request.POST or None)
    if form.is_valid():
        seen = numbers_in(request, "game")
        ended = closing.end_left_open(event=found, by=actor_of(request), seen=seen, **form.cleaned_data)
        words = ngettext("%(n)d game is ended as it stood.", "%(n)d games are ended as they stood.", len(ended))
        messages.success(request, words % {"n": len(ended)})
        return redirect("desk_event", club.slug, found.slug)
    rows = closing.left_open(found)
    prefetch_related_objects([row.game for row in rows], "sides")
    context = {
        "event": found,
        "form": form,
        "heading": closing.open_words(found, len(rows)),
        "games": [(closing.place_of(row), row.game) for row in rows],
    }
    return render(request, "tournaments/rounds/open_games.html", context, status=422 if form.errors else 200)
