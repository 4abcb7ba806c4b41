"""What public pages and the desk of a night show. Each query's cost doesn't grow with tables, deals or events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils import timezone

from clubsite.accounts.models import Club, LogEntry
from scoring.models import Game
from tournaments.models import Cut, Draw, Event, GroupGame, PublishedStandings, Season, Seat, SitOut, Stage
from tournaments.seasons import SeasonTable, season_tables
from tournaments.standings import Row, last_deal_at, standings_of


@dataclass(frozen=True, slots=True)
class SideView:
    """Those who score together at a table, and their points in the last of its games that has a deal."""

    names: tuple[str, ...]
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group at a table with its games. `state` is "waiting" (no deal yet), "playing" or "over"."""

    table: int
    letter: str  # "" where the whole table plays together
    sides: tuple[SideView, ...]
    games: tuple[Game, ...]
    state: str


@dataclass(frozen=True, slots=True)
class RoundView:
    """One draw of a round as people see it."""

    draw: Draw
    number: int
    stage: Stage
    groups: tuple[GroupView, ...]
    sit_outs: tuple[str, ...]

    @property
    def finished(self) -> int:
        """Groups whose games are over."""
        return sum(group.state == "over" for group in self.groups)

    @property
    def complete(self) -> bool:
        """Whether no game is open."""
        return self.finished == len(self.groups)


@dataclass(frozen=True, slots=True)
class SeatLine:
    """Where somebody sits: an entry of the alphabetical list. Without a table they sit out."""

    name: str
    table: int | None
    letter: str
    partners: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StandingsView:
    """Standings to show: provisional as of a time, or a published version."""

    stage: Stage
    rows: tuple[Row, ...]
    deals: int
    as_of: datetime | None
    published: PublishedStandings | None = None


@dataclass(frozen=True, slots=True)
class Front:
    """A club's front page."""

    club: Club
    now: tuple[Event, ...]
    coming: tuple[Event, ...]
    results: tuple[StandingsView, ...]  # of the last three, the newest first
    season: SeasonTable | None


def round_views(draws: QuerySet[Draw]) -> list[RoundView]:
    """Draws with their tables, sides, games and sit-outs, in the order of the queryset. Seven queries."""
    found = draws.select_related("round__stage__event__club").prefetch_related(
        Prefetch("sit_outs", SitOut.objects.select_related("entry")),
        "tables__groups",
        Prefetch("tables__groups__seats", Seat.objects.select_related("entry")),
        Prefetch("tables__groups__games", GroupGame.objects.select_related("game")),
        "tables__groups__games__game__sides",
    )
    return [_round_view(draw) for draw in found]


def published_rounds(event: Event) -> list[RoundView]:
    """All published rounds of an event, the latest first."""
    draws = Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED)
    return round_views(draws.order_by("-round__stage__number", "-round__number"))


def latest_round(event: Event) -> RoundView | None:
    """The published round that was published last in order of stages and rounds."""
    draws = Draw.objects.filter(round__stage__event=event, state=Draw.State.PUBLISHED)
    newest = draws.order_by("-round__stage__number", "-round__number").values_list("pk", flat=True)[:1]
    found = round_views(Draw.objects.filter(pk__in=list(newest)))
    return found[0] if found else None


def seats_of(round: RoundView) -> list[SeatLine]:
    """Everybody of a round by name. No query."""
    lines = [SeatLine(name, None, "", (), ()) for name in round.sit_outs]
    for group in round.groups:
        for side in group.sides:
            others = tuple(name for other in group.sides if other is not side for name in other.names)
            lines.extend(
                SeatLine(name, group.table, group.letter, tuple(n for n in side.names if n != name), others)
                for name in side.names
            )
    return sorted(lines, key=lambda line: line.name.casefold())


def standings_view(event: Event) -> StandingsView | None:
    """The event's result while it is finished, else the live standings of its latest stage with a published draw."""
    if event.state == Event.State.FINISHED and (published := result_of(event)):
        return of_version(published)
    stage = event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").distinct().first()
    if stage is None:
        return None
    stage.event = event
    now = standings_of(stage)
    return StandingsView(stage, now.rows, now.deals, last_deal_at(stage))


def result_of(event: Event) -> PublishedStandings | None:
    """The latest version of an event's result."""
    return (
        event.published_standings.filter(final=True)
        .select_related("stage")
        .order_by("-stage__number", "-number")
        .first()
    )


def of_version(published: PublishedStandings) -> StandingsView:
    """A published version as standings to show."""
    return StandingsView(
        published.stage, tuple(Row.from_data(row) for row in published.rows), 0, published.at, published
    )


def published_cuts(event: Event) -> list[Cut]:
    """The published cuts of an event with their lines, in order of stages. Two queries."""
    return list(
        Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED)
        .select_related("stage")
        .prefetch_related("lines__entry")
        .order_by("stage__number")
    )


def version_of(club: Club) -> int:
    """A number that grows with everything that is done in a club. One query."""
    return LogEntry.objects.filter(club=club).values_list("pk", flat=True).first() or 0


def fronts(clubs: Sequence[Club]) -> list[Front]:
    """The front pages of clubs, in the order given. Six queries, whatever the number of clubs."""
    events = Event.objects.filter(club__in=clubs).select_related("rules", "club")
    now: list[Event] = list(events.filter(state=Event.State.RUNNING))
    coming = list(
        events.filter(state=Event.State.PLANNED, starts_at__gte=timezone.now() - timedelta(hours=12)).order_by(
            "starts_at"
        )
    )
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


def _round_view(draw: Draw) -> RoundView:
    groups = []
    shared = draw.round.stage.event.shares_tables
    for table in sorted(draw.tables.all(), key=lambda t: t.number):
        for group in sorted(table.groups.all(), key=lambda g: g.number):
            games = tuple(g.game for g in sorted(group.games.all(), key=lambda g: g.number))
            groups.append(
                GroupView(
                    table.number,
                    group.letter if shared else "",
                    _sides(group, games),
                    games,
                    _state(games),
                )
            )
    return RoundView(
        draw, draw.round.number, draw.round.stage, tuple(groups), tuple(s.entry.name for s in draw.sit_outs.all())
    )


def _sides(group: Any, games: Sequence[Game]) -> tuple[SideView, ...]:
    last = next((game for game in reversed(games) if game.deals_played), games[0] if games else None)
    sides = {side.number: side for side in last.sides.all()} if last else {}
    return tuple(
        SideView(tuple(names), sides[n].total if n in sides else 0, n in sides and sides[n].half_wins > 0)
        for n, names in enumerate(group.names)
    )


def _state(games: Sequence[Game]) -> str:
    if all(game.state != Game.State.OPEN for game in games):
        return "over" if games else "waiting"
    return "playing" if any(game.deals_played for game in games) else "waiting"
