"""Pairings of a whole field, the best first, and the best that leaves enough rounds without a rematch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import chain, count, islice
from typing import TypeAlias

import networkx

from tournaments.engine.formats.ahead import Graph, Matching, holds, plan, without

Weights: TypeAlias = Mapping[tuple[int, int], int]  # the weight of each pair that can be made, the lower number first

PAIRINGS, LEAST = 40_000, 10  # looked at, at most: PAIRINGS over the cube of the number of sides, or LEAST


def best(weights: Weights, sides: int) -> Matching | None:
    """The pairing of everybody (0 ... sides - 1) with the greatest weight; None when not everybody can be paired."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, weight) for (one, other), weight in weights.items())
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in found)) if 2 * len(found) == sides else None


def best_first(weights: Weights, sides: int) -> Iterator[Matching]:
    """All pairings of everybody, by falling weight.

    Of a pairing with pairs 1 ... n, the others are those without pair 1, those with it and without pair 2, and so on:
    the best of each of these kinds waits for its turn. Source: K. G. Murty, An algorithm for ranking all the
    assignments in order of increasing cost, Operations Research 16 (1968).
    """
    number = count()
    waiting: list[tuple[int, int, Matching, Matching, dict[tuple[int, int], int]]] = []

    def put(fixed: Matching, free: dict[tuple[int, int], int]) -> None:
        seated = {side for pair in fixed for side in pair}
        open_pairs = {pair: weight for pair, weight in free.items() if not seated.intersection(pair)}
        if (rest := best(open_pairs, sides - len(seated))) is not None:
            heappush(waiting, (-weight_of((*fixed, *rest), weights), next(number), fixed, rest, free))

    put((), dict(weights))
    while waiting:
        _weight, _number, fixed, rest, free = heappop(waiting)
        yield tuple(sorted((*fixed, *rest)))
        for n, pair in enumerate(rest):
            put((*fixed, *rest[:n]), {one: weight for one, weight in free.items() if one != pair})


def best_with_rounds_ahead(weights: Weights, sides: int, *, ahead: int) -> Matching | None:
    """The best pairing after which `ahead` rounds without a rematch are left; where there is no such plan, after which
    as many are left as can be. None when not everybody can be paired.

    The weights name the pairs that haven't met. Pairings are looked at by falling weight, up to a number that depends
    on the number of sides alone; after that the best round of a plan is taken.
    """
    pairings = best_first(weights, sides)
    first = next(pairings, None)
    graph = graph_of(weights, sides)
    if first is None or holds(without(graph, first), ahead):
        return first
    plans = (plan(graph, rounds) for rounds in range(ahead + 1, 1, -1))
    longest = next((found for found in plans if found is not None), (first,))
    if len(longest) == 1:
        return first
    for pairing in islice(chain((first,), pairings), max(PAIRINGS // sides**3, LEAST)):
        if holds(without(graph, pairing), len(longest) - 1):
            return pairing
    return max(longest, key=lambda pairing: weight_of(pairing, weights))


def graph_of(weights: Weights, sides: int) -> Graph:
    """For each side, those that it may still meet."""
    graph = [0] * sides
    for one, other in weights:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    return tuple(graph)


def weight_of(pairing: Matching, weights: Weights) -> int:
    """The weights of its pairs together."""
    return sum(weights[pair] for pair in pairing)


def less_for_rematches(weights: Weights, times: Weights) -> dict[tuple[int, int], int]:
    """The weights, lowered so that a best pairing has as few rematches as can be, and those of pairs that have met
    least often. `times` says how often each pair has met."""
    pairs = len(weights)
    most = sum(times.values()) + 1
    step = pairs * (max(weights.values()) - min(weights.values()) + 1)
    return {pair: weight - step * (pairs * most * (times[pair] > 0) + times[pair]) for pair, weight in weights.items()}
