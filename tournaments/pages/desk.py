"""The director's desk: the club's events, and the desk of each."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page, is_at_desk, is_director
from clubsite.accounts.starting import is_owner
from clubsite.jobs import heartbeat
from clubsite.operations.schedule import backup_warning
from clubsite.watch.models import Fault
from tournaments.draws.by_format import bracket_words, lot_sentences, matches_without_table
from tournaments.draws.drafts import published_numbers
from tournaments.draws.round_views import latest_round
from tournaments.draws.words import fairness_note
from tournaments.events.words import describe_cut_rule, describe_options, describe_order
from tournaments.models import Event, Season
from tournaments.pages.at_tables import EventTables, event_tables, tables_by_event
from tournaments.pages.contest_desk import ContestDesk
from tournaments.pages.next_steps import NightProgress, club_steps, next_steps, steps_fingerprint
from tournaments.people import pages_of_people
from tournaments.requests import event_page, is_unchanged
from tournaments.rounds.seat_changes import can_change_seats
from tournaments.standings.presentation import net_view, standings_shown
from tournaments.standings.results import standings_view
from tournaments.standings.standings import match_of

FINISHED_SHOWN = 8
PLACES_SHOWN = 20  # the others are folded
LISTED_FIELDS = ("club", "name", "slug", "format", "state", "starts_at", "called_off", "rules__title")


@club_page
def desk(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's desk: events on now, planned, and the last that finished."""
    of_club = Event.objects.filter(club=club).select_related("rules")
    events = list(of_club.exclude(state=Event.State.FINISHED).order_by("starts_at"))
    finished = list(
        of_club.filter(state=Event.State.FINISHED).only(*LISTED_FIELDS).order_by("-starts_at")[:FINISHED_SHOWN]
    )
    for event in (*events, *finished):
        event.club = club
    running = [e for e in events if e.state == Event.State.RUNNING]
    planned = [
        e for e in events if e.state == Event.State.PLANNED and not (e.called_off and e.starts_at < timezone.now())
    ]
    parts = [(_("On now"), running), (_("Planned"), planned), (_("Finished"), finished)]
    tables = tables_by_event(running, people=False)
    waiting = [(e, tasks[0], len(tasks) - 1) for e in running if (tasks := next_steps(tables[e.pk]))]
    first = next(iter(running or [e for e in planned if not e.called_off]), None)
    owner = is_owner(request)
    context = {
        "is_owner": owner,
        "faults": Fault.objects.filter(seen_at=None).count() if owner else 0,
        "parts": [part for part in parts if part[1]],
        "first": first,
        "club_tasks": club_steps(club) if is_director(request, club) else [],
        "waiting": sorted(waiting, key=lambda row: row[1].urgency),
        "no_worker": is_director(request, club) and heartbeat.is_worker_missing(),
        "backups_wrong": backup_warning() if is_director(request, club) else "",
    }
    return render(request, "tournaments/pages/desk/desk.html", context)


@event_page
def event(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    now = event_tables(event)
    current = now.round or (latest_round(event) if event.by_rounds else None)
    night = NightProgress(event, current, disputes=now.disputes) if event.by_rounds else None
    contest = None if night else ContestDesk(event, current)
    format_tasks = night.tasks() if night else contest.tasks() if contest else []
    tasks = next_steps(now, format_tasks)
    mark = steps_fingerprint(tasks, now)
    if is_unchanged(request, mark):
        return HttpResponse(status=204)
    view = standings_view(event)
    shown = standings_shown(event, view.rows, sort=request.GET.get("sort", "")) if view else None
    context = {
        "event": event,
        "tasks": tasks,
        "mark": mark,
        "clock": now.clock,
        "view": view,
        "person_pages": pages_of_people(club, inside=is_at_desk(request, club)),
        "standings": shown and {**shown, "lines": shown["lines"][:PLACES_SHOWN]},
        "later": shown["lines"][PLACES_SHOWN:] if shown else [],
        "no_worker": is_director(request, club) and heartbeat.is_worker_missing(),
    }
    if contest:
        context |= _contest_context(contest, now, director=is_director(request, club))
        return render(request, "tournaments/pages/desk/contest_desk.html", context)
    tables = {table.view.group.pk: table for table in now.tables}
    context |= {
        "night": night,
        "described": describe_options(event),
        "match": match_of(event, view.rows if view else ()),
        "lots": lot_sentences(event),
        "seeding": bracket_words(event),
        "coming": matches_without_table(event) if event.state == Event.State.RUNNING else [],
        "round": current,
        "tables": [(group, tables.get(group.group.pk)) for group in current.groups] if current else [],
        "seats_open": is_director(request, club) and current is not None and can_change_seats(current.draw),
        "walkovers_open": is_director(request, club) and event.fixed_sides and event.state != Event.State.FINISHED,
        "net": net_view(event, view.rows) if view else None,
        "seasons": Season.objects.filter(club=club),
        "round_numbers": sorted(published_numbers(event)),
    }
    return render(request, "tournaments/pages/desk/night.html", context)


def _contest_context(desk: ContestDesk, now: EventTables, *, director: bool) -> dict[str, Any]:
    tables = {table.view.group.pk: table for table in now.tables}
    return {
        "desk": desk,
        "seats_open": director and desk.playing and not desk.playing.cut and desk.event.state != Event.State.FINISHED,
        "by_state": [(state, [(view, tables.get(view.group.pk)) for view in views]) for state, views in desk.by_state],
        "plan": [
            (part, describe_cut_rule(part.stage), fairness_note(part.stage, part.draw.statement) if part.draw else "")
            for part in desk.stages
        ],
        "chain": describe_order(desk.event),
    }
