"""The cut of a stage: its proposal, play-offs and lots, publishing it; each version kept."""

from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import request_actor
from clubsite.operations.schedule import back_up_before
from clubsite.previews import fingerprint
from scoring.form_parts import FigureField
from tournaments.cuts import cuts, reserves
from tournaments.cuts.cuts import (
    CutDifference,
    counts_still,
    describe_reason,
    describe_settlements,
    describe_tie,
    window_of_cut,
)
from tournaments.events.state import following_bracket, is_drawn, published_cut, stage_draw
from tournaments.events.words import describe_cut_rule, describe_order
from tournaments.models import Cut, Entry, Event, Stage
from tournaments.requests import competition_page, get_stage, show_refusals, ticked_keys, whole_number
from tournaments.rounds.disputes import disputes_of_stage
from tournaments.rounds.seeding import bracket_shape, lead_into_bracket


class PlayOffForm(forms.Form):
    def __init__(self, data: Any = None, *, level: Sequence[Entry]) -> None:
        super().__init__(data)
        self.level = level
        for entry in level:
            self.fields[f"points-{entry.pk}"] = FigureField(signed=True, label=entry.name)

    def points(self) -> dict[int, int]:
        return {entry.pk: self.cleaned_data[f"points-{entry.pk}"] for entry in self.level}


def level_in(request: HttpRequest) -> list[int]:
    return [whole_number(text) for text in request.POST.getlist("level")]


def play_off_sent(request: HttpRequest, event: Event, *, step: str) -> PlayOffForm | None:
    """The form that was sent by this step of a page, for the entries that the page showed; None when another was."""
    if request.POST.get("step") != step:
        return None
    entries = event.entries.in_bulk(level := level_in(request))
    return PlayOffForm(request.POST, level=[entries[pk] for pk in level if pk in entries])


def play_off_form(level: Sequence[Entry], sent: PlayOffForm | None) -> PlayOffForm:
    """The form for entries that are level: the one that was sent, with what was typed, if it was for them."""
    return sent if sent and _entry_keys(sent.level) == _entry_keys(level) else PlayOffForm(level=level)


def _entry_keys(level: Collection[Entry]) -> set[int]:
    return {entry.pk for entry in level}


@competition_page
def cut(request: HttpRequest, club: Club, *, event: Event, stage: int) -> HttpResponse:
    this_stage = get_stage(event, stage)
    published = published_cut(this_stage)
    sent = play_off_sent(request, event, step="play-off")
    if request.method == "POST" and (not sent or sent.is_valid()):
        return _cut_post(request, club, event=event, stage=this_stage, play_off=sent)
    if published:
        return redirect("cut_step", club.slug, event.slug, published.pk)
    with show_refusals(request):
        context = _proposal(event, this_stage, sent=sent)
        return render(request, "tournaments/cuts/cut.html", context, status=422 if sent else 200)
    return redirect("desk_event", club.slug, event.slug)


def _proposal(event: Event, stage: Stage, *, sent: PlayOffForm | None) -> dict[str, Any]:
    """What the page of a cut not yet published shows; `sent`: play-off points that couldn't be kept. Raises
    StepRefused: there is nothing to cut."""
    now = cuts.propose(stage)
    by_pk = {line.entry_id: line.entry for line in now.lines}
    names = {pk: entry.name for pk, entry in by_pk.items()}
    return {
        "event": event,
        "stage": stage,
        "now": now,
        "disputes": disputes_of_stage(stage),
        "through": [(line, describe_reason(line, names)) for line in now.through],
        "out": [(line, describe_reason(line, names)) for line in now.out],
        "ties": [
            {"number": n, "words": describe_tie(tie), "form": play_off_form([by_pk[pk] for pk in tie.entries], sent)}
            for n, tie in enumerate(now.cut.open_ties, start=1)
        ],
        "settled": describe_settlements(now.settled, names),
        "last_settled": next((data for data in reversed(now.settled) if counts_still(data)), None),
        "rule": describe_cut_rule(stage),
        "chain": describe_order(event),
        "kept": stage.cuts.order_by("-number"),
    }


@competition_page
def cut_step(request: HttpRequest, club: Club, *, event: Event, cut: int) -> HttpResponse:
    """One kept version of a cut; the published one can be left or changed by a ruling, and taken back until the next
    draw is published."""
    cuts_of_event = Cut.objects.select_related("stage__event__club", "stage__event__rules").filter(stage__event=event)
    version = get_object_or_404(cuts_of_event.prefetch_related("lines__entry"), pk=cut)
    following = event.stages.filter(number=version.stage.number + 1).first()
    if request.method == "POST":
        with show_refusals(request):
            return _published_cut_post(request, version)
        return redirect("cut_step", club.slug, event.slug, version.pk)
    bracket = following_bracket(event)
    difference = cuts.difference(version) if version.state == Cut.State.PUBLISHED else CutDifference()
    names = {line.entry_id: line.entry.name for line in version.lines.all()}
    lines = [(line, describe_reason(line, names)) for line in version.lines.all()]
    context = {
        "event": event,
        "stage": version.stage,
        "cut": version,
        "window": window_of_cut(version, club),
        "through": [pair for pair in lines if pair[0].advances],
        "out": [pair for pair in lines if not pair[0].advances],
        "settled": describe_settlements(version.settled, names),
        "difference": difference,
        "seen": fingerprint(difference.data),
        "choices": _ruling_choices(version) if version.state == Cut.State.PUBLISHED else {},
        "in_the_way": _steps_before_taking_back(version.stage) if version.state == Cut.State.PUBLISHED else [],
        "next_drawn": bool(following and stage_draw(following)),
        "bracket": bracket,
        "bracket_begun": bool(bracket and is_drawn(bracket)),
        "bracket_shape": bracket_shape(event),
        "kept": version.stage.cuts.order_by("-number"),
        "gone": [line.entry for line, _why in lines if line.advances and line.entry.state == Entry.State.WITHDRAWN],
    }
    return render(request, "tournaments/cuts/cut_step.html", context)


