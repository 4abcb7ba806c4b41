"""The search for a night's draw: the cost of seats, exchanges that lower it, and trying all ways if they are few."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from itertools import starmap
from math import comb
from random import Random

from tournaments.engine.draws.starts import (
    TRIES,
    Demands,
    Effort,
    NextFraction,
    Pair,
    RoundToSeat,
    SearchTask,
    Start,
    are_too_many,
    assign_rounds,
    make_start,
    patch_plan,
    seat_round,
    seat_rounds,
    share_sit_outs,
)
from tournaments.engine.rounds import at_tables

LEVELS = 16  # temperatures of one attempt, from HOT down to COLD; measured over the cases where every step counts
HOT, COLD = Decimal("0.42"), Decimal("0.2")
WORST = 10  # an exchange that costs more is never taken
BROKEN = 100_000  # what it costs that a pair meets in a way that is forbidden
REPORT = 20_000  # steps between two reports


def pair_cost(p: int, o: int) -> int:
    """The cost of a pair that was partners p times and opponents o times.

    `SeatingAttempt` adds differences of it, as plain numbers, for speed: a change here changes those."""
    return 10 * comb(p, 2) + comb(o, 2) + comb(p + o, 2)


@cache
def _acceptance_chances(level: int) -> tuple[float, ...]:
    """The chances of making an exchange that costs 0, 1, ... WORST more, at a level: exact multiples of 2 ** -30."""
    heat = HOT - (HOT - COLD) * level / (LEVELS - 1)
    return tuple(int((-Decimal(extra) / heat).exp() * 2**30) / 2**30 for extra in range(WORST + 1))


class SeatingAttempt:
    """One attempt. It keeps the cost of one more meeting of each pair: as partners 11 p + o, as opponents p + 2 o, for
    a pair that was p times partners and o times opponents."""

    def __init__(self, task: SearchTask, begun: Start, *, random: NextFraction) -> None:
        self.random = random
        self.people = people = task.people
        self.rounds = begun.seatings
        self.seats = sum(map(sum, task.layout.shapes))
        self.tied, self.always, self.pinned = begun.tied, task.demands.always, task.demands.pinned
        self.held = [tied.keys() | self.always.keys() | self.pinned.keys() for tied in begun.tied]
        self._note_seats(task.layout.shapes)
        history = task.history
        self.partner = [[11 * p + o for p, o in zip(*rows, strict=True)] for rows in _history_rows(task)]
        self.opponent = [[p + 2 * o for p, o in zip(*rows, strict=True)] for rows in _history_rows(task)]
        for a, others in task.demands.never.items():
            for b in others:
                self.partner[a][b] += BROKEN
        for a, others in task.demands.apart.items():
            for b in others:
                self.partner[a][b] += BROKEN
                self.opponent[a][b] += BROKEN
        self.cost = sum(pair_cost(p, o) for ps, os in _history_rows(task) for p, o in zip(ps, os, strict=True)) // 2
        self.visits = list(history.visits) if task.even_visits else None
        self.sit_outs = list(history.sit_outs)
        self.out = [[False] * people for _ in range(task.rounds + 2)]  # by round, from 1; 0 is the round played last
        for person in history.sat_last:
            self.out[0][person] = True
        for r, seating in enumerate(self.rounds, start=1):
            for person in seating[self.seats :]:
                self.sit_outs[person] += 1
                self.out[r][person] = True
            for seat in range(self.seats):
                self._add_person(seating, seat, mates=[other for other in self.mates[seat] if other < seat])
        if self.visits is not None:
            self.cost += sum(v * v for v in history.visits)
        self.best = [list(seating) for seating in self.rounds]
        self.best_cost = self.cost
        self.steps = 0

    def _note_seats(self, shapes: Sequence[tuple[int, ...]]) -> None:
        """Note which seats share a side and which a table. Seats after the last table are sit-outs."""
        self.partner_seats: list[tuple[int, ...]] = []
        self.opponent_seats: list[tuple[int, ...]] = []
        self.table_of: list[int] = []
        self.odd: list[bool] = []
        for table, sides in enumerate(at_tables(range(self.seats), shapes)):
            whole = [seat for side in sides for seat in side]
            for side in sides:
                for seat in side:
                    self.partner_seats.append(tuple(s for s in side if s != seat))
                    self.opponent_seats.append(tuple(s for s in whole if s not in side))
                    self.table_of.append(table)
                    self.odd.append(shapes[table] != shapes[0])
        sit_outs = self.people - self.seats
        self.partner_seats += [()] * sit_outs
        self.opponent_seats += [()] * sit_outs
        self.table_of += [-1] * sit_outs
        self.odd += [False] * sit_outs
        self.mates = [p + o for p, o in zip(self.partner_seats, self.opponent_seats, strict=True)]

    def anneal(self, steps: int, least: int, *, cold: bool, on: Callable[[SeatingAttempt], bool]) -> None:
        """Exchange seats for about `steps` steps, making ever fewer exchanges for the worse; keep the best rounds.

        With `cold` few of those are made from the beginning, so that the given rounds aren't lost. `on` is called now
        and then and stops the search by returning False; so does a cost of `least`."""
        a_sweep = len(self.rounds) * self.seats
        sweeps = max(1, steps // a_sweep)
        reported = 0
        for sweep in range(sweeps):
            chances = _acceptance_chances(LEVELS - 1 if cold else sweep * LEVELS // sweeps)
            for index in range(len(self.rounds)):
                self._try_exchanges(index, chances)
            self.steps += a_sweep
            if self.cost < self.best_cost:
                self.best = [list(seating) for seating in self.rounds]
                self.best_cost = self.cost
                if self.best_cost <= least:
                    return
            if self.steps >= reported + REPORT:
                reported = self.steps
                if not on(self):
                    return

    def _try_exchanges(self, index: int, chances: tuple[float, ...]) -> None:
        """For each seat of a round, try to exchange its person with somebody drawn by lot."""
        seating, random, table_of, held = self.rounds[index], self.random, self.table_of, self.held[index]
        partner, opponent, visits, odd = self.partner, self.opponent, self.visits, self.odd
        pinned = self.pinned
        people, seats, partner_seats, opponent_seats = self.people, self.seats, self.partner_seats, self.opponent_seats
        for x in range(seats):
            y = int(random() * people)
            a, b = seating[x], seating[y]
            if a in held or b in held:
                if x != y and (table_of[x] == table_of[y] or not (a in pinned or b in pinned)):
                    self._try_with_demands(index, x, y=y, chances=chances)
                continue
            if table_of[x] == table_of[y]:
                if x != y:
                    self._try_across_table(seating, x, y=y, chances=chances)
                continue
            if y >= seats and not self._may_sit_out(index + 1, a, b=b):
                continue
            extra = 0
            row, other = partner[a], partner[b]
            for s in partner_seats[x]:
                c = seating[s]
                extra += other[c] - row[c] + 11
            for s in partner_seats[y]:
                c = seating[s]
                extra += row[c] - other[c] + 11
            row, other = opponent[a], opponent[b]
            for s in opponent_seats[x]:
                c = seating[s]
                extra += other[c] - row[c] + 2
            for s in opponent_seats[y]:
                c = seating[s]
                extra += row[c] - other[c] + 2
            if visits is not None and odd[x] != odd[y]:
                extra += 2 * (visits[b] - visits[a] + 1 if odd[x] else visits[a] - visits[b] + 1)
            if extra > 0 and (extra > WORST or random() >= chances[extra]):
                continue
            self.cost += extra
            if visits is not None and odd[x] != odd[y]:
                visits[a] += 1 if odd[y] else -1
                visits[b] += 1 if odd[x] else -1
            if y >= seats:
                self._note_sit_out(index, a, b=b)
            self._replace_in_costs(
                a, b, partners=[seating[s] for s in partner_seats[x]], opponents=[seating[s] for s in opponent_seats[x]]
            )
            self._replace_in_costs(
                b, a, partners=[seating[s] for s in partner_seats[y]], opponents=[seating[s] for s in opponent_seats[y]]
            )
            seating[x], seating[y] = b, a

    def _try_across_table(self, seating: list[int], x: int, *, y: int, chances: tuple[float, ...]) -> None:
        """Try an exchange between two sides of a table: partners become opponents, opponents partners."""
        partner, opponent = self.partner, self.opponent
        a, b = seating[x], seating[y]
        mates, other_mates = self.partner_seats[x], self.partner_seats[y]
        if y in mates or not mates:
            return
        extra = 0
        for s in mates:
            c = seating[s]
            extra += opponent[a][c] - partner[a][c] + partner[b][c] - opponent[b][c] + 11
        for s in other_mates:
            c = seating[s]
            extra += opponent[b][c] - partner[b][c] + partner[a][c] - opponent[a][c] + 11
        if extra > 0 and (extra > WORST or self.random() >= chances[extra]):
            return
        self.cost += extra
        with_a, with_b = [seating[s] for s in mates], [seating[s] for s in other_mates]
        self._replace_in_costs(a, b, partners=with_a, opponents=with_b)
        self._replace_in_costs(b, a, partners=with_b, opponents=with_a)
        seating[x], seating[y] = b, a

    def _replace_in_costs(self, a: int, b: int, *, partners: list[int], opponents: list[int]) -> None:
        partner, opponent = self.partner, self.opponent
        for people, as_partner, as_opponent in ((partners, 11, 1), (opponents, 1, 2)):
            for c in people:
                row = partner[c]
                row[a] -= as_partner
                row[b] += as_partner
                partner[a][c] -= as_partner
                partner[b][c] += as_partner
                row = opponent[c]
                row[a] -= as_opponent
                row[b] += as_opponent
                opponent[a][c] -= as_opponent
                opponent[b][c] += as_opponent

    def _try_with_demands(self, index: int, x: int, *, y: int, chances: tuple[float, ...]) -> None:
        """Try an exchange of people who must stay with a partner or at a table; it never changes who sits out."""
        seating = self.rounds[index]
        a, b = seating[x], seating[y]
        if y >= self.seats or not self._may_move(a, x, to=y) or not self._may_move(b, y, to=x):
            return
        exchanges = self._with_partners(index, x, y=y)
        if not exchanges or y in self.partner_seats[x]:
            return
        if (
            len(exchanges) == 2
            and self.visits is None
            and len(self.partner_seats[x]) == len(self.partner_seats[y]) == 1
        ):
            extra = self._cost_of_moving_sides(seating, exchanges)  # can be computed without making the exchange
            if extra > WORST or (extra > 0 and self.random() >= chances[extra]):
                return
            self._exchange(index, exchanges)
            return
        before = self.cost
        self._exchange(index, exchanges)
        extra = self.cost - before
        if extra > 0 and (extra > WORST or self.random() >= chances[extra]):
            self._exchange(index, exchanges)

    def _cost_of_moving_sides(self, seating: list[int], exchanges: tuple[tuple[int, int], ...]) -> int:
        """The extra cost when two sides of two people change tables."""
        opponent = self.opponent
        extra = 0
        for end, other_end in ((0, 1), (1, 0)):
            rows = [opponent[seating[pair[end]]] for pair in exchanges]
            other_rows = [opponent[seating[pair[other_end]]] for pair in exchanges]
            for s in self.opponent_seats[exchanges[0][end]]:
                c = seating[s]
                extra += other_rows[0][c] + other_rows[1][c] - rows[0][c] - rows[1][c] + 4
        return extra

    def _may_move(self, person: int, seat: int, *, to: int) -> bool:
        """Whether a person, perhaps with a table or seat of their own, can go to another seat."""
        pin = self.pinned.get(person)
        return pin is None or (pin[1] is None and self.table_of[seat] == self.table_of[to])

    def _with_partners(self, index: int, x: int, *, y: int) -> tuple[tuple[int, int], ...]:
        """This exchange, with that of their partners if they must stay together; () if that can't be."""
        seating, tied = self.rounds[index], self.tied[index]
        a, b = seating[x], seating[y]
        if a not in tied and b not in tied:
            return ((x, y),)
        from_x = self._partner_seat(index, x)
        from_y = self._partner_seat(index, y)
        if self.table_of[x] == self.table_of[y] or from_x is None or from_y is None:
            return ()
        for mover, seat, to in ((seating[from_x], from_x, from_y), (seating[from_y], from_y, from_x)):
            if not self._may_move(mover, seat, to=to):
                return ()
        return ((x, y), (from_x, from_y))

    def _partner_seat(self, index: int, seat: int) -> int | None:
        """The seat of the partner whom the person at `seat` must keep in this round; for a person without one, that of
        a partner who is free to move along."""
        seating, tied = self.rounds[index], self.tied[index]
        mate = tied.get(seating[seat])
        for s in self.partner_seats[seat]:
            if seating[s] == mate or (mate is None and seating[s] not in tied):
                return s
        return None

    def _may_sit_out(self, r: int, a: int, *, b: int) -> bool:
        """Whether a may sit out round r instead of b: sit-outs stay as even as they were after every round, with no
        more of them in a row."""
        out, fewer = self.out, self.sit_outs[b] - self.sit_outs[a]
        if fewer < 1 or (fewer == 1 and any(later[a] != later[b] for later in out[r + 1 :])):
            return False
        before, after = out[r - 1], out[r + 1]
        return before[a] + after[a] <= before[b] + after[b]

    def _exchange(self, index: int, exchanges: tuple[tuple[int, int], ...]) -> None:
        seating = self.rounds[index]
        moved = [seat for pair in exchanges for seat in pair]
        for n, seat in enumerate(moved):
            self._remove_person(seating, seat, mates=[s for s in self.mates[seat] if s not in moved[:n]])
        for x, y in exchanges:
            seating[x], seating[y] = seating[y], seating[x]
        for n, seat in enumerate(moved):
            self._add_person(seating, seat, mates=[s for s in self.mates[seat] if s not in moved[n + 1 :]])

    def _note_sit_out(self, index: int, a: int, *, b: int) -> None:
        self.sit_outs[a] += 1
        self.sit_outs[b] -= 1
        self.out[index + 1][a], self.out[index + 1][b] = True, False

    def _add_person(self, seating: list[int], seat: int, *, mates: Sequence[int]) -> None:
        """Count the meetings, and the visit to an odd table, of the person at a seat; `mates` are seats."""
        a, partners = seating[seat], self.partner_seats[seat]
        if self.visits is not None and self.odd[seat]:
            self.cost += 2 * self.visits[a] + 1
            self.visits[a] += 1
        for s in mates:
            b = seating[s]
            if s in partners:
                if self.always.get(a) != b:
                    self.cost += self.partner[a][b]
                    self._count_meeting(a, b, partner=11, opponent=1)
            else:
                self.cost += self.opponent[a][b]
                self._count_meeting(a, b, partner=1, opponent=2)

    def _remove_person(self, seating: list[int], seat: int, *, mates: Sequence[int]) -> None:
        """Undo what `_add_person` counted, before the person leaves the seat."""
        a, partners = seating[seat], self.partner_seats[seat]
        if self.visits is not None and self.odd[seat]:
            self.visits[a] -= 1
            self.cost -= 2 * self.visits[a] + 1
        for s in mates:
            b = seating[s]
            if s in partners:
                if self.always.get(a) != b:
                    self._count_meeting(a, b, partner=-11, opponent=-1)
                    self.cost -= self.partner[a][b]
            else:
                self._count_meeting(a, b, partner=-1, opponent=-2)
                self.cost -= self.opponent[a][b]

    def _count_meeting(self, a: int, b: int, *, partner: int, opponent: int) -> None:
        self.partner[a][b] += partner
        self.partner[b][a] += partner
        self.opponent[a][b] += opponent
        self.opponent[b][a] += opponent


