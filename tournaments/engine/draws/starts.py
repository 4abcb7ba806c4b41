"""Where the search for a draw starts: first seatings, turns as partners, and the order of their rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, islice
from random import Random
from typing import TypeAlias

from tournaments.engine.rounds import Layout, Shape, connected_groups

LOOKED_AT = 5_000  # beginnings of orders to look at, at most
UNEVEN = 100  # the cost of sit-outs that differ by more than one after a round; two in a row for one person cost 1


def order_rounds(sit_outs: Sequence[frozenset[int]], before: frozenset[int], *, count: Sequence[int]) -> list[int]:
    """The cheapest order found for the rounds; their own order if none is better.

    `sit_outs` are those of each round, `before` those of the round played last, `count` each person's sit-outs so
    far."""
    count = list(count)
    best = list(range(len(sit_outs)))
    least: int | None = None
    looked = 0

    def extend(begun: list[int], last: frozenset[int], *, cost: int) -> None:
        nonlocal best, least, looked
        looked += 1
        if (least is not None and cost >= least) or looked > LOOKED_AT:
            return
        if len(begun) == len(sit_outs):
            best, least = list(begun), cost
            return
        left = [r for r in range(len(sit_outs)) if r not in begun]
        if least is not None:  # the first order looked at is that of the numbers
            left.sort(key=lambda r: (sum(count[p] for p in sit_outs[r]), len(last & sit_outs[r]), r))
        for r in left:
            for p in sit_outs[r]:
                count[p] += 1
            extra = UNEVEN * max(0, max(count) - min(count) - 1) + len(last & sit_outs[r])
            extend([*begun, r], sit_outs[r], cost=cost + extra)
            for p in sit_outs[r]:
                count[p] -= 1

    extend([], before, cost=0)
    return best


EFFORT = 3_000  # places to try before the seatings of all rounds are given up
MANY = 8  # people who still have that many places needn't be placed soon
WINDOW = 6  # that many people are compared to find the one with the fewest places left

NextFraction = Callable[[], float]  # a fraction from 0 to 1
TableSide = tuple[int, int]  # table, side
BENCH: TableSide = (-1, 0)  # sitting out


class Effort:
    def __init__(self, left: int = EFFORT) -> None:
        self.left = left

    def spent(self) -> bool:
        self.left -= 1
        return self.left < 0


@dataclass(frozen=True, slots=True)
class Demands:
    """What must hold in every round. People are numbered from 0."""

    never: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not on one side; both ways round
    apart: Mapping[int, frozenset[int]] = field(default_factory=dict)  # not at one table; both ways round
    always: Mapping[int, int] = field(default_factory=dict)  # partners whenever they play; both ways round
    once: tuple[tuple[int, int], ...] = ()  # partners in one of the rounds
    pinned: Mapping[int, tuple[int, int | None]] = field(default_factory=dict)  # table and perhaps seat, from 0
    hosts: frozenset[int] = frozenset()  # play in every round


def shuffled(items: Iterable[int], random: NextFraction) -> list[int]:
    """The items in random order, the same with every version of Python."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = int(random() * (last + 1))
        items[last], items[other] = items[other], items[last]
    return items


@dataclass(frozen=True, slots=True)
class RoundToSeat:
    """The tables of a round and what must hold at them; `tied` are partners in this round, if they play. `bench` sit
    out, first those who did so least often before (`sat`)."""

    shapes: Sequence[Shape]
    demands: Demands
    tied: Mapping[int, int]
    bench: int = 0
    sat: Sequence[int] = ()  # how often everybody sat out before


def seat_round(people: Sequence[int], round_: RoundToSeat, *, random: NextFraction, effort: Effort) -> list[int] | None:
    """Everybody by seat, table after table, then who sits out. None: no seating was found."""
    return _RoundSeating(people, round_, random=random, effort=effort).seats()


