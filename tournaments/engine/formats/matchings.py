"""Pairings of everybody by weight, and whether enough rounds without a rematch are left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import chain, count, islice
from random import Random
from typing import TypeAlias

import networkx

Weights: TypeAlias = Mapping[tuple[int, int], int]  # the weight of each pair that can be made, the lower number first

# Whether pairs that haven't met yet make up a number of rounds in which everybody is paired, no pair twice: a graph has
# a vertex for each side and an edge for each two that may still meet, and a round is a perfect matching of it. Rounds
# without a rematch are matchings that share no edge. A search counts its steps, so that it ends the same on every
# machine; what it doesn't find within them may be there all the same.
Graph: TypeAlias = tuple[int, ...]  # for each vertex the set of those it may still meet: bit v for vertex v
Matching: TypeAlias = tuple[tuple[int, int], ...]  # pairs of vertices, the lower first

PAIRINGS, LEAST = 40_000, 10  # looked at, at most: PAIRINGS over the cube of the number of sides, or LEAST
CLIMBS = 8  # searches with a fresh start, before everything is tried in order
FOR_EACH = 60  # steps of one such search, for each pair of a plan
STEPS = 40_000  # pairs tried in order


def best_matching(weights: Weights, sides: int) -> Matching | None:
    """The pairing of everybody (0 ... sides - 1) with the greatest weight; None if not everybody can be paired."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from((*pair, weight) for pair, weight in weights.items())
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    return tuple(sorted((min(pair), max(pair)) for pair in matching)) if 2 * len(matching) == sides else None


def matchings_by_weight(weights: Weights, sides: int) -> Iterator[Matching]:
    """All pairings of everybody, by falling weight.

    Of a pairing with pairs 1 ... n, the others are those without pair 1, those with it and without pair 2, and so on:
    the best of each of these kinds waits for its turn. Source: K. G. Murty, An algorithm for ranking all the
    assignments in order of increasing cost, Operations Research 16 (1968)."""
    number = count()
    waiting: list[tuple[int, int, Matching, Matching, dict[tuple[int, int], int]]] = []

    def put(fixed: Matching, free: dict[tuple[int, int], int]) -> None:
        seated = {side for pair in fixed for side in pair}
        open_pairs = {pair: weight for pair, weight in free.items() if not seated.intersection(pair)}
        if (rest := best_matching(open_pairs, sides - len(seated))) is not None:
            heappush(waiting, (-total_weight((*fixed, *rest), weights), next(number), fixed, rest, free))

    put((), dict(weights))
    while waiting:
        _weight, _number, fixed, rest, free = heappop(waiting)
        yield tuple(sorted((*fixed, *rest)))
        for n, pair in enumerate(rest):
            put((*fixed, *rest[:n]), {other: weight for other, weight in free.items() if other != pair})


