"""The pages of rulings: points, tie-breaks, points for sit-outs and walkovers, walkovers, sides that leave."""

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial
from typing import Any, cast
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _now, gettext_lazy as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.names import PersonField, side_name
from clubsite.previews import fingerprint
from scoring.form_parts import NumberField
from scoring.models import LONGEST_REASON
from tournaments.events.actions import WORTH_FIELDS
from tournaments.events.forms import (
    MISSED,
    RESULT_FIELDS,
    WITHOUT_A_SEAT,
    ChainForm,
    ResultPointsForm,
    WalkoverPointsField,
    result_points_initial,
    tie_break_fields,
)
from tournaments.events.state import was_ever_drawn
from tournaments.events.words import chosen_tie_breaks, describe_order, describe_tie_breaks, tie_break_chain
from tournaments.models import Adjustment, Entry, Event, Stage, joint_name
from tournaments.requests import (
    event_page,
    get_event,
    get_group,
    night_page,
    parse_submission,
    show_refusals,
    show_refusals_on,
    whole_number,
)
from tournaments.rulings.actions import (
    MOST_POINTS,
    absent_sides,
    adjust_points,
    all_sides,
    change_tie_breaks,
    change_worth,
    give_walkover,
    named_adjustments,
    only_stage,
    preview_effects,
    ranked_names,
    reinstate_side,
    remove_side,
    take_back_adjustment,
)
from tournaments.standings.presentation import adjustment_words
from tournaments.standings.results import drawn_stages
from tournaments.standings.standings import sides_in


class TieBreaksForm(ChainForm):
    def __init__(self, *args: Any, format: str, chain: Sequence[str], bids: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields |= tie_break_fields(format, chain, bids=bids)


class WorthForm(ResultPointsForm):
    sit_out_rule = forms.ChoiceField(label=WITHOUT_A_SEAT, choices=Event.SitOutRule.choices)
    missing_rule = forms.ChoiceField(label=MISSED, choices=Event.SitOutRule.choices)
    walkover_points = WalkoverPointsField()

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(event, name) for name in WORTH_FIELDS} | result_points_initial(
            event.result_points
        )
        super().__init__(*args, **kwargs)
        if not event.traits.gives_result_points():
            for name in RESULT_FIELDS:
                del self.fields[name]
        if not event.credits_rounds:
            del self.fields["sit_out_rule"], self.fields["missing_rule"]
        if not event.fixed_sides:
            del self.fields["walkover_points"]