def _history_rows(task: SearchTask) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return list(zip(task.history.partners, task.history.opponents, strict=True))


ENOUGH = 1_000  # steps for each possible exchange; beyond these a small draw gets no better
FIRST_STAGE, LONGER = 20_000, 4  # steps of the first stage; each further one starts afresh with that many times more


@dataclass(frozen=True, slots=True)
class SearchProgress:
    steps: int
    of: int
    cost: int  # of the best rounds so far
    seatings: Sequence[Sequence[int]]  # each with everyone by seat; none while all break wishes


# called now and then; False stops the search, which keeps the best rounds so far
OnProgress = Callable[[SearchProgress], bool]


def search(
    task: SearchTask, random: NextFraction, *, steps: int, on_progress: OnProgress, least: int = 0
) -> SearchProgress:
    """The cheapest rounds found in `steps` steps, or fewer once nothing can be better or the cost is `least`.

    An earlier plan with the gaps filled is tried first; then come stages from fresh starts, each longer than the one
    before, until the steps are used up."""
    least = max(least, lower_bound(task))
    steps = min(steps, ENOUGH * task.rounds * task.people**2)
    best: SearchProgress | None = None
    spent, stage, stopped = 0, FIRST_STAGE, False

    def on(seating: SeatingAttempt) -> bool:
        nonlocal stopped
        cost = seating.best_cost
        seatings: Sequence[Sequence[int]] = tuple(map(tuple, seating.best))
        if best is not None and best.cost <= cost:
            cost, seatings = best.cost, best.seatings
        elif first is not None and cost >= BROKEN:
            seatings = ()
        stopped = stopped or not on_progress(SearchProgress(min(spent + seating.steps, steps), steps, cost, seatings))
        return not stopped

    first = patch_plan(task, random) if task.plan else None
    while best is None or (spent < steps and best.cost > least and not stopped):
        seating = SeatingAttempt(task, first or make_start(task, random), random=random)
        left = max(steps - spent, 1)
        seating.anneal(left if left < 2 * stage else stage, least, cold=first is not None, on=on)
        spent += seating.steps
        usable = first is None or seating.best_cost < BROKEN
        if usable and (best is None or seating.best_cost < best.cost):
            best = SearchProgress(spent, steps, seating.best_cost, tuple(map(tuple, seating.best)))
        stage *= 1 if first else LONGER
        first = None
    return replace(best, steps=spent)


