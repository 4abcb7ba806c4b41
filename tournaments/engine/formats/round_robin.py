"""Everybody meets everybody: fixed sides, two at a table, in as few rounds as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import networkx

from tournaments.engine.formats.base import Field, Format, FormatRefused, PlayedRound, at_least, option, people_of
from tournaments.engine.rounds import SeatedRound, Side

REST: Side = ()  # in place of an opponent


@dataclass(frozen=True, kw_only=True)
class RoundRobin(Format):
    """Every side meets every other once in each leg. With an odd number one side rests each round, each once a leg.

    Source: the circle method (one stands still, the others turn), as in any league's fixtures.
    """

    slug: ClassVar[str] = "round-robin"
    all_meet: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "head-to-head", "points", "net", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    legs: int = option(1, most=4)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next round of the circle; once somebody has left, sides that have met least often are paired."""
        at_least(field, 2)
        if self.over(field, played):
            raise FormatRefused("format.over")
        count = len(field.teams) + len(field.teams) % 2
        if len(field.present) == len(field.teams) and all(
            _as_drawn(one, circle(field.teams, number % (count - 1))) for number, one in enumerate(played)
        ):
            return circle(field.teams, len(played) % (count - 1))
        return _least_met(field, played)

    def over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        """Whether everybody still there has met everybody else in every leg."""
        met = meetings(played)
        return all(met[frozenset(pair)] >= self.legs for pair in combinations(field.present, 2))


def circle(teams: Sequence[Side], number: int) -> SeatedRound:
    """Round `number` (from 0) of everybody against everybody by the circle method.

    >>> [circle(((1,), (2,), (3,), (4,)), n).tables for n in range(3)]
    [(((1,), (4,)), ((2,), (3,))), (((4,), (3,)), ((1,), (2,))), (((2,), (4,)), ((3,), (1,)))]
    """
    ring = [*teams, *[REST] * (len(teams) % 2)]
    half, turning = len(ring) // 2, len(ring) - 1
    start = number * half % turning
    pairs = [(ring[start], ring[turning]) if number % 2 == 0 else (ring[turning], ring[start])]
    pairs += [(ring[(start + i) % turning], ring[(start - i) % turning]) for i in range(1, half)]
    tables = tuple(pair for pair in pairs if REST not in pair)
    return SeatedRound(tables, people_of([side for pair in pairs if REST in pair for side in pair]))


def meetings(played: Sequence[PlayedRound]) -> Counter[frozenset[Side]]:
    """How often two sides have been at a table."""
    return Counter(frozenset(pair) for one in played for table in one.tables for pair in combinations(table.sides, 2))


def _as_drawn(played: PlayedRound, drawn: SeatedRound) -> bool:
    return {frozenset(t.sides) for t in played.tables} == {frozenset(t) for t in drawn.tables}


def _least_met(field: Field, played: Sequence[PlayedRound]) -> SeatedRound:
    """As many tables as can be of sides that have met least often; who has rested least rests."""
    met, rested = meetings(played), Counter(person for one in played for person in one.sit_outs)
    most = max(met.values(), default=0) + 1
    most_rested = max(rested.values(), default=0) + 1
    graph = networkx.Graph()
    for one, other in combinations(field.present, 2):
        due = rested[one[0]] + rested[other[0]]
        graph.add_edge(one, other, weight=(most - met[frozenset((one, other))]) * (2 * most_rested + 1) + due)
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    place = {team: number for number, team in enumerate(field.present)}
    tables = sorted((tuple(sorted(pair, key=place.__getitem__)) for pair in matched), key=lambda pair: place[pair[0]])
    seated = {team for table in tables for team in table}
    return SeatedRound(tuple(tables), people_of([team for team in field.present if team not in seated]))
