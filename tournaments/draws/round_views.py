"""Rounds as people see them: tables, sides, games. Each query's cost doesn't grow with tables, deals or events."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from clubsite.accounts.name_privacy import hidden_names
from clubsite.names import name_sort_key
from scoring.models import Game, Side
from tournaments.engine.rounds import grouped
from tournaments.events.state import published_draws
from tournaments.events.words import annulment_reason
from tournaments.models import Draw, Entry, Event, Group, GroupGame, Seat, SitOut, Stage
from tournaments.people import Person
from tournaments.pictures import Meetings, count_meetings


@dataclass(frozen=True, slots=True)
class SideView:
    """Those who score together at a table, and their points in the last of its games that has a deal."""

    people: tuple[Person, ...]
    total: int
    won: bool
    absent: bool = False  # it wasn't there, and has lost by that
    whole: int = 0  # its points in all games of the table

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(person.name for person in self.people)


@dataclass(frozen=True, slots=True)
class GameView:
    game: Game
    number: int
    points: tuple[int, ...]  # per side


@dataclass(frozen=True, slots=True)
class GroupView:
    group: Group
    table: int
    letter: str  # "" where the whole table plays together
    sides: tuple[SideView, ...]
    games: tuple[GameView, ...]
    match: str = ""  # what it is called in a knock-out: "Semi-final 1"
    shown: Game | None = None  # the game whose points the sides have

    @property
    def label(self) -> str:
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
    def walkover(self) -> bool:
        return any(side.absent for side in self.sides)

    @property
    def annulled(self) -> bool:
        """Whether it counts for nobody, as one of its sides has left for good."""
        return bool(annulment_reason(self.group.seats.all()))

    @property
    def current(self) -> GameView | None:
        return next((g for g in self.games if g.game.state == Game.State.OPEN), None)

    @property
    def card(self) -> GameView | None:
        """The game in play, else the last that was played."""
        played = [g for g in self.games if g.game.state != Game.State.NOT_PLAYED]
        return self.current or (played[-1] if played else None)

    @property
    def played(self) -> int:
        return sum(g.game.state == Game.State.OVER for g in self.games)


@dataclass(frozen=True, slots=True)
class RoundView:
    draw: Draw
    number: int
    stage: Stage
    groups: tuple[GroupView, ...]
    sitting_out: tuple[Person, ...]
    walkovers: frozenset[str] = frozenset()  # those of them, by name, who win a match whose other side has left

    @property
    def sit_outs(self) -> tuple[str, ...]:
        """The names of those who sit out, and whether they win by that."""
        return tuple(
            _("%(name)s (walkover)") % {"name": person.name} if person.name in self.walkovers else person.name
            for person in self.sitting_out
        )

    @property
    def tables(self) -> list[tuple[int, list[GroupView]]]:
        return [(number, list(groups)) for number, groups in groupby(self.groups, lambda group: group.table)]

    @property
    def finished(self) -> int:
        return sum(group.state == "over" for group in self.groups)

    @property
    def complete(self) -> bool:
        return self.finished == len(self.groups)


@dataclass(frozen=True, slots=True)
class SeatLine:
    name: str
    table: int | None
    letter: str
    partners: tuple[str, ...]
    others: tuple[str, ...]
    member: int | None = None
    match: str = ""  # as a group's


def round_views(draws: QuerySet[Draw]) -> list[RoundView]:
    """Draws with their tables, sides, games and sit-outs, in the order of the queryset. Six queries."""
    return group_views(list(draws.select_related("round__stage__event__club")))


def group_views(draws: Sequence[Draw], *, people: bool = True) -> list[RoundView]:
    """The same for draws that were read before with their rounds, stages and events. Five queries; two without
    `people`: then nobody is named, and no points are read."""
    keys = {draw.pk: draw for draw in draws}
    named = list(keys) if people else []
    sides = grouped(
        (side.game_id, side) for side in Side.objects.filter(game__group_game__group__table__draw__in=named)
    )
    out, won = defaultdict(list), defaultdict(set)
    idle = SitOut.objects.idle().filter(draw__in=named)
    for draw, name, member, removed in idle.values_list(
        "draw_id", "entry__name", "entry__member_id", "against__removed"
    ):
        out[draw].append(Person(name, member))
        in_bracket = removed is not None and keys[draw].round.stage.event.traits.bracket
        if in_bracket or removed == Entry.Removed.WALKOVERS:
            won[draw].add(name)
    games = grouped(
        (row.group_id, GameView(row.game, row.number, tuple(side.total for side in sides[row.game_id])))
        for row in GroupGame.objects.filter(group__table__draw__in=list(keys)).select_related("game")
    )
    groups: dict[int, list[GroupView]] = {pk: [] for pk in keys}
    seats = Seat.objects.select_related("entry") if people else Seat.objects.none()
    at_tables = Group.objects.filter(table__draw__in=list(keys)).select_related("table")
    for group in at_tables.prefetch_related(Prefetch("seats", seats)):
        group.table.draw = keys[group.table.draw_id]
        groups[group.table.draw_id].append(_group_view(group, games=games[group.pk], sides=sides))
    return [
        RoundView(
            d,
            d.round.number,
            d.round.stage,
            groups=tuple(groups[d.pk]),
            sitting_out=tuple(out[d.pk]),
            walkovers=frozenset(won[d.pk]),
        )
        for d in draws
    ]


def published_rounds(event: Event) -> list[RoundView]:
    return round_views(published_draws(event).reverse())


def latest_round(event: Event) -> RoundView | None:
    newest = published_draws(event).reverse().values_list("pk", flat=True)[:1]
    return next(iter(round_views(Draw.objects.filter(pk__in=list(newest)))), None)


def seats_of(round: RoundView) -> list[SeatLine]:
    lines = [SeatLine(person.name, None, "", (), (), person.member) for person in round.sitting_out]
    for group in round.groups:
        for side in group.sides:
            opponents = tuple(name for other in group.sides if other is not side for name in other.names)
            lines.extend(
                SeatLine(person.name, group.table, group.letter, partners, opponents, person.member, group.match)
                for person in side.people
                for partners in [tuple(n for n in side.names if n != person.name)]
            )
    return sorted(lines, key=lambda line: name_sort_key(line.name))


def round_view(draw: Draw) -> RoundView:
    return round_views(Draw.objects.filter(pk=draw.pk))[0]


def _group_view(group: Group, *, games: Sequence[GameView], sides: Mapping[int, Sequence[Side]]) -> GroupView:
    dealt = [g.game for g in games if g.game.deals_played]
    shown = dealt[-1] if dealt else games[0].game if games else None
    scores = {side.number: side for side in sides[shown.pk]} if shown else {}
    views = (
        SideView(
            tuple(map(_person, seats)),
            scores[n].total if n in scores else 0,
            won=n in scores and scores[n].half_wins > 0,
            absent=n in scores and scores[n].absent,
            whole=sum(g.points[n] for g in games if g.game.deals_played),
        )
        for n, seats in enumerate(group.sides)
    )
    letter = group.letter if group.table.draw.round.stage.event.shares_tables else ""
    table = group.table
    match = table.draw.match_name(table.number)
    return GroupView(group, table.number, letter, tuple(views), tuple(games), match, shown)


def _person(seat: Seat) -> Person:
    """Who sits there. The member is left out where somebody else plays for the entry."""
    return Person(seat.name, None if seat.player else seat.entry.member_id)


def meetings_in(event: Event) -> Meetings:
    seats = Seat.objects.filter(draw__in=published_draws(event)).order_by("group_id", "side", "position")
    groups = [
        [[entry for _group, _side, entry in side] for _number, side in groupby(sides, key=lambda seat: seat[1])]
        for _group, sides in groupby(seats.values_list("group_id", "side", "entry_id"), key=lambda seat: seat[0])
    ]
    named = hidden_names(event.club).text  # initials now: names cut short aren't found when the page is sent
    return count_meetings(groups, {pk: named(name) for pk, name in event.entries.values_list("pk", "name")})