def _ruling_choices(cut: Cut) -> dict[str, list[Entry]]:
    """Whom a ruling may let go on in whose place: those whom a correction has put on the other side of the line, or
    level at it, and those of an earlier ruling, which is changed so. Nobody once the next stage's cut or the result
    rests on who played."""
    event = cut.stage.event
    following = event.stages.filter(number=cut.stage.number + 1).first()
    if event.state == Event.State.FINISHED or (following and published_cut(following)):
        return {}
    differing = {pk for keys in cuts.difference_despite_rulings(cut).data for pk in keys}
    lines = [line for line in cut.lines.all() if line.entry_id in differing or line.reason.startswith("cut.ruled")]
    return {
        "leaving": [line.entry for line in lines if line.advances],
        "entering": [line.entry for line in lines if not line.advances and line.entry.state != Entry.State.WITHDRAWN],
    }


def _steps_before_taking_back(stage: Stage) -> list[tuple[str, str]]:
    """What has to be taken back before a stage's cut can be, in this order: words and an address each."""
    event = stage.event
    steps = []
    if event.state == Event.State.FINISHED:
        steps.append((_("the result"), reverse("result", args=[event.club.slug, event.slug])))
    for later in event.stages.filter(number__gt=stage.number).order_by("-number"):
        if cut := published_cut(later):
            address = reverse("cut_step", args=[event.club.slug, event.slug, cut.pk])
            steps.append((_("the cut of %(stage)s") % {"stage": later}, address))
        if draw := stage_draw(later):
            address = reverse("draw_step", args=[event.club.slug, event.slug, draw.pk])
            steps.append((_("the draw of %(stage)s") % {"stage": later}, f"{address}?step=take-back"))
    if (bracket := following_bracket(event)) and bracket.from_stage == stage and is_drawn(bracket):
        steps.append((_("the draw of %(stage)s") % {"stage": bracket}, bracket.get_desk_url()))
    return steps


def _published_cut_post(request: HttpRequest, cut: Cut) -> HttpResponse:
    """A published cut leads into a knock-out, is left or changed by a ruling, or taken back. Raises StepRefused."""
    step, by, reason = request.POST.get("step"), request_actor(request), request.POST.get("reason", "")
    stage, event = cut.stage, cut.stage.event
    if step in ("bracket", "bracket-again"):
        return redirect(lead_into_bracket(cut=cut, by=by, again=step == "bracket-again").get_desk_url())
    if step == "leave":
        version = reserves.leave_cut(cut=cut, by=by, reason=reason, seen=request.POST.get("seen", ""))
        messages.success(request, _("The cut stays as it is. The ruling is printed with it."))
    elif step == "replace":
        entering, leaving = (
            get_object_or_404(Entry, event=event, pk=whole_number(request.POST.get(name)))
            for name in ("entering", "leaving")
        )
        version = reserves.replace_by_ruling(cut=cut, leaving=leaving, entering=entering, by=by, reason=reason)
        words = _("%(new)s goes on instead of %(old)s, and the ruling is printed with the cut.")
        messages.success(request, words % {"new": entering, "old": leaving})
    else:
        cuts.take_back_cut(cut=cut, by=by, reason=reason)
        messages.success(request, _("The cut of %(stage)s is taken back.") % {"stage": stage})
        return redirect("cut", event.club.slug, event.slug, stage.number)
    return redirect("cut_step", event.club.slug, event.slug, version.pk)


def _cut_post(
    request: HttpRequest, club: Club, *, event: Event, stage: Stage, play_off: PlayOffForm | None
) -> HttpResponse:
    step, by = request.POST.get("step"), request_actor(request)
    with show_refusals(request):
        if step == "publish":
            back_up_before("cut")
            version = cuts.publish_cut(
                stage=stage,
                by=by,
                fingerprint=request.POST.get("fingerprint", ""),
                sure="sure" in request.POST,
                despite=ticked_keys(request, "despite"),
            )
            messages.success(request, _("The cut of %(stage)s is published.") % {"stage": stage})
            return redirect("cut_step", club.slug, event.slug, version.pk)
        seen = whole_number(request.POST.get("seen"))
        if step == "undo":
            cuts.undo_settlement(stage=stage, by=by, seen=seen, reason=request.POST.get("reason", ""))
        elif step == "lots":
            cuts.draw_lots(stage=stage, by=by, entries=level_in(request), seen=seen)
        elif play_off:
            cuts.record_play_off(stage=stage, by=by, points=play_off.points(), seen=seen)
        else:
            return HttpResponse(status=400)
    return redirect("cut", club.slug, event.slug, stage.number)
