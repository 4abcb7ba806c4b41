"""An event as it is stored, read afresh after every step of a random director.

What is asked is put into queries once for each event: making them anew after every step took longer than the answers.
"""

from functools import cached_property
from typing import NamedTuple

from django.db.models import Sum

from scoring.models import Deal, Points, Side
from tournaments.engine.rounds import grouped
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
from tournaments.pages.contest_desk import ContestDesk

PUBLISHED = "published"


class Placed(NamedTuple):
    entry: int
    table: int
    group: int  # id
    side: int
    position: int
    player: str  # who plays for the entry, by name


class EventQueries:
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


class Snapshot:
    def __init__(self, ask: EventQueries) -> None:
        stages = ask.stages.in_bulk()
        self.ask = ask
        self.event = ask.event.get()
        self.entries = ask.entries.in_bulk()
        self.stages = list(stages.values())
        self.draws = ask.draws.in_bulk()
        for draw in self.draws.values():
            draw.round.stage = stages[draw.round.stage_id]
        self.seats = grouped((seat[0], Placed(*seat[1:])) for seat in ask.seats.all())  # by draw
        self.sit_outs = grouped(ask.sit_outs.all())  # by draw
        self.cuts = ask.cuts.in_bulk()
        self.lines = grouped((line.cut_id, line) for line in ask.lines.all())  # by cut
        self.standings = ask.standings.in_bulk()

    @cached_property
    def desk(self) -> ContestDesk:
        return ContestDesk(self.event)

    def published_draw(self, stage: Stage) -> Draw | None:
        return next((d for d in self.rounds if d.round.stage_id == stage.pk), None)

    def published_cut(self, stage: Stage) -> Cut | None:
        return next((c for c in self.cuts.values() if c.stage_id == stage.pk and c.state == PUBLISHED), None)

    @property
    def rounds(self) -> list[Draw]:
        published = [draw for draw in self.draws.values() if draw.state == PUBLISHED]
        return sorted(published, key=lambda draw: (draw.round.stage.number, draw.round.number))
