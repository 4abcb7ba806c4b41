"""A first seating of one round in which everything that must hold holds, by backtracking.

People without a wish fit anywhere, so only the others are placed with care, those first who are hardest to
place. Tables alike and still empty are the same to everybody, so one of them is tried. People whom wishes join are
placed by themselves before all are placed together, so that what can't be is seen soon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice

from tournaments.engine.draws.table_layout import Shape
from tournaments.engine.grouping import joined

EFFORT = 3_000  # places to try before the seatings of all rounds are given up
MANY = 8  # whoever still has that many places is in no hurry to be placed
WINDOW = 6  # that many people are compared to find the one with the fewest places left

NextFraction = Callable[[], float]  # a fraction from 0 to 1
TableSide = tuple[int, int]  # table, side
BENCH: TableSide = (-1, 0)  # sitting out


class Effort:
    """How many trials are left."""

    def __init__(self, left: int = EFFORT) -> None:
        self.left = left

    def spent(self) -> bool:
        """Count one trial, and say whether it was one too many."""
        self.left -= 1
        return self.left < 0


@dataclass(frozen=True, slots=True)
class Demands:
    """What must hold in every round, in the numbers of the people present."""

    never: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not on one side; both ways round
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not at one table; both ways round
    always: Mapping[int, int] = field(default_factory=dict)  # partners whenever they play; both ways round
    once: tuple[tuple[int, int], ...] = ()  # partners in one of the rounds
    pinned: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)  # table and perhaps seat, from 0
    hosts: frozenset[int] = frozenset()  # play in every round


def shuffled(items: Iterable[int], number: NextFraction) -> list[int]:
    """The items in an order drawn from the stream, the same with every version of Python."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = int(number() * (last + 1))
        items[last], items[other] = items[other], items[last]
    return items


@dataclass(frozen=True, slots=True)
class Bench:
    """How many sit out, and how often everybody did before: those who did so least often come first."""

    size: int = 0
    count: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class RoundToSeat:
    """The tables of one round and what must hold at them; `tied` are partners in this round, if they play."""

    shapes: Sequence[Shape]
    demands: Demands
    tied: Mapping[int, int]
    bench: Bench = Bench()


def place(people: Sequence[int], wanted: RoundToSeat, *, number: NextFraction, effort: Effort) -> list[int] | None:
    """Everybody by seat, table after table, then who sits out. None: no seating was found."""
    return _Placing(people, wanted, number=number, effort=effort).seats()


