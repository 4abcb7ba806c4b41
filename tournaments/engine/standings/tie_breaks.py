"""Tie-breaks: small classes, each of which may separate entries that are level so far.

A chain is an ordered list of them. Each is asked about one group of level entries at a time and gives every
one of them a key, higher being better, or None when it doesn't apply to that group (which then stays level).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import ClassVar, Protocol, TypeAlias

Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Encounter:
    """Games played against one other entry, seen from this one."""

    other: int
    games: int
    won: Fraction = Fraction(0)  # a drawn game counts a half
    net: int = 0  # own points less the other's


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What one entry has done so far, in the rule set's own points."""

    entry: int
    points: int = 0
    games_won: Fraction = Fraction(0)  # halves for drawn games
    games_played: int = 0
    net: int = 0  # own points less opponents' points
    sets: int = 0  # failed bids
    game_points: tuple[int, ...] = ()  # per game, in the order played
    encounters: tuple[Encounter, ...] = ()
    reached: int | None = None  # how far in a knock-out, the higher the further
    mates: frozenset[int] = frozenset()  # entries on its side in every game it played


class TieBreak(Protocol):
    """One link of a chain."""

    @property
    def slug(self) -> str:
        """Its name in chains."""
        ...

    def keys(self, level: Sequence[Result]) -> dict[int, Number] | None:
        """Entry to key, higher first, for all of these level entries; None when it doesn't apply to them."""
        ...


@dataclass(frozen=True, slots=True)
class ByFigure:
    """Goes by one figure of each result, the highest first: applies where all of the level entries have it."""

    slug: str
    figure: Callable[[Result], Number | None]

    def keys(self, level: Sequence[Result]) -> dict[int, Number] | None:
        """Applies when nobody's figure is None."""
        found = {r.entry: figure for r in level if (figure := self.figure(r)) is not None}
        return found if len(found) == len(level) else None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Games won in the games between the level entries; only where each has met each other equally often.

    Those who are partners in every game can't meet: they are one side here, and stay level with each other.

    It looks at the level group as a whole, so an entry's leaving may change the order of the rest of the group.
    """

    slug: ClassVar[str] = "head-to-head"

    def keys(self, level: Sequence[Result]) -> dict[int, Number] | None:
        """Applies when every pair of these but partners has played the same number of games, at least one."""
        group = {r.entry for r in level}
        among = {r.entry: [e for e in r.encounters if e.other in group and e.games] for r in level}
        games = {e.games for met in among.values() for e in met}
        apart = {r.entry: group - r.mates - {r.entry} for r in level}
        if len(games) != 1 or any({e.other for e in met} != apart[entry] for entry, met in among.items()):
            return None
        return {entry: sum((e.won for e in met), Fraction(0)) for entry, met in among.items()}


@dataclass(frozen=True, slots=True)
class LastGame:
    """Points in the last game; only where all have played equally many."""

    sign: int  # 1 where many points are good, -1 where few are
    slug: ClassVar[str] = "last-game"

    def keys(self, level: Sequence[Result]) -> dict[int, Number] | None:
        """Applies when all have played the same number of games, at least one."""
        if len({len(r.game_points) for r in level}) != 1 or not level[0].game_points:
            return None
        return {r.entry: self.sign * r.game_points[-1] for r in level}


@dataclass(frozen=True, slots=True)
class Lots:
    """Drawing of lots with a recorded seed: the lowest lot first. Without a seed it hasn't been drawn yet.

    A lot depends on the seed and the entry's id alone, so anybody can check it, and one entry's leaving
    doesn't reshuffle the others.
    """

    seed: int | None = None
    slug: ClassVar[str] = "lots"

    def keys(self, level: Sequence[Result]) -> dict[int, Number] | None:
        """Applies once drawn."""
        if self.seed is None:
            return None
        return {r.entry: -lot(self.seed, r.entry) for r in level}


Chain: TypeAlias = Sequence[TieBreak]


def misfits(slugs: Iterable[str], *, bracket: bool, all_meet: bool) -> tuple[str, ...]:
    """Codes for the links of a chain that could never decide anything fairly in a format.

    `bracket`: the format is a knock-out. `all_meet`: any who can be level have played each other, or a rule of the
    format itself makes up for it.

    >>> misfits(["reached", "points"], bracket=False, all_meet=True)
    ('chain.reached',)
    """
    wrong = {"reached": not bracket, "head-to-head": not all_meet}
    return tuple(f"chain.{slug}" for slug in slugs if wrong.get(slug))


def lot(seed: int, number: int) -> int:
    """The lot of an entry by its number: `lot_digits` as a number, put before the entry's own.

    >>> lot(7, 12) == int(lot_digits(7, 12), 16) * 2**64 + 12
    True
    """
    return int(lot_digits(seed, number), 16) * 2**64 + number


def lot_digits(seed: int, number: int) -> str:
    """The first twelve hexadecimal digits of SHA-256 over "seed:number" in decimal: what anybody can check.

    >>> lot_digits(7, 12) == sha256(b"7:12").hexdigest()[:12]
    True
    """
    return sha256(f"{seed}:{number}".encode()).hexdigest()[:12]


def chain_of(slugs: Iterable[str], *, lowest_wins: bool = False, lots_seed: int | None = None) -> tuple[TieBreak, ...]:
    """The chain of these slugs, in this order, for a game where few or many points are good.

    Raises:
        KeyError: there is no tie-break of that slug.
    """
    sign = -1 if lowest_wins else 1
    links: tuple[TieBreak, ...] = (
        ByFigure("reached", lambda r: r.reached),
        ByFigure("points", lambda r: sign * r.points),
        ByFigure("games-won", lambda r: r.games_won),
        ByFigure("net", lambda r: sign * r.net),
        ByFigure("fewest-sets", lambda r: -r.sets),
        HeadToHead(),
        LastGame(sign),
        ByFigure("best-game", lambda r: max((sign * points for points in r.game_points), default=None)),
        ByFigure("play-off", lambda r: None),  # decides nothing by itself: cuts keep its points (`cut_line.PlayedOff`)
        Lots(lots_seed),
        ByFigure("shared", lambda r: None),  # says that the place is shared, and separates nobody
    )
    known = {link.slug: link for link in links}
    return tuple(known[slug] for slug in slugs)
