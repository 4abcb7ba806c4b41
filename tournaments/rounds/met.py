"""Who met whom in the rounds of an event that are published."""

from __future__ import annotations

from itertools import groupby

from clubsite.accounts.name_privacy import hidden_names
from tournaments.events.state import published_draws
from tournaments.models import Event, Seat
from tournaments.pictures import Meetings, meetings_of


def met_in(event: Event) -> Meetings:
    """Who met whom in the published draws of an event. Three queries."""
    seats = Seat.objects.filter(draw__in=published_draws(event)).order_by("group_id", "side", "position")
    groups = [
        [[entry for _group, _side, entry in side] for _number, side in groupby(sides, key=lambda seat: seat[1])]
        for _group, sides in groupby(seats.values_list("group_id", "side", "entry_id"), key=lambda seat: seat[0])
    ]
    named = hidden_names(event.club).text  # initials now: names cut short aren't found when the page is sent
    return meetings_of(groups, {pk: named(name) for pk, name in event.entries.values_list("pk", "name")})
