"""Counting melds, and which totals the pack allows.

Melds are counted per player, never pooled. A card may serve in melds of different kinds, not twice in one
kind; the kings and queens of a run make no royal marriage with each other.
Source: 004 "The Meld" and "Meld Points Scoring Sheet".

`Held` is what melds need of the cards that the pack limits most: aces, kings, queens and jacks of trump,
queens of spades, jacks of diamonds, nines of trump. All players' together never pass the copies in the pack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import TypeAlias

SPADES, DIAMONDS, CLUBS = 0, 2, 3
ACE, TEN, KING, QUEEN, JACK, NINE = range(6)
TRUMP_CLASSES = (
    SPADES,
    DIAMONDS,
    CLUBS,
)  # hearts count as clubs do: neither has a card of the pinochle

Held: TypeAlias = tuple[int, ...]
ACES_OF_TRUMP = 0  # place in `Held`


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldTable:
    """What melds are worth: for those that come once, twice, ... the value of one, of two, and so on."""

    copies: int
    hand_size: int
    nines: bool
    run: tuple[int, ...]
    royal_marriage: tuple[int, ...]
    marriage: tuple[int, ...]
    nine_of_trump: int
    aces: tuple[int, ...]
    kings: tuple[int, ...]
    queens: tuple[int, ...]
    jacks: tuple[int, ...]
    pinochle: tuple[int, ...]

    @property
    def unit(self) -> int:
        """The largest number that divides every meld."""
        each = self.run + self.royal_marriage + self.marriage + self.pinochle
        return (
            gcd(
                *each,
                *self.aces,
                *self.kings,
                *self.queens,
                *self.jacks,
                self.nine_of_trump,
            )
            or 1
        )


def melds_of(counts: Sequence[int], trump: int, table: MeldTable) -> list[tuple[str, int, int]]:
    """The melds of one player as (kind, how many, points); `counts` are the 24 counts of the player's cards.

    As many runs as can be: no table values other melds of the same cards higher.
    """
    found = []
    base = 6 * trump
    runs = min(counts[base : base + 5])
    royal = min(counts[base + KING], counts[base + QUEEN]) - runs
    if runs:
        found.append(("run", runs, table.run[runs - 1]))
    if royal:
        found.append(("royal_marriage", royal, table.royal_marriage[royal - 1]))
    for suit in range(4):
        if suit != trump and (plain := min(counts[6 * suit + KING], counts[6 * suit + QUEEN])):
            found.append(("marriage", plain, table.marriage[plain - 1]))
    if nines := counts[base + NINE]:
        found.append(("nine_of_trump", nines, nines * table.nine_of_trump))
    arounds = (
        ("aces", ACE, table.aces),
        ("kings", KING, table.kings),
        ("queens", QUEEN, table.queens),
        ("jacks", JACK, table.jacks),
    )
    for name, rank, values in arounds:
        if around := min(counts[rank::6]):
            found.append((name, around, values[around - 1]))
    if pinochles := min(counts[6 * SPADES + QUEEN], counts[6 * DIAMONDS + JACK]):
        found.append(("pinochle", pinochles, table.pinochle[pinochles - 1]))
    return found


def meld_points(counts: Sequence[int], trump: int, table: MeldTable) -> int:
    """Points of all melds of one player."""
    return sum(points for _kind, _many, points in melds_of(counts, trump, table))


# --- which totals are possible -------------------------------------------------------------------------

Totals: TypeAlias = int  # a set of totals: bit n stands for n units
_Pairs: TypeAlias = dict[tuple[int, int, int], list[Totals]]  # fewest K, fewest Q, Q of spades: totals by cards used


def _suit(table: MeldTable, runs: int | None) -> list[tuple[int, int, int]]:
    """Kings and queens of one suit, and the units of their marriages; `runs` stand in runs (None: not trump)."""
    values = (0, *(table.marriage if runs is None else table.royal_marriage))
    least = runs or 0
    held = range(least, table.copies + 1)
    return [(k, q, values[min(k, q) - least] // table.unit) for k in held for q in held]


def _with_suit(pairs: _Pairs, suit: list[tuple[int, int, int]], size: int, spades: bool) -> _Pairs:
    """Add one suit's kings and queens to what is held so far, within `size` cards."""
    made: _Pairs = {}
    for (least_k, least_q, spade_queens), by_cost in pairs.items():
        for k, q, units in suit:
            key = (min(least_k, k), min(least_q, q), q if spades else spade_queens)
            into = made.setdefault(key, [0] * (size + 1))
            for cost in range(size + 1 - k - q):
                if totals := by_cost[cost]:
                    into[cost + k + q] |= totals << units
    return made


@lru_cache(maxsize=16)
def reach(table: MeldTable) -> dict[int, dict[Held, Totals]]:
    """By class of trump and by what is held: the meld totals that one player's cards can have.

    Exact: each is met by a packet of `hand_size` cards. It is built with the fewest cards, and filled up with
    tens and nines of other suits (in the pack without nines also aces and jacks of suits already ahead of the
    shortest), which add nothing.
    """
    copies, size = table.copies, table.hand_size
    plain = _suit(table, None)
    start: _Pairs = {(copies, copies, 0): [1] + [0] * size}
    two = _with_suit(_with_suit(start, plain, size, False), plain, size, False)
    beside_spades = _with_suit(two, plain, size, False)
    beside_others = _with_suit(two, plain, size, True)
    found: dict[int, dict[Held, Totals]] = {trump: {} for trump in TRUMP_CLASSES}
    for runs in range(copies + 1):
        of_trump = _suit(table, runs)
        others = _with_suit(beside_others, of_trump, size, False)
        for trump in TRUMP_CLASSES:
            pairs = _with_suit(beside_spades, of_trump, size, True) if trump == SPADES else others
            _fill(found[trump], _within(pairs), trump, runs, table)
    return found


