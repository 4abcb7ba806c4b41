"""The algorithm of Good Enough Golfers, which organisers use, to compare our draws with: re-implemented, not copied.

Rounds are made one after the other. A round starts from a few arrangements by lot; in each generation the best ones
(all that are equally good, a hundred at most) have children, in which one person of the worst table has changed places
with any other, and a few more by lot. A table costs the squares of how often its pairs have met. It ends at no cost, or
after thirty generations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from random import Random

GENERATIONS, BEGINNINGS, PARENTS, STRANGERS = 30, 5, 100, 2

Tables = list[list[int]]
Costed = tuple[int, Tables]  # what these tables cost, and they


def good_enough(tables: int, size: int, *, rounds: int, seed: int) -> list[Tables]:
    """So many rounds of tables, for the people 0 ... tables x size - 1."""
    rng = Random(seed)
    people = tables * size
    met = [[0] * people for _ in range(people)]
    drawn = []
    for _round in range(rounds):
        one = _one_round(tables, size, met=met, rng=rng)
        for table in one:
            for a, b in combinations(table, 2):
                met[a][b] += 1
                met[b][a] += 1
        drawn.append(one)
    return drawn


def _one_round(tables: int, size: int, *, met: Sequence[Sequence[int]], rng: Random) -> Tables:
    def by_lot(count: int) -> list[Costed]:
        drawn = [_by_lot(tables, size, rng=rng) for _ in range(count)]
        return [(sum(_costs(one, met)), one) for one in drawn]

    best = _best(by_lot(BEGINNINGS))
    for _generation in range(GENERATIONS):
        if not sum(_costs(best[0], met)):
            break
        children: list[Costed] = []
        for parent in best:
            own = _costs(parent, met)
            children.append((sum(own), parent))
            worst = own.index(max(own))
            for seat, other, place in product(range(size), range(tables), range(size)):
                if other != worst:
                    child = _exchanged(parent, worst, seat=seat, other=other, place=place)
                    change = _cost(child[worst], met) + _cost(child[other], met) - own[worst] - own[other]
                    children.append((sum(own) + change, child))
            children += by_lot(STRANGERS)
        best = _best(children)
        rng.shuffle(best)
        best = best[:PARENTS]
    return best[0]


def _by_lot(tables: int, size: int, *, rng: Random) -> Tables:
    people = list(range(tables * size))
    rng.shuffle(people)
    return [people[t * size : (t + 1) * size] for t in range(tables)]


def _best(some: Sequence[Costed]) -> list[Tables]:
    least = min(cost for cost, _one in some)
    return [one for cost, one in some if cost == least]


def _exchanged(parent: Tables, table: int, *, seat: int, other: int, place: int) -> Tables:
    child = list(parent)
    child[table], child[other] = list(parent[table]), list(parent[other])
    child[table][seat], child[other][place] = parent[other][place], parent[table][seat]
    return child


def _costs(one: Tables, met: Sequence[Sequence[int]]) -> list[int]:
    return [_cost(table, met) for table in one]


def _cost(table: Sequence[int], met: Sequence[Sequence[int]]) -> int:
    return sum(met[a][b] ** 2 for a, b in combinations(table, 2))
