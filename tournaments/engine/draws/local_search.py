"""Local search for rounds: two people change seats where that costs least.

The cost adds up, over pairs that were p times partners and o times opponents, 10 C(p,2) + C(o,2) + C(p+o,2): squares,
so that repeats are spread rather than piled on one pair; where visits to odd tables are to be even, v^2 for each who
was there v times. Sit-outs are shared out first and no exchange may make them less fair. What must hold (people kept
apart, couples, people with a table of their own) holds in the first seating, and no exchange that breaks it is taken.
The search is counted in steps (exchanges looked at), and every choice comes from the one stream of numbers
that is handed in, with acceptance from a table of exact fractions, so a draw is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import starmap
from math import comb

from tournaments.engine.draws.exchanges import BROKEN, SeatingAttempt, pair_cost
from tournaments.engine.draws.first_seating import NextFraction
from tournaments.engine.draws.search_start import SearchTask, patched, start

ENOUGH = 1_000  # steps for each possible exchange; beyond these a small draw gets no better
FIRST_STAGE, LONGER = 20_000, 4  # steps of the first stage; each further one starts afresh with that many times more


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """How far a search is."""

    steps: int
    of: int
    cost: int  # of the best rounds so far
    seatings: Sequence[Sequence[int]]  # each with everyone by seat; none while all break wishes


# called now and then; False stops the search, which keeps the best rounds so far
OnProgress = Callable[[SearchProgress], bool]


@dataclass(frozen=True, slots=True)
class BestRounds:
    """The best rounds seen: per round everyone by seat, the sit-outs last."""

    seatings: tuple[tuple[int, ...], ...]
    cost: int
    steps: int


def search(task: SearchTask, number: NextFraction, *, steps: int, told: OnProgress, least: int = 0) -> BestRounds:
    """The cheapest rounds found in `steps` steps; it stops early at a cost that can't be beaten, or at `least`.

    An earlier plan with the gaps filled is tried first; then come stages, each longer than the one before and from a
    fresh start, the last as long as there are steps.
    """
    least = max(least, lower_bound(task))
    steps = min(steps, ENOUGH * task.rounds * task.people**2)
    best: BestRounds | None = None
    spent, stage, stopped = 0, FIRST_STAGE, False

    def on(seating: SeatingAttempt) -> bool:
        nonlocal stopped
        cost, seatings = seating.best_cost, tuple(map(tuple, seating.best))
        if best is not None and best.cost <= cost:
            cost, seatings = best.cost, best.seatings
        elif first is not None and cost >= BROKEN:
            seatings = ()
        stopped = stopped or not told(SearchProgress(min(spent + seating.steps, steps), steps, cost, seatings))
        return not stopped

    first = patched(task, number) if task.plan else None
    while best is None or (spent < steps and best.cost > least and not stopped):
        seating = SeatingAttempt(task, first or start(task, number), number=number)
        left = max(steps - spent, 1)
        seating.anneal(left if left < 2 * stage else stage, least, cold=first is not None, on=on)
        spent += seating.steps
        usable = first is None or seating.best_cost < BROKEN
        if usable and (best is None or seating.best_cost < best.cost):
            best = BestRounds(tuple(map(tuple, seating.best)), seating.best_cost, spent)
        stage *= 1 if first else LONGER
        first = None
    return BestRounds(best.seatings, best.cost, spent)


def lower_bound(task: SearchTask) -> int:
    """A cost that no rounds can go below: all meetings spread evenly over all pairs, role by role.

    Where a table has more people than there are tables, some of its people must meet again in every later round.
    """
    people, history, shapes = task.people, task.history, task.layout.shapes
    pairs = people * (people - 1) // 2
    couples = len(task.demands.always) // 2
    partners = sum(comb(side, 2) for shape in shapes for side in shape)
    table_mates = sum(comb(sum(shape), 2) for shape in shapes)
    played_partners = sum(map(sum, history.partners)) // 2
    played_opponents = sum(map(sum, history.opponents)) // 2
    new_partners = task.rounds * max(partners - couples, 0)  # more couples than sides: some sit out
    new_opponents = task.rounds * (table_mates - partners)
    again = 0 if couples else comb(task.rounds, 2) * _again(shapes, task.layout.sit_outs)
    even = (
        10 * _even(played_partners + new_partners, pairs)
        + max(_even(played_opponents + new_opponents, pairs), 0 if partners else again)
        + max(_even(played_partners + played_opponents + new_partners + new_opponents, pairs), again)
    )
    already = 0
    if played_partners or played_opponents:
        times = ((history.partners[i][j], history.opponents[i][j]) for i in range(people) for j in range(i))
        already = sum(starmap(pair_cost, times))
    return max(even, already) + (_least_visits(task) if task.even_visits else 0)


def _least_visits(task: SearchTask) -> int:
    """The least sum of squares of visits to odd tables: the remaining visits go to those who were there least often."""
    usual = task.layout.shapes[0]
    visits = list(task.history.visits)
    for _ in range(task.rounds * sum(sum(shape) for shape in task.layout.shapes if shape != usual)):
        fewest = min(range(len(visits)), key=visits.__getitem__)
        visits[fewest] += 1
    return sum(v * v for v in visits)


def _again(shapes: tuple[tuple[int, ...], ...], sit_outs: int) -> int:
    """The fewest pairs of one round's table-mates that must share a table in another round too. Sit-outs are taken from
    the fullest tables, where they leave the fewest."""
    sizes = [sum(shape) for shape in shapes]
    for _ in range(min(sit_outs, sum(sizes))):
        sizes[sizes.index(max(sizes))] -= 1
    return sum(_even(size, len(shapes)) for size in sizes)


def _even(meetings: int, pairs: int) -> int:
    each, over = divmod(meetings, pairs)
    return (pairs - over) * comb(each, 2) + over * comb(each + 1, 2)
