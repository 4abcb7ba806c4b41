"""The director's desk of a club night: who is here, the next round, closing."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import actor_of, is_director, require_role
from tournaments import night
from tournaments.basis import why_stale
from tournaments.draws import next_drafts
from tournaments.engine.formats import FORMATS
from tournaments.format_words import described
from tournaments.formats import drawn_by_lot, match_of, misplaced, over
from tournaments.handicap_words import net_view
from tournaments.models import Draw, Entry, Event, Round, Season
from tournaments.night_forms import EndForm, SeasonForm
from tournaments.queries import latest_round, round_views, standings_view
from tournaments.requests import night_of, refusals_on, refusals_told, whole_number
from tournaments.seasons import assign_season, create_season
from tournaments.standings import fingerprint, standings_of
from tournaments.tables import standings_table


def night_desk(request: HttpRequest, club: Club, event: Event) -> HttpResponse:
    """The desk of a night: the one next action, the tables, the standings. Roles are checked by the caller."""
    current = latest_round(event)
    view = standings_view(event)
    context: dict[str, Any] = {
        "event": event,
        "here": event.entries.filter(state=Entry.State.HERE).count(),
        "least": _least(event),
        "described": described(event.format, event.options),
        "match": match_of(event),
        "misplaced": misplaced(event),
        "lots": drawn_by_lot(event),
        "round": current,
        "standings": standings_table(request, event, view.rows) if view else None,
        "view": view,
        "net": net_view(event, view.rows) if view else None,
        "seasons": Season.objects.filter(club=club),
        "round_numbers": sorted(_published(event)),
        **_next(event, current),
    }
    return render(request, "tournaments/night.html", context)


@require_role("scorekeeper")
def here(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """Who is here: members as buttons to tick, walk-ins by name."""
    found = night_of(club, event)
    if request.method == "POST":
        with refusals_told(request):
            _mark_here(request, club, found)
        if not request.htmx:  # type: ignore[attr-defined]
            return redirect("here", club.slug, found.slug)
    wanted = " ".join(request.GET.get("q", "").split())
    entries = list(found.entries.select_related("member"))
    by_member = {entry.member_id: entry for entry in entries if entry.member_id}
    members = Member.objects.filter(club=club).order_by("name")
    people = [
        {"name": m.name, "member": m, "entry": by_member.get(m.pk)} for m in members if m.active or m.pk in by_member
    ]
    people += [{"name": e.name, "member": None, "entry": e} for e in entries if not e.member_id]
    context: dict[str, Any] = {
        "event": found,
        "people": sorted(
            (p for p in people if wanted.casefold() in str(p["name"]).casefold()),
            key=lambda p: str(p["name"]).casefold(),
        ),
        "here": sum(entry.state == Entry.State.HERE for entry in entries),
        "q": wanted,
        "least": _least(found),
        "by_results": found.format in FORMATS,
        "round": latest_round(found),
        "closed": found.state == Event.State.FINISHED,
    }
    context["tables"], context["over"] = divmod(context["here"], 4)
    template = "tournaments/night_people.html" if request.htmx else "tournaments/here.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@require_role("scorekeeper")
def round_step(request: HttpRequest, club: Club, event: str, round: int) -> HttpResponse:
    """One published round by its number: its tables and cards. A director closes it, opens it again, takes it back."""
    found = night_of(club, event)
    one = get_object_or_404(Round, stage__event=found, stage__number=1, number=round)
    if request.method == "POST":
        if not is_director(request, club):
            raise Http404
        with refusals_told(request):
            return _step(request, club, found, one)
        return redirect("round_step", club.slug, found.slug, one.number)
    shown = round_views(one.draws.filter(state=Draw.State.PUBLISHED))
    if not shown:
        raise Http404
    context = {
        "event": found,
        "round": shown[0],
        "one": one,
        "form": EndForm(),
        "deals": night.deals_of(shown[0].draw),
        "open": len(shown[0].groups) - shown[0].finished,
        "latest": one.number == len(_published(found)),
        "closed": found.state == Event.State.FINISHED,
    }
    return render(request, "tournaments/round.html", context)


@require_role("director")
def close(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """Close the night with its result, publish the next version after a correction, or take the closing back."""
    found = night_of(club, event)
    if request.method == "POST":
        with refusals_told(request):
            if request.POST.get("step") == "reopen":
                night.reopen_night(event=found, by=actor_of(request), reason=request.POST.get("reason", ""))
                messages.success(request, _("The night is open again. The season doesn't count it until it is closed."))
            else:
                why, seen = request.POST.get("reason", ""), request.POST.get("seen", "")
                published = night.close_night(event=found, by=actor_of(request), reason=why, seen=seen)
                messages.success(request, _("The result is published as version %(n)d.") % {"n": published.number})
            return redirect("desk_event", club.slug, found.slug)
        return redirect("night_close", club.slug, found.slug)
    last = night.last_result(found)
    finished = found.state == Event.State.FINISHED
    view = standings_view(found)
    now = standings_of(last.stage).rows if finished and last else ()
    corrected = finished and last is not None and last.rows != [row.to_data() for row in now]
    context = {
        "event": found,
        "finished": finished,
        "last": last,
        "corrected": corrected,
        "new_standings": standings_table(request, found, now) if corrected else None,
        "seen": fingerprint(now if corrected else view.rows if view else ()),
        "view": view,
        "net": net_view(found, view.rows) if view else None,
        "standings": standings_table(request, found, view.rows) if view else None,
    }
    return render(request, "tournaments/night_close.html", context)


@require_role("director")
def season_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Make a season."""
    form = SeasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            season = create_season(club=club, by=actor_of(request), **form.cleaned_data)
            messages.success(request, _("The season is there. Its nights count once they are closed."))
            return redirect("season", club.slug, season.pk)
    return render(request, "tournaments/season_new.html", {"form": form, "seasons": Season.objects.filter(club=club)})


