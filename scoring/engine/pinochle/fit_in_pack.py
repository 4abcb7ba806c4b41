"""Whether cards for several totals fit in one pack, when each total can be melded in many ways.

A need is one int of `PLACES` fields, one for each kind of card that can run short: how many cards of it a way takes.
A player has ways; a side has sharings of its total between its players, and one pack must hold a way of every player
of every side. The search halves what is still open at the kind of card that is shortest, and drops at each step the
ways that what all others need at least leaves no room for: exact, in few steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from math import prod
from operator import add, sub
from typing import TypeAlias

Need: TypeAlias = int
PLACES, WIDTH = 12, 5
FIELD = (1 << WIDTH) - 1
EACH = sum(1 << place * WIDTH for place in range(PLACES))  # one in every field
STEPS = 100  # of a search that may be given up
LISTED = 100_000  # pairs of ways that are soon listed

_Cards: TypeAlias = list[int]  # by place
_Open: TypeAlias = int  # ways still open: a bit for each


_ALL_UP_TO = [bytes(b"01"[field <= cards] for field in range(256)) for cards in range(FIELD)]


class Ways:
    """Needs, each a way to meld a total."""

    def __init__(self, copies: int, needs: Iterable[Need]) -> None:
        self.needs = list(needs)
        self.every: _Open = (1 << len(self.needs)) - 1
        if self.needs:
            self._at_most = [self._by_cards(place, copies) for place in range(PLACES)]
            self.least = self.least_of(self.every)

    def _by_cards(self, place: int, copies: int) -> list[_Open]:
        """The ways that need at most none, one, two ... of a card."""
        fields = bytes([need >> place * WIDTH & FIELD for need in self.needs])
        return [int(fields.translate(_ALL_UP_TO[cards]), 2) for cards in range(copies + 1)]

    def within(self, left: _Open, room: _Cards) -> _Open:
        """Those of the open ways that so many cards meet: of each, none to the whole pack's."""
        for by_cards, cards in zip(self._at_most, room, strict=True):
            left &= by_cards[cards]
        return left

    def least_of(self, left: _Open) -> _Cards:
        """Of each kind of card what all the open ways need at least."""
        found = []
        for by_cards in self._at_most:
            cards = 0
            while not left & by_cards[cards]:
                cards += 1
            found.append(cards)
        return found

    def most_of(self, left: _Open) -> _Cards:
        """Of each kind of card the most that one of the open ways needs."""
        found = []
        for by_cards in self._at_most:
            cards = 0
            while left & by_cards[cards] != left:
                cards += 1
            found.append(cards)
        return found

    def many(self, left: _Open) -> int:
        """How many these are."""
        return (left & self._fewest).bit_count()

    def few(self, left: _Open) -> list[Need]:
        """The needs of the open ways, without those that another's cards meet."""
        few = f"{left & self._fewest:0{len(self.needs)}b}"
        return [need for need, bit in zip(self.needs, few, strict=True) if bit == "1"]

    @cached_property
    def _fewest(self) -> _Open:
        """The ways whose cards meet no other."""
        found, bit = 0, 1 << len(self.needs)
        for need in self.needs:
            bit >>= 1
            if self.within(self.every, [need >> place * WIDTH & FIELD for place in range(PLACES)]) == bit:
                found |= bit
        return found

    def halves(self, left: _Open, place: int, cards: int) -> tuple[_Open, _Open]:
        """The open ways with at most so many cards there, and those with more."""
        fewer = left & self._at_most[place][cards]
        return fewer, left ^ fewer


@dataclass(frozen=True, slots=True)
class Sharing:
    """The ways of each player of a side that share its total in one way, and which of these are still open."""

    players: tuple[Ways, ...]
    left: tuple[_Open, ...]
    least: _Cards  # what they need together, at least

    @classmethod
    def of(cls, *players: Ways) -> Sharing:
        """With all ways open; each player has one at least."""
        return cls(players, tuple(ways.every for ways in players), _sum(ways.least for ways in players))

    @property
    def pairs(self) -> int:
        """Choices of an open way for each player."""
        return prod(ways.many(left) for ways, left in zip(self.players, self.left, strict=True))


def _sum(of: Iterable[_Cards]) -> _Cards:
    return [sum(cards) for cards in zip(*of, strict=True)]


