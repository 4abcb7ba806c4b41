"""Pages that anyone may read: only what is published."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubsite.accounts.models import Club
from clubsite.accounts.roles import public
from tournaments.cuts.cuts import cut_words, published_cuts, window_of_cut
from tournaments.draws.by_format import bracket_words, coming_matches, drawn_by_lot
from tournaments.draws.round_views import latest_round, met_in, published_rounds, seats_of
from tournaments.events.format_words import ABOUT, described
from tournaments.events.state import bracket_of
from tournaments.events.views import events_table
from tournaments.models import Event, Season
from tournaments.pages.front import fronts
from tournaments.pages.live import LivePage, respond, same_for_visitors
from tournaments.people import pages_of_people
from tournaments.prizes.actions import prizes_view
from tournaments.requests import event_of
from tournaments.rounds.clock import clock_of
from tournaments.seasons import views as seasons_views
from tournaments.standings.presentation import beside_of, net_view, notes_of, standings_table, won_by
from tournaments.standings.results import chart_of, standings_view
from tournaments.standings.standings import match_of

MOST_SHOWN = 24  # places of a competition; where there are more, its page unfolds all but the first
FIRST_SHOWN = 12


@public
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's front page: what is on now, what is next, the last results, the season."""
    return render(request, "tournaments/pages/club.html", {"front": fronts([club])[0]})


@public
def events(request: HttpRequest, club: Club) -> HttpResponse:
    """All events of the club, to sort and page through."""
    table = events_table(request, Event.objects.filter(club=club))
    context = {"table": table, "seasons": Season.objects.filter(club=club)}
    return render(request, "tournaments/pages/events.html", context)


def event(request: HttpRequest, club: str, *, event: str) -> HttpResponse:
    """An event: what it is, the standings or result, the rounds, the cuts with their reasons.

    In the standings' own order it refreshes itself; sorted by another column it stands still.
    """
    if "sort" in request.GET:
        return sorted_event(request, club, event=event)
    return respond(request, EVENT, club=club, event=event)


@public
def sorted_event(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """The page of an event with its standings in the order of another column."""
    found = event_of(club, event)
    context = {"event": found, **event_shown(found)}
    view = context["view"]
    context["standings"] = standings_table(request, found, rows=view.rows, begun=view.begun) if view else None
    return render(request, EVENT.whole, context)


def event_shown(event: Event) -> dict[str, Any]:
    """What is published of an event."""
    view = standings_view(event)
    rows = view.rows if view else ()
    lines = [(row, notes_of(row, event), beside_of(row)) for row in rows]
    shown = FIRST_SHOWN if not event.by_rounds and len(lines) > MOST_SHOWN else len(lines)
    return {
        "view": view,
        "person_pages": pages_of_people(event.club),
        **won_by(view),
        "lines": lines[:shown],
        "later": lines[shown:],
        "sat_out": any(row.sit_outs for row in rows),
        "bids": event.rules.rule_set.has_bids,
        "rounds": published_rounds(event),
        "clock": clock_of(event),
        "net": net_view(event, rows) if view else None,
        "cuts": [
            {"cut": cut, "lines": cut_words(cut), "window": window_of_cut(cut, event.club)}
            for cut in published_cuts(event)
        ],
        "bracket": None if event.by_rounds else bracket_of(event),
        "match": match_of(event, rows),
        "lots": drawn_by_lot(event),
        "seeding": bracket_words(event),
        "coming": coming_matches(event) if event.state == Event.State.RUNNING else [],
        "prizes": prizes_view(event, view.published if view else None),
        "about": ABOUT[event.format],
        "described": described(event.format, event.options),
    }


def seats(request: HttpRequest, club: str, *, event: str) -> HttpResponse:
    """Find your name: who sits where in the latest published round."""
    return respond(request, SEATS, club=club, event=event)


def seats_shown(event: Event) -> dict[str, Any]:
    """The latest published round and everybody's seat in it."""
    latest = latest_round(event)
    return {
        "round": latest,
        "seats": seats_of(latest) if latest else [],
        "person_pages": pages_of_people(event.club),
        "clock": clock_of(event),
    }


@public
def evening(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """How an evening went, in pictures: places after each round, and who met whom."""
    found = event_of(club, event)
    view = standings_view(found)
    context = {
        "event": found,
        "chart": chart_of(view.stage, view.rows, club=club) if view and view.begun else None,
        "met": met_in(found),
    }
    return render(request, "tournaments/pages/evening.html", context)


def season(request: HttpRequest, club: str, *, season: int) -> HttpResponse:
    """A season's table: see `seasons.views.season`. As it is first opened it is kept for all visitors; sorted by
    another column or with somebody's line lit it is made for each."""
    page = reverse("season", args=[club, season])
    if not request.GET:
        return same_for_visitors(request, seasons_views.season, club=club, address=page, season=season)
    return seasons_views.season(request, club, season=season)


EVENT = LivePage("event", "tournaments/pages/event_part.html", "tournaments/pages/event.html", event_shown)
SEATS = LivePage("seats", "tournaments/pages/seats_part.html", "tournaments/pages/seats.html", seats_shown)
