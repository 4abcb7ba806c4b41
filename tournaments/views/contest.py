"""The steps of a competition: draw a stage, end a set, the cut, the result. Each is shown before it is published."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, require_role
from scoring.models import DealVersion
from tournaments import contest, cuts
from tournaments.basis import entries_for, why_stale
from tournaments.contest_desk import groups_of, tables_of
from tournaments.cut_field import counts
from tournaments.errors import StepRefused
from tournaments.models import Cut, Draw, Entry, Event, Group, Stage
from tournaments.queries import StandingsView, of_version, result_of
from tournaments.requests import competition_of, refusals_told, stage_at, whole_number
from tournaments.stand_ins import fill_with_stand_ins, stand_ins_for
from tournaments.standings import fingerprint, last_deal_at, standings_of
from tournaments.state import published_cut, stage_draw
from tournaments.tables import standings_table
from tournaments.views.entries import points_of
from tournaments.wording import (
    cut_words,
    draw_words,
    fairness_words,
    order_words,
    reason_words,
    rule_words,
    settled_words,
    tie_words,
)


@require_role("director")
def draw(request: HttpRequest, club: Club, event: str, stage: int) -> HttpResponse:
    """The draw of a stage: made, looked at, made again; and stand-ins for it."""
    found = competition_of(club, event)
    one = stage_at(found, stage)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "stand-ins":
                playing = fill_with_stand_ins(stage=one, by=actor_of(request))
                words = ngettext("%(n)d stand-in plays.", "%(n)d stand-ins play.", len(playing))
                messages.success(request, words % {"n": len(playing)})
                return redirect("stage_draw", club.slug, found.slug, one.number)
            made = contest.draw_stage(
                stage=one, by=actor_of(request), seen=whole_number(request.POST.get("seen")), seed=_seed(request)
            )
            return redirect("draw_step", club.slug, found.slug, made.pk)
        return redirect("stage_draw", club.slug, found.slug, one.number)
    draws = list(Draw.objects.filter(round__stage=one).order_by("-number"))
    shown = next((d for d in draws if d.state == Draw.State.PUBLISHED), draws[0] if draws else None)
    if shown:
        return redirect("draw_step", club.slug, found.slug, shown.pk)
    words, people, needed = "", [], None
    try:
        people = entries_for(one)
        words = contest.fit_words(found, len(people)) if people else _("Nobody is entered yet.")
        needed = stand_ins_for(one)
    except StepRefused as refused:
        words = str(refused.message)
    context = {
        "event": found,
        "stage": one,
        "people": len(people),
        "stand_ins": [entry for entry in people if entry.stands_in_id is not None],
        "needed": needed,
        "words": words,
        "seen": 0,
    }
    return render(request, "tournaments/draw.html", context)


@require_role("director")
def draw_step(request: HttpRequest, club: Club, event: str, draw: int) -> HttpResponse:
    """One version of a draw: its tables; publish it, make another, take it back."""
    found = competition_of(club, event)
    one = get_object_or_404(
        Draw.objects.select_related("round__stage__event__rules", "round__stage__event__club"),
        pk=draw,
        round__stage__event=found,
    )
    stage = one.round.stage
    if request.method == "POST":
        step = request.POST.get("step")
        with refusals_told(request):
            if step == "publish":
                contest.publish_stage_draw(draw=one, by=actor_of(request))
                messages.success(
                    request,
                    _("The draw of %(stage)s is published. Its seats can be seen and its cards are open.")
                    % {"stage": stage},
                )
                return redirect("desk_event", club.slug, found.slug)
            if step == "take-back":
                deals = _deals(one)
                contest.take_back_draw(draw=one, by=actor_of(request), reason=request.POST.get("reason", ""))
                words = ngettext(
                    "The draw is taken back. %(n)d deal is kept, and counts again if you publish this version again.",
                    "The draw is taken back. %(n)d deals are kept, and count again if you publish this version again.",
                    deals,
                )
                messages.success(request, words % {"n": deals})
            else:
                return HttpResponse(status=400)
        return redirect("draw_step", club.slug, found.slug, one.pk)
    versions = list(Draw.objects.filter(round=one.round).order_by("number"))
    published = next((d for d in versions if d.state == Draw.State.PUBLISHED), None)
    context = {
        "event": found,
        "stage": stage,
        "draw": one,
        "tables": tables_of(one),
        "words": draw_words(one.statement),
        "fairness": fairness_words(stage, one.statement),
        "versions": versions,
        "published": published,
        "seen": versions[-1].number,
        "deals": _deals(one),
        "cut": published_cut(stage),
        "stale": "" if published else why_stale(one),
        "sure": request.GET.get("step") == "take-back",
    }
    return render(request, "tournaments/draw_step.html", context)


@require_role("director")
def end_set(request: HttpRequest, club: Club, event: str, group: int) -> HttpResponse:
    """End a group's set early, with the reason; or let it go on again."""
    found = competition_of(club, event)
    one = get_object_or_404(
        Group.objects.select_related("table__draw__round__stage__event__rules"),
        pk=group,
        table__draw__round__stage__event=found,
    )
    if request.method == "POST":
        reason = request.POST.get("reason", "")
        with refusals_told(request):
            if request.POST.get("step") == "reopen":
                contest.reopen_set(group=one, by=actor_of(request), reason=reason)
                messages.success(request, _("The set of table %(table)s goes on.") % {"table": one})
            else:
                contest.end_set(group=one, by=actor_of(request), reason=reason)
                messages.success(request, _("The set of table %(table)s is ended.") % {"table": one})
            return redirect("desk_event", club.slug, found.slug)
        return redirect("end_set", club.slug, found.slug, one.pk)
    view = next(v for v in groups_of(one.table.draw) if v.group.pk == one.pk)
    return render(request, "tournaments/end_set.html", {"event": found, "group": one, "view": view})