class _RoundSeating:
    def __init__(self, people: Sequence[int], round_: RoundToSeat, *, random: NextFraction, effort: Effort) -> None:
        self.people, self.random, self.effort = people, random, effort
        self.shapes = shapes = round_.shapes
        self.demands, self.tied, self.bench, self.sat = round_.demands, round_.tied, round_.bench, round_.sat
        self.room = [list(shape) for shape in shapes]  # seats left, by table and side
        self.at: dict[int, TableSide] = {}
        self.by_table: list[set[int]] = [set() for _ in shapes]
        self.out: set[int] = set()
        self.turn = min((self.sat[p] for p in people), default=0) if self.bench else 0
        self.order = shuffled(range(len(shapes)), random)

    def seats(self) -> list[int] | None:
        """The seating, with those without wishes filled in by lot."""
        present = set(self.people)
        wishing = present & (
            self.demands.never.keys() | self.demands.apart.keys() | self.tied.keys() | self.demands.pinned.keys()
        )
        units: list[tuple[int, ...]] = [
            (p, self.tied[p]) if p in self.tied else (p,)
            for p in shuffled(sorted(wishing), self.random)
            if p not in self.tied or p < self.tied[p]
        ]
        units.sort(key=self._difficulty_key)
        groups = self._connected_units(units)
        for group in groups:
            if not 1 < len(group) <= len(units) // 2:
                continue
            if not self._place_units(group):
                return None
            for unit in group:
                self._move_unit(unit, self.at[unit[0]], back=True)
        if not self._place_units([unit for group in groups for unit in group]):
            return None
        free = iter(self._seated_without_wishes(shuffled(sorted(present - wishing), self.random)))
        seats: list[int] = []
        for table, shape in enumerate(self.shapes):
            starts = [0, *accumulate(shape)]
            for side, size in enumerate(shape):
                members = sorted(p for p in self.by_table[table] if self.at[p] == (table, side))
                members += [next(free) for _ in range(size - len(members))]
                seats += self._order_side(members, starts[side])
        return seats + [p for p in self.people if p not in set(seats)]

    def _seated_without_wishes(self, people: list[int]) -> list[int]:
        """The people without wishes who get a seat; those who have sat out least often don't."""
        if not self.bench:
            return people
        people.sort(key=lambda p: -self.sat[p])
        return shuffled(people[: len(people) - self.bench + len(self.out)], self.random)

    def _connected_units(self, units: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
        """The units (a person, or two partners) in groups connected by wishes: kept apart, or with the same table."""
        demands = self.demands

        def touched(n: int) -> Iterator[object]:
            for p in units[n]:
                yield from (frozenset((p, q)) for wishes in (demands.apart, demands.never) for q in wishes.get(p, ()))
                if p in demands.pinned:
                    yield demands.pinned[p][0]

        return [
            [units[n] for n in group] for group in sorted(map(sorted, connected_groups(range(len(units)), touched)))
        ]

    def _order_side(self, members: list[int], start: int) -> list[int]:
        """A side's people in order: those with a seat of their own on it, the others by lot."""
        fixed = {
            seat - start: p for p in members for seat in [self.demands.pinned.get(p, (0, None))[1]] if seat is not None
        }
        free = iter(shuffled([p for p in members if p not in fixed.values()], self.random))
        return [fixed[i] if i in fixed else next(free) for i in range(len(members))]

    def _place_units(self, units: list[tuple[int, ...]]) -> bool:
        if not units:
            return True
        places = [sum(1 for _place in islice(self._possible_places(unit), MANY)) for unit in units[:WINDOW]]
        if not all(places):
            return False
        best = min(range(len(places)), key=lambda i: (self._difficulty_key(units[i])[0], places[i]))
        unit = units[best]
        remaining = units[:best] + units[best + 1 :]
        for spot in list(self._possible_places(unit)):
            if self.effort.spent():
                return False
            self._move_unit(unit, spot)
            if self._place_units(remaining):
                return True
            self._move_unit(unit, spot, back=True)
        return False

    def _move_unit(self, unit: tuple[int, ...], spot: TableSide, *, back: bool = False) -> None:
        """Place a unit on a side or on the bench; with `back`, take it away again."""
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

    def _difficulty_key(self, unit: tuple[int, ...]) -> tuple[bool, int, int]:
        """A sort key, the hardest unit to place first: those with a table of their own, then partners, then those kept
        apart from most people."""
        demands = self.demands
        from_others = sum(len(wishes.get(p, ())) for p in unit for wishes in (demands.apart, demands.never))
        return not any(p in demands.pinned for p in unit), -len(unit), -from_others

    def _possible_places(self, unit: tuple[int, ...]) -> Iterator[TableSide]:
        """The sides of tables, and the bench, where a unit may be placed now."""
        may_sit_out = self._may_sit_out(unit)
        their_turn = may_sit_out and all(self.sat[p] == self.turn for p in unit)
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
                if all(self._is_free(table, side, seat=pin[1]) for pin in pins):
                    yield table, side
                if not self.by_table[table] and not pins:
                    break  # an empty table's sides are alike
        if may_sit_out and not their_turn:
            yield BENCH

    def _may_sit_out(self, unit: tuple[int, ...]) -> bool:
        """Whether a unit may sit out: it has no host, and isn't two who are partners in this round only."""
        if len(self.out) + len(unit) > self.bench or self.demands.hosts & set(unit):
            return False
        return len(unit) == 1 or self.demands.always.get(unit[0]) == unit[1]

    def _is_free(self, table: int, side: int, *, seat: int | None) -> bool:
        """Whether this side has somebody's own `seat` (None: any) and it is nobody else's."""
        if seat is None:
            return True
        start = sum(self.shapes[table][:side])
        if not start <= seat < start + self.shapes[table][side]:
            return False
        return all(self.demands.pinned.get(p, (0, None))[1] != seat for p in self.by_table[table])


PATIENCE = 250  # turns to try before the first fresh beginning

Pair: TypeAlias = tuple[int, int]
Fits = Callable[[Collection[Pair], Effort], bool]  # whether a round can be seated in which all of these are partners


def assign_rounds(
    pairs: Sequence[Pair], rounds: int, *, most: int, fits: Fits, random: NextFraction, effort: Effort
) -> list[list[Pair]] | None:
    """The pairs of each round, at most `most` in one. None: there is no way, or none was found before the effort was
    spent.

    >>> from functools import partial
    >>> assign = partial(assign_rounds, [(0, 1), (1, 2), (0, 2)], most=2, fits=lambda pairs, effort: True)
    >>> assign(2, random=Random(1).random, effort=Effort()) is None
    True
    >>> sorted(assign(3, random=Random(1).random, effort=Effort()))
    [[(0, 1)], [(0, 2)], [(1, 2)]]
    """
    patience = PATIENCE
    while effort.left > 0:
        limit = min(patience, effort.left)
        part = Effort(limit)
        search = _RoundAssignment(
            connected_groups(shuffled_pairs(pairs, random), set),
            rounds,
            most=most,
            fits=fits,
            random=random,
            effort=part,
        )
        settled = search.solve()
        effort.left -= limit - part.left
        if settled or part.left >= 0:
            return search.by_round if settled else None
        patience *= 2
    return None


def are_too_many(pairs: Sequence[Pair], rounds: int, *, most: int) -> bool:
    """Whether counting alone shows that there are too few rounds for these pairs.

    >>> are_too_many([(0, 1), (0, 2), (0, 3)], 2, most=2), are_too_many([(0, 1), (0, 2), (0, 3)], 3, most=2)
    (True, False)
    """
    search = _RoundAssignment(
        connected_groups(pairs, set),
        rounds,
        most=most,
        fits=lambda _pairs, _effort: True,
        random=lambda: 0.0,
        effort=Effort(),
    )
    return len(pairs) > rounds * most or not search.may_suffice()


class _RoundAssignment:
    def __init__(
        self, groups: list[list[Pair]], rounds: int, *, most: int, fits: Fits, random: NextFraction, effort: Effort
    ) -> None:
        self.most, self.fits, self.random, self.effort = most, fits, random, effort
        self.by_round: list[list[Pair]] = [[] for _ in range(rounds)]
        self.busy: list[set[int]] = [set() for _ in range(rounds)]
        self.left = [list(group) for group in sorted(groups, key=len, reverse=True)]  # those without a turn, joined

    def solve(self) -> bool:
        """Give every pair a round, in `by_round`. Returns whether that worked."""
        group = next((pairs for pairs in self.left if pairs), None)
        if group is None:
            return True
        if self.effort.spent() or not self.may_suffice():
            return False
        pair, rounds = min(((pair, self._open_rounds(pair)) for pair in group), key=lambda option: len(option[1]))
        at = group.index(pair)
        for r in sorted(shuffled(rounds, self.random), key=lambda r: -len(self.by_round[r])):
            if not self.fits([*self.by_round[r], pair], self.effort):
                continue
            del group[at]
            self.by_round[r].append(pair)
            self.busy[r].update(pair)
            if self.solve():
                return True
            self.busy[r].difference_update(pair)
            self.by_round[r].pop()
            group.insert(at, pair)
            if self.effort.left < 0:
                return False
        return False

    def may_suffice(self) -> bool:
        """Whether, by counting, each pair without a round can still get one."""
        return all(self._may_suffice_for(pairs) for pairs in self.left if pairs)

    def _open_rounds(self, pair: Pair) -> list[int]:
        """The rounds that this pair may have; of empty rounds, which are all alike, only the first."""
        rounds, fresh = [], False
        for r, busy in enumerate(self.busy):
            if (
                len(self.by_round[r]) < self.most
                and pair[0] not in busy
                and pair[1] not in busy
                and not (fresh and not busy)
            ):
                rounds.append(r)
                fresh = fresh or not busy
        return rounds

    def _may_suffice_for(self, pairs: Sequence[Pair]) -> bool:
        partners = Counter(person for pair in pairs for person in pair)
        free = Counter(person for busy in self.busy for person in partners if person not in busy)
        if any(times > free[person] for person, times in partners.items()):
            return False
        rooms = zip(self.by_round, self.busy, strict=True)
        return len(pairs) <= sum(
            min(self.most - len(taken), sum(person not in busy for person in partners) // 2) for taken, busy in rooms
        )


def shuffled_pairs(pairs: Sequence[Pair], random: NextFraction) -> list[Pair]:
    return [pairs[i] for i in shuffled(range(len(pairs)), random)]


TRIES = 12  # times sit-outs are drawn again when the pairs wanted once don't all find a round
ROUNDS_FOR_ONCE = 500  # choices to look at when pairs with people in common get the rounds in which they are partners


@dataclass(frozen=True, slots=True)
class History:
    """What the people present bring from rounds already played. They are numbered from 0."""

    partners: tuple[tuple[int, ...], ...]  # times each pair were partners
    opponents: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...]  # per person, with credit for rounds missed
    sat_last: frozenset[int]  # who sat out the round before
    visits: tuple[int, ...]  # per person, times at an odd table


@dataclass(frozen=True, slots=True)
class SearchTask:
    """What to search: rounds of these tables around this history, in which these demands hold."""

    layout: Layout
    rounds: int
    history: History
    demands: Demands = field(default_factory=Demands)
    even_visits: bool = False  # whether to share visits to odd tables evenly
    plan: tuple[tuple[int | None, ...], ...] = ()  # an earlier plan by seat, to start from; None: somebody who has left
    seed: int = 0  # seed of the random numbers with which demands are tried
    known: Start | None = None  # rounds found by trying everything; every search begins with them

    @property
    def people(self) -> int:
        return len(self.history.sit_outs)


@dataclass(frozen=True, slots=True)
class Start:
    """Rounds to begin with: everyone by seat, the sit-outs last; and the partners that must stay together in each
    round."""

    seatings: list[list[int]]
    tied: list[dict[int, int]]


def make_start(task: SearchTask, random: NextFraction) -> Start:
    """Rounds in which all demands hold: drawn by lot, or if lots find none, those known from an earlier search."""
    if task.known is None and (begun := _draw_start(task, random)) is not None:
        return begun
    earlier = task.known or find_by_lot(task)  # lots failed now: take those found before
    if earlier is None:
        raise ValueError("demands that can't hold")
    times = task.rounds // len(earlier.seatings)
    return Start(
        [list(seating) for seating in earlier.seatings for _ in range(times)],
        [dict(ties) for ties in earlier.tied for _ in range(times)],
    )


def find_by_lot(task: SearchTask) -> Start | None:
    """A round by lot in which all demands hold, or all rounds if pairs are wanted once; None: none were found."""
    if not task.demands.once:
        return _draw_start(replace(task, rounds=1), Random(task.seed).random)
    if max(Counter(p for pair in task.demands.once for p in pair).values()) > task.rounds:
        return None
    return _draw_start(task, Random(task.seed).random)


def _draw_start(task: SearchTask, random: NextFraction) -> Start | None:
    effort = Effort()
    for _attempt in range(TRIES if task.demands != Demands() else 1):
        shared = share_sit_outs(task, random)
        tied = _tie_partners(task, shared, random=random)
        if tied is None:
            continue
        if (begun := seat_rounds(task, shared, tied=tied, random=random, effort=effort)) is not None:
            return begun
        if effort.left < 0:
            break
    return None


def seat_rounds(
    task: SearchTask,
    shared: Sequence[Sequence[int]],
    *,
    tied: list[dict[int, int]],
    random: NextFraction,
    effort: Effort,
) -> Start | None:
    """Rounds with these partners and, as far as wishes allow, these sit-outs; None if no seating is found."""
    count = list(task.history.sit_outs)
    seatings = []
    for sitters, ties in zip(shared, tied, strict=True):
        if (seating := _seat_first(task, sitters, ties=ties, count=count, random=random, effort=effort)) is None:
            return None
        seatings.append(seating)
        for person in seating[sum(map(sum, task.layout.shapes)) :]:
            count[person] += 1
    return Start(seatings, tied)


def _seat_first(
    task: SearchTask,
    sitters: Sequence[int],
    *,
    ties: dict[int, int],
    count: Sequence[int],
    random: NextFraction,
    effort: Effort,
) -> list[int] | None:
    """A first seating of a round, with these sit-outs or, if wishes don't allow them, the fairest others."""
    shapes, demands = task.layout.shapes, task.demands
    seated = [p for p in range(task.people) if p not in sitters]
    fair = not demands.hosts & set(sitters) and all((a in sitters) == (b in sitters) for a, b in demands.always.items())
    if fair:
        round_ = RoundToSeat(shapes, demands, ties)
        if (seats := seat_round(seated, round_, random=random, effort=effort)) is not None:
            return seats + list(sitters)
    if not sitters:
        return None
    ties.update(demands.always)
    round_ = RoundToSeat(shapes, demands, ties, len(sitters), count)
    if (seats := seat_round(range(task.people), round_, random=random, effort=effort)) is None:
        return None
    for p in seats[sum(map(sum, shapes)) :]:
        ties.pop(p, None)
    return seats


def patch_plan(task: SearchTask, random: NextFraction) -> Start | None:
    """The earlier plan with the gaps filled; those who had a seat and play keep it. None: demands don't hold in it."""
    former = [set(seats[sum(map(sum, task.layout.shapes)) :]) for seats in task.plan]
    shared = share_sit_outs(task, random, former=former)
    seatings = []
    for seats, sitters in zip(task.plan, shared, strict=True):
        staying = [None if p in sitters else p for p in seats[: task.people - len(sitters)]]
        taken = {*staying, *sitters}
        unseated = iter(shuffled([p for p in range(task.people) if p not in taken], random))
        seatings.append([next(unseated) if p is None else p for p in staying] + sitters)
    tied = _check_demands(task, seatings)
    return None if tied is None else Start(seatings, tied)


def _check_demands(task: SearchTask, seatings: Sequence[Sequence[int]]) -> list[dict[int, int]] | None:
    """For each round, the partners that it must have; None if some demand doesn't hold in these rounds."""
    demands = task.demands
    shapes = enumerate(task.layout.shapes)
    places = [(table, side) for table, shape in shapes for side, size in enumerate(shape) for _ in range(size)]
    tied: list[dict[int, int]] = []
    for seating in seatings:
        seats = {p: seat for seat, p in enumerate(seating[: len(places)])}
        if demands.hosts - seats.keys():
            return None
        for p, (table, seat) in demands.pinned.items():
            if p in seats and (places[seats[p]][0] != table or seat not in (None, seats[p] - places.index((table, 0)))):
                return None
        for a, b in demands.always.items():
            if (a in seats) != (b in seats) or (a in seats and places[seats[a]] != places[seats[b]]):
                return None
        tied.append({a: b for a, b in demands.always.items() if a in seats})
        for a, b in demands.once:
            if a in seats and b in seats and places[seats[a]] == places[seats[b]]:
                tied[-1].update({a: b, b: a})
    if any(not any(ties.get(a) == b for ties in tied) for a, b in demands.once):
        return None
    return tied


def share_sit_outs(
    task: SearchTask,
    random: NextFraction,
    *,
    former: Sequence[set[int | None]] = (),
    busy: Sequence[Collection[int]] = (),
) -> list[list[int]]:
    """Who sits out which round: those who did so least often, not twice in a row, then by lot; couples both or neither.

    `former` are the sit-outs of an earlier plan, kept if they are as fair. People `busy` in a round don't sit it out;
    of the others, those come first who are busy in most of the rounds to come."""
    always, hosts = task.demands.always, task.demands.hosts
    count = list(task.history.sit_outs)
    last = set(task.history.sat_last)
    shared = []
    for r in range(task.rounds):
        before = former[r] if former else set()
        taken, later = (busy[r], Counter(p for people in busy[r + 1 :] for p in people)) if busy else ((), Counter())
        lots = [p for p in shuffled(range(task.people), random) if p not in taken]
        lots.sort(key=lambda p: (count[p], -later[p], p in last, p not in before))
        chosen: list[int] = []
        for forced in (False, True):  # forced: places are left, so couples are parted and hosts sit out
            for p in lots:
                unit = [p, always[p]] if p in always and not forced else [p]
                if not forced and hosts & set(unit):
                    continue
                if p not in chosen and len(chosen) + len(unit) <= task.layout.sit_outs:
                    chosen += unit
        for person in chosen:
            count[person] += 1
        last = set(chosen)
        shared.append(chosen)
    return shared


def _tie_partners(
    task: SearchTask, shared: Sequence[Sequence[int]], *, random: NextFraction
) -> list[dict[int, int]] | None:
    """The partners in each round: couples in all they play, pairs wanted once in one; None if some of those find no
    round."""
    demands = task.demands
    tied = [{p: mate for p, mate in demands.always.items() if p not in out} for out in shared]
    busy = [{*out, *ties} for out, ties in zip(shared, tied, strict=True)]
    choices = 0

    def options(pair: Pair) -> list[int]:
        a, b = pair
        return [r for r, people in enumerate(busy) if a not in people and b not in people]

    def settle(pairs: list[Pair]) -> bool:
        nonlocal choices
        if not pairs:
            return True
        by_pair = {pair: options(pair) for pair in pairs}
        pair = min(pairs, key=lambda pair: len(by_pair[pair]))
        for r in sorted(shuffled(by_pair[pair], random), key=lambda r: len(tied[r])):
            choices += 1
            if choices > ROUNDS_FOR_ONCE:
                return False
            a, b = pair
            tied[r].update({a: b, b: a})
            busy[r].update(pair)
            if settle([other for other in pairs if other != pair]):
                return True
            del tied[r][a], tied[r][b]
            busy[r].difference_update(pair)
        return False

    for pairs in connected_groups(shuffled_pairs(demands.once, random), set):
        choices = 0
        if not settle(pairs):
            return None
    return tied
