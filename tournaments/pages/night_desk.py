"""The director's desk of a club night: what to do next, the tables, the standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import is_at_desk, is_director
from clubsite.tasks import life
from tournaments.draws.by_format import drawn_by_lot
from tournaments.draws.keeping import published_numbers
from tournaments.draws.round_views import latest_round
from tournaments.events.format_words import described
from tournaments.models import Event, Season
from tournaments.pages.next_steps import mark_of, next_steps
from tournaments.pages.next_steps.at_tables import at_tables
from tournaments.pages.next_steps.night_rules import night_of
from tournaments.people import pages_of_people
from tournaments.requests import unchanged
from tournaments.rounds.seat_changes import seats_open
from tournaments.standings.match import match_of
from tournaments.standings.net import net_view
from tournaments.standings.queries import standings_view
from tournaments.standings.tables import standings_table


def night_desk(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The desk of a night: what to do next, the tables, the standings. Roles are checked by the caller."""
    now = at_tables(event)
    current = now.round or latest_round(event)
    night = night_of(event, current, disputes=now.disputes)
    tasks = next_steps(now, night=night)
    mark = mark_of(tasks, now)
    if unchanged(request, mark):
        return HttpResponse(status=204)
    view = standings_view(event)
    context: dict[str, Any] = {
        "event": event,
        "here": night.here,
        "described": described(event.format, event.options),
        "match": match_of(event),
        "lots": drawn_by_lot(event),
        "round": current,
        "tasks": tasks,
        "mark": mark,
        "tables": now.tables,
        "clock": now.clock,
        "seats_open": is_director(request, club) and current is not None and seats_open(current.draw),
        "standings": standings_table(request, event, rows=view.rows, begun=view.begun) if view else None,
        "view": view,
        "person_pages": pages_of_people(club, inside=is_at_desk(request, club)),
        "net": net_view(event, view.rows) if view else None,
        "seasons": Season.objects.filter(club=club),
        "round_numbers": sorted(published_numbers(event)),
        "no_worker": is_director(request, club) and life.is_missing(),
    }
    return render(request, "tournaments/pages/desk/night.html", context)