@require_role("director")
def cut(request: HttpRequest, club: Club, event: str, stage: int) -> HttpResponse:
    """The cut of a stage: the proposal with a reason for every name, what is open, and publishing it."""
    found = competition_of(club, event)
    one = stage_at(found, stage)
    published = published_cut(one)
    if request.method == "POST":
        return _cut_post(request, club, found, one)
    if published:
        return redirect("cut_step", club.slug, found.slug, published.pk)
    with refusals_told(request):
        return render(request, "tournaments/cut.html", _proposal(found, one))
    return redirect("desk_event", club.slug, found.slug)


def _proposal(found: Event, one: Stage) -> dict[str, Any]:
    """What the page of a cut not yet published shows. Raises StepRefused when there is nothing to cut."""
    now = cuts.propose(one)
    by_pk = {line.entry.pk: line.entry for line in now.lines}
    names = {pk: entry.name for pk, entry in by_pk.items()}
    return {
        "event": found,
        "stage": one,
        "now": now,
        "through": [(line, reason_words(line.reason, line.args, names)) for line in now.through],
        "out": [(line, reason_words(line.reason, line.args, names)) for line in now.out],
        "ties": [
            {"number": n, "words": tie_words(tie), "people": [by_pk[pk] for pk in tie.entries]}
            for n, tie in enumerate(now.cut.open_ties, start=1)
        ],
        "settled": settled_words(now.settled, names),
        "last_settled": next((data for data in reversed(now.settled) if counts(data)), None),
        "rule": rule_words(one),
        "chain": order_words(found),
        "kept": one.cuts.order_by("-number"),
    }


