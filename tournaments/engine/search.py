"""Local search for rounds of tables of four: two people change seats where that costs least.

Seats 0, 1 against 2, 3 at each table; seats behind the last table are sit-outs. The cost adds up, over pairs
that were p times partners and o times opponents, 10 C(p,2) + C(o,2) + C(p+o,2): squares, so that repeats are
spread rather than piled on one pair. Sit-outs are shared out first and no exchange may make them less fair.
The search is counted in steps (exchanges looked at), and every choice comes from the one stream of numbers
that is handed in, with acceptance from a table of exact fractions, so a draw is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

TABLE = 4
LEVELS = 16  # temperatures of one stage, from 0.6 down to 0.2
WORST = 10  # an exchange that costs more is never taken
FIRST_STAGE = 20_000  # steps; each further stage has three times as many and starts afresh

Number = Callable[[], float]  # a fraction from 0 to 1


@dataclass(frozen=True, slots=True)
class History:
    """What the people present, numbered from 0, bring from rounds already played."""

    partners: tuple[tuple[int, ...], ...]  # times each pair were partners
    opponents: tuple[tuple[int, ...], ...]
    sit_outs: tuple[int, ...]  # per person, with credit for rounds missed
    sat_last: frozenset[int]  # who sat out the round before


@dataclass(frozen=True, slots=True)
class Found:
    """The best rounds seen: per round everyone by seat, the sit-outs last."""

    seatings: tuple[tuple[int, ...], ...]
    cost: int
    steps: int


def search(history: History, rounds: int, number: Number, steps: int) -> Found:
    """The cheapest rounds within so many steps; stops early at a cost that can't be beaten."""
    least = lower_bound(history, rounds)
    best: Found | None = None
    spent, stage = 0, FIRST_STAGE
    while best is None or (spent < steps and best.cost > least):
        seating = _Seating(history, rounds, number)
        spent += seating.anneal(min(stage, max(steps - spent, 1)), least)
        if best is None or seating.best_cost < best.cost:
            best = Found(tuple(map(tuple, seating.best)), seating.best_cost, spent)
        stage *= 3
    return Found(best.seatings, best.cost, spent)


