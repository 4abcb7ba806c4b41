"""Pages that anyone may read: only what is published."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import public
from tournaments.cuts.cuts import published_cuts
from tournaments.cuts.words import cut_words
from tournaments.draws.by_format import drawn_by_lot
from tournaments.draws.round_views import latest_round, published_rounds, seats_of
from tournaments.events.format_words import ABOUT, described
from tournaments.events.tables import events_table
from tournaments.models import Event, Season
from tournaments.pages.front import fronts
from tournaments.requests import event_of
from tournaments.standings.match import match_of
from tournaments.standings.net import net_view
from tournaments.standings.queries import standings_view
from tournaments.standings.tables import standings_table


@public
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """The club's front page: what is on now, what is next, the last results, the season."""
    return render(request, "tournaments/pages/club.html", {"front": fronts([club])[0]})


@public
def events(request: HttpRequest, club: Club) -> HttpResponse:
    """All events of the club, to sort and page through."""
    found = Event.objects.filter(club=club).select_related("rules", "season")
    return render(
        request,
        "tournaments/pages/events.html",
        {"table": events_table(request, club.slug, events=found), "seasons": Season.objects.filter(club=club)},
    )


@public
def event(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """An event: what it is, the standings or result, the rounds, the cuts with their reasons."""
    found = event_of(club, event)
    view = standings_view(found)
    rounds = published_rounds(found)
    cuts = published_cuts(found)
    context = {
        "event": found,
        "view": view,
        "standings": standings_table(request, found, rows=view.rows) if view else None,
        "rounds": rounds,
        "net": net_view(found, view.rows) if view else None,
        "cuts": [{"cut": cut, "lines": cut_words(cut)} for cut in cuts],
        "match": match_of(found),
        "lots": drawn_by_lot(found),
        "about": ABOUT[found.format],
        "described": described(found.format, found.options),
    }
    return render(request, "tournaments/pages/event.html", context)


@public
def seats(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Find your name: who sits where in the latest published round."""
    found = event_of(club, event)
    latest = latest_round(found)
    return render(
        request,
        "tournaments/pages/seats.html",
        {"event": found, "round": latest, "seats": seats_of(latest) if latest else []},
    )
