"""A night's people and rounds: who is here, one round, closing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import actor_of, club_page, is_director
from clubsite.names import found_by, in_order
from tournaments.draws.by_format import fewest_people, over
from tournaments.draws.drafts import published_numbers
from tournaments.draws.round_views import round_views
from tournaments.models import Draw, Entry, Event, Round
from tournaments.requests import night_of, reason_asked_on, refusals_told, whole_number
from tournaments.rounds import attendance, closing, publishing
from tournaments.rounds.disputes import disputes_of_round, doubts_in
from tournaments.rounds.forms import EndForm
from tournaments.rounds.seat_changes import seats_open
from tournaments.rounds.steps import take_step, told_taken_back


@club_page
def here(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Who is here: members as buttons to tick, walk-ins by name."""
    found = night_of(club, event)
    if request.method == "POST":
        with refusals_told(request):
            _mark_here(request, club, event=found)
        if not request.htmx:  # type: ignore[attr-defined]  # from its middleware
            return redirect("here", club.slug, found.slug)
    wanted = " ".join(request.GET.get("q", "").split())
    entries = list(found.entries.select_related("member"))
    by_member = {entry.member_id: entry for entry in entries if entry.member_id}
    members = Member.objects.filter(club=club)
    people = [
        {"name": m.name, "member": m, "entry": by_member.get(m.pk)} for m in members if m.active or m.pk in by_member
    ]
    people += [{"name": e.name, "member": None, "entry": e} for e in entries if not e.member_id]
    if request.method == "POST":  # for the name that was pressed: the others stay as they are
        people = [person for person in people if _is_pressed(person, request.POST)]
    context: dict[str, Any] = {
        "event": found,
        "people": sorted(
            (p for p in people if found_by(str(p["name"]), wanted)), key=lambda p: in_order(str(p["name"]))
        ),
        "here": sum(entry.state == Entry.State.HERE for entry in entries),
        "q": wanted,
        "least": fewest_people(found),
        "may_draw": not over(found),
        "by_results": not found.traits.searched,
        "closed": found.state == Event.State.FINISHED,
    }
    context["tables"], context["over"] = divmod(context["here"], 4)
    template = "tournaments/rounds/night_people.html" if request.htmx else "tournaments/rounds/here.html"  # type: ignore[attr-defined]  # from its middleware
    return render(request, template, context)


@club_page
def round_step(request: HttpRequest, club: Club, *, event: str, round: int) -> HttpResponse:
    """One published round by its number: its tables and cards. A director closes it, opens it again, takes it back."""
    found = night_of(club, event)
    one = get_object_or_404(Round, stage__event=found, stage__number=1, number=round)
    form = EndForm(request.POST if request.POST.get("step") == "close" else None)
    if request.method == "POST":
        draws = one.draws.select_related("round__stage__event__club")
        draw = draws.filter(state=Draw.State.PUBLISHED).first() or draws.last()
        if draw is None:
            raise Http404
        with refusals_told(request), reason_asked_on(form):
            return take_step(request, draw, offered=("close", "reopen", "take-back"))
        one.refresh_from_db()
    shown = round_views(one.draws.filter(state=Draw.State.PUBLISHED))
    if not shown:
        return told_taken_back(request, found, which=Q(round=one))
    context = {
        "event": found,
        "round": shown[0],
        "one": one,
        "form": form,
        "disputes": [] if one.closed else disputes_of_round(one),
        "doubts": [] if one.closed else doubts_in(club, round=one),
        "ended": closing.ended_early(shown[0].draw) if is_director(request, club) and not one.closed else (),
        "deals": publishing.deals_of(shown[0].draw),
        "open": len(shown[0].groups) - shown[0].finished,
        "latest": one.number == len(published_numbers(found)),
        "closed": found.state == Event.State.FINISHED,
        "seats_open": is_director(request, club) and seats_open(shown[0].draw),
    }
    return render(request, "tournaments/rounds/round.html", context, status=409 if request.method == "POST" else 200)


def _is_pressed(person: Mapping[str, Any], sent: Mapping[str, str]) -> bool:
    """Whether a form that was sent is about this person."""
    member, entry = ("" if person[who] is None else str(person[who].pk) for who in ("member", "entry"))
    return any(sent.get(name) == own for name, own in (("member", member), ("back", entry), ("left", entry)) if own)


def _mark_here(request: HttpRequest, club: Club, *, event: Event) -> None:
    by = actor_of(request)
    post = request.POST
    if member := post.get("member"):
        attendance.arrive(event=event, by=by, member=get_object_or_404(Member, club=club, pk=whole_number(member)))
    elif entry := post.get("back"):
        attendance.come_back(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    elif entry := post.get("left"):
        attendance.leave(entry=get_object_or_404(Entry, event=event, pk=whole_number(entry)), by=by)
    else:
        added = attendance.arrive(event=event, by=by, name=post.get("name", ""), join=bool(post.get("join")))
        messages.success(request, _("%(name)s is here.") % {"name": added.name})
