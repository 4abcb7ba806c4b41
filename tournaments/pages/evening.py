"""How an evening went, in pictures: places after each round, and who met whom. For anybody; only what is published."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import public
from tournaments.requests import event_of
from tournaments.rounds.met import met_in
from tournaments.standings.by_round import chart_of
from tournaments.standings.queries import standings_view


@public
def evening(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """An event's pictures."""
    found = event_of(club, event)
    view = standings_view(found)
    context = {
        "event": found,
        "chart": chart_of(view.stage, view.rows, club=club) if view and view.begun else None,
        "met": met_in(found),
    }
    return render(request, "tournaments/pages/evening.html", context)