def lower_bound(history: History, rounds: int) -> int:
    """A cost that no rounds can go below: all meetings spread evenly over all pairs, role by role."""
    people = len(history.sit_outs)
    pairs = people * (people - 1) // 2
    games = rounds * (people // TABLE)
    played_partners = sum(map(sum, history.partners)) // 2
    played_opponents = sum(map(sum, history.opponents)) // 2
    even = (
        10 * _even(played_partners + 2 * games, pairs)
        + _even(played_opponents + 4 * games, pairs)
        + _even(played_partners + played_opponents + 6 * games, pairs)
    )
    already = sum(_cost(history.partners[i][j], history.opponents[i][j]) for i in range(people) for j in range(i))
    return max(even, already)


def shuffled(items: list[int], number: Number) -> list[int]:
    """The items in an order drawn from the stream, the same with every version of Python."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = int(number() * (last + 1))
        items[last], items[other] = items[other], items[last]
    return items


def share_sit_outs(history: History, rounds: int, number: Number) -> list[list[int]]:
    """Who sits out which round: whoever did so least often, not twice running, then by lot."""
    people = range(len(history.sit_outs))
    count = list(history.sit_outs)
    last = set(history.sat_last)
    shared = []
    for _ in range(rounds):
        lots = shuffled(list(people), number)
        chosen = sorted(lots, key=lambda p: (count[p], p in last))[: len(people) % TABLE]
        for person in chosen:
            count[person] += 1
        last = set(chosen)
        shared.append(chosen)
    return shared


def _even(meetings: int, pairs: int) -> int:
    each, over = divmod(meetings, pairs)
    return (pairs - over) * (each * (each - 1) // 2) + over * (each * (each + 1) // 2)


def _cost(p: int, o: int) -> int:
    return (10 * p * (p - 1) + o * (o - 1) + (p + o) * (p + o - 1)) // 2


@cache
def _chances(level: int) -> tuple[float, ...]:
    """The chance of taking an exchange that costs 0, 1, ... more: exact multiples of 2 ** -30."""
    heat = Decimal("0.6") - Decimal("0.4") * level / (LEVELS - 1)
    return tuple(int((-Decimal(more) / heat).exp() * 2**30) / 2**30 for more in range(WORST + 1))


class _Seating:
    """One attempt: the rounds as they are now, with the marginal cost of each pair's next meeting."""

    def __init__(self, history: History, rounds: int, number: Number) -> None:
        people = len(history.sit_outs)
        self.number = number
        self.people = people
        self.seats = people - people % TABLE
        # cost of the pair's next meeting as partners (11 p + o) and as opponents (p + 2 o)
        self.partner = [
            [11 * p + o for p, o in zip(ps, os, strict=True)]
            for ps, os in zip(history.partners, history.opponents, strict=True)
        ]
        self.opponent = [
            [p + 2 * o for p, o in zip(ps, os, strict=True)]
            for ps, os in zip(history.partners, history.opponents, strict=True)
        ]
        self.cost = sum(_cost(history.partners[i][j], history.opponents[i][j]) for i in range(people) for j in range(i))
        self.rounds: list[list[int]] = []
        self.sit_outs = list(history.sit_outs)
        self.out = [[False] * people for _ in range(rounds + 2)]  # by round, from 1; 0 is the round played last
        for person in history.sat_last:
            self.out[0][person] = True
        for r, sitters in enumerate(share_sit_outs(history, rounds, number), start=1):
            for person in sitters:
                self.sit_outs[person] += 1
                self.out[r][person] = True
            self.rounds.append(shuffled([p for p in range(people) if p not in sitters], number) + sitters)
        for seating in self.rounds:
            for a, b, c, d in zip(*(iter(seating[: self.seats]),) * TABLE, strict=True):
                for one, other in ((a, b), (c, d)):
                    self.cost += self.partner[one][other]
                    self._meet_as_partners(one, other, 1)
                for one, other in ((a, c), (a, d), (b, c), (b, d)):
                    self.cost += self.opponent[one][other]
                    self._meet_as_opponents(one, other, 1)
        self.best = [list(seating) for seating in self.rounds]
        self.best_cost = self.cost

    def anneal(self, steps: int, least: int) -> int:
        """Exchange seats, ever more choosily, for about so many steps; the best rounds seen are kept."""
        a_sweep = len(self.rounds) * self.seats
        sweeps = max(1, steps // a_sweep)
        for sweep in range(sweeps):
            chances = _chances(sweep * LEVELS // sweeps)
            for index in range(len(self.rounds)):
                self._sweep(index, chances)
            if self.cost < self.best_cost:
                self.best = [list(seating) for seating in self.rounds]
                self.best_cost = self.cost
                if self.best_cost <= least:
                    return (sweep + 1) * a_sweep
        return sweeps * a_sweep

    def _sweep(self, index: int, chances: tuple[float, ...]) -> None:
        """Offer everyone seated in one round an exchange with somebody drawn by lot."""
        seating, number, people, seats = self.rounds[index], self.number, self.people, self.seats
        partner, opponent = self.partner, self.opponent
        for x in range(seats):
            y = int(number() * people)
            a, b = seating[x], seating[y]
            if x ^ y < 2:
                continue
            pa, oa, qa = seating[x ^ 1], seating[x ^ 2], seating[x ^ 3]
            if y >= seats:
                if not self._may_sit_out(index + 1, a, b):
                    continue
                more = partner[b][pa] - partner[a][pa] + 15
                more += opponent[b][oa] + opponent[b][qa] - opponent[a][oa] - opponent[a][qa]
            else:
                pb = seating[y ^ 1]
                if x ^ y < TABLE:  # across the table: partners become opponents and the reverse
                    more = partner[a][pb] - opponent[a][pb] + partner[b][pa] - opponent[b][pa] + 22
                    more += opponent[a][pa] - partner[a][pa] + opponent[b][pb] - partner[b][pb]
                else:
                    ob, qb = seating[y ^ 2], seating[y ^ 3]
                    row, other = partner[a], partner[b]
                    more = row[pb] - row[pa] + other[pa] - other[pb] + 30
                    row, other = opponent[a], opponent[b]
                    more += row[ob] + row[qb] - row[oa] - row[qa] + other[oa] + other[qa] - other[ob] - other[qb]
            if more > 0 and (more > WORST or number() >= chances[more]):
                continue
            self.cost += more
            if y >= seats:
                self._exchange_sit_out(index + 1, a, b)
                self._leave(seating, x)
                seating[x], seating[y] = b, a
                self._join(seating, x)
            else:
                self._leave(seating, x)
                self._leave(seating, y)
                seating[x], seating[y] = b, a
                self._join(seating, x)
                self._join(seating, y)

    def _may_sit_out(self, r: int, a: int, b: int) -> bool:
        """Whether a may take b's sit-out of round r: no less even, and no more of them two running."""
        if self.sit_outs[a] >= self.sit_outs[b]:
            return False
        before, after = self.out[r - 1], self.out[r + 1]
        return before[a] + after[a] <= before[b] + after[b]

    def _exchange_sit_out(self, r: int, a: int, b: int) -> None:
        self.sit_outs[a] += 1
        self.sit_outs[b] -= 1
        self.out[r][a], self.out[r][b] = True, False

    def _leave(self, seating: list[int], seat: int) -> None:
        self._meet_as_partners(seating[seat], seating[seat ^ 1], -1)
        for other in (seat ^ 2, seat ^ 3):
            self._meet_as_opponents(seating[seat], seating[other], -1)

    def _join(self, seating: list[int], seat: int) -> None:
        self._meet_as_partners(seating[seat], seating[seat ^ 1], 1)
        for other in (seat ^ 2, seat ^ 3):
            self._meet_as_opponents(seating[seat], seating[other], 1)

    def _meet_as_partners(self, a: int, b: int, times: int) -> None:
        partner, opponent = self.partner, self.opponent
        partner[a][b] += 11 * times
        partner[b][a] += 11 * times
        opponent[a][b] += times
        opponent[b][a] += times

    def _meet_as_opponents(self, a: int, b: int, times: int) -> None:
        partner, opponent = self.partner, self.opponent
        partner[a][b] += times
        partner[b][a] += times
        opponent[a][b] += 2 * times
        opponent[b][a] += 2 * times
