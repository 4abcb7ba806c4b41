"""Rounds for wishes so tight that lots find none: everything is tried, partners wanted once before sit-outs.

One limit on the number of trials holds for all sets of wishes that are asked about in one draw.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from random import Random

from tournaments.engine.draws.first_seating import Bench, Demands, Effort, NextFraction, RoundToSeat, place
from tournaments.engine.draws.partner_turns import Pair, too_many, turns
from tournaments.engine.draws.search_start import TRIES, SearchTask, Start, seated, share_sit_outs

LONG = 16_000  # places and turns to try before tight wishes are given up: a second or two
MANY = 80  # people; with more of them each place takes longer to try, so fewer are tried
SOON = LONG // 10  # the limit where somebody waits for the answer
EACH = 1_000  # of these, the limit for each set of wishes after the first


class Undecided(Exception):
    """It would take longer to find out whether wishes can hold."""


class Looking:
    """Finds out, for one set of demands after another, whether there are rounds in which they hold.

    A call returns True when there are; False when there are none, or none were found; None when no trials are left.
    With `soon`, Undecided is raised in place of None, and also where none were found though there may be some.
    """

    def __init__(self, task: SearchTask, *, soon: bool) -> None:
        self.task, self.soon = task, soon
        self.left = (SOON if soon else LONG) * MANY // max(MANY, task.people)
        self.asked = False

    def __call__(self, demands: Demands) -> bool | None:
        """Look for rounds."""
        most = min(self.left, EACH) if self.asked else self.left // 2
        self.asked = True
        if most > 0:
            effort = Effort(most)
            asked = replace(self.task, demands=demands, rounds=self.task.rounds if demands.once else 1)
            found = _partnered(asked, Random(asked.seed).random, effort=effort)
            self.left -= most - effort.left + len(self.task.layout.shapes)  # the preparation counts, too
            if found is not None or effort.left >= 0 or not self.soon:
                return found is not None
        if self.soon:
            raise Undecided
        return None


def sought(task: SearchTask) -> Start:
    """Rounds in which all demands hold, of several found those with the fairest sit-outs; a single round where no pair
    is wanted once.

    Raises:
        ValueError: none were found.
    """
    if not task.demands.once:
        task = replace(task, rounds=1)
    number = Random(task.seed).random
    found = _partnered(task, number, effort=Effort(LONG))
    if found is None:
        raise ValueError("demands that can't hold")
    tied = [_both_ways(pairs) for pairs, _seats in found]
    effort = Effort(LONG)
    seats = task.people - task.layout.sit_outs
    best = Start(
        [seating for _pairs, seating in found], _with_couples(task, tied, shared=[one[seats:] for _p, one in found])
    )
    least = _uneven(task, best)
    for _attempt in range(TRIES):
        shared = share_sit_outs(task, number, busy=tied)
        begun = seated(task, shared, tied=_with_couples(task, tied, shared=shared), number=number, effort=effort)
        if begun is not None and (uneven := _uneven(task, begun)) < least:
            best, least = begun, uneven
        if begun is None or least[0] <= 1:
            break
    return best


def _partnered(task: SearchTask, number: NextFraction, *, effort: Effort) -> list[tuple[list[Pair], list[int]]] | None:
    """For each round the pairs wanted once that are partners in it, and a seating of it in which all demands hold.

    None: there is no way, or none was found before the effort was spent.
    """
    demands, shapes = task.demands, task.layout.shapes
    capacity = sum(size // 2 for shape in shapes for size in shape)
    bench = Bench(task.layout.sit_outs, task.history.sit_outs)
    free = demands == Demands(once=demands.once)
    known: dict[frozenset[Pair], list[int] | None] = {}

    def fitted(pairs: Collection[Pair], effort: Effort) -> list[int] | None:
        key = frozenset(pairs)
        if key not in known:
            ties = {**_both_ways(pairs), **demands.always}
            seating = place(range(task.people), RoundToSeat(shapes, demands, ties, bench), number=number, effort=effort)
            if effort.left < 0:
                return seating
            known[key] = seating
        return known[key]

    def fits(pairs: Collection[Pair], effort: Effort) -> bool:
        return free or fitted(pairs, effort) is not None

    if too_many(demands.once, task.rounds, most=capacity) or not fits((), effort):
        return None
    by_round = turns(demands.once, task.rounds, most=capacity, fits=fits, number=number, effort=effort)
    return None if by_round is None else [(pairs, fitted(pairs, Effort(LONG)) or []) for pairs in by_round]


def _with_couples(
    task: SearchTask, tied: Sequence[dict[int, int]], *, shared: Sequence[Sequence[int]]
) -> list[dict[int, int]]:
    """Who are partners in these rounds with these sit-outs: those tied, and couples who play."""
    always = task.demands.always.items()
    return [{**ties, **{p: q for p, q in always if p not in out}} for ties, out in zip(tied, shared, strict=True)]


def _uneven(task: SearchTask, begun: Start) -> tuple[int, int]:
    """How uneven sit-outs are after these rounds: the most less the fewest, then the sum of their squares."""
    count = list(task.history.sit_outs)
    for seating in begun.seatings:
        for person in seating[task.people - task.layout.sit_outs :]:
            count[person] += 1
    return max(count) - min(count), sum(times**2 for times in count)


def _both_ways(pairs: Iterable[Pair]) -> dict[int, int]:
    return {p: q for a, b in pairs for p, q in ((a, b), (b, a))}