class WalkoverForm(forms.Form):
    absent = forms.ChoiceField(label=_("Who wasn't there?"), widget=forms.RadioSelect)
    reason = forms.CharField(label=_("Reason (optional)"), max_length=LONGEST_REASON, required=False)

    def __init__(self, *args: Any, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        played = ("", _("Everybody is here: the match counts as played"))
        sides = [(str(number), name) for number, name in enumerate(names)]
        both = (",".join(number for number, _name in sides), _("Neither side: nobody wins"))
        self.fields["absent"].choices = [*sides, both, played]  # type: ignore[attr-defined]  # it has choices
        self.fields["absent"].required = False

    def clean_absent(self) -> list[int]:
        return [int(number) for number in self.cleaned_data["absent"].split(",") if number]


class SideLeavesForm(forms.Form):
    entry = forms.TypedChoiceField(label=_("Which side leaves?"), coerce=int)
    how = forms.ChoiceField(
        label=_("What happens to its matches?"),
        widget=forms.RadioSelect,
        initial=Entry.Removed.WALKOVERS,
    )
    reason = forms.CharField(label=_("Reason (optional)"), max_length=LONGEST_REASON, required=False)

    def __init__(
        self, *args: Any, sides: Sequence[tuple[int, str]], choices: Sequence[Entry.Removed], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["how"].choices = [(how.value, how.label) for how in choices]  # type: ignore[attr-defined]  # as below
        self.fields["entry"].choices = sides  # type: ignore[attr-defined]  # it has choices


class AdjustmentForm(forms.Form):
    stage = forms.ModelChoiceField(label=_("Stage"), queryset=Stage.objects.none(), empty_label=None)
    entry = PersonField(label=_("Who"), queryset=Entry.objects.none(), empty_label=_("choose a name"))
    points = NumberField(
        label=_("Points"),
        min_value=-MOST_POINTS,
        max_value=MOST_POINTS,
        help_text=_("With a minus sign for a penalty, for example -100."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("It is shown and printed with the standings."),
    )

    def __init__(self, *args: Any, event: Event, stages: QuerySet[Stage], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.lowest_wins:
            self.fields["points"].help_text = _("A penalty adds points, for example 100: the lowest total wins.")
        latest = stages.last()
        self.fields["stage"].queryset = stages  # type: ignore[attr-defined]  # it has choices
        if latest:
            names = {side[0].pk: joint_name(side) for side in sides_in(latest)}
            who = cast(forms.ModelChoiceField, self.fields["entry"])
            who.queryset = Entry.objects.filter(pk__in=names, stands_in=None)
            who.label_from_instance = lambda obj: names[obj.pk]  # type: ignore[method-assign]
            self.fields["stage"].initial = latest
            if latest.number == 1:
                self.fields["stage"].widget = forms.HiddenInput()

    def clean_points(self) -> int:
        points: int = self.cleaned_data["points"]
        if not points:
            raise ValidationError(_("Write how many points, with a minus sign for a penalty."))
        return points


def _make_or_preview(
    request: HttpRequest, change: Callable[..., object], *, stages: QuerySet[Stage], context: dict[str, Any]
) -> bool:
    """Make the change if it is confirmed, else put its effects into the context. Returns whether it was made. Raises
    StepRefused: `change` does."""
    if request.POST.get("step") in ("change", "adjust"):
        change(seen=request.POST.get("seen", ""))
        return True
    context["effects"] = preview_effects(stages, change)
    context["seen"] = fingerprint(context["effects"])
    return False


@event_page
def adjustments(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    stages = drawn_stages(event)
    step = request.POST.get("step")
    form = AdjustmentForm(request.POST if step in ("look", "adjust") else None, event=event, stages=stages)
    context: dict[str, Any] = {"event": event, "form": form, "drawn": stages.exists(), "submission": uuid4()}
    if request.method == "POST":
        if step in ("look-back", "take-back"):
            with show_refusals(request):
                _take_back(request, event, step=step, context=context)
            if "taking_back" not in context:
                return redirect("adjustments", club.slug, event.slug)
        elif step not in ("look", "adjust"):
            return HttpResponse(status=400)
        with show_refusals_on(form):
            if form.is_valid() and (done := _adjust(request, event, form=form, context=context)):
                return done
    context["adjustments"] = [
        (adjustment, name, adjustment_words(adjustment.points, adjustment.reason, lowest_wins=event.lowest_wins))
        for adjustment, name in named_adjustments(event)
    ]
    return render(request, "tournaments/rulings/adjustments.html", context)


@event_page
def tie_breaks(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if not was_ever_drawn(event):
        return redirect("event_change", club.slug, event.slug)
    chain = tie_break_chain(event)
    form = TieBreaksForm(
        request.POST or None, format=event.format, chain=chosen_tie_breaks(chain), bids=event.rules.rule_set.has_bids
    )
    context: dict[str, Any] = {
        "event": event,
        "form": form,
        "chain": describe_tie_breaks(chain, event=event),
    }
    if form.is_bound and form.is_valid():
        new = form.cleaned_data["tie_breaks"]
        with show_refusals_on(form):
            change = partial(change_tie_breaks, event=event, by=request_actor(request), tie_breaks=new)
            if _make_or_preview(request, change, stages=drawn_stages(event), context=context):
                messages.success(
                    request,
                    _now("Places are now decided by %(chain)s.")
                    % {"chain": describe_order(get_event(club, event.slug))},
                )
                return redirect("desk_event", club.slug, event.slug)
            context |= {
                "new": describe_tie_breaks(new, event=event),
                "same": list(new) == list(chosen_tie_breaks(chain)),
            }
    return render(request, "tournaments/rulings/tie_breaks.html", context)


@event_page
def sit_out_rules(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if not (event.credits_rounds or event.fixed_sides) or not was_ever_drawn(event):
        return redirect("event_change", club.slug, event.slug)
    form = WorthForm(request.POST or None, event=event)
    context: dict[str, Any] = {"event": event, "form": form}
    if form.is_bound and form.is_valid():
        rules = form.cleaned_data
        with show_refusals_on(form):
            change = partial(change_worth, event=event, by=request_actor(request), **rules)
            if _make_or_preview(request, change, stages=drawn_stages(event), context=context):
                messages.success(request, _now("Saved. The standings use these rules now."))
                return redirect("desk_event", club.slug, event.slug)
            changed = copy(event)
            for name, value in rules.items():
                setattr(changed, name, value)
            same = all(getattr(event, name) == value for name, value in rules.items())
            context |= {"changed_event": changed, "same": same}
    return render(request, "tournaments/rulings/sit_out_rules.html", context)


def _adjust(
    request: HttpRequest, event: Event, *, form: AdjustmentForm, context: dict[str, Any]
) -> HttpResponse | None:
    """Preview or make an adjustment. Raises StepRefused as `adjust_points` does."""
    typed, submission = form.cleaned_data, parse_submission(request.POST.get("submission"))
    facts = Adjustment(entry=typed["entry"], points=typed["points"], reason=typed["reason"])
    change = partial(adjust_points, stage=typed["stage"], facts=facts, by=request_actor(request), submission=submission)
    name = ranked_names(typed["stage"])[typed["entry"].pk]
    words = adjustment_words(typed["points"], typed["reason"], lowest_wins=event.lowest_wins)
    if _make_or_preview(request, change, stages=only_stage(typed["stage"]), context=context):
        messages.success(request, _now("Noted: %(adjustment)s.") % {"adjustment": f"{name}, {words}"})
        return redirect("adjustments", event.club.slug, event.slug)
    context |= {"about": name, "words": words}
    return None


def _take_back(request: HttpRequest, event: Event, *, step: str, context: dict[str, Any]) -> None:
    """Preview taking an adjustment back, or do it. Raises StepRefused, Http404."""
    of_event = Adjustment.objects.filter(stage__event=event).select_related("stage__event")
    adjustment = get_object_or_404(of_event, pk=whole_number(request.POST.get("adjustment")))
    change = partial(take_back_adjustment, adjustment=adjustment, by=request_actor(request))
    name = ranked_names(adjustment.stage)[adjustment.entry_id]
    words = adjustment_words(adjustment.points, adjustment.reason, lowest_wins=event.lowest_wins)
    if step == "take-back":
        change(reason=request.POST.get("reason", ""))
        messages.success(request, _now("Taken back: %(adjustment)s.") % {"adjustment": f"{name}, {words}"})
        return
    context |= {
        "effects": preview_effects(only_stage(adjustment.stage), change),
        "about": name,
        "words": words,
        "taking_back": adjustment,
    }


@night_page
def walkover(request: HttpRequest, club: Club, *, event: Event, group: int) -> HttpResponse:
    match = get_group(event, group)
    if not event.fixed_sides:
        raise Http404
    absent, names = absent_sides(match), [side_name(side) for side in match.names]
    now = ",".join(map(str, absent))
    form = WalkoverForm(request.POST or None, names=names, initial={"absent": now})
    round = match.table.draw.round
    context: dict[str, Any] = {
        "event": event,
        "form": form,
        "round": round,
        "group": match.label_in(event),
        "absent": [names[side] for side in absent],
        "winners": [name for side, name in enumerate(names) if absent and side not in absent],
    }
    if form.is_bound and form.is_valid():
        typed = form.cleaned_data
        with show_refusals_on(form):
            change = partial(give_walkover, group=match, by=request_actor(request), **typed)
            if _make_or_preview(request, change, stages=only_stage(round.stage), context=context):
                words = (
                    _now("Noted: a walkover at table %(n)s.")
                    if typed["absent"]
                    else _now("Table %(n)s is played again.")
                )
                messages.success(request, words % {"n": context["group"]})
                return redirect("round_step", club.slug, event.slug, round.number)
            context |= {
                "then_absent": [names[side] for side in typed["absent"]],
                "then_winners": [n for side, n in enumerate(names) if typed["absent"] and side not in typed["absent"]],
                "same": set(typed["absent"]) == set(absent),
            }
    return render(request, "tournaments/rulings/walkover.html", context)


@event_page
def side_leaves(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    if not event.removal_choices:
        raise Http404
    stage, step = event.stages.first(), request.POST.get("step")
    if stage is None:
        return redirect("desk_event", club.slug, event.slug)
    if step == "take-back":
        with show_refusals(request):
            entry = get_object_or_404(Entry, event=event, pk=whole_number(request.POST.get("back")))
            side = reinstate_side(event=event, entry=entry, by=request_actor(request))
            names = joint_name(side)
            messages.success(
                request, _now("Mark who is here: this side is back in the event, %(names)s") % {"names": names}
            )
        return redirect("side_leaves", club.slug, event.slug)
    sides = [(joint_name(side), side) for side in all_sides(event)]
    form = SideLeavesForm(
        request.POST or None,
        choices=event.removal_choices,
        sides=[(side[0].pk, name) for name, side in sides if not any(person.removed for person in side)],
    )
    context: dict[str, Any] = {
        "event": event,
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
        with show_refusals_on(form):
            change = partial(
                remove_side,
                event=event,
                entry=leaving,
                how=typed["how"],
                reason=typed["reason"],
                by=request_actor(request),
            )
            if _make_or_preview(request, change, stages=only_stage(stage), context=context):
                messages.success(request, _now("Noted. The next draw goes on without that side."))
                return redirect("desk_event", club.slug, event.slug)
            context |= {
                "leaving": next(name for name, side in sides if side[0] == leaving),
                "outcome": Entry.Removed(typed["how"]).label,
            }
    return render(request, "tournaments/rulings/side_leaves.html", context)
