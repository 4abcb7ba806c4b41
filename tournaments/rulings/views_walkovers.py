"""Matches that are decided without cards, and sides that leave for good: what that changes is seen, then confirmed."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.previews import fingerprint
from tournaments.models import Entry, Group
from tournaments.requests import event_of, night_of, refusals_on, refusals_told, whole_number
from tournaments.rulings.effects import effects_of, stage_alone
from tournaments.rulings.forms import SideLeavesForm, WalkoverForm
from tournaments.rulings.walkovers import absent_in, all_sides, give_walkover, reinstate_side, remove_side


@club_page
def walkover(request: HttpRequest, club: Club, *, event: str, group: int) -> HttpResponse:
    """A match that is won because a side wasn't there, or is played after all."""
    found = night_of(club, event)
    match = get_object_or_404(
        Group.objects.select_related("table__draw__round__stage__event__club"),
        pk=group,
        table__draw__round__stage__event=found,
    )
    if not found.fixed_sides:
        raise Http404
    absent, names = absent_in(match), [" & ".join(side) for side in match.names]
    now = ",".join(map(str, absent))
    form = WalkoverForm(request.POST or None, names=names, initial={"absent": now})
    round = match.table.draw.round
    context: dict[str, Any] = {
        "event": found,
        "form": form,
        "round": round,
        "group": match.label_in(found),
        "absent": [names[side] for side in absent],
        "winners": [name for side, name in enumerate(names) if absent and side not in absent],
    }
    if form.is_bound and form.is_valid():
        typed = form.cleaned_data
        with refusals_on(form):
            change = partial(give_walkover, group=match, by=actor_of(request), **typed)
            if request.POST.get("step") == "change":
                change(seen=request.POST.get("seen", ""))
                words = _("Noted: a walkover at table %(n)s.") if typed["absent"] else _("Table %(n)s is played again.")
                messages.success(request, words % {"n": context["group"]})
                return redirect("round_step", club.slug, found.slug, round.number)
            effects = effects_of(stage_alone(round.stage), change)
            context |= {
                "effects": effects,
                "seen": fingerprint(effects),
                "then_absent": [names[side] for side in typed["absent"]],
                "then_winners": [n for side, n in enumerate(names) if typed["absent"] and side not in typed["absent"]],
                "same": set(typed["absent"]) == set(absent),
            }
    return render(request, "tournaments/rulings/walkover.html", context)


@club_page
def side_leaves(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """A side leaves for good: what becomes of its matches; and the way back."""
    found = event_of(club, event)
    if not found.removal_choices:
        raise Http404
    stage, step = found.stages.first(), request.POST.get("step")
    if stage is None:
        return redirect("desk_event", club.slug, found.slug)
    if step == "take-back":
        with refusals_told(request):
            entry = get_object_or_404(Entry, event=found, pk=whole_number(request.POST.get("back")))
            side = reinstate_side(event=found, entry=entry, by=actor_of(request))
            names = " & ".join(person.name for person in side)
            messages.success(
                request, _("Mark who is here: this side is back in the event, %(names)s") % {"names": names}
            )
        return redirect("side_leaves", club.slug, found.slug)
    sides = [(" & ".join(person.name for person in side), side) for side in all_sides(found)]
    form = SideLeavesForm(
        request.POST or None,
        choices=found.removal_choices,
        sides=[(side[0].pk, name) for name, side in sides if not any(person.removed for person in side)],
    )
    context: dict[str, Any] = {
        "event": found,
        "form": form,
        "removed": [
            (name, side[0], next(person.get_removed_display() for person in side if person.removed))
            for name, side in sides
            if any(person.removed for person in side)
        ],
    }
    if form.is_bound and form.is_valid():
        typed = form.cleaned_data
        leaving = next(side[0] for _name, side in sides if side[0].pk == typed["entry"])
        with refusals_on(form):
            change = partial(
                remove_side, event=found, entry=leaving, how=typed["how"], reason=typed["reason"], by=actor_of(request)
            )
            if request.POST.get("step") == "change":
                change(seen=request.POST.get("seen", ""))
                messages.success(request, _("Noted. The next draw goes on without that side."))
                return redirect("desk_event", club.slug, found.slug)
            effects = effects_of(stage_alone(stage), change)
            context |= {
                "effects": effects,
                "seen": fingerprint(effects),
                "leaving": next(name for name, side in sides if side[0] == leaving),
                "how_words": Entry.Removed(typed["how"]).label,
            }
    return render(request, "tournaments/rulings/side_leaves.html", context)