def lower_bound(task: SearchTask) -> int:
    """A cost that no rounds can have less than: all meetings spread evenly over all pairs, role by role.

    If a table has more people than there are tables, some of its people must meet again in every later round."""
    people, history, shapes = task.people, task.history, task.layout.shapes
    pairs = people * (people - 1) // 2
    couples = len(task.demands.always) // 2
    partners = sum(comb(side, 2) for shape in shapes for side in shape)
    table_mates = sum(comb(sum(shape), 2) for shape in shapes)
    played_partners = sum(map(sum, history.partners)) // 2
    played_opponents = sum(map(sum, history.opponents)) // 2
    new_partners = task.rounds * max(partners - couples, 0)  # more couples than sides: some sit out
    new_opponents = task.rounds * (table_mates - partners)
    again = 0 if couples else comb(task.rounds, 2) * _least_meeting_again(shapes, task.layout.sit_outs)
    even = (
        10 * _squares_if_even(played_partners + new_partners, pairs)
        + max(_squares_if_even(played_opponents + new_opponents, pairs), 0 if partners else again)
        + max(_squares_if_even(played_partners + played_opponents + new_partners + new_opponents, pairs), again)
    )
    already = 0
    if played_partners or played_opponents:
        times = ((history.partners[i][j], history.opponents[i][j]) for i in range(people) for j in range(i))
        already = sum(starmap(pair_cost, times))
    return max(even, already) + (_least_visits(task) if task.even_visits else 0)


