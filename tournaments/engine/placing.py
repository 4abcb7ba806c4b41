"""A first seating of one round in which everything that must hold holds, by backtracking.

Whoever is in no wish fits in anywhere, so only the others are placed with care: those first who are hardest to
place. Tables alike and still empty are the same to everybody, so one of them is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tournaments.engine.layout import Shape

NODES = 4_000  # places tried before a seating is given up
WINDOW = 12  # people looked at to find the one with the fewest places left

Number = Callable[[], float]  # a fraction from 0 to 1
Place = tuple[int, int]  # table, side


@dataclass(frozen=True, slots=True)
class Demands:
    """What must hold in every round, in the numbers of the people present."""

    never: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not on one side; both ways round
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not at one table; both ways round
    always: Mapping[int, int] = field(default_factory=dict)  # partners whenever they play; both ways round
    once: tuple[tuple[int, int], ...] = ()  # partners in one of the rounds
    pinned: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)  # table and perhaps seat, from 0
    hosts: frozenset[int] = frozenset()  # play in every round


def shuffled(items: Iterable[int], number: Number) -> list[int]:
    """The items in an order drawn from the stream, the same with every version of Python."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = int(number() * (last + 1))
        items[last], items[other] = items[other], items[last]
    return items


def place(
    people: Sequence[int], shapes: Sequence[Shape], demands: Demands, tied: Mapping[int, int], number: Number
) -> list[int] | None:
    """Everybody by seat, table after table; `tied` are partners in this round. None: no seating was found."""
    return _Placing(people, shapes, demands, tied, number).seats()


class _Placing:
    def __init__(
        self,
        people: Sequence[int],
        shapes: Sequence[Shape],
        demands: Demands,
        tied: Mapping[int, int],
        number: Number,
    ) -> None:
        self.people, self.shapes, self.demands, self.tied, self.number = people, shapes, demands, tied, number
        self.room = [list(shape) for shape in shapes]  # seats left, by table and side
        self.at: dict[int, Place] = {}
        self.by_table: list[set[int]] = [set() for _ in shapes]
        self.order = shuffled(range(len(shapes)), number)
        self.nodes = 0

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
        if any(mate not in here for unit in units for mate in unit) or not self._settle(units):
            return None
        rest = iter(shuffled(sorted(here - wishing), self.number))
        seats: list[int] = []
        for table, shape in enumerate(self.shapes):
            starts = [0, *accumulate(shape)]
            for side, size in enumerate(shape):
                members = sorted(p for p in self.by_table[table] if self.at[p] == (table, side))
                members += [next(rest) for _ in range(size - len(members))]
                seats += self._in_seats(members, starts[side])
        return seats

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
        places = [self._places(unit) for unit in units[:WINDOW]]
        if not all(places):
            return False
        best = min(range(len(places)), key=lambda i: (self._ease(units[i])[0], len(places[i])))
        unit = units[best]
        others = units[:best] + units[best + 1 :]
        for table, side in places[best]:
            self.nodes += 1
            if self.nodes > NODES:
                return False
            self.room[table][side] -= len(unit)
            self.by_table[table].update(unit)
            self.at.update((p, (table, side)) for p in unit)
            if self._settle(others):
                return True
            self.room[table][side] += len(unit)
            self.by_table[table].difference_update(unit)
            for p in unit:
                del self.at[p]
        return False

    def _ease(self, unit: tuple[int, ...]) -> tuple[bool, int, int]:
        """Whoever has a table of their own comes first, then partners, then whoever is to be kept from most."""
        demands = self.demands
        from_others = sum(len(found.get(p, ())) for p in unit for found in (demands.apart, demands.never))
        return not any(p in demands.pinned for p in unit), -len(unit), -from_others

    def _places(self, unit: tuple[int, ...]) -> list[Place]:
        """Where these one or two may sit now."""
        pins = [self.demands.pinned[p] for p in unit if p in self.demands.pinned]
        never = frozenset().union(*(self.demands.never.get(p, frozenset()) for p in unit))
        apart = frozenset().union(*(self.demands.apart.get(p, frozenset()) for p in unit))
        found: list[Place] = []
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
                if all(self._free(table, side, pin[1]) for pin in pins):
                    found.append((table, side))
                if not self.by_table[table] and not pins:
                    break  # its sides are alike
        return found

    def _free(self, table: int, side: int, seat: int | None) -> bool:
        """Whether a seat is on this side and nobody else's own."""
        if seat is None:
            return True
        start = sum(self.shapes[table][:side])
        if not start <= seat < start + self.shapes[table][side]:
            return False
        return all(self.demands.pinned.get(p, (0, None))[1] != seat for p in self.by_table[table])
