"""In which round each pair that wants to be partners once has its turn: everything is tried, up to a limit.

That is to colour the edges of a graph: the people are its nodes, the pairs its edges, the rounds the colours. The pair
with the fewest rounds left comes first; rounds without any pair are alike, so one of them is tried. What can't be is
often seen by counting: somebody has more partners to come than rounds, or of people who all wish for each other an odd
one is left over every time. A search that gets lost is begun afresh by another lot, with twice the patience.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from tournaments.engine.draws.first_seating import Effort, NextFraction, shuffled
from tournaments.engine.grouping import joined

PATIENCE = 250  # turns to try before the first fresh beginning

Pair: TypeAlias = tuple[int, int]
Fits = Callable[[Collection[Pair], Effort], bool]  # whether a round can be seated in which all of these are partners


def turns(
    pairs: Sequence[Pair], rounds: int, *, most: int, fits: Fits, number: NextFraction, effort: Effort
) -> list[list[Pair]] | None:
    """The pairs of each round, at most `most` in one. None: there is no way, or where the effort is spent, none found.

    >>> from random import Random
    >>> nobody_else = lambda pairs, effort: True
    >>> turns([(0, 1), (1, 2), (0, 2)], 2, most=2, fits=nobody_else, number=Random(1).random, effort=Effort()) is None
    True
    >>> sorted(turns([(0, 1), (1, 2), (0, 2)], 3, most=2, fits=nobody_else, number=Random(1).random, effort=Effort()))
    [[(0, 1)], [(0, 2)], [(1, 2)]]
    """
    patience = PATIENCE
    while effort.left > 0:
        given = min(patience, effort.left)
        part = Effort(given)
        search = _Turns(
            joined(shuffled_pairs(pairs, number), set), rounds, most=most, fits=fits, number=number, effort=part
        )
        found = search.settled()
        effort.left -= given - part.left
        if found or part.left >= 0:
            return search.by_round if found else None
        patience *= 2
    return None


def too_many(pairs: Sequence[Pair], rounds: int, *, most: int) -> bool:
    """Whether counting alone shows that there are too few rounds for these pairs.

    >>> too_many([(0, 1), (0, 2), (0, 3)], 2, most=2), too_many([(0, 1), (0, 2), (0, 3)], 3, most=2)
    (True, False)
    """
    asked = _Turns(
        joined(pairs, set), rounds, most=most, fits=lambda _pairs, _effort: True, number=lambda: 0.0, effort=Effort()
    )
    return len(pairs) > rounds * most or not asked.enough()


class _Turns:
    def __init__(
        self, groups: list[list[Pair]], rounds: int, *, most: int, fits: Fits, number: NextFraction, effort: Effort
    ) -> None:
        self.most, self.fits, self.number, self.effort = most, fits, number, effort
        self.by_round: list[list[Pair]] = [[] for _ in range(rounds)]
        self.busy: list[set[int]] = [set() for _ in range(rounds)]
        self.left = [list(group) for group in sorted(groups, key=len, reverse=True)]  # those without a turn, joined

    def settled(self) -> bool:
        """Whether every pair has a turn; `by_round` then says which."""
        group = next((pairs for pairs in self.left if pairs), None)
        if group is None:
            return True
        if self.effort.spent() or not self.enough():
            return False
        pair, rounds = min(((pair, self._open_to(pair)) for pair in group), key=lambda one: len(one[1]))
        at = group.index(pair)
        for r in sorted(shuffled(rounds, self.number), key=lambda r: -len(self.by_round[r])):
            if not self.fits([*self.by_round[r], pair], self.effort):
                continue
            del group[at]
            self.by_round[r].append(pair)
            self.busy[r].update(pair)
            if self.settled():
                return True
            self.busy[r].difference_update(pair)
            self.by_round[r].pop()
            group.insert(at, pair)
            if self.effort.left < 0:
                return False
        return False

    def enough(self) -> bool:
        """Whether, by counting, each pair without a turn can still get a round."""
        return all(self._enough(pairs) for pairs in self.left if pairs)

    def _open_to(self, pair: Pair) -> list[int]:
        """The rounds that this pair may have; of empty rounds, which are all alike, only the first."""
        found, fresh = [], False
        for r, busy in enumerate(self.busy):
            if (
                len(self.by_round[r]) < self.most
                and pair[0] not in busy
                and pair[1] not in busy
                and not (fresh and not busy)
            ):
                found.append(r)
                fresh = fresh or not busy
        return found

    def _enough(self, pairs: Sequence[Pair]) -> bool:
        partners = Counter(person for pair in pairs for person in pair)
        free = Counter(person for busy in self.busy for person in partners if person not in busy)
        if any(times > free[person] for person, times in partners.items()):
            return False
        rooms = zip(self.by_round, self.busy, strict=True)
        return len(pairs) <= sum(
            min(self.most - len(taken), sum(person not in busy for person in partners) // 2) for taken, busy in rooms
        )


def shuffled_pairs(pairs: Sequence[Pair], number: NextFraction) -> list[Pair]:
    """The pairs in an order drawn from the stream."""
    return [pairs[i] for i in shuffled(range(len(pairs)), number)]
