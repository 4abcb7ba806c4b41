"""How an evening went, in pictures: places after each round, and who met whom. For anybody; only what is published."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.names.hidden import hidden_names
from clubsite.accounts.roles import public
from tournaments.pictures.meetings import mark_words
from tournaments.requests import event_of
from tournaments.rounds.met import met_in
from tournaments.standings.by_round import rounds_chart, standings_by_round
from tournaments.standings.queries import standings_view


@public
def evening(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """An event's pictures."""
    found = event_of(club, event)
    view = standings_view(found)
    met = met_in(found)
    context = {
        "event": found,
        "chart": rounds_chart(standings_by_round(view.stage), view.rows, named=hidden_names(club).text)
        if view and view.begun
        else None,
        "met": met,
        "marks": [(kind, often, mark_words(kind, often)) for kind, often in met.kinds],
    }
    return render(request, "tournaments/pages/evening.html", context)
