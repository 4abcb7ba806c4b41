"""What a change to a game would change beyond it, for the pages of a card to show before it is made.

Whoever builds on games adds what they know to `WATCHES` and `STANDINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from clubsite.previews import preview
from scoring.cards.deals import DealError
from scoring.models import Game


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """A line of something published that rests on a game."""

    key: int
    name: str
    points: int
    place: str  # "3", or "3=" where it is shared
    through: bool | None = None  # whether it is above the line of a cut; None where there is no cut


@dataclass(frozen=True, slots=True)
class Published:
    """Standings that people have seen, and that rest on a game: as they stand when they are asked for."""

    title: str
    words: str  # what becomes of them when the game changes
    lines: tuple[PublishedLine, ...]
    same: str = ""  # said first where lines move and none crosses the line of a cut


@dataclass(frozen=True, slots=True)
class PointsMove:
    """One line of published standings whose points, place or side of the cut's line would change."""

    before: PublishedLine
    after: PublishedLine

    @property
    def crosses(self) -> str:
        """ "in" or "out" for who would cross the line of a cut, else ""."""
        if self.before.through == self.after.through:
            return ""
        return "in" if self.after.through else "out"


@dataclass(frozen=True, slots=True)
class Moves:
    """Who would move in published standings, in the order that these would have after the change."""

    title: str
    words: str
    moves: tuple[PointsMove, ...]

    @property
    def crossed(self) -> bool:
        """Whether anybody crosses the line of a cut."""
        return any(move.crosses for move in self.moves)


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a change would bring beyond the game."""

    sentences: tuple[str, ...] = ()
    tables: tuple[Moves, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.sentences or self.tables)


# What is worth saying of whatever rests on a game, in sentences, as things stand when it is called.
Watch: TypeAlias = Callable[[Game], Sequence[str]]
# The published standings that rest on a game, as they stand when it is called; None where nothing is published.
Standings: TypeAlias = Callable[[Game], Published | None]

WATCHES: list[Watch] = []
STANDINGS: list[Standings] = []


def consequences_of(game: Game, change: Callable[[], object]) -> Consequences:
    """What `change` would bring beyond the game: what each watch says after it, if that isn't what it said before, and
    who would move in published standings.

    Nothing is kept. A change that is refused brings nothing.
    """

    def read() -> tuple[list[list[str]], list[Published | None]]:
        return [list(watch(game)) for watch in WATCHES], [standings(game) for standings in STANDINGS]

    try:
        before, after = preview(change, read)
    except DealError:
        return Consequences()
    watched = zip(before[0], after[0], strict=True)
    said = tuple(sentence for was, now in watched for sentence in now if sentence not in was)
    tables = [moves_between(was, now) for was, now in zip(before[1], after[1], strict=True) if was and now]
    return Consequences(said, tuple(table for table in tables if table.moves))


def moves_between(before: Published, after: Published) -> Moves:
    """The lines that differ between two readings of the same standings, in the order of the later one."""
    old = {line.key: line for line in before.lines}
    moved = tuple(PointsMove(old[line.key], line) for line in after.lines if line.key in old and line != old[line.key])
    moves = Moves(after.title, after.words, moved)
    return moves if moves.crossed or not after.same else replace(moves, words=f"{after.same} {after.words}")