def fit_in_pack(sides: Sequence[Sequence[Sharing]], copies: int) -> bool:
    """Whether there is a sharing for each side, and a way for each player, such that the pack has all their cards."""
    narrowed = _narrowed_sides([list(sharings) for sharings in sides], copies)
    if narrowed is None:
        return False
    by_pairs = sorted(narrowed, key=lambda side: sum(sharing.pairs for sharing in side))
    for place, side in enumerate(by_pairs):
        if len(side) > 1 and (not place or sum(sharing.pairs for sharing in side) < LISTED):
            by_pairs[place] = _together(side, copies)
    return any(_sharings_fit(sharings, copies) for sharings in product(*by_pairs))


def soon_fit(sides: Sequence[Sequence[Sharing]], copies: int) -> bool:
    """As `fit_in_pack`, but False too when it isn't seen in a few steps."""
    return any(_sharings_fit(sharings, copies, STEPS) for sharings in product(*sides))


def _sharings_fit(sharings: Sequence[Sharing], copies: int, steps: int | None = None) -> bool:
    players = [ways for sharing in sharings for ways in sharing.players]
    left = [left for sharing in sharings for left in sharing.left]
    return _players_fit(players, left, copies, count() if steps is None else iter(range(steps)))


def _together(sharings: Iterable[Sharing], copies: int) -> list[Sharing]:
    """The sharings of a side as one: what its players need together, as the ways of one."""
    spare, over = EACH * (FIELD // 2 - copies), EACH * (FIELD // 2 + 1)
    needs = set()
    for sharing in sharings:
        one, other = (ways.few(left) for ways, left in zip(sharing.players, sharing.left, strict=True))
        needs |= {both for first in one for second in other if not (both := first + second) + spare & over}
    return [Sharing.of(Ways(copies, needs))] if needs else []


def _narrowed_sides(sides: list[list[Sharing]], copies: int) -> list[list[Sharing]] | None:
    """The sides with the sharings, and the ways, that what the others need at least leaves room for."""
    if not all(sides):
        return None
    least = [_least_of_any(sharings) for sharings in sides]
    again = True
    while again:
        again = False
        for side, sharings in enumerate(sides):
            room = [copies - cards for cards in _sum(least)]
            if min(room) < 0:
                return None
            room = list(map(add, room, least[side]))
            sides[side] = [kept for sharing in sharings if (kept := _narrowed_sharing(sharing, room))]
            if not sides[side]:
                return None
            before, least[side] = least[side], _least_of_any(sides[side])
            again |= before != least[side]
    return sides


def _least_of_any(sharings: Sequence[Sharing]) -> _Cards:
    return list(map(min, zip(*(sharing.least for sharing in sharings), strict=True)))


def _narrowed_sharing(sharing: Sharing, room: _Cards) -> Sharing | None:
    """The sharing with the ways that this room can hold, or None."""
    if min(map(sub, room, sharing.least)) < 0:
        return None
    left, least = list(sharing.left), sharing.least
    if _narrow(sharing.players, left, room):
        kept = tuple(left)
        if kept == sharing.left:
            return sharing
        least = _sum(ways.least_of(of) for ways, of in zip(sharing.players, kept, strict=True))
        return Sharing(sharing.players, kept, least)
    return None


def _narrow(players: Sequence[Ways], left: list[_Open], room: _Cards) -> bool:
    """Drop from `left` every way that the least of the others leaves no room for; False when a player has none left."""
    least = [ways.least_of(of) for ways, of in zip(players, left, strict=True)]
    spare = list(map(sub, room, _sum(least)))
    if min(spare) < 0:
        return False
    again = True
    while again:
        again = False
        for player, ways in enumerate(players):
            own = least[player]
            kept = ways.within(left[player], list(map(add, spare, own)))
            if not kept:
                return False
            if kept != left[player]:
                left[player] = kept
                least[player] = ways.least_of(kept)
                if least[player] != own:
                    spare = list(map(sub, map(add, spare, own), least[player]))
                    again = True
    return True


def _players_fit(players: Sequence[Ways], left: list[_Open], copies: int, steps: Iterator[int]) -> bool:
    """Whether some open way of each player fits beside the others'; False when no steps are left to see it."""
    if next(steps, None) is None or not _narrow(players, left, [copies] * PLACES):
        return False
    most = [ways.most_of(of) for ways, of in zip(players, left, strict=True)]
    needed = _sum(most)
    place = max(range(PLACES), key=needed.__getitem__)
    if needed[place] <= copies:
        return True
    least = [ways.least_of(of)[place] for ways, of in zip(players, left, strict=True)]
    player = max(range(len(players)), key=lambda player: most[player][place] - least[player])
    middle = (most[player][place] + least[player]) // 2
    return any(
        _players_fit(players, [*left[:player], half, *left[player + 1 :]], copies, steps)
        for half in players[player].halves(left[player], place, middle)
    )