@require_role("director")
def cut_step(request: HttpRequest, club: Club, event: str, cut: int) -> HttpResponse:
    """One kept version of a cut; the published one can be taken back until the next draw is published."""
    found = competition_of(club, event)
    one = get_object_or_404(
        Cut.objects.select_related("stage__event__club", "stage__event__rules"), pk=cut, stage__event=found
    )
    following = found.stages.filter(number=one.stage.number + 1).first()
    if request.method == "POST":
        with refusals_told(request):
            cuts.take_back_cut(cut=one, by=actor_of(request), reason=request.POST.get("reason", ""))
            messages.success(request, _("The cut of %(stage)s is taken back.") % {"stage": one.stage})
            return redirect("cut", club.slug, found.slug, one.stage.number)
        return redirect("cut_step", club.slug, found.slug, one.pk)
    one = (
        Cut.objects.select_related("stage__event__club", "stage__event__rules")
        .prefetch_related("lines__entry")
        .get(pk=one.pk)
    )
    names = {line.entry_id: line.entry.name for line in one.lines.all()}
    lines = list(zip(cut_words(one), one.lines.all(), strict=True))
    context = {
        "event": found,
        "stage": one.stage,
        "cut": one,
        "through": [pair for pair in lines if pair[0].advances],
        "out": [pair for pair in lines if not pair[0].advances],
        "settled": settled_words(one.settled, names),
        "difference": cuts.difference(one) if one.state == Cut.State.PUBLISHED else None,
        "following": following,
        "next_drawn": bool(following and stage_draw(following)),
        "kept": one.stage.cuts.order_by("-number"),
        "gone": [line.entry for line in one.lines.all() if line.advances and line.entry.state == Entry.State.WITHDRAWN],
    }
    return render(request, "tournaments/cut_step.html", context)


@require_role("director")
def result(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """The final's order, published as the result; or taken back."""
    found = competition_of(club, event)
    final = found.stages.order_by("-number").first()
    if final is None:
        raise Http404
    final.event = found
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "take-back":
                contest.take_back_result(event=found, by=actor_of(request), reason=request.POST.get("reason", ""))
                messages.success(request, _("The result is taken back."))
            else:
                sure, seen = "sure" in request.POST, request.POST.get("seen", "")
                made = contest.publish_result(event=found, by=actor_of(request), sure=sure, seen=seen)
                messages.success(request, _("The result is published as version %(n)d.") % {"n": made.number})
            return redirect("desk_event", club.slug, found.slug)
        return redirect("result", club.slug, found.slug)
    if stage_draw(final) is None:
        messages.error(request, _("The final isn't drawn yet."))
        return redirect("desk_event", club.slug, found.slug)
    now = standings_of(final)
    last = result_of(found)
    finished = found.state == Event.State.FINISHED
    corrected = finished and contest.unchanged_result(found, now) is None
    view = StandingsView(final, now.rows, now.deals, last_deal_at(final))
    if finished and last and not corrected:
        view = of_version(last)
    context = {
        "event": found,
        "final": final,
        "standings": standings_table(request, found, view.rows),
        "shared": any(row.shared for row in now.rows),
        "open_sets": contest.open_groups(final),
        "last": last,
        "finished": finished,
        "corrected": corrected,
        "view": view,
        "seen": fingerprint(now.rows),
        "chain": order_words(found),
    }
    return render(request, "tournaments/result.html", context)


def _cut_post(request: HttpRequest, club: Club, event: Event, stage: Stage) -> HttpResponse:
    step, by = request.POST.get("step"), actor_of(request)
    with refusals_told(request):
        if step == "publish":
            made = cuts.publish_cut(
                stage=stage, by=by, fingerprint=request.POST.get("fingerprint", ""), sure="sure" in request.POST
            )
            messages.success(request, _("The cut of %(stage)s is published.") % {"stage": stage})
            return redirect("cut_step", club.slug, event.slug, made.pk)
        seen = whole_number(request.POST.get("seen"))
        if step == "undo":
            cuts.undo_settlement(stage=stage, by=by, seen=seen, reason=request.POST.get("reason", ""))
        elif step in ("lots", "play-off"):
            entries = [whole_number(text) for text in request.POST.getlist("level")]
            if step == "lots":
                cuts.draw_lots(stage=stage, by=by, entries=entries, seen=seen)
            else:
                cuts.record_play_off(stage=stage, by=by, points=points_of(request, entries), seen=seen)
        else:
            return HttpResponse(status=400)
    return redirect("cut", club.slug, event.slug, stage.number)


def _deals(draw: Draw) -> int:
    """Deals that count in the games of a draw."""
    return (
        DealVersion.objects.filter(deal__game__group_game__group__table__draw=draw, current=True)
        .exclude(state=DealVersion.State.VOID)
        .count()
    )


def _seed(request: HttpRequest) -> int | None:
    """The seed that the director wrote, if any. Raises StepRefused for anything but a number of up to six digits."""
    text = request.POST.get("seed", "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 6:
        raise StepRefused(_("A seed is a number of up to six digits."))
    return int(text)
