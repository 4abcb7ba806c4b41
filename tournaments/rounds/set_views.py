"""The groups of a stage with their sets, as the director sees them."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.models import Game
from tournaments.models import Draw, Group


@dataclass(frozen=True, slots=True)
class GameView:
    """One game of a set."""

    game: Game
    number: int
    points: tuple[int, ...]  # per side


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group with its set."""

    group: Group
    label: str  # "3A", or "3" where a table is one group
    sides: tuple[tuple[str, ...], ...]
    games: tuple[GameView, ...]

    @property
    def rows(self) -> list[tuple[tuple[str, ...], list[int | None]]]:
        """Each side's names and its points in each game, None before its first deal."""
        return [
            (names, [g.points[n] if g.game.deals_played else None for g in self.games])
            for n, names in enumerate(self.sides)
        ]

    @property
    def state(self) -> str:
        """No deal yet, playing, or over."""
        if self.games and all(g.game.state != Game.State.OPEN for g in self.games):
            return "over"
        return "playing" if any(g.game.deals_played for g in self.games) else "waiting"

    @property
    def current(self) -> GameView | None:
        """The game being played: the first that is open."""
        return next((g for g in self.games if g.game.state == Game.State.OPEN), None)

    @property
    def played(self) -> int:
        """Games that are over."""
        return sum(g.game.state == Game.State.OVER for g in self.games)


def groups_of(draw: Draw) -> list[GroupView]:
    """The groups of a draw with seats and games, in order of tables. Five queries."""
    event = draw.round.stage.event
    found = (
        Group.objects.filter(table__draw=draw)
        .select_related("table")
        .prefetch_related("seats__entry", "games__game__sides")
        .order_by("table__number", "number")
    )
    views = []
    for group in found:
        games = tuple(
            GameView(row.game, row.number, tuple(side.total for side in row.game.sides.all()))
            for row in group.games.all()
        )
        label = event.group_label(group.table.number, group.number)
        views.append(GroupView(group, label, tuple(map(tuple, group.names)), games))
    return views


def tables_of(draw: Draw) -> list[tuple[int, list[GroupView]]]:
    """The groups of a draw by number of table."""
    tables: dict[int, list[GroupView]] = {}
    for view in groups_of(draw):
        tables.setdefault(view.group.table.number, []).append(view)
    return list(tables.items())
