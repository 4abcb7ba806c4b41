"""How an evening went, in pictures: places after each round, and who met whom. For anybody; only what is published."""

from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.names.hidden import hidden_names
from clubsite.accounts.roles import public
from tournaments.draws.keeping import published_draws
from tournaments.models import Event, Seat
from tournaments.pictures.meetings import Meetings, mark_words, meetings_of
from tournaments.requests import event_of
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


def met_in(event: Event) -> Meetings:
    """Who met whom in the published draws of an event. Three queries."""
    seats = Seat.objects.filter(draw__in=published_draws(event)).order_by("group_id", "side", "position")
    groups = [
        [[entry for _group, _side, entry in side] for _number, side in groupby(sides, key=lambda seat: seat[1])]
        for _group, sides in groupby(seats.values_list("group_id", "side", "entry_id"), key=lambda seat: seat[0])
    ]
    named = hidden_names(event.club).text  # a name that is cut short wouldn't be found when the page is sent
    return meetings_of(groups, {pk: named(name) for pk, name in event.entries.values_list("pk", "name")})
