"""The order of rounds drawn together: sit-outs even after each round, should the event end early, and not in a row."""

from __future__ import annotations

from collections.abc import Sequence

LOOKED_AT = 5_000  # beginnings of orders to look at, at most
UNEVEN = 100  # the cost of sit-outs that differ by more than one after a round; two in a row for one person cost 1


def order(sit_outs: Sequence[frozenset[int]], before: frozenset[int], *, count: Sequence[int]) -> list[int]:
    """The rounds in the cheapest order found; in the order of their numbers if none is better.

    `sit_outs` are those of each round, `before` those of the round played last, `count` how often everybody sat out.
    """
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
            more = UNEVEN * max(0, max(count) - min(count) - 1) + len(last & sit_outs[r])
            extend([*begun, r], sit_outs[r], cost=cost + more)
            for p in sit_outs[r]:
                count[p] -= 1

    extend([], before, cost=0)
    return best
