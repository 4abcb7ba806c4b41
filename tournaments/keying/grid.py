"""The grid of a round: its tables one below the other, each with its lines. As many queries with twenty tables as with
three. Nothing here writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from scoring.cards.queries import Card, cards_of
from scoring.models import Game
from tournaments.keying.cells import LineLayout
from tournaments.keying.lines import NUMBER, KeyedLine, Lines
from tournaments.keying.saving import Saved
from tournaments.keying.second import marks_of
from tournaments.models import Draw, Event, GroupGame


@dataclass(frozen=True, slots=True)
class KeyingBlock:
    """One game at a table: its lines so far and those to be keyed, which are made of `pattern`."""

    card: Card
    table: str  # what the group is called: "3", "3A"
    game_number: int  # in its set
    of_set: int
    layout: LineLayout
    lines: tuple[KeyedLine, ...]
    pattern: KeyedLine

    @property
    def over(self) -> bool:
        """Whether nothing more is to be keyed."""
        return not any(line.is_open for line in self.lines)

    @property
    def last(self) -> int | None:
        """The number of the game's last deal, where it has so many: a void one is dealt again with another number."""
        deals = self.card.deals_in_game
        return deals and deals + len(self.card.void)


@dataclass(frozen=True, slots=True)
class Grid:
    """A round's blocks in order of tables."""

    event: Event
    draw: Draw
    blocks: tuple[KeyingBlock, ...]
    totals: bool = True  # whether the running totals that the scorer wrote are keyed too

    @property
    def tables(self) -> int:
        """How many tables or groups there are."""
        return len({block.table for block in self.blocks})

    @property
    def done(self) -> int:
        """Tables at which nothing more is to be keyed."""
        return self.tables - len({block.table for block in self.blocks if not block.over})


def grid_of(draw: Draw, *, totals: bool = True, saved: Saved | None = None) -> Grid:
    """The grid of a published draw. Of a set, the games over and the one being played are shown.

    `saved` is a line that was sent and not recorded: it stands in its place with what was typed.
    """
    event = draw.round.stage.event
    rows = [row for _group, games in groupby(games_of(draw), lambda row: row.group_id) for row in _shown(list(games))]
    cards = cards_of([row.game for row in rows])
    marks = marks_of([deal.pk for card in cards for deal in card.deals])
    blocks = [
        block_of(event, row, card=card, totals=totals, marks=marks) for row, card in zip(rows, cards, strict=True)
    ]
    return Grid(event, draw, tuple(_with(block, saved) for block in blocks), totals)


WITH_RULES = GroupGame.objects.select_related("group__table__draw__round__stage", "game__rules", "game__club")


def games_of(draw: Draw) -> list[GroupGame]:
    """The games of a draw in order of tables, with their rules. One query."""
    rows = WITH_RULES.filter(group__table__draw=draw)
    return list(rows.order_by("group__table__number", "group__number", "number"))


def next_game(row: GroupGame) -> GroupGame | None:
    """The game that a group plays after one that is over."""
    rows = WITH_RULES.filter(group=row.group_id, number__gt=row.number, game__state=Game.State.OPEN)
    return rows.order_by("number").first()


def block_of(
    event: Event, row: GroupGame, *, card: Card, totals: bool, marks: Mapping[int, str] = MappingProxyType({})
) -> KeyingBlock:
    """One game's block; `marks` are those of the second keying by the deal's key. No query."""
    maker = Lines(card, totals=totals)
    form = maker.form()
    layout, pattern = maker.open(form, NUMBER)
    lines = [maker.recorded(layout, form, deal=deal, mark=marks.get(deal.pk, "")) for deal in card.deals]
    if card.state == "playing":
        lines.append(maker.blank(layout, card.next_number))
    table = row.group.label_in(event)
    return KeyingBlock(card, table, row.number, row.group.table.draw.round.stage.games, layout, tuple(lines), pattern)


def _with(block: KeyingBlock, saved: Saved | None) -> KeyingBlock:
    """The block with the line that was sent in place of that deal's line."""
    if saved is None or saved.line.game != block.card.game.pk:
        return block
    found = any(line.id == saved.line.id for line in block.lines)
    lines = [saved.line if line.id == saved.line.id else line for line in block.lines]
    return replace(block, lines=tuple(lines if found else [*lines, saved.line]))


def _shown(games: Sequence[GroupGame]) -> list[GroupGame]:
    """The games of a group's set that the grid shows: those that are over, and the first that is open."""
    current = next((row for row in games if row.game.state == Game.State.OPEN), None)
    return [row for row in games if row is current or row.game.state == Game.State.OVER]
