"""Where a search begins: who sits out which round, who are partners when, and a first seating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tournaments.engine.draws.first_seating import Bench, Demands, Effort, NextFraction, RoundToSeat, place, shuffled
from tournaments.engine.draws.partner_turns import Pair, shuffled_pairs
from tournaments.engine.draws.table_layout import Layout
from tournaments.engine.grouping import joined

TRIES = 12  # times sit-outs are drawn again when the pairs wanted once don't all find a round
ROUNDS_FOR_ONCE = 500  # choices to look at when pairs with people in common get the rounds in which they are partners


@dataclass(frozen=True, slots=True)
class History:
    """What the people present, numbered from 0, bring from rounds already played."""

    partners: tuple[tuple[int, ...], ...]  # times each pair were partners
    opponents: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...]  # per person, with credit for rounds missed
    sat_last: frozenset[int]  # who sat out the round before
    visits: tuple[int, ...]  # per person, times at an odd table


@dataclass(frozen=True, slots=True)
class SearchTask:
    """What to search: rounds of these tables around this history, holding to these demands."""

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
        """How many are present."""
        return len(self.history.sit_outs)


@dataclass(frozen=True, slots=True)
class Start:
    """Rounds to begin with: everyone by seat, the sit-outs last; and who must stay partners in which round."""

    seatings: list[list[int]]
    tied: list[dict[int, int]]


def start(task: SearchTask, number: NextFraction) -> Start:
    """Rounds in which all demands hold: found by lot, or where lots find none, those known from an earlier search."""
    if task.known is None and (found := _by_lot(task, number)) is not None:
        return found
    known = task.known or feasible(task)  # lots failed now: take those found before
    if known is None:
        raise ValueError("demands that can't hold")
    times = task.rounds // len(known.seatings)
    return Start(
        [list(seating) for seating in known.seatings for _ in range(times)],
        [dict(ties) for ties in known.tied for _ in range(times)],
    )


def feasible(task: SearchTask) -> Start | None:
    """A round by lot in which all demands hold, or all rounds where pairs are wanted once; None: none were found."""
    if not task.demands.once:
        return _by_lot(replace(task, rounds=1), Random(task.seed).random)
    if max(Counter(p for pair in task.demands.once for p in pair).values()) > task.rounds:
        return None
    return _by_lot(task, Random(task.seed).random)


def _by_lot(task: SearchTask, number: NextFraction) -> Start | None:
    effort = Effort()
    for _attempt in range(TRIES if task.demands != Demands() else 1):
        shared = share_sit_outs(task, number)
        tied = _ties(task, shared, number=number)
        if tied is None:
            continue
        if (begun := seated(task, shared, tied=tied, number=number, effort=effort)) is not None:
            return begun
        if effort.left < 0:
            break
    return None


def seated(
    task: SearchTask,
    shared: Sequence[Sequence[int]],
    *,
    tied: list[dict[int, int]],
    number: NextFraction,
    effort: Effort,
) -> Start | None:
    """Rounds with these sit-outs, as far as wishes allow, and with these partners; None when no seating is found."""
    count = list(task.history.sit_outs)
    seatings = []
    for sitters, ties in zip(shared, tied, strict=True):
        if (seating := _first(task, sitters, ties=ties, count=count, number=number, effort=effort)) is None:
            return None
        seatings.append(seating)
        for person in seating[sum(map(sum, task.layout.shapes)) :]:
            count[person] += 1
    return Start(seatings, tied)


def _first(
    task: SearchTask,
    sitters: Sequence[int],
    *,
    ties: dict[int, int],
    count: Sequence[int],
    number: NextFraction,
    effort: Effort,
) -> list[int] | None:
    """A first seating of a round: with these sit-outs, or where the wishes don't allow it with the fairest others."""
    shapes, demands = task.layout.shapes, task.demands
    seated = [p for p in range(task.people) if p not in sitters]
    fair = not demands.hosts & set(sitters) and all((a in sitters) == (b in sitters) for a, b in demands.always.items())
    if fair:
        wanted = RoundToSeat(shapes, demands, ties)
        if (seats := place(seated, wanted, number=number, effort=effort)) is not None:
            return seats + list(sitters)
    if not sitters:
        return None
    ties.update(demands.always)
    wanted = RoundToSeat(shapes, demands, ties, Bench(len(sitters), count))
    if (seats := place(range(task.people), wanted, number=number, effort=effort)) is None:
        return None
    for p in seats[sum(map(sum, shapes)) :]:
        ties.pop(p, None)
    return seats


def patched(task: SearchTask, number: NextFraction) -> Start | None:
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


def _ties_held(task: SearchTask, seatings: Sequence[Sequence[int]]) -> list[dict[int, int]] | None:
    """For each round, the partners that it must have; None when some demand doesn't hold in these rounds."""
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
    number: NextFraction,
    *,
    former: Sequence[set[int | None]] = (),
    busy: Sequence[Collection[int]] = (),
) -> list[list[int]]:
    """Who sits out which round: those who did so least often, not twice in a row, then by lot; couples both or neither.

    `former` are the sit-outs of an earlier plan, kept where they are as fair. Whoever is `busy` in a round doesn't sit
    it out; of the others, those come first who are busy in most of the rounds to come.
    """
    always, hosts = task.demands.always, task.demands.hosts
    count = list(task.history.sit_outs)
    last = set(task.history.sat_last)
    shared = []
    for r in range(task.rounds):
        before = former[r] if former else set()
        taken, later = (busy[r], Counter(p for those in busy[r + 1 :] for p in those)) if busy else ((), Counter())
        lots = [p for p in shuffled(range(task.people), number) if p not in taken]
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


def _ties(task: SearchTask, shared: Sequence[Sequence[int]], *, number: NextFraction) -> list[dict[int, int]] | None:
    """Who are partners in which round: couples in all they play, pairs wanted once in one; None when not all of those
    find a round."""
    demands = task.demands
    tied = [{p: mate for p, mate in demands.always.items() if p not in out} for out in shared]
    busy = [{*out, *ties} for out, ties in zip(shared, tied, strict=True)]
    choices = 0

    def options(pair: Pair) -> list[int]:
        a, b = pair
        return [r for r, those in enumerate(busy) if a not in those and b not in those]

    def settle(pairs: list[Pair]) -> bool:
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
            busy[r].update(pair)
            if settle([other for other in pairs if other != pair]):
                return True
            del tied[r][a], tied[r][b]
            busy[r].difference_update(pair)
        return False

    for pairs in joined(shuffled_pairs(demands.once, number), set):
        choices = 0
        if not settle(pairs):
            return None
    return tied
