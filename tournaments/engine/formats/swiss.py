"""Swiss: sides with equal scores meet, and never twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import ClassVar

from tournaments.engine.formats.ahead import holds
from tournaments.engine.formats.base import WON, Field, FormatRefused, InRounds, PlayedRound, option, people_of
from tournaments.engine.formats.pairing import best, best_with_rounds_ahead, graph_of, less_for_rematches
from tournaments.engine.formats.round_robin import REST, meetings
from tournaments.engine.rounds import SeatedRound, Side

BYES = {"win": WON, "half": 1, "nothing": 0}  # half wins that a round without a table is worth
REMATCHES = ("refused", "fewest")


@dataclass(frozen=True, kw_only=True)
class Swiss(InRounds):
    """So many rounds; in each, sides of like score meet who haven't met yet. An odd side out rests, nobody twice.

    The pairing is a matching of greatest weight over all sides at once, among those that leave a rematch-free plan for
    all rounds still to come while the same sides are there (`pairing.best_with_rounds_ahead`). Of equal scores the
    upper half meets the lower half, by points, then by seeding. Where no round without a rematch is left, because
    there are more rounds than that or sides have left, it is refused; or the fewest sides meet, or rest, again. Sides
    that mustn't meet never do.
    """

    slug: ClassVar[str] = "swiss"
    all_meet: ClassVar[bool] = True
    by_score: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    tells_rematches: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net", "head-to-head", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    rounds: int = option(5)
    bye: str = option("win", choices=tuple(BYES))
    first_by_lot: bool = option(True)
    rematches: str = option("refused", choices=REMATCHES)  # what to do where no round without one is left

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next pairing, best table first."""
        self.refuse_unready(field, played, least=2)
        order = list(field.present)
        if not played and self.first_by_lot:
            Random(seed).shuffle(order)
        score, points = self._totals(field, played)
        order.sort(key=lambda team: (-score[team], -points[team]))
        if len(order) % 2:
            order.append(REST)
        times = _times_met(order, played)
        weights = {
            (n, m): weight
            for (n, m), weight in _weights(order, score, times=times).items()
            if not field.keeps_apart(order[n], order[m])
        }
        unmet = {pair: weight for pair, weight in weights.items() if not times[pair]}
        matched = best_with_rounds_ahead(unmet, len(order), ahead=self.rounds - len(played) - 1)
        if matched is None and weights and self.rematches == "fewest":
            matched = best(less_for_rematches(weights, times), len(order))
        if matched is None:
            if field.apart and not self.ended(field, played):
                raise FormatRefused("format.apart")
            raise FormatRefused("format.no-pairing", (("rounds", len(played)),))
        pairs = [(order[one], order[other]) for one, other in matched]
        tables = tuple(pair for pair in pairs if REST not in pair)
        return SeatedRound(tables, people_of([one for one, other in pairs if other == REST]))

    def ended(self, field: Field, played: Sequence[PlayedRound]) -> FormatRefused | None:
        """Also where rematches are refused and no round without one is left, whoever may meet."""
        if played and self.rematches == "refused" and len(field.present) > 1 and not self.over(field, played):
            possible, _planned = self.without_rematch(replace(field, apart=frozenset()), played)
            return None if possible else FormatRefused("format.no-pairing", (("rounds", len(played)),))
        return super().ended(field, played)

    def _totals(self, field: Field, played: Sequence[PlayedRound]) -> tuple[Counter[Side], Counter[Side]]:
        """Half wins and points of every side: those of the standings, where there are any."""
        if field.totals is None:
            return scores(field.teams, played, bye=self.bye_half_wins)
        totals = {team: field.totals.get(team[0], (0, 0)) for team in field.teams}
        return Counter({t: won for t, (won, _p) in totals.items()}), Counter({t: p for t, (_won, p) in totals.items()})

    @property
    def bye_half_wins(self) -> int:
        """What a round without a table is worth."""
        return BYES[self.bye]

    def without_rematch(self, field: Field, played: Sequence[PlayedRound]) -> tuple[int, int]:
        """How many of the rounds still planned can be played without a rematch by those who are there; and how many
        are planned."""
        order = [*field.present, REST] if len(field.present) % 2 else list(field.present)
        times = _times_met(order, played)
        open_pairs = {
            (n, m): 0 for (n, m), met in times.items() if not met and not field.keeps_apart(order[n], order[m])
        }
        graph = graph_of(open_pairs, len(order))
        planned = max(self.rounds - len(played), 0)
        return next((k for k in range(planned, 0, -1) if holds(graph, k)), 0), planned


def scores(teams: Sequence[Side], played: Sequence[PlayedRound], *, bye: int) -> tuple[Counter[Side], Counter[Side]]:
    """Half wins and points of every side so far; a rest is worth `bye` half wins to the side that rested."""
    half_wins: Counter[Side] = Counter()
    points: Counter[Side] = Counter()
    sides = {side[0]: side for side in teams}  # by first person: also sides that have only rested so far
    for one in played:
        for table in one.tables:
            for number, side in enumerate(table.sides):
                half_wins[side] += table.half_wins[number]
                points[side] += table.points[number] if table.points else 0
        for side in {sides[person] for person in one.sit_outs if person in sides}:
            half_wins[side] += bye
    return half_wins, points


def _times_met(order: Sequence[Side], played: Sequence[PlayedRound]) -> dict[tuple[int, int], int]:
    """How often the sides of each pair have met, by their numbers in the order; with REST, how often one has rested, or
    won without playing."""
    met = meetings(played)
    rested = Counter(person for one in played for person in one.sit_outs)
    walkovers = (table for one in played for table in one.tables if table.walkover)
    rested.update(side[0] for table in walkovers for side, won in zip(table.sides, table.half_wins, strict=True) if won)
    return {
        (n, m): rested[one[0]] if other == REST else met[frozenset((one, other))]
        for (n, one), (m, other) in combinations(enumerate(order), 2)
    }


def _weights(
    order: Sequence[Side], score: Counter[Side], *, times: Mapping[tuple[int, int], int]
) -> dict[tuple[int, int], int]:
    """How good each pair is, by numbers in the order of the standings: a difference in score outweighs all wishes
    within a group of equal score. The lower a side's score, the better it rests; and that a side rests which has more
    than half a win above the lowest of those that have rested least is worse than any pairing without it."""
    sides = len(order) - (REST in order)
    group = Counter(score[team] for team in order if team != REST)
    step = 4 * sides**2 + 4
    widest = max(score.values(), default=0) + 1
    least = min((times[n, sides] for n in range(sides)), default=0) if REST in order else 0
    lowest = min((score[order[n]] for n in range(sides) if REST in order and times[n, sides] == least), default=0)
    weights = {}
    for (place, one), (lower, other) in combinations(enumerate(order), 2):
        if other == REST:
            above = max(score[one] - lowest - 1, 0)
            weights[place, lower] = (widest**2 * (1 - len(order) * above) - score[one] ** 2) * step + place
        else:
            apart = abs(score[one] - score[other])
            off = abs(lower - place - group[score[one]] // 2) if not apart else 0
            weights[place, lower] = (widest**2 - apart**2) * step - off
    return weights
