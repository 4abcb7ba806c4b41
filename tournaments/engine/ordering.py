"""The order of rounds drawn together: the one in which fewest people sit out twice running."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

LOOKED_AT = 20_000  # beginnings of orders


def order(sit_outs: Sequence[frozenset[int]], before: frozenset[int]) -> list[int]:
    """The rounds in an order with the fewest sit-outs running, the first such in the order of their numbers.

    `sit_outs` are those of each round, `before` those of the round played last.
    """
    best: list[int] = list(range(len(sit_outs)))
    fewest = _running(sit_outs, before, best)
    looked = 0

    def extend(begun: list[int], running: int) -> None:
        nonlocal best, fewest, looked
        looked += 1
        if running >= fewest or looked > LOOKED_AT:
            return
        if len(begun) == len(sit_outs):
            best, fewest = list(begun), running
            return
        last = sit_outs[begun[-1]] if begun else before
        for r in sorted(set(range(len(sit_outs))) - set(begun), key=lambda r: (len(last & sit_outs[r]), r)):
            extend([*begun, r], running + len(last & sit_outs[r]))

    extend([], 0)
    return best


def _running(sit_outs: Sequence[frozenset[int]], before: frozenset[int], order: Sequence[int]) -> int:
    rounds = [before, *(sit_outs[r] for r in order)]
    return sum(len(one & two) for one, two in pairwise(rounds))
