"""Rounds as people see them: tables, sides, games. Each query's cost doesn't grow with tables, deals or events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet

from scoring.models import Game
from tournaments.models import Draw, Event, GroupGame, Seat, SitOut, Stage


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