def best_matching_with_rounds_ahead(weights: Weights, sides: int, *, ahead: int) -> Matching | None:
    """The best pairing that leaves `ahead` rounds without a rematch, or if there is none, as many as possible. None if
    not everybody can be paired.

    The weights name the pairs that haven't met. Pairings are tried by falling weight, up to a number that depends only
    on the number of sides; after that the best round of a plan is taken."""
    pairings = matchings_by_weight(weights, sides)
    first = next(pairings, None)
    graph = make_graph(weights, sides)
    if first is None or can_plan(without_edges(graph, first), ahead):
        return first
    plans = (plan_rounds(graph, rounds) for rounds in range(ahead + 1, 1, -1))
    longest = next((rounds for rounds in plans if rounds is not None), (first,))
    if len(longest) == 1:
        return first
    for pairing in islice(chain((first,), pairings), max(PAIRINGS // sides**3, LEAST)):
        if can_plan(without_edges(graph, pairing), len(longest) - 1):
            return pairing
    return max(longest, key=lambda pairing: total_weight(pairing, weights))


def make_graph(weights: Weights, sides: int) -> Graph:
    """For each side, those that it may still meet."""
    graph = [0] * sides
    for side, other in weights:
        graph[side] |= 1 << other
        graph[other] |= 1 << side
    return tuple(graph)


def total_weight(pairing: Matching, weights: Weights) -> int:
    return sum(weights[pair] for pair in pairing)


def penalize_rematches(weights: Weights, times: Weights) -> dict[tuple[int, int], int]:
    """The weights, lowered so that a best pairing has as few rematches as possible, and those of pairs that have met
    least often. `times` says how often each pair has met."""
    pairs = len(weights)
    most = sum(times.values()) + 1
    step = pairs * (max(weights.values()) - min(weights.values()) + 1)
    return {pair: weight - step * (pairs * most * (times[pair] > 0) + times[pair]) for pair, weight in weights.items()}


def plan_rounds(graph: Graph, rounds: int) -> tuple[Matching, ...] | None:
    """As many perfect matchings as rounds, sharing no edge; None if there are none, or none are found.

    >>> sorted(plan_rounds((0b0110, 0b1001, 0b1001, 0b0110), 2))
    [((0, 1), (2, 3)), ((0, 2), (1, 3))]
    >>> plan_rounds((0b110, 0b101, 0b011), 1) is None
    True
    """
    if not _may_exist(graph, rounds):
        return None
    if not rounds or not graph:
        return ((),) * rounds
    for number in range(CLIMBS):
        if (climbed := _plan_by_climbing(graph, rounds, rng=Random(number))) is not None:
            return climbed
    return _plan_by_trying(graph, rounds)


def can_plan(graph: Graph, rounds: int) -> bool:
    """Whether this many rounds are possible without a rematch, as far as the search can tell.

    A graph of n vertices in which each has n/2 neighbours has a perfect matching (Dirac 1952), and every round takes
    one neighbour from each: so no plan is needed while everybody has that many left for the last round."""
    fewest = min((mask.bit_count() for mask in graph), default=0)
    if len(graph) % 2 == 0 and 2 * (fewest - rounds + 1) >= len(graph):
        return True
    return plan_rounds(graph, rounds) is not None


def without_edges(graph: Graph, matching: Matching) -> Graph:
    left = list(graph)
    for side, other in matching:
        left[side] &= ~(1 << other)
        left[other] &= ~(1 << side)
    return tuple(left)


def _may_exist(graph: Graph, rounds: int) -> bool:
    """Whether, by counting, this many rounds may be possible: everybody has enough others to meet, and every connected
    part of the graph is even."""
    if rounds <= 0:
        return True
    return all(mask.bit_count() >= rounds for mask in graph) and not any(
        part.bit_count() % 2 for part in _connected_parts(graph)
    )


def _connected_parts(graph: Graph) -> Iterator[int]:
    left = (1 << len(graph)) - 1
    while left:
        part, new = 0, left & -left
        while new:
            part |= new
            reached = 0
            for vertex in _vertices(new):
                reached |= graph[vertex]
            new = reached & ~part
        yield part
        left &= ~part


def _vertices(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _plan_by_climbing(graph: Graph, rounds: int, *, rng: Random) -> tuple[Matching, ...] | None:
    """A plan by filling gaps: somebody without a partner in a round gets one, who may leave theirs for it.

    The number of gaps never rises. Source: J. H. Dinitz and D. R. Stinson, A hill-climbing algorithm for the
    construction of one-factorizations, SIAM J. Algebraic Discrete Methods 8 (1987)."""
    partner = [[-1] * len(graph) for _ in range(rounds)]
    unused = list(graph)
    gaps = [(vertex, r) for r in range(rounds) for vertex in range(len(graph))]
    for _step in range(FOR_EACH * len(gaps)):
        while gaps and partner[gaps[-1][1]][gaps[-1][0]] >= 0:
            gaps.pop()
        if not gaps:
            return tuple(
                tuple((vertex, other) for vertex, other in enumerate(mates) if vertex < other) for mates in partner
            )
        place = int(rng.random() * len(gaps))
        gaps[place], gaps[-1] = gaps[-1], gaps[place]
        vertex, r = gaps[-1]
        if partner[r][vertex] >= 0:
            continue
        choice = list(_vertices(unused[vertex]))
        other = choice[int(rng.random() * len(choice))]  # there are no more rounds than neighbours, so one is left
        before = partner[r][other]
        if before >= 0:
            partner[r][before] = -1
            unused[other] |= 1 << before
            unused[before] |= 1 << other
            gaps.append((before, r))
        partner[r][vertex], partner[r][other] = other, vertex
        unused[vertex] &= ~(1 << other)
        unused[other] &= ~(1 << vertex)
    return None


def _plan_by_trying(graph: Graph, rounds: int) -> tuple[Matching, ...] | None:
    """A plan by trying everything in order, up to `STEPS` pairs.

    The rounds of a plan have no order, so only one order is tried: by the rising partners of the vertex with the
    fewest."""
    first = min(range(len(graph)), key=lambda vertex: (graph[vertex].bit_count(), vertex))
    steps = 0

    def matchings(left: Graph, free: int, *, begun: Matching) -> Iterator[Matching]:
        nonlocal steps
        if not free:
            yield begun
            return
        vertex = min(_vertices(free), key=lambda v: (left[v] & free).bit_count())
        for other in _vertices(left[vertex] & free):
            steps += 1
            if steps > STEPS:
                return
            pair = (vertex, other) if vertex < other else (other, vertex)
            yield from matchings(left, free & ~(1 << vertex) & ~(1 << other), begun=(*begun, pair))

    def further(left: Graph, missing: int, *, above: int) -> tuple[Matching, ...] | None:
        if not missing:
            return ()
        if not _may_exist(left, missing):
            return None
        neighbours = list(_vertices(left[first] >> above << above))
        for other in neighbours[: len(neighbours) - missing + 1]:
            pair = (first, other) if first < other else (other, first)
            everybody = (1 << len(left)) - 1
            for matching in matchings(left, everybody & ~(1 << first) & ~(1 << other), begun=(pair,)):
                if (rest := further(without_edges(left, matching), missing - 1, above=other + 1)) is not None:
                    return (tuple(sorted(matching)), *rest)
                if steps > STEPS:
                    return None
        return None

    return further(graph, rounds, above=0)
