"""The director's desk of a club night: the one next action, the tables, the standings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from tournaments.draws.by_format import drawn_by_lot, fewest_people, misplaced, over
from tournaments.draws.formats import why_stale
from tournaments.draws.keeping import next_drafts, published_numbers
from tournaments.draws.round_views import latest_round
from tournaments.events.format_words import described
from tournaments.models import Draw, Entry, Event, Season
from tournaments.rounds.clock import clock_of
from tournaments.standings.match import match_of
from tournaments.standings.net import net_view
from tournaments.standings.queries import result_of, standings_view
from tournaments.standings.results import unchanged_result
from tournaments.standings.standings import standings_of
from tournaments.standings.tables import standings_table


def night_desk(request: HttpRequest, club: Club, *, event: Event) -> HttpResponse:
    """The desk of a night: the one next action, the tables, the standings. Roles are checked by the caller."""
    current = latest_round(event)
    view = standings_view(event)
    context: dict[str, Any] = {
        "event": event,
        "here": event.entries.filter(state=Entry.State.HERE).count(),
        "least": fewest_people(event),
        "described": described(event.format, event.options),
        "match": match_of(event),
        "misplaced": misplaced(event),
        "lots": drawn_by_lot(event),
        "round": current,
        "clock": clock_of(event),
        "standings": standings_table(request, event, rows=view.rows) if view else None,
        "view": view,
        "net": net_view(event, view.rows) if view else None,
        "seasons": Season.objects.filter(club=club),
        "round_numbers": sorted(published_numbers(event)),
        **_next(event, current),
    }
    return render(request, "tournaments/pages/night.html", context)


def _next(event: Event, current: Any) -> dict[str, Any]:
    """What the desk proposes: a code for the template, and the draft of the next round if there is one."""
    draft = next_drafts(event).filter(state=Draw.State.DRAFT).first()
    stale = why_stale(draft) if draft else ""
    last = result_of(event) if event.state == Event.State.FINISHED else None
    if event.state == Event.State.FINISHED:
        same = last is None or unchanged_result(event, standings_of(last.stage))
        code = "finished" if same else "corrected"
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
