"""Rounds as people see them: tables, sides, games. Each query's cost doesn't grow with tables, deals or events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Prefetch, QuerySet

from clubsite.accounts.names.order import in_order
from scoring.models import Game
from tournaments.draws.keeping import published_draws
from tournaments.models import Draw, Event, Group, GroupGame, Seat, SitOut, Stage
from tournaments.people import Person


@dataclass(frozen=True, slots=True)
class SideView:
    """Those who score together at a table, and their points in the last of its games that has a deal."""

    people: tuple[Person, ...]
    total: int
    won: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Their names alone."""
        return tuple(one.name for one in self.people)


@dataclass(frozen=True, slots=True)
class GameView:
    """One game of a group's set."""

    game: Game
    number: int
    points: tuple[int, ...]  # per side


@dataclass(frozen=True, slots=True)
class GroupView:
    """One group at a table with its games."""

    group: Group
    table: int
    letter: str  # "" where the whole table plays together
    sides: tuple[SideView, ...]
    games: tuple[GameView, ...]

    @property
    def label(self) -> str:
        """What the group is called: "3A", or "3" where a table is one group."""
        return f"{self.table}{self.letter}"

    @property
    def rows(self) -> list[tuple[tuple[str, ...], list[int | None]]]:
        """Each side's names and its points in each game, None before its first deal."""
        return [
            (side.names, [g.points[n] if g.game.deals_played else None for g in self.games])
            for n, side in enumerate(self.sides)
        ]

    @property
    def state(self) -> str:
        """ "waiting" (no deal yet), "playing" or "over"."""
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


@dataclass(frozen=True, slots=True)
class RoundView:
    """One draw of a round as people see it."""

    draw: Draw
    number: int
    stage: Stage
    groups: tuple[GroupView, ...]
    sitting_out: tuple[Person, ...]
    entries: frozenset[int]  # the keys of all who sit at its tables or sit out

    @property
    def sit_outs(self) -> tuple[str, ...]:
        """The names of those who sit out."""
        return tuple(one.name for one in self.sitting_out)

    @property
    def tables(self) -> list[tuple[int, list[GroupView]]]:
        """The groups by number of table."""
        return [(number, list(groups)) for number, groups in groupby(self.groups, lambda group: group.table)]

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
    """One line of the alphabetical list: where somebody sits. Without a table they sit out."""

    name: str
    table: int | None
    letter: str
    partners: tuple[str, ...]
    others: tuple[str, ...]
    member: int | None = None


def round_views(draws: QuerySet[Draw]) -> list[RoundView]:
    """Draws with their tables, sides, games and sit-outs, in the order of the queryset. Six queries."""
    return views_of(list(draws.select_related("round__stage__event__club")))


def views_of(draws: Sequence[Draw]) -> list[RoundView]:
    """The same for draws that were read before with their rounds, stages and events. Five queries."""
    of_draw: dict[int, list[Group]] = {draw.pk: [] for draw in draws}
    out: dict[int, list[tuple[int, Person]]] = {draw.pk: [] for draw in draws}
    groups = Group.objects.filter(table__draw__in=of_draw).select_related("table")
    for group in groups.prefetch_related(
        Prefetch("seats", Seat.objects.select_related("entry")),
        Prefetch("games", GroupGame.objects.select_related("game")),
        "games__game__sides",
    ):
        of_draw[group.table.draw_id].append(group)
    read = ("draw_id", "entry_id", "entry__name", "entry__member_id")
    for draw, entry, name, member in SitOut.objects.filter(draw__in=of_draw).values_list(*read):
        out[draw].append((entry, Person(name, member)))
    return [_round_view(draw, of_draw[draw.pk], out=out[draw.pk]) for draw in draws]


def published_rounds(event: Event) -> list[RoundView]:
    """All published rounds of an event, the latest first."""
    return round_views(published_draws(event).reverse())


def latest_round(event: Event) -> RoundView | None:
    """The published round that was published last in order of stages and rounds."""
    newest = published_draws(event).reverse().values_list("pk", flat=True)[:1]
    return next(iter(round_views(Draw.objects.filter(pk__in=list(newest)))), None)


def seats_of(round: RoundView) -> list[SeatLine]:
    """Everybody of a round by name. No query."""
    lines = [SeatLine(one.name, None, "", (), (), one.member) for one in round.sitting_out]
    for group in round.groups:
        for side in group.sides:
            others = tuple(name for other in group.sides if other is not side for name in other.names)
            lines.extend(
                SeatLine(
                    one.name,
                    group.table,
                    group.letter,
                    tuple(n for n in side.names if n != one.name),
                    others,
                    one.member,
                )
                for one in side.people
            )
    return sorted(lines, key=lambda line: in_order(line.name))


def round_view(draw: Draw) -> RoundView:
    """One draw with its tables. Six queries."""
    return round_views(Draw.objects.filter(pk=draw.pk))[0]


def _round_view(draw: Draw, groups: Sequence[Group], *, out: Sequence[tuple[int, Person]]) -> RoundView:
    shared = draw.round.stage.event.shares_tables
    views = []
    for group in groups:
        group.table.draw = draw
        views.append(_group_view(group.table.number, group, letter=group.letter if shared else ""))
    entries = {entry for entry, _person in out} | {seat.entry_id for group in groups for seat in group.seats.all()}
    return RoundView(
        draw,
        draw.round.number,
        draw.round.stage,
        groups=tuple(views),
        sitting_out=tuple(person for _entry, person in out),
        entries=frozenset(entries),
    )


def _group_view(table: int, group: Group, *, letter: str) -> GroupView:
    games = tuple(
        GameView(row.game, row.number, tuple(side.total for side in row.game.sides.all())) for row in group.games.all()
    )
    dealt = [one.game for one in games if one.game.deals_played]
    shown = dealt[-1] if dealt else games[0].game if games else None
    scores = {side.number: side for side in shown.sides.all()} if shown else {}
    sides = (
        SideView(
            tuple(map(_person, seats)), scores[n].total if n in scores else 0, n in scores and scores[n].half_wins > 0
        )
        for n, seats in enumerate(group.sides)
    )
    return GroupView(group, table, letter, tuple(sides), games)


def _person(seat: Seat) -> Person:
    """Who sits there. The member is left out where somebody else plays for the entry."""
    return Person(seat.name, None if seat.player else seat.entry.member_id)
