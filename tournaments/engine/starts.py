"""Where a search begins: who sits out which round, who is partnered when, and a first seating that may be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tournaments.engine.layout import Layout
from tournaments.engine.placing import Bench, Demands, Effort, Number, place, shuffled

TRIES = 12  # sit-outs drawn afresh when the pairs wanted once don't find a round each
ROUNDS_FOR_ONCE = 500  # choices looked at when pairs that people join are given the round they partner in


@dataclass(frozen=True, slots=True)
class History:
    """What the people present, numbered from 0, bring from rounds already played."""

    partners: tuple[tuple[int, ...], ...]  # times each pair were partners
    opponents: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...]  # per person, with credit for rounds missed
    sat_last: frozenset[int]  # who sat out the round before
    visits: tuple[int, ...]  # per person, to odd tables


@dataclass(frozen=True, slots=True)
class Task:
    """What to search: rounds of these tables around this history, holding to these demands."""

    layout: Layout
    rounds: int
    history: History
    demands: Demands = field(default_factory=Demands)
    even_visits: bool = False  # share visits to odd tables out
    plan: tuple[tuple[int | None, ...], ...] = ()  # an earlier plan by seat, to start from; None: somebody who has left
    seed: int = 0  # of the stream by which demands are tried

    @property
    def people(self) -> int:
        """How many are present."""
        return len(self.history.sit_outs)


@dataclass(frozen=True, slots=True)
class Start:
    """Rounds to begin with: everyone by seat, the sit-outs last; and who must stay partners in which round."""

    seatings: list[list[int]]
    tied: list[dict[int, int]]


def start(task: Task, number: Number) -> Start:
    """Rounds by lot in which all demands hold, which are known to be `feasible`."""
    found = _by_lot(task, number)
    if found is not None:
        return found
    known = feasible(task)  # then those found when it was asked whether there are any
    if known is None:
        raise ValueError("demands that can't hold")
    times = task.rounds // len(known.seatings)
    return Start(
        [list(seating) for seating in known.seatings for _ in range(times)],
        [dict(ties) for ties in known.tied for _ in range(times)],
    )


def feasible(task: Task) -> Start | None:
    """A round in which all demands hold, or all rounds where pairs are wanted once; None when none were found."""
    if not task.demands.once:
        return _by_lot(replace(task, rounds=1), Random(task.seed).random)
    if max(Counter(p for pair in task.demands.once for p in pair).values()) > task.rounds:
        return None
    return _by_lot(task, Random(task.seed).random)


def _by_lot(task: Task, number: Number) -> Start | None:
    effort = Effort()
    for _attempt in range(TRIES if task.demands != Demands() else 1):
        shared = share_sit_outs(task, number)
        tied = _ties(task, shared, number)
        if tied is None:
            continue
        count = list(task.history.sit_outs)
        seatings = []
        for sitters, ties in zip(shared, tied, strict=True):
            if (seating := _first(task, sitters, ties, count, number, effort)) is None:
                break
            seatings.append(seating)
            for person in seating[sum(map(sum, task.layout.shapes)) :]:
                count[person] += 1
        else:
            return Start(seatings, tied)
        if effort.left < 0:
            break
    return None


def _first(
    task: Task, sitters: Sequence[int], ties: dict[int, int], count: Sequence[int], number: Number, effort: Effort
) -> list[int] | None:
    """A first seating of a round: with these sit-outs, or where the wishes don't allow it with the fairest others."""
    shapes, demands = task.layout.shapes, task.demands
    seated = [p for p in range(task.people) if p not in sitters]
    fair = not demands.hosts & set(sitters) and all((a in sitters) == (b in sitters) for a, b in demands.always.items())
    if fair and (seats := place(seated, shapes, demands, ties, number, effort)) is not None:
        return seats + list(sitters)
    if not sitters:
        return None
    ties.update(demands.always)
    bench = Bench(len(sitters), count)
    if (seats := place(range(task.people), shapes, demands, ties, number, effort, bench)) is None:
        return None
    for p in seats[sum(map(sum, shapes)) :]:
        ties.pop(p, None)
    return seats


def patched(task: Task, number: Number) -> Start | None:
    """The earlier plan with the gaps filled: whoever had a seat and plays keeps it. None: wishes don't hold in it."""
    former = [set(seats[sum(map(sum, task.layout.shapes)) :]) for seats in task.plan]
    shared = share_sit_outs(task, number, former=former)
    seatings = []
    for seats, sitters in zip(task.plan, shared, strict=True):
        kept = [None if p in sitters else p for p in seats[: task.people - len(sitters)]]
        taken = {*kept, *sitters}
        rest = iter(shuffled([p for p in range(task.people) if p not in taken], number))
        seatings.append([next(rest) if p is None else p for p in kept] + sitters)
    tied = _ties_held(task, seatings)
    return None if tied is None else Start(seatings, tied)


def _ties_held(task: Task, seatings: Sequence[Sequence[int]]) -> list[dict[int, int]] | None:
    """Who are partners as they must be in these rounds; None when somebody isn't, or isn't at a table of their own."""
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


def share_sit_outs(task: Task, number: Number, former: Sequence[set[int | None]] = ()) -> list[list[int]]:
    """Who sits out which round: whoever did so least often, not twice running, then by lot; couples both or neither.

    `former` are the sit-outs of an earlier plan, kept where they are as fair.
    """
    always, hosts = task.demands.always, task.demands.hosts
    count = list(task.history.sit_outs)
    last = set(task.history.sat_last)
    shared = []
    for r in range(task.rounds):
        before = former[r] if former else set()
        lots = shuffled(range(task.people), number)
        lots.sort(key=lambda p: (count[p], p in last, p not in before))
        chosen: list[int] = []
        for forced in (False, True):  # a couple too many for the sit-outs, or only hosts left: then even they
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


def _ties(task: Task, shared: Sequence[Sequence[int]], number: Number) -> list[dict[int, int]] | None:
    """Who are partners in which round: couples in all they play, pairs wanted once in one; None when it won't fit."""
    demands = task.demands
    tied = [{p: mate for p, mate in demands.always.items() if p not in out} for out in shared]
    choices = 0

    def options(pair: tuple[int, int]) -> list[int]:
        return [r for r, out in enumerate(shared) if not (tied[r].keys() & set(pair) or set(out) & set(pair))]

    def settle(pairs: list[tuple[int, int]]) -> bool:
        nonlocal choices
        if not pairs:
            return True
        by_pair = {pair: options(pair) for pair in pairs}
        pair = min(pairs, key=lambda one: len(by_pair[one]))
        for r in sorted(shuffled(by_pair[pair], number), key=lambda r: len(tied[r])):
            choices += 1
            if choices > ROUNDS_FOR_ONCE:
                return False
            a, b = pair
            tied[r].update({a: b, b: a})
            if settle([other for other in pairs if other != pair]):
                return True
            del tied[r][a], tied[r][b]
        return False

    for pairs in _joined(shuffled_pairs(demands.once, number)):
        choices = 0
        if not settle(pairs):
            return None
    return tied


def _joined(pairs: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """The pairs in groups, so that nobody is in two of them."""
    groups: list[list[tuple[int, int]]] = []
    for pair in pairs:
        near = [group for group in groups if any(set(pair) & set(other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(other for group in near for other in group), pair])
    return groups


def shuffled_pairs(pairs: Sequence[tuple[int, int]], number: Number) -> list[tuple[int, int]]:
    """The pairs in an order drawn from the stream."""
    return [pairs[i] for i in shuffled(range(len(pairs)), number)]