class _Placing:
    def __init__(self, people: Sequence[int], wanted: RoundToSeat, *, number: NextFraction, effort: Effort) -> None:
        self.people, self.number, self.effort = people, number, effort
        self.shapes, self.demands, self.tied, self.bench = wanted.shapes, wanted.demands, wanted.tied, wanted.bench
        shapes, bench = wanted.shapes, wanted.bench
        self.room = [list(shape) for shape in shapes]  # seats left, by table and side
        self.at: dict[int, TableSide] = {}
        self.by_table: list[set[int]] = [set() for _ in shapes]
        self.out: set[int] = set()
        self.turn = min((bench.count[p] for p in people), default=0) if bench.size else 0
        self.order = shuffled(range(len(shapes)), number)

    def seats(self) -> list[int] | None:
        """The seating, those without wishes filled in by lot."""
        here = set(self.people)
        wishing = here & (
            self.demands.never.keys() | self.demands.apart.keys() | self.tied.keys() | self.demands.pinned.keys()
        )
        units: list[tuple[int, ...]] = [
            (p, self.tied[p]) if p in self.tied else (p,)
            for p in shuffled(sorted(wishing), self.number)
            if p not in self.tied or p < self.tied[p]
        ]
        units.sort(key=self._ease)
        groups = self._joined(units)
        for group in groups:
            if not 1 < len(group) <= len(units) // 2:
                continue
            if not self._settle(group):
                return None
            for unit in group:
                self._take(unit, self.at[unit[0]], back=True)
        if not self._settle([unit for group in groups for unit in group]):
            return None
        others = iter(self._seated(shuffled(sorted(here - wishing), self.number)))
        seats: list[int] = []
        for table, shape in enumerate(self.shapes):
            starts = [0, *accumulate(shape)]
            for side, size in enumerate(shape):
                members = sorted(p for p in self.by_table[table] if self.at[p] == (table, side))
                members += [next(others) for _ in range(size - len(members))]
                seats += self._in_seats(members, starts[side])
        return seats + [p for p in self.people if p not in set(seats)]

    def _seated(self, rest: list[int]) -> list[int]:
        """Those of the people without wishes who get a seat; those who have sat out least often don't."""
        if not self.bench.size:
            return rest
        rest.sort(key=lambda p: -self.bench.count[p])
        return shuffled(rest[: len(rest) - self.bench.size + len(self.out)], self.number)

    def _joined(self, units: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
        """The units (one person, or two partners) in groups that wishes join: kept apart, or with the same table."""
        demands = self.demands

        def touched(n: int) -> Iterator[object]:
            for p in units[n]:
                yield from (frozenset((p, q)) for found in (demands.apart, demands.never) for q in found.get(p, ()))
                if p in demands.pinned:
                    yield demands.pinned[p][0]

        return [[units[n] for n in group] for group in sorted(map(sorted, joined(range(len(units)), touched)))]

    def _in_seats(self, members: list[int], start: int) -> list[int]:
        """One side's people in order: those with a seat of their own on it, the others by lot."""
        fixed = {
            seat - start: p for p in members for seat in [self.demands.pinned.get(p, (0, None))[1]] if seat is not None
        }
        others = iter(shuffled([p for p in members if p not in fixed.values()], self.number))
        return [fixed[i] if i in fixed else next(others) for i in range(len(members))]

    def _settle(self, units: list[tuple[int, ...]]) -> bool:
        if not units:
            return True
        places = [sum(1 for _place in islice(self._places(unit), MANY)) for unit in units[:WINDOW]]
        if not all(places):
            return False
        best = min(range(len(places)), key=lambda i: (self._ease(units[i])[0], places[i]))
        unit = units[best]
        others = units[:best] + units[best + 1 :]
        for spot in list(self._places(unit)):
            if self.effort.spent():
                return False
            self._take(unit, spot)
            if self._settle(others):
                return True
            self._take(unit, spot, back=True)
        return False

    def _take(self, unit: tuple[int, ...], spot: TableSide, *, back: bool = False) -> None:
        """Place a unit (one person, or two partners) on a side or on the bench; with `back`, take it away again."""
        table, side = spot
        members = self.out if spot == BENCH else self.by_table[table]
        if spot != BENCH:
            self.room[table][side] += len(unit) if back else -len(unit)
        if back:
            members.difference_update(unit)
            for p in unit:
                del self.at[p]
        else:
            members.update(unit)
            self.at.update((p, spot) for p in unit)

    def _ease(self, unit: tuple[int, ...]) -> tuple[bool, int, int]:
        """A sort key for units, the hardest to place first: those with a table of their own, then partners, then those
        who are kept apart from most people."""
        demands = self.demands
        from_others = sum(len(found.get(p, ())) for p in unit for found in (demands.apart, demands.never))
        return not any(p in demands.pinned for p in unit), -len(unit), -from_others

    def _places(self, unit: tuple[int, ...]) -> Iterator[TableSide]:
        """Where a unit may be placed now: sides of tables, or the bench."""
        may_sit_out = self._may_sit_out(unit)
        their_turn = may_sit_out and all(self.bench.count[p] == self.turn for p in unit)
        if their_turn:
            yield BENCH
        pins = [self.demands.pinned[p] for p in unit if p in self.demands.pinned]
        never = frozenset().union(*(self.demands.never.get(p, frozenset()) for p in unit))
        apart = frozenset().union(*(self.demands.apart.get(p, frozenset()) for p in unit))
        empty: set[Shape] = set()
        for table in self.order:
            if any(pin[0] != table for pin in pins) or apart & self.by_table[table]:
                continue
            shape = self.shapes[table]
            if not self.by_table[table] and not pins:
                if shape in empty:
                    continue
                empty.add(shape)
            for side, room in enumerate(self.room[table]):
                if room < len(unit) or any(self.at[p] == (table, side) for p in never & self.by_table[table]):
                    continue
                if all(self._free(table, side, seat=pin[1]) for pin in pins):
                    yield table, side
                if not self.by_table[table] and not pins:
                    break  # an empty table's sides are alike
        if may_sit_out and not their_turn:
            yield BENCH

    def _may_sit_out(self, unit: tuple[int, ...]) -> bool:
        """Whether a unit may sit out: it has no host, and it isn't two who are partners in this round only."""
        if len(self.out) + len(unit) > self.bench.size or self.demands.hosts & set(unit):
            return False
        return len(unit) == 1 or self.demands.always.get(unit[0]) == unit[1]

    def _free(self, table: int, side: int, *, seat: int | None) -> bool:
        """Whether somebody whose own seat is `seat` (None: any) fits this side: it is there and nobody else's own."""
        if seat is None:
            return True
        start = sum(self.shapes[table][:side])
        if not start <= seat < start + self.shapes[table][side]:
            return False
        return all(self.demands.pinned.get(p, (0, None))[1] != seat for p in self.by_table[table])
