"""A season's table from the results of its nights, and making a season."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor, Club, Member
from tournaments.engine.season import Night, SeasonRule, season_table
from tournaments.errors import StepRefused
from tournaments.models import Event, PublishedStandings, Season


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One member's season. `nights` has the points of each night that counts, None where absent."""

    place: int
    shared: bool
    member: int
    name: str
    attended: int
    total: int
    average: Fraction
    nights: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season with the nights that count, in order of their dates, and its lines, best first."""

    season: Season
    nights: tuple[Event, ...]
    lines: tuple[SeasonLine, ...]


def season_tables(seasons: Iterable[Season]) -> list[SeasonTable]:
    """The tables of seasons, in the order given. Three queries, whatever their number and size.

    A night counts while it is closed, with the latest version of its result; guests have no line.
    """
    seasons = list(seasons)
    events = list(
        Event.objects.filter(season__in=seasons, state=Event.State.FINISHED)
        .select_related("rules")
        .order_by("starts_at", "pk")
    )
    results: dict[int, PublishedStandings] = {}
    for published in PublishedStandings.objects.filter(event__in=events, final=True).order_by("number"):
        results[published.event_id] = published
    points = {
        event.pk: {row["member"]: row["points"] for row in results[event.pk].rows if row["member"]}
        for event in events
        if event.pk in results
    }
    names = dict(
        Member.objects.filter(pk__in={m for night in points.values() for m in night}).values_list("pk", "name")
    )
    return [
        _table(season, [e for e in events if e.season_id == season.pk and e.pk in points], points, names)
        for season in seasons
    ]


def create_season(*, club: Club, by: Actor, name: str, starts: date, ends: date) -> Season:
    """Make a season. The same name and days again give the season that is there.

    Raises:
        StepRefused: another season has the name, or the last day is before the first.
    """
    name = " ".join(name.split())
    if ends < starts:
        raise StepRefused(_("The last day is before the first."))
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        same = Season.objects.filter(club=club, name=name).first()
        if same and (same.starts, same.ends) == (starts, ends):
            return same
        if same:
            raise StepRefused(_("The club has a season %(name)s already. Choose another name.") % {"name": name})
        season = Season.objects.create(club=club, name=name, starts=starts, ends=ends)
        log(club=club, by=by, verb="season.make", subject=name, new={"starts": str(starts), "ends": str(ends)})
    return season


def assign_season(*, event: Event, season: Season | None, by: Actor) -> Event:
    """Let an event count in a season of its club, or in none.

    Raises:
        StepRefused: the season is another club's.
    """
    with transaction.atomic():
        event = Event.objects.select_for_update(of=("self",)).select_related("club").get(pk=event.pk)
        if season is not None and season.club_id != event.club_id:
            raise StepRefused(_("That season is another club's."))
        if event.season != season:
            old, event.season = event.season, season
            event.save()
            log(club=event.club, by=by, verb="season.assign", subject=event, old=str(old), new=str(season))
    return event


def _table(
    season: Season, nights: list[Event], points: dict[int, dict[int, int]], names: dict[int, str]
) -> SeasonTable:
    lowest = any(event.rules.rule_set.values.get("lowest_wins") for event in nights)
    rows = season_table(
        [
            Night(n, {m: p for m, p in points[event.pk].items() if m in names})
            for n, event in enumerate(nights, start=1)
        ],
        SeasonRule(kind="sum", lowest_wins=bool(lowest)),
    )
    lines = [
        SeasonLine(
            place=row.place or 0,
            shared=row.shared,
            member=row.member,
            name=names[row.member],
            attended=row.attended,
            total=int(row.total),
            average=row.total / row.attended,
            nights=row.nights,
        )
        for row in rows
    ]
    lines.sort(key=lambda line: (line.place, line.name.casefold()))
    return SeasonTable(season, tuple(nights), tuple(lines))
