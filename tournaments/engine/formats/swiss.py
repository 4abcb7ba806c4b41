"""Swiss: sides with equal scores meet, and never twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar

import networkx

from tournaments.engine.formats.base import (
    WON,
    Field,
    Format,
    FormatRefused,
    PlayedRound,
    at_least,
    finished,
    option,
    people_of,
)
from tournaments.engine.formats.round_robin import meetings
from tournaments.engine.rounds import Round, Side

REST: Side = ()  # in place of an opponent
BYES = {"win": WON, "half": 1, "nothing": 0}  # half wins that a round without a table is worth


@dataclass(frozen=True, kw_only=True)
class Swiss(Format):
    """So many rounds; in each, sides of like score meet who haven't met yet. An odd side out rests, nobody twice.

    The pairing is a matching of greatest weight over all sides at once, so a round is only refused when no round
    without a rematch exists. Of equal scores the upper half meets the lower half, by points, then by seeding.
    """

    slug: ClassVar[str] = "swiss"
    by_results: ClassVar[bool] = True
    fixed_sides: ClassVar[bool] = True
    rounds: int = option(5)
    bye: str = option("win", choices=tuple(BYES))
    first_by_lot: bool = option(True)

    def next_round(self, field: Field, played: Sequence[PlayedRound], seed: int) -> Round:
        """The next pairing, best table first."""
        at_least(field, 2)
        finished(played)
        if self.over(field, played):
            raise FormatRefused("format.over")
        order = list(field.present)
        if not played and self.first_by_lot:
            Random(seed).shuffle(order)
        score, points = scores(field.teams, played, BYES[self.bye])
        order.sort(key=lambda team: (-score[team], -points[team]))
        matched = _matched(order, score, played)
        if 2 * len(matched) < len(order):
            raise FormatRefused("format.no-pairing", (("rounds", len(played)),))
        tables = tuple(pair for pair in matched if REST not in pair)
        return Round(tables, people_of([pair[0] for pair in matched if REST in pair]))

    def over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        """Whether all rounds are played."""
        return len(played) >= self.rounds


def scores(teams: Sequence[Side], played: Sequence[PlayedRound], bye: int) -> tuple[Counter[Side], Counter[Side]]:
    """Half wins and points of every side so far; a rest is worth `bye` half wins to the side that rested."""
    half_wins: Counter[Side] = Counter()
    points: Counter[Side] = Counter()
    sides = {side[0]: side for side in teams}  # also of those who have only rested so far
    for one in played:
        for table in one.tables:
            for number, side in enumerate(table.sides):
                half_wins[side] += table.half_wins[number]
                points[side] += table.points[number] if table.points else 0
        for side in {sides[person] for person in one.sit_outs if person in sides}:
            half_wins[side] += bye
    return half_wins, points


def _matched(order: Sequence[Side], score: Counter[Side], played: Sequence[PlayedRound]) -> list[tuple[Side, Side]]:
    """Pairs in the order of the standings; an odd side is paired with REST."""
    met = meetings(played)
    rested = {person for one in played for person in one.sit_outs}
    place = {team: number for number, team in enumerate([*order, REST])}
    group = Counter(score[team] for team in order)
    step = 4 * len(order) ** 2 + 4  # a difference in score outweighs all wishes within a group
    widest = max(score.values(), default=0) + 1
    graph = networkx.Graph()
    for one, other in combinations(order, 2):
        if not met[frozenset((one, other))]:
            apart = abs(score[one] - score[other])
            off = abs(place[other] - place[one] - group[score[one]] // 2) if not apart else 0
            graph.add_edge(one, other, weight=(widest**2 - apart**2) * step - off)
    for team in order if len(order) % 2 else ():
        if team[0] not in rested:
            graph.add_edge(team, REST, weight=(widest**2 - score[team] ** 2) * step + place[team])
    matched = networkx.max_weight_matching(graph, maxcardinality=True)
    pairs = [sorted(pair, key=place.__getitem__) for pair in matched]
    return [(one, other) for one, other in sorted(pairs, key=lambda pair: place[pair[0]])]