def _within(pairs: _Pairs) -> _Pairs:
    """Totals with at most so many cards, in place of exactly so many."""
    for by_cost in pairs.values():
        for cost in range(1, len(by_cost)):
            by_cost[cost] |= by_cost[cost - 1]
    return pairs


def _fill(found: dict[Held, Totals], pairs: _Pairs, trump: int, runs: int, table: MeldTable) -> None:
    """Add the aces, tens, jacks and nines of trump in every number to the kings and queens."""
    up_to = range(table.copies + 1)
    unit = table.unit
    run, aces, jacks = ((0, *values) for values in (table.run, table.aces, table.jacks))
    kings, queens, pinochles = ((0, *values) for values in (table.kings, table.queens, table.pinochle))
    for a in up_to:
        for j in up_to:
            in_run = runs + max(0, runs - a) + (max(0, runs - j) if trump != DIAMONDS else 0)
            fixed = 4 * a + 4 * j + in_run
            least_jd = max(j, runs) if trump == DIAMONDS else j
            for (k, q, spade_queens), by_cost in pairs.items():
                for jd in range(least_jd, max(least_jd, spade_queens) + 1):
                    for nines in up_to if table.nines else (0,):
                        left = table.hand_size - fixed - (jd - j) - nines
                        if left < 0 or not (totals := by_cost[left]):
                            break
                        p = min(spade_queens, jd)
                        points = run[runs] + aces[a] + kings[k] + queens[q] + jacks[j] + pinochles[p]
                        of_trump = (max(a, runs), max(k, runs), max(q, runs), max(j, runs))
                        held = (*of_trump, spade_queens, jd, nines)
                        shifted = totals << ((points + nines * table.nine_of_trump) // unit)
                        found[held] = found.get(held, 0) | shifted


@lru_cache(maxsize=16)
def highest(table: MeldTable) -> int:
    """The highest meld one player's cards can have."""
    return max(t.bit_length() - 1 for by_held in reach(table).values() for t in by_held.values()) * table.unit


@lru_cache(maxsize=4096)
def ways(table: MeldTable, trump: int, meld: int) -> tuple[Held, ...]:
    """The least that one player must hold to meld exactly this, in each way; none when it can't be."""
    units, rest = divmod(meld, table.unit)
    if rest or meld < 0 or meld > highest(table):
        return ()
    return _least(held for held, totals in reach(table)[trump].items() if totals >> units & 1)


@lru_cache(maxsize=4096)
def ways_of_two(table: MeldTable, trump: int, meld: int) -> tuple[Held, ...]:
    """The least that two partners must hold together to meld this in sum.

    A superset of what two hands of one pack can meld: each hand is exact, and of the cards that both want only
    those in `Held` are set against the pack.
    """
    if meld < 0 or meld > 2 * highest(table):
        return ()
    halves = range(0, meld // 2 + 1, table.unit)
    return _least(
        both
        for half in halves
        for one in ways(table, trump, half)
        for other in ways(table, trump, meld - half)
        if max(both := _sum(one, other)) <= table.copies
    )


def _sum(one: Held, other: Held) -> Held:
    return tuple(map(int.__add__, one, other))


def _least(helds: Iterable[Held]) -> tuple[Held, ...]:
    """Those that hold no more than needed: none of them is at least another in every place."""
    kept: list[Held] = []
    for held in sorted(set(helds), key=sum):
        if not any(all(a <= b for a, b in zip(less, held, strict=True)) for less in kept):
            kept.append(held)
    return tuple(kept)


def can_meld(table: MeldTable, meld: int, *, partners: bool) -> bool:
    """Whether one player, or two partners together, can meld exactly this under some trump."""
    options = ways_of_two if partners else ways
    return any(options(table, trump, meld) for trump in TRUMP_CLASSES)


def fit_together(
    table: MeldTable,
    melds: Sequence[int],
    *,
    partners: bool,
    takes_nothing: Sequence[bool] = (),
) -> bool:
    """Whether one pack can give all these melds, under one trump: one per player, or per pair of `partners`.

    `takes_nothing`: whose cards won no trick with an ace. Who holds every ace of trump wins one: the first
    ace of trump played can't be beaten.
    """
    nothing = tuple(takes_nothing) or (False,) * len(melds)
    return _fit(table, tuple(melds), nothing, partners)


@lru_cache(maxsize=65536)
def _fit(table: MeldTable, melds: tuple[int, ...], nothing: tuple[bool, ...], partners: bool) -> bool:
    options = ways_of_two if partners else ways
    return any(
        _fits(
            table.copies,
            [list(_allowed(options(table, trump, m), n, table.copies)) for m, n in zip(melds, nothing, strict=True)],
        )
        for trump in TRUMP_CLASSES
    )


def _allowed(helds: tuple[Held, ...], takes_nothing: bool, copies: int) -> Iterator[Held]:
    for held in helds:
        if not (takes_nothing and held[ACES_OF_TRUMP] >= copies):
            yield held


def _fits(copies: int, options: list[list[Held]], so_far: Held = (0,) * 7) -> bool:
    if not options:
        return True
    for held in options[0]:
        total = _sum(so_far, held)
        if max(total) <= copies and _fits(copies, options[1:], total):
            return True
    return False
