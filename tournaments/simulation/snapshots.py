"""An event as it is stored, read afresh after every step of a random director.

What is asked is put into queries once for each event: making them anew after every step took longer than the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import QuerySet, Sum

from scoring.models import Deal, Points, Side
from tournaments.engine.grouping import grouped
from tournaments.models import (
    Adjustment,
    Cut,
    CutLine,
    Draw,
    Entry,
    Event,
    Group,
    GroupGame,
    PublishedStandings,
    Seat,
    SitOut,
    Stage,
)
from tournaments.pages.contest_desk import Desk, desk_of

PUBLISHED = "published"


class Placed(NamedTuple):
    """Where an entry sits."""

    entry: int
    table: int
    group: int  # id
    side: int
    position: int
    player: str  # who plays for the entry, by name


class Questions:
    """The queries about one event. They aren't run here: each answers when it is used, with what is stored then."""

    def __init__(self, event: Event) -> None:
        draws, tables = "round__stage__event", "table__draw__round__stage__event"
        of_games = {f"game__group_game__group__{tables}": event}
        self.event = Event.objects.select_related("club", "rules").filter(pk=event.pk)
        self.seats = (
            Seat.objects.filter(**{f"draw__{draws}": event})
            .order_by("pk")
            .values_list("draw", "entry", "group__table__number", "group", "side", "position", "player")
        )
        self.sit_outs = SitOut.objects.filter(**{f"draw__{draws}": event}).values_list("draw", "entry")
        self.lines = CutLine.objects.filter(cut__stage__event=event).order_by("pk")
        self.stages = Stage.objects.filter(event=event).order_by("number")
        self.draws = Draw.objects.filter(**{draws: event}).select_related("round")
        self.entries = Entry.objects.filter(event=event)
        self.cuts = Cut.objects.filter(stage__event=event)
        self.standings = PublishedStandings.objects.filter(event=event)
        self.deals = Deal.objects.filter(**of_games).values_list("pk", "game")
        self.games = GroupGame.objects.filter(**{f"group__{tables}": event}).values_list(
            "group__table__draw", "game", "game__set_aside"
        )
        self.groups = Group.objects.filter(**{tables: event}, table__draw__state=PUBLISHED).select_related("table")
        self.sides = Side.objects.filter(**of_games, game__group_game__group__table__draw__state=PUBLISHED).values_list(
            "game__group_game__group", "game__group_game__number", "game__title", "game__state", "number", "names"
        )
        self.adjustments = Adjustment.objects.filter(stage__event=event, withdrawn_at=None).values_list(
            "stage", "entry", "points"
        )
        self.points = (
            Points.objects.filter(**{f"version__deal__{name}": one for name, one in of_games.items()})
            .filter(version__current=True)
            .values_list("version__deal__game__group_game__group", "side")
            .annotate(points=Sum("points"))
        )


@dataclass(slots=True)
class Snapshot:
    """An event as it is stored now. Nine queries."""

    event: Event
    entries: dict[int, Entry]
    stages: list[Stage]
    draws: dict[int, Draw]
    seats: dict[int, list[Placed]]  # by draw
    sit_outs: dict[int, list[int]]
    cuts: dict[int, Cut]
    lines: dict[int, list[CutLine]]  # by cut
    standings: dict[int, PublishedStandings]
    ask: Questions
    _desk: Desk | None = None

    @property
    def desk(self) -> Desk:
        """The desk of a competition as it stands now, read once."""
        if self._desk is None:
            self._desk = desk_of(self.event)
        return self._desk

    def published_draw(self, stage: Stage) -> Draw | None:
        """The stage's published draw, of a competition."""
        return next((d for d in self.rounds if d.round.stage_id == stage.pk), None)

    def published_cut(self, stage: Stage) -> Cut | None:
        """The stage's published cut."""
        return next((c for c in self.cuts.values() if c.stage_id == stage.pk and c.state == PUBLISHED), None)

    @property
    def rounds(self) -> list[Draw]:
        """The published draws, in order."""
        published = [draw for draw in self.draws.values() if draw.state == PUBLISHED]
        return sorted(published, key=lambda draw: (draw.round.stage.number, draw.round.number))


def snapshot(ask: Questions) -> Snapshot:
    """Read an event."""
    stages = _by_pk(ask.stages)
    draws = _by_pk(ask.draws)
    for draw in draws.values():
        draw.round.stage = stages[draw.round.stage_id]
    return Snapshot(
        event=ask.event.get(),
        entries=_by_pk(ask.entries),
        stages=list(stages.values()),
        draws=draws,
        seats=grouped((seat[0], Placed(*seat[1:])) for seat in ask.seats.all()),
        sit_outs=grouped(ask.sit_outs.all()),
        cuts=_by_pk(ask.cuts),
        lines=grouped((line.cut_id, line) for line in ask.lines.all()),
        standings=_by_pk(ask.standings),
        ask=ask,
    )


def _by_pk(asked: QuerySet[Any]) -> dict[int, Any]:
    return {one.pk: one for one in asked.all()}