def _least_visits(task: SearchTask) -> int:
    """The least sum of squares of visits to odd tables: the remaining ones go to those who were there least often."""
    usual = task.layout.shapes[0]
    visits = list(task.history.visits)
    for _ in range(task.rounds * sum(sum(shape) for shape in task.layout.shapes if shape != usual)):
        fewest = min(range(len(visits)), key=visits.__getitem__)
        visits[fewest] += 1
    return sum(v * v for v in visits)


def _least_meeting_again(shapes: tuple[tuple[int, ...], ...], sit_outs: int) -> int:
    """The fewest pairs of one round's table-mates that must share a table in another round. Sit-outs are taken from the
    fullest tables, which leaves the fewest."""
    sizes = [sum(shape) for shape in shapes]
    for _ in range(min(sit_outs, sum(sizes))):
        sizes[sizes.index(max(sizes))] -= 1
    return sum(_squares_if_even(size, len(shapes)) for size in sizes)


def _squares_if_even(meetings: int, pairs: int) -> int:
    each, over = divmod(meetings, pairs)
    return (pairs - over) * comb(each, 2) + over * comb(each + 1, 2)


LONG = 16_000  # places and turns to try before tight wishes are given up: a second or two
MANY = 80  # people; with more of them each place takes longer to try, so fewer are tried
SOON = LONG // 10  # the limit where somebody waits for the answer
EACH = 1_000  # of these, the limit for each set of wishes after the first


