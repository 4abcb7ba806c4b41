"""What a club's front page shows. Its cost doesn't grow with events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from clubsite.accounts.models import Club
from tournaments.models import Event, PublishedStandings, Season
from tournaments.seasons.table import SeasonTable, season_tables
from tournaments.standings.queries import StandingsView, of_version

HALF_A_DAY = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Front:
    """A club's front page."""

    club: Club
    now: tuple[Event, ...]
    coming: tuple[Event, ...]
    results: tuple[StandingsView, ...]  # of the last three events, the newest first
    season: SeasonTable | None


def fronts(clubs: Sequence[Club]) -> list[Front]:
    """The front pages of clubs, in the order given. Six queries, whatever the number of clubs."""
    events = Event.objects.filter(club__in=clubs).select_related("rules", "club")
    running, near = Event.State.RUNNING, timezone.now() + HALF_A_DAY  # a draw may be published days before
    now: list[Event] = list(events.filter(state=running, starts_at__lte=near))
    planned = Q(state=Event.State.PLANNED, starts_at__gte=timezone.now() - HALF_A_DAY)
    coming = list(events.filter(planned | Q(state=running, starts_at__gt=near)).order_by("starts_at"))
    seasons = _current_seasons(clubs)
    tables = {table.season.club_id: table for table in season_tables(seasons.values())}
    newest: dict[int, dict[int, int]] = {}
    final = PublishedStandings.objects.filter(event__club__in=clubs, event__state=Event.State.FINISHED, final=True)
    for club, event, pk in final.order_by("event__starts_at", "stage__number", "number").values_list(
        "event__club", "event", "pk"
    ):
        newest.setdefault(club, {})[event] = pk
    last = {club: list(versions.values())[:-4:-1] for club, versions in newest.items()}
    results = PublishedStandings.objects.select_related("event__rules", "event__club", "stage").in_bulk(
        [pk for versions in last.values() for pk in versions]
    )
    return [
        Front(
            club=club,
            now=tuple(e for e in now if e.club_id == club.pk),
            coming=tuple(e for e in coming if e.club_id == club.pk)[:3],
            results=tuple(of_version(results[pk]) for pk in last.get(club.pk, ())),
            season=tables.get(club.pk),
        )
        for club in clubs
    ]


def _current_seasons(clubs: Sequence[Club]) -> dict[int, Season]:
    """Club to its season that has begun last."""
    found: dict[int, Season] = {}
    for season in Season.objects.filter(club__in=clubs).order_by("starts"):
        season.club = next(club for club in clubs if club.pk == season.club_id)
        if season.starts <= timezone.localdate(timezone=season.club.zone) or season.club_id not in found:
            found[season.club_id] = season
    return found
