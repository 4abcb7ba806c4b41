"""Everybody meets everybody: fixed sides, two at a table, in as few rounds as can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import networkx

from tournaments.engine.formats.base import Field, Format, FormatRefused, PlayedRound, at_least, option, people_of
from tournaments.engine.rounds import SeatedRound, Side, Table

REST: Side = ()  # in place of an opponent


@dataclass(frozen=True, kw_only=True)
class RoundRobin(Format):
    """Every side meets every other once in each leg. With an odd number one side rests each round, each once a leg.

    Nobody meets more often than that: once a side has left, who has no open match rests.

    Source: the circle method (one stands still, the others turn), as in any league's fixtures.
    """

    slug: ClassVar[str] = "round-robin"
    all_meet: ClassVar[bool] = True
    plans_matches: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "head-to-head", "points", "net", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    legs: int = option(1, most=4)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next round of the circle; once somebody has left, of whichever takes fewer rounds: the circle without
        them, or as many open matches as possible in each round."""
        at_least(field, 1 if field.forfeits else 2)
        if self.over(field, played):
            raise FormatRefused("format.over")
        plans = [self._by_circle(field, played)]
        if not plans[0] or len(_taking_part(field)) < len(field.teams):
            plans.append(self._by_matching(field, played))
        return _seated(field, min(filter(None, plans), key=len)[0])

    def over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        """Whether everybody still there has met everybody else in every leg."""
        return not self._open(field, meetings(played))

    def _open(self, field: Field, met: Counter[frozenset[Side]]) -> dict[frozenset[Side], int]:
        """The pairs that still have matches to play, or to win without playing, and how many."""
        pairs = (frozenset(pair) for pair in combinations(_taking_part(field), 2))
        return {
            pair: self.legs - met[pair]
            for pair in pairs
            if met[pair] < self.legs and not pair.isdisjoint(field.present)
        }

    def _by_circle(self, field: Field, played: Sequence[PlayedRound]) -> list[list[Table]]:
        """The rounds of the circle that are left, without the matches of those who have left; none where the rounds
        played weren't those of the circle."""
        count = len(field.teams) + len(field.teams) % 2 - 1
        legs = [circle(field.teams, number % count).tables for number in range(self.legs * count)]
        still = self._open(field, Counter())
        due = [[pair for pair in one if frozenset(pair) in still] for one in legs]
        for one, drawn, there in zip(played, legs, due, strict=False):
            pairs = {frozenset(table.sides) for table in one.tables}
            if not {frozenset(pair) for pair in there} <= pairs <= {frozenset(pair) for pair in drawn}:
                return []
        return [one for one in due[len(played) :] if one]

    def _by_matching(self, field: Field, played: Sequence[PlayedRound]) -> list[list[Table]]:
        """Rounds of as many open matches as possible: of pairs that have met least often, then of sides with the most
        matches left, so that few rounds are needed, then of sides that have rested most."""
        met, rested = meetings(played), Counter(person for one in played for person in one.sit_outs)
        place = {team: number for number, team in enumerate(field.teams)}
        rounds: list[list[Table]] = []
        while still := self._open(field, met):
            left = Counter(side for pair in still for side in pair)
            most_rested, most_left = (2 * max(counter.values(), default=0) + 1 for counter in (rested, left))
            graph = networkx.Graph()
            for (one, other), legs in still.items():
                due = rested[one[0]] + rested[other[0]]
                busy = left[one] ** 2 + left[other] ** 2
                graph.add_edge(one, other, weight=(legs * most_left**2 + busy) * most_rested + due)
            matched = networkx.max_weight_matching(graph, maxcardinality=True)
            pairs = [tuple(sorted(pair, key=place.__getitem__)) for pair in matched]
            rounds.append(sorted(pairs, key=lambda pair: place[pair[0]]))
            met.update(map(frozenset, matched))
            rested.update(side[0] for side in field.present if all(side not in pair for pair in matched))
        return rounds


def _taking_part(field: Field) -> list[Side]:
    """The sides that are there, and those that have left and lose the matches that they still had."""
    return [team for team in field.teams if team in field.present or field.forfeits.intersection(team)]


def _seated(field: Field, pairs: Sequence[Table]) -> SeatedRound:
    """A round of these matches: those with a side that isn't there have no table, and whoever is there rests."""
    there = set(field.present)
    tables = tuple(pair for pair in pairs if there.issuperset(pair))
    walkovers = [
        sorted(pair, key=lambda side: side not in there) for pair in pairs if len(there.intersection(pair)) == 1
    ]
    seated = {side for table in tables for side in table}
    rest = people_of([side for side in field.present if side not in seated])
    return SeatedRound(tables, rest, tuple((winner, away) for winner, away in walkovers))


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