class Undecided(Exception):
    """Finding out whether wishes can hold would take longer."""


class FeasibilityCheck:
    """Finds out whether there are rounds in which demands hold, for one set of demands after another.

    A call returns True if there are; False if there are none, or none were found; None if no trials are left. With
    `soon`, Undecided is raised instead of None, and also if none were found though there may be some."""

    def __init__(self, task: SearchTask, *, soon: bool) -> None:
        self.task, self.soon = task, soon
        self.left = (SOON if soon else LONG) * MANY // max(MANY, task.people)
        self.asked = False

    def __call__(self, demands: Demands) -> bool | None:
        most = min(self.left, EACH) if self.asked else self.left // 2
        self.asked = True
        if most > 0:
            effort = Effort(most)
            task = replace(self.task, demands=demands, rounds=self.task.rounds if demands.once else 1)
            rounds = _find_partnered_rounds(task, Random(task.seed).random, effort=effort)
            self.left -= most - effort.left + len(self.task.layout.shapes)  # the preparation counts, too
            if rounds is not None or effort.left >= 0 or not self.soon:
                return rounds is not None
        if self.soon:
            raise Undecided
        return None


def find_feasible_rounds(task: SearchTask) -> Start:
    """Rounds in which all demands hold, with the fairest sit-outs of several; a single round if no pair is wanted once.
    Raises ValueError: none were found."""
    if not task.demands.once:
        task = replace(task, rounds=1)
    random = Random(task.seed).random
    rounds = _find_partnered_rounds(task, random, effort=Effort(LONG))
    if rounds is None:
        raise ValueError("demands that can't hold")
    tied = [_both_ways(pairs) for pairs, _seats in rounds]
    effort = Effort(LONG)
    seats = task.people - task.layout.sit_outs
    best = Start(
        [seating for _pairs, seating in rounds], _add_couples(task, tied, shared=[s[seats:] for _p, s in rounds])
    )
    least = _unevenness(task, best)
    for _attempt in range(TRIES):
        shared = share_sit_outs(task, random, busy=tied)
        begun = seat_rounds(task, shared, tied=_add_couples(task, tied, shared=shared), random=random, effort=effort)
        if begun is not None and (uneven := _unevenness(task, begun)) < least:
            best, least = begun, uneven
        if begun is None or least[0] <= 1:
            break
    return best


