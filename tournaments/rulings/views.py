"""The director's rulings: points given or taken, other tie-breaks, other rules for rounds without a seat."""

from __future__ import annotations

from copy import copy
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page
from clubsite.previews import fingerprint
from tournaments.events.chains import chain_slugs, chosen
from tournaments.events.state import seating_exists
from tournaments.events.words import chain_words, order_words
from tournaments.models import Adjustment, Event
from tournaments.requests import event_of, refusals_on, refusals_told, submission_in, whole_number
from tournaments.rulings.adjustments import PointsGiven, adjust, adjustments_of, names_ranked, take_back_adjustment
from tournaments.rulings.effects import drawn_stages, effects_of, stage_alone
from tournaments.rulings.forms import AdjustmentForm, SitOutRulesForm, TieBreaksForm
from tournaments.rulings.order import change_sit_out_rules, change_tie_breaks
from tournaments.standings.words import adjustment_words


@club_page
def adjustments(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Penalties and other adjustments: the list, and one more, shown with its effect before it counts."""
    found = event_of(club, event)
    stages = drawn_stages(found)
    step = request.POST.get("step")
    form = AdjustmentForm(request.POST if step in ("look", "adjust") else None, event=found, stages=stages)
    context: dict[str, Any] = {"event": found, "form": form, "drawn": stages.exists(), "submission": uuid4()}
    if request.method == "POST":
        if step in ("look-back", "take-back"):
            with refusals_told(request):
                _taken_back(request, found, step=step, context=context)
            if "taking_back" not in context:
                return redirect("adjustments", club.slug, found.slug)
        elif step not in ("look", "adjust"):
            return HttpResponse(status=400)
        with refusals_on(form):
            if form.is_valid() and (done := _adjusted(request, found, form=form, context=context)):
                return done
    context["made"] = [
        (made, name, adjustment_words(made.points, made.reason, lowest_wins=found.rules.lowest_wins))
        for made, name in adjustments_of(found)
    ]
    return render(request, "tournaments/rulings/adjustments.html", context)


@club_page
def tie_breaks(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Another chain of tie-breaks for an event that has begun: what it changes is seen before it is confirmed."""
    found = event_of(club, event)
    if not seating_exists(found):
        return redirect("event_change", club.slug, found.slug)
    chain = chain_slugs(found)
    form = TieBreaksForm(
        request.POST or None, format=found.format, chain=chosen(chain), bids=found.rules.rule_set.has_bids
    )
    context: dict[str, Any] = {
        "event": found,
        "form": form,
        "chain": chain_words(chain, rules=found.rules),
    }
    if form.is_bound and form.is_valid():
        new = form.cleaned_data["tie_breaks"]
        with refusals_on(form):
            change = partial(change_tie_breaks, event=found, by=actor_of(request), tie_breaks=new)
            if request.POST.get("step") == "change":
                change(seen=request.POST.get("seen", ""))
                messages.success(
                    request, _("Places now go by %(chain)s.") % {"chain": order_words(event_of(club, event))}
                )
                return redirect("desk_event", club.slug, found.slug)
            effects = effects_of(drawn_stages(found), change)
            context |= {
                "effects": effects,
                "seen": fingerprint(effects),
                "new": chain_words(new, rules=found.rules),
                "same": list(new) == list(chosen(chain)),
            }
    return render(request, "tournaments/rulings/tie_breaks.html", context)


@club_page
def sit_out_rules(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Other rules for rounds without a seat and walkovers in an event that has begun: what they change is seen, then
    confirmed."""
    found = event_of(club, event)
    if not (found.credits_rounds or found.fixed_sides) or not seating_exists(found):
        return redirect("event_change", club.slug, found.slug)
    form = SitOutRulesForm(request.POST or None, event=found)
    context: dict[str, Any] = {"event": found, "form": form}
    if form.is_bound and form.is_valid():
        rules = form.cleaned_data
        with refusals_on(form):
            change = partial(change_sit_out_rules, event=found, by=actor_of(request), **rules)
            if request.POST.get("step") == "change":
                change(seen=request.POST.get("seen", ""))
                messages.success(request, _("Saved. The standings go by these rules now."))
                return redirect("desk_event", club.slug, found.slug)
            effects = effects_of(drawn_stages(found), change)
            then = copy(found)
            for name, value in rules.items():
                setattr(then, name, value)
            same = all(getattr(found, name) == value for name, value in rules.items())
            context |= {"effects": effects, "seen": fingerprint(effects), "then": then, "same": same}
    return render(request, "tournaments/rulings/sit_out_rules.html", context)


def _adjusted(
    request: HttpRequest, event: Event, *, form: AdjustmentForm, context: dict[str, Any]
) -> HttpResponse | None:
    """Show what an adjustment would change, or make it. Raises StepRefused as `adjust` does."""
    typed, submission = form.cleaned_data, submission_in(request.POST.get("submission"))
    given = PointsGiven(typed["entry"], typed["points"], typed["reason"])
    change = partial(adjust, stage=typed["stage"], given=given, by=actor_of(request), submission=submission)
    name = names_ranked(typed["stage"])[typed["entry"].pk]
    words = adjustment_words(typed["points"], typed["reason"], lowest_wins=event.rules.lowest_wins)
    if request.POST["step"] == "adjust":
        change(seen=request.POST.get("seen", ""))
        messages.success(request, _("Noted: %(adjustment)s.") % {"adjustment": f"{name}, {words}"})
        return redirect("adjustments", event.club.slug, event.slug)
    effects = effects_of(stage_alone(typed["stage"]), change)
    context |= {"effects": effects, "seen": fingerprint(effects), "about": name, "words": words}
    return None


def _taken_back(request: HttpRequest, event: Event, *, step: str, context: dict[str, Any]) -> None:
    """Show what it would change if an adjustment didn't count, or take it back. Raises StepRefused, Http404."""
    of_event = Adjustment.objects.filter(stage__event=event).select_related("stage__event")
    made = get_object_or_404(of_event, pk=whole_number(request.POST.get("adjustment")))
    change = partial(take_back_adjustment, adjustment=made, by=actor_of(request))
    name = names_ranked(made.stage)[made.entry_id]
    words = adjustment_words(made.points, made.reason, lowest_wins=event.rules.lowest_wins)
    if step == "take-back":
        change(reason=request.POST.get("reason", ""))
        messages.success(request, _("Taken back: %(adjustment)s.") % {"adjustment": f"{name}, {words}"})
        return
    context |= {
        "effects": effects_of(stage_alone(made.stage), change),
        "about": name,
        "words": words,
        "taking_back": made,
    }
