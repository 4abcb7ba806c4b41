"""The race of a season: who stood where after every night. No query."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.utils.formats import date_format
from django.utils.timezone import localtime

from clubsite.charts import Chart, Series, places_chart
from tournaments.engine.season import season_places
from tournaments.models import Event
from tournaments.pictures.person import PersonNight, person_chart
from tournaments.seasons.table import SeasonLine, SeasonNights, SeasonPart
from tournaments.templatetags.totals import place

NIGHTS = 16  # nights drawn: the newest
LEADERS = 10  # members drawn besides the one asked for


def night_heads(events: Sequence[Event]) -> list[str]:
    """What nights are called where there is little room: their dates."""
    return [date_format(localtime(event.starts_at), "MONTH_DAY_FORMAT") for event in events]


def places_by_night(season: SeasonNights, part: SeasonPart) -> dict[int, tuple[int | None, ...]]:
    """The places of a part's members after each of the last nights, by what they had by then; None before their first.

    Only those who have a place now are counted, also on nights after which they hadn't come often enough yet: so the
    last places are those of the table.
    """
    placed = [line.member for line in part.lines]
    own = {m for m in season.names if part.division is None or season.division.get(m) == part.division}
    nights, rule = season.among(own), replace(season.rule, attendance=0)
    by_night = []
    for count in range(max(1, len(nights) - NIGHTS + 1), len(nights) + 1):
        every = season_places(nights[:count], rule)
        found = {member: every[member] for member in placed if member in every}
        order = sorted(found.values())
        by_night.append({member: 1 + bisect_left(order, place) for member, place in found.items()})
    return {member: tuple(now.get(member) for now in by_night) for member in placed}


def race_of(
    season: SeasonNights, part: SeasonPart, *, named: Callable[[str], str], who: int | None = None
) -> Chart | None:
    """The picture of the leaders' places night by night, and of the member asked for; None before the second night.

    `named` puts initials in place of names where members want that. It is done here because a name that the picture
    cuts short wouldn't be found when the page is sent.
    """
    if len(season.nights) < 2 or not part.lines:
        return None
    drawn = [line for n, line in enumerate(part.lines) if n < LEADERS or line.member == who]
    places = places_by_night(season, part)
    return places_chart(
        [Series(named(line.name), places[line.member], lit=line.member == who) for line in drawn],
        night_heads(season.events[-NIGHTS:]),
        keys=[place(line) for line in drawn],
    )


def season_of(season: SeasonNights, line: SeasonLine) -> Chart | None:
    """The picture of one member's season: the place on each night that they came to, of how many; None before two."""
    return person_chart(
        [
            PersonNight(head, night.places_by(season.rule.lowest_wins).get(line.member), len(set(side.values())), worth)
            for head, night, side, worth in zip(
                night_heads(season.events), season.nights, season.sides, line.nights, strict=True
            )
        ]
    )