def _find_partnered_rounds(
    task: SearchTask, random: NextFraction, *, effort: Effort
) -> list[tuple[list[Pair], list[int]]] | None:
    """For each round, the pairs wanted once that are partners in it, and a seating in which all demands hold. None:
    there is no way, or none was found before the effort was spent."""
    demands, shapes = task.demands, task.layout.shapes
    capacity = sum(size // 2 for shape in shapes for size in shape)
    free = demands == Demands(once=demands.once)
    seatings: dict[frozenset[Pair], list[int] | None] = {}

    def fitted(pairs: Collection[Pair], effort: Effort) -> list[int] | None:
        key = frozenset(pairs)
        if key not in seatings:
            ties = {**_both_ways(pairs), **demands.always}
            round_ = RoundToSeat(shapes, demands, ties, task.layout.sit_outs, task.history.sit_outs)
            seating = seat_round(range(task.people), round_, random=random, effort=effort)
            if effort.left < 0:
                return seating
            seatings[key] = seating
        return seatings[key]

    def fits(pairs: Collection[Pair], effort: Effort) -> bool:
        return free or fitted(pairs, effort) is not None

    if are_too_many(demands.once, task.rounds, most=capacity) or not fits((), effort):
        return None
    by_round = assign_rounds(demands.once, task.rounds, most=capacity, fits=fits, random=random, effort=effort)
    return None if by_round is None else [(pairs, fitted(pairs, Effort(LONG)) or []) for pairs in by_round]


def _add_couples(
    task: SearchTask, tied: Sequence[dict[int, int]], *, shared: Sequence[Sequence[int]]
) -> list[dict[int, int]]:
    """The partners in these rounds with these sit-outs: those tied, and couples who play."""
    always = task.demands.always.items()
    return [{**ties, **{p: q for p, q in always if p not in out}} for ties, out in zip(tied, shared, strict=True)]


def _unevenness(task: SearchTask, begun: Start) -> tuple[int, int]:
    """How uneven sit-outs are after these rounds: the most less the fewest, then the sum of their squares."""
    count = list(task.history.sit_outs)
    for seating in begun.seatings:
        for person in seating[task.people - task.layout.sit_outs :]:
            count[person] += 1
    return max(count) - min(count), sum(times**2 for times in count)


def _both_ways(pairs: Iterable[Pair]) -> dict[int, int]:
    return {p: q for a, b in pairs for p, q in ((a, b), (b, a))}