@require_role("director")
def night_season(request: HttpRequest, club: Club, event: str) -> HttpResponse:
    """Say which season a night counts in."""
    found = get_object_or_404(Event, club=club, slug=event)
    if request.method == "POST":
        chosen = request.POST.get("season", "")
        season = get_object_or_404(Season, club=club, pk=whole_number(chosen)) if chosen else None
        assign_season(event=found, season=season, by=actor_of(request))
        messages.success(request, _("Saved."))
    return redirect("desk_event", club.slug, found.slug)


def _least(event: Event) -> int:
    """How many people the first draw needs."""
    return 2 * event.per_side if event.format in FORMATS else 4


def _published(event: Event) -> list[int]:
    """Numbers of the published rounds."""
    return list(
        Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED).values_list(
            "round__number", flat=True
        )
    )


def _next(event: Event, current: Any) -> dict[str, Any]:
    """What the desk proposes: a code for the template, and the draft of the next round if there is one."""
    draft = next_drafts(event).filter(state=Draw.State.DRAFT).first()
    stale = why_stale(draft) if draft else ""
    last = night.last_result(event) if event.state == Event.State.FINISHED else None
    if event.state == Event.State.FINISHED:
        code = "corrected" if last and last.rows != night.current_rows(event) else "finished"
    elif current and not current.draw.round.closed:
        code = "close-round" if current.complete else "playing"
    elif draft:
        code = "stale" if stale else "draft"
    elif current:
        code = "all-played" if over(event) else "next-round"
    else:
        code = "start"
    return {
        "next": code,
        "draft": draft,
        "stale": stale,
        "number": (current.number if current else 0) + 1,
        "last": last,
    }


def _mark_here(request: HttpRequest, club: Club, event: Event) -> None:
    by = actor_of(request)
    post = request.POST
    if member := post.get("member"):
        night.arrive(event=event, by=by, member=get_object_or_404(Member, club=club, pk=whole_number(member)))
    elif entry := post.get("back"):
        night.come_back(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    elif entry := post.get("left"):
        night.leave(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    else:
        added = night.arrive(event=event, by=by, name=post.get("name", ""), join=bool(post.get("join")))
        messages.success(request, _("%(name)s is here.") % {"name": added.name})


def _step(request: HttpRequest, club: Club, event: Event, one: Round) -> HttpResponse:
    step, by = request.POST.get("step"), actor_of(request)
    reason = request.POST.get("reason", "")
    if step == "close":
        night.close_round(round=one, by=by, end_open=request.POST.get("games") == "end", reason=reason)
        messages.success(request, _("Round %(n)d is closed.") % {"n": one.number})
    elif step == "reopen":
        night.reopen_round(round=one, by=by)
        messages.success(request, _("Round %(n)d is open again.") % {"n": one.number})
        return redirect("round_step", club.slug, event.slug, one.number)
    elif step == "take-back":
        draw = one.draws.filter(state=Draw.State.PUBLISHED).first()
        if draw is not None:
            deals = night.deals_of(draw)
            night.take_back_round(draw=draw, by=by, reason=reason)
            words = ngettext(
                "Round %(n)d is taken back. %(deals)d deal doesn't count until the same draw is published again.",
                "Round %(n)d is taken back. %(deals)d deals don't count until the same draw is published again.",
                deals,
            )
            messages.success(request, words % {"n": one.number, "deals": deals})
    else:
        return HttpResponse(status=400)
    return redirect("desk_event", club.slug, event.slug)
