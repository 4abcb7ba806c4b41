"""Formats that pair side against side: league, Swiss, ladder, a match of two clubs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise
from random import Random
from typing import ClassVar

import networkx

from tournaments.engine.formats.base import (
    WON,
    Field,
    Format,
    FormatRefused,
    InRounds,
    PlayedRound,
    make_round,
    option,
    refuse_open_tables,
    refuse_too_few,
    sorted_people,
)
from tournaments.engine.formats.knock_out import LEVEL, absent_people, bracket_order, reopen_level_tables, table_winner
from tournaments.engine.formats.matchings import (
    best_matching,
    best_matching_with_rounds_ahead,
    can_plan,
    make_graph,
    penalize_rematches,
)
from tournaments.engine.rounds import SeatedRound, Side, Table

REST: Side = ()  # in place of an opponent


@dataclass(frozen=True, kw_only=True)
class RoundRobin(Format):
    """Every side meets every other once in each leg. With an odd number a side rests in each round, each once a leg.

    Nobody meets more often than that: once a side has left, sides without an open match rest.

    Source: the circle method (one stands still, the others turn), as in any league's fixtures."""

    slug: ClassVar[str] = "round-robin"
    all_meet: ClassVar[bool] = True
    plans_matches: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "head-to-head", "points", "net", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    legs: int = option(1, most=4)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next round of the circle. Once somebody has left, the shorter of two plans: the circle without them, or
        as many open matches as possible in each round."""
        refuse_too_few(field, 1 if field.forfeits else 2)
        if self.is_over(field, played):
            raise FormatRefused("format.over")
        plans = [self._plan_by_circle(field, played)]
        if not plans[0] or len(_competing_sides(field)) < len(field.teams):
            plans.append(self._plan_by_matching(field, played))
        return _seat_pairs(field, min(filter(None, plans), key=len)[0])

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        """Whether everybody still there has met everybody else in every leg."""
        return not self._open_matches(field, count_meetings(played))

    def _open_matches(self, field: Field, met: Counter[frozenset[Side]]) -> dict[frozenset[Side], int]:
        """The pairs with matches still to play, or to win without playing, and how many."""
        pairs = (frozenset(pair) for pair in combinations(_competing_sides(field), 2))
        return {
            pair: self.legs - met[pair]
            for pair in pairs
            if met[pair] < self.legs and not pair.isdisjoint(field.present)
        }

    def _plan_by_circle(self, field: Field, played: Sequence[PlayedRound]) -> list[list[Table]]:
        """The rounds of the circle that are left, without the matches of those who have left; none if other rounds were
        played."""
        count = len(field.teams) + len(field.teams) % 2 - 1
        legs = [circle_round(field.teams, number % count).tables for number in range(self.legs * count)]
        open_pairs = self._open_matches(field, Counter())
        due = [[pair for pair in drawn if frozenset(pair) in open_pairs] for drawn in legs]
        for round_, drawn, matches in zip(played, legs, due, strict=False):
            pairs = {frozenset(table.sides) for table in round_.tables}
            if not {frozenset(pair) for pair in matches} <= pairs <= {frozenset(pair) for pair in drawn}:
                return []
        return [matches for matches in due[len(played) :] if matches]

    def _plan_by_matching(self, field: Field, played: Sequence[PlayedRound]) -> list[list[Table]]:
        """Rounds of as many open matches as possible: first of pairs that have met least often, then of sides with the
        most matches left (so that few rounds are needed), then of sides that have rested most."""
        met, rested = count_meetings(played), Counter(person for round_ in played for person in round_.sit_outs)
        place = {team: number for number, team in enumerate(field.teams)}
        rounds: list[list[Table]] = []
        while open_pairs := self._open_matches(field, met):
            left = Counter(side for pair in open_pairs for side in pair)
            most_rested, most_left = (2 * max(counter.values(), default=0) + 1 for counter in (rested, left))
            graph = networkx.Graph()
            for (side, other), legs in open_pairs.items():
                due = rested[side[0]] + rested[other[0]]
                busy = left[side] ** 2 + left[other] ** 2
                graph.add_edge(side, other, weight=(legs * most_left**2 + busy) * most_rested + due)
            matched = networkx.max_weight_matching(graph, maxcardinality=True)
            pairs = [tuple(sorted(pair, key=place.__getitem__)) for pair in matched]
            rounds.append(sorted(pairs, key=lambda pair: place[pair[0]]))
            met.update(map(frozenset, matched))
            rested.update(side[0] for side in field.present if all(side not in pair for pair in matched))
        return rounds


@dataclass(frozen=True, kw_only=True)
class Groups(RoundRobin):
    """Groups by lot in which every side meets every other; the best of each go on to a knock-out of its own.

    Sides are dealt to the groups in the order of the field, to and fro; latecomers join the next in turn."""

    slug: ClassVar[str] = "groups"
    in_groups: ClassVar[bool] = True
    ordered: ClassVar[bool] = True
    groups: int = option(2, most=26)
    advance: int = option(2, most=16)  # sides of each group that go on

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next round of every group; sides of groups that have played all their matches rest."""
        if not played:
            refuse_too_few(field, 2 * self.groups)
        league = RoundRobin(legs=self.legs)
        drawn = [
            league.next_round(group, rounds, seed=seed)
            for group, rounds in self._group_fields(field, played)
            if not league.is_over(group, rounds)
        ]
        if not drawn:
            raise FormatRefused("format.over")
        tables = [table for round_ in drawn for table in round_.tables]
        return make_round(field, tables, lost=chain.from_iterable(round_.walkovers for round_ in drawn))

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        league = RoundRobin(legs=self.legs)
        return all(league.is_over(group, rounds) for group, rounds in self._group_fields(field, played))

    def group_of(self, field: Field) -> dict[Side, int]:
        """Each side's group, from 0."""
        ways = [*range(self.groups), *reversed(range(self.groups))]
        return {team: ways[n % len(ways)] for n, team in enumerate(field.teams)}

    def _group_fields(self, field: Field, played: Sequence[PlayedRound]) -> Iterator[tuple[Field, list[PlayedRound]]]:
        """Each group as a field of its own, with its part of the rounds."""
        group = self.group_of(field)
        for number in range(self.groups):
            teams = tuple(team for team in field.teams if group[team] == number)
            people = set(chain.from_iterable(teams))
            rounds = [
                PlayedRound(
                    tuple(table for table in round_.tables if people.issuperset(chain(*table.sides))),
                    tuple(person for person in round_.sit_outs if person in people),
                )
                for round_ in played
            ]
            yield replace(field, teams=teams), rounds


def seed_group_qualifiers(groups: Sequence[Sequence[Side]]) -> list[Side]:
    """The seeds of those who go on from groups to a bracket (as many of each, best first): the first of all groups,
    then the second, and so on; within these in the order of the groups, moved so that sides of one group meet as late
    as possible.

    >>> seed_group_qualifiers([[(1,), (2,)], [(3,), (4,)]])
    [(1,), (3,), (2,), (4,)]
    """
    count, order = len(groups), list[Side]()
    places = bracket_order(sum(map(len, groups)))
    size, place = len(places), {seed: n for n, seed in enumerate(places)}
    for rank in range(len(groups[0])):
        weights = {}
        for number, group in enumerate(groups):
            mates = [place[order.index(mate)] for mate in group[:rank]]
            for slot in range(count):
                spot = place[rank * count + slot]
                near = sum(size ** (size.bit_length() - (spot ^ mate).bit_length()) for mate in mates)
                weights[number, count + slot] = -near * count**2 - abs(number - slot)
        for number, _slot in sorted(best_matching(weights, 2 * count) or (), key=lambda pair: pair[1]):
            order.append(groups[number][rank])
    return order


def _competing_sides(field: Field) -> list[Side]:
    """The sides that are there, and those that have left and lose the matches they still had."""
    return [team for team in field.teams if team in field.present or field.forfeits.intersection(team)]


def _seat_pairs(field: Field, pairs: Sequence[Table]) -> SeatedRound:
    """A round of these matches. If one side isn't there, the match has no table and the other side rests."""
    present = set(field.present)
    walkovers = [
        sorted(pair, key=lambda side: side not in present) for pair in pairs if len(present.intersection(pair)) == 1
    ]
    tables = [pair for pair in pairs if present.issuperset(pair)]
    return make_round(field, tables, lost=((winner, away) for winner, away in walkovers))


def circle_round(teams: Sequence[Side], number: int) -> SeatedRound:
    """Round `number` (from 0) of everybody against everybody by the circle method.

    >>> [circle_round(((1,), (2,), (3,), (4,)), n).tables for n in range(3)]
    [(((1,), (4,)), ((2,), (3,))), (((4,), (3,)), ((1,), (2,))), (((2,), (4,)), ((3,), (1,)))]
    """
    ring = [*teams, *[REST] * (len(teams) % 2)]
    half, turning = len(ring) // 2, len(ring) - 1
    start = number * half % turning
    pairs = [(ring[start], ring[turning]) if number % 2 == 0 else (ring[turning], ring[start])]
    pairs += [(ring[(start + i) % turning], ring[(start - i) % turning]) for i in range(1, half)]
    tables = tuple(pair for pair in pairs if REST not in pair)
    return SeatedRound(tables, sorted_people([side for pair in pairs if REST in pair for side in pair]))


def count_meetings(played: Sequence[PlayedRound]) -> Counter[frozenset[Side]]:
    return Counter(frozenset(pair) for round_ in played for t in round_.tables for pair in combinations(t.sides, 2))


BYES = {"win": WON, "half": 1, "nothing": 0}  # half wins that a round without a table is worth
LATE = {"last": 1, "last-two": 2, "always": 50}  # the last rounds in which nobody minds who has met


@dataclass(frozen=True, kw_only=True)
class Swiss(InRounds):
    """A fixed number of rounds in which sides of like score, or any by lot, meet that haven't met yet. With an odd
    number a side rests, none twice.

    The pairing is a matching of greatest weight over all sides at once, among those that leave a rematch-free plan for
    all rounds still to come while the same sides are there (`best_matching_with_rounds_ahead`). Of equal scores the
    upper half meets the lower half, by points, then by seeding. If no round without a rematch is left, because there
    are too many rounds or sides have left, it is refused, or the fewest sides meet or rest again. Sides that mustn't
    meet never do."""

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
    pairing: str = option("halves", choices=("halves", "neighbours", "lot"))
    rematches: str = option("refused", choices=("refused", "fewest", *LATE))  # where no round without one is left

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        self.refuse_unready(field, played, least=2)
        order, by_lot = list(field.present), self.pairing == "lot"
        if by_lot or (not played and self.first_by_lot):
            Random(seed).shuffle(order)
        score, points = (Counter(), Counter()) if by_lot else self._total_scores(field, played)
        order.sort(key=lambda team: (-score[team], -points[team]))
        if len(order) % 2:
            order.append(REST)
        times = count_times_met(order, played)
        weights = {
            (n, m): weight
            for (n, m), weight in _pair_weights(order, score, times=times, halves=self.pairing != "neighbours").items()
            if not field.keeps_apart(order[n], order[m])
        }
        unmet = {pair: weight for pair, weight in weights.items() if not times[pair]}
        new = self._rounds_to_keep_new(played)
        matched = best_matching_with_rounds_ahead(unmet, len(order), ahead=new - 1) if new else None
        if matched is None and weights and self.rematches != "refused":
            if not new:
                times = {(n, m): met if order[m] == REST else 0 for (n, m), met in times.items()}
            matched = best_matching(penalize_rematches(weights, times), len(order))
        if matched is None:
            if field.apart and not self.end_reason(field, played):
                raise FormatRefused("format.apart")
            raise FormatRefused("format.no-pairing", (("rounds", len(played)),))
        return make_round(field, ((order[n], order[m]) for n, m in matched if order[m] != REST))

    def end_reason(self, field: Field, played: Sequence[PlayedRound]) -> FormatRefused | None:
        """Also if rematches are refused and no round without one is left, even if sides could meet that mustn't."""
        if played and self.rematches == "refused" and len(field.present) > 1 and not self.is_over(field, played):
            possible, _planned = self.rounds_without_rematch(replace(field, apart=frozenset()), played)
            return None if possible else FormatRefused("format.no-pairing", (("rounds", len(played)),))
        return super().end_reason(field, played)

    def _rounds_to_keep_new(self, played: Sequence[PlayedRound]) -> int:
        """How many rounds still to come must be without a rematch."""
        return max(self.rounds - LATE.get(self.rematches, 0) - len(played), 0)

    def _total_scores(self, field: Field, played: Sequence[PlayedRound]) -> tuple[Counter[Side], Counter[Side]]:
        """Half wins and points of every side: those of the standings, if there are any."""
        if field.totals is None:
            return total_scores(field.teams, played, bye=self.bye_half_wins)
        totals = {team: field.totals.get(team[0], (0, 0)) for team in field.teams}
        return Counter({t: won for t, (won, _p) in totals.items()}), Counter({t: p for t, (_won, p) in totals.items()})

    @property
    def bye_half_wins(self) -> int:
        return BYES[self.bye]

    def rounds_without_rematch(self, field: Field, played: Sequence[PlayedRound]) -> tuple[int, int]:
        """How many of the rounds still planned can be played without a rematch by those who are there, and how many are
        planned."""
        order = [*field.present, REST] if len(field.present) % 2 else list(field.present)
        times = count_times_met(order, played)
        open_pairs = {
            (n, m): 0 for (n, m), met in times.items() if not met and not field.keeps_apart(order[n], order[m])
        }
        graph = make_graph(open_pairs, len(order))
        planned = self._rounds_to_keep_new(played)
        return next((k for k in range(planned, 0, -1) if can_plan(graph, k)), 0), planned


def total_scores(
    teams: Sequence[Side], played: Sequence[PlayedRound], *, bye: int
) -> tuple[Counter[Side], Counter[Side]]:
    half_wins: Counter[Side] = Counter()
    points: Counter[Side] = Counter()
    sides = {side[0]: side for side in teams}  # by first person: also sides that have only rested so far
    for round_ in played:
        for table in round_.tables:
            for number, side in enumerate(table.sides):
                half_wins[side] += table.half_wins[number]
                points[side] += table.points[number] if table.points else 0
        for side in {sides[person] for person in round_.sit_outs if person in sides}:
            half_wins[side] += bye
    return half_wins, points


def count_times_met(order: Sequence[Side], played: Sequence[PlayedRound]) -> dict[tuple[int, int], int]:
    """How often the sides of each pair have met, by their numbers in the order; with REST, how often a side has rested,
    or won without playing."""
    met = count_meetings(played)
    rested = Counter(person for round_ in played for person in round_.sit_outs)
    walkovers = (table for round_ in played for table in round_.tables if table.walkover)
    rested.update(side[0] for table in walkovers for side, won in zip(table.sides, table.half_wins, strict=True) if won)
    return {
        (n, m): rested[side[0]] if other == REST else met[frozenset((side, other))]
        for (n, side), (m, other) in combinations(enumerate(order), 2)
    }


def _pair_weights(
    order: Sequence[Side], score: Counter[Side], *, times: Mapping[tuple[int, int], int], halves: bool
) -> dict[tuple[int, int], int]:
    """How good each pair is, by numbers in the order of the standings. A difference in score outweighs everything
    within a group of equal score, where sides should meet one half a group away or, without `halves`, the next. The
    lower a side's score, the better it rests. Letting a side rest that has more than half a win above the lowest of
    those that have rested least is worse than any pairing without it."""
    sides = len(order) - (REST in order)
    group = Counter(score[team] for team in order if team != REST)
    step = 4 * sides**2 + 4
    widest = max(score.values(), default=0) + 1
    least = min((times[n, sides] for n in range(sides)), default=0) if REST in order else 0
    lowest = min((score[order[n]] for n in range(sides) if REST in order and times[n, sides] == least), default=0)
    weights = {}
    for (place, side), (lower, other) in combinations(enumerate(order), 2):
        if other == REST:
            above = max(score[side] - lowest - 1, 0)
            weights[place, lower] = (widest**2 * (1 - len(order) * above) - score[side] ** 2) * step + place
        else:
            apart = abs(score[side] - score[other])
            near = group[score[side]] // 2 if halves else 1
            off = abs(lower - place - near) if not apart or not halves else 0
            weights[place, lower] = (widest**2 - apart**2) * step - off
    return weights


@dataclass(frozen=True, kw_only=True)
class Ladder(InRounds):
    """Two sides at a table; the first is the top. The winner of a table meets the loser of the table above.

    At the top the winner stays, at the bottom the loser. With an odd number of sides the loser at the last table rests,
    and the side that rested comes back there."""

    slug: ClassVar[str] = "ladder"
    by_order_of_tables: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net", "fewest-sets")
    fixed_sides: ClassVar[bool] = True
    first_by_lot: bool = option(True)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """Latecomers join at the bottom, and the line closes up behind those who left."""
        self.refuse_unready(field, played, least=2)
        present = set(field.present)
        if played:
            line = [team for team in _next_line(played[-1], field) if team in present]
            line += [team for team in field.present if team not in line]
        else:
            line = list(field.present)
            if self.first_by_lot:
                Random(seed).shuffle(line)
        tables = tuple((line[n], line[n + 1]) for n in range(0, len(line) - 1, 2))
        return SeatedRound(tables, sorted_people(line[2 * len(tables) :]))


def _next_line(last: PlayedRound, field: Field) -> list[Side]:
    """The sides in line for the next round, two to a table, from the top."""
    ranked = [table.order() for table in last.tables]
    rested = [team for team in field.teams if set(team) & set(last.sit_outs)]
    line = [ranked[0][0]]
    for above, below in pairwise(ranked):
        line += [below[0], above[1]]
    return [*line, *rested, ranked[-1][1]]


@dataclass(frozen=True, kw_only=True)
class Rungs(Format):
    """A ladder on which every side keeps a rung from week to week, for as many rounds as there are weeks.

    All who are there play sides near them, if possible not the opponent of the round before; with an odd number the one
    that has rested least rests, the lowest first. The winner takes the higher of the two rungs, and those between move
    down one, so that a challenge from further below works the same if the director has changed the draw for it. Absent
    sides keep their rung; new ones begin at the bottom."""

    slug: ClassVar[str] = "rungs"
    ordered: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    chain: ClassVar[tuple[str, ...]] = ("rung", "games-won", "points")
    fixed_sides: ClassVar[bool] = True
    first_by_lot: bool = option(True)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        refuse_too_few(field, 2)
        refuse_open_tables(played)
        order = [team for team in self.line(field, played) if team in field.present]
        order += [REST] * (len(order) % 2)
        last, rests = count_meetings(played[-1:]), count_times_met(order, played)
        least = min((met for (_n, m), met in rests.items() if order[m] == REST), default=0)
        near, sides = len(order) ** 2, len(order)
        weights = {
            (n, m): (n - sides * (rests[n, m] - least)) * near
            if order[m] == REST
            else -((m - n) ** 2) - near * last[frozenset((order[n], order[m]))]
            for n, m in combinations(range(sides), 2)
            if not field.keeps_apart(order[n], order[m])
        }
        matched = best_matching(weights, sides) if weights else None
        if matched is None:
            raise FormatRefused("format.apart")
        return make_round(field, ((order[n], order[m]) for n, m in matched if order[m] != REST))

    def line(self, field: Field, played: Sequence[PlayedRound]) -> list[Side]:
        """The sides by their rungs, the highest first."""
        line = list(field.teams)
        for round_ in played:
            rung = {team: n for n, team in enumerate(line)}
            for table in sorted(round_.tables, key=lambda table: min(rung.get(side, 0) for side in table.sides)):
                winner = table.order()[0] if len(set(table.half_wins)) > 1 else None
                if winner in rung and set(table.sides) <= rung.keys():
                    to = min(line.index(side) for side in table.sides)
                    line.insert(to, line.pop(line.index(winner)))
        return line

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        return {team: -n for n, team in enumerate(self.line(field, played))}

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return False


@dataclass(frozen=True, kw_only=True)
class OutAfter(Format):
    """A side that has lost `losses` matches is out, until one is left. In each round sides with as many losses meet.

    As few as possible in that round meet again, or rest again. A round that a side misses counts as lost, so latecomers
    begin with losses. The last two play until one is out. Sides that are out have no match in a round, as in a
    knock-out."""

    slug: ClassVar[str] = "out-after"
    outs: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    tells_rematches: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("reached", "games-won", "points")
    fixed_sides: ClassVar[bool] = True
    losses: int = option(3, most=9)
    level: str = option("extra-deal", choices=LEVEL)

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """Sides with as many losses are in random order."""
        if not played:
            refuse_too_few(field, 2)
        refuse_open_tables(played)
        order = self._still_in(field, played)
        if len(order) < 2:
            raise FormatRefused("format.over")
        lost = self._rounds_lost(field, played)
        Random(seed).shuffle(order)
        order.sort(key=lambda team: len(lost[team]))
        if len(order) % 2:
            order.append(REST)
        times = count_times_met(order, played)
        lives = Counter({team: self.losses - len(lost[team]) for team in field.teams})
        weights = {
            (n, m): weight
            for (n, m), weight in _pair_weights(order, lives, times=times, halves=True).items()
            if not field.keeps_apart(order[n], order[m])
        }
        matched = best_matching(penalize_rematches(weights, times), len(order)) if weights else None
        if matched is None:
            raise FormatRefused("format.apart")
        return make_round(field, ((order[n], order[m]) for n, m in matched if order[m] != REST))

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return len(self._still_in(field, played)) < 2

    def late_table(self, field: Field, played: Sequence[PlayedRound], *, people: Sequence[int]) -> Table | None:
        table, before = super().late_table(field, played, people=people), played[:-1]
        return table if table and self.sides_out(field, before).isdisjoint(table) else None

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """Twice the round in which each went out; more for sides still in, and most if they are there."""
        lost, still = self._rounds_lost(field, played), 2 * len(played) + 1
        return {
            team: 2 * lost[team][self.losses - 1] if len(lost[team]) >= self.losses else still + (team in field.present)
            for team in field.teams
        }

    def sides_out(self, field: Field, played: Sequence[PlayedRound]) -> frozenset[Side]:
        return frozenset(team for team, lost in self.count_losses(field, played).items() if lost >= self.losses)

    def count_losses(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        decided = reopen_level_tables(played, lots=self.lots_settle)
        return {team: len(rounds) for team, rounds in self._rounds_lost(field, decided).items()}

    def _still_in(self, field: Field, played: Sequence[PlayedRound]) -> list[Side]:
        lost = self._rounds_lost(field, played)
        return [team for team in field.present if len(lost[team]) < self.losses]

    def _rounds_lost(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, list[int]]:
        """The rounds that each side has lost. Raises FormatRefused: a table ended level, and lots don't settle that."""
        lost: dict[Side, list[int]] = {team: [] for team in field.teams}
        for number, round_ in enumerate(played, start=1):
            away = absent_people(field, round_)
            for team in field.teams:
                if away.intersection(team):
                    lost[team].append(number)
            for n, table in enumerate(round_.tables, start=1):
                if table.half_wins:
                    winner = table_winner(field, round_, table=table, at=(number, n), lots=self.lots_settle)
                    for side in table.sides:
                        if side != winner and side in lost:
                            lost[side].append(number)
        return lost


CLUBS = 2


@dataclass(frozen=True, kw_only=True)
class TeamMatch(InRounds):
    """Tables between two clubs, in the order of their seeding. In each round a side meets the next side of the other
    club.

    The sides of the first club keep their tables. If a club has more sides, those rest that have rested least. Sides
    meet again only if those who play leave no other way."""

    slug: ClassVar[str] = "team-match"
    between_clubs: ClassVar[bool] = True
    chain: ClassVar[tuple[str, ...]] = ("games-won", "points", "net")
    fixed_sides: ClassVar[bool] = True
    rounds: int = option(3)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        clubs = sorted(set(field.clubs))
        if len(clubs) != CLUBS:
            raise FormatRefused("format.clubs", (("given", len(clubs)),))
        if self.is_over(field, played):
            raise FormatRefused("format.over")
        present = set(field.present)
        home, away = (
            [t for t, c in zip(field.teams, field.clubs, strict=True) if c == club and t in present] for club in clubs
        )
        tables = min(len(home), len(away))
        if not tables:
            raise FormatRefused("format.too-few", (("least", CLUBS), ("given", len(present))))
        rested = Counter(person for round_ in played for person in round_.sit_outs)
        home, resting_home = _split_resting(home, tables, rested=rested)
        away, resting_away = _split_resting(away, tables, rested=rested)
        met = Counter((t.sides[0], t.sides[1]) for round_ in played for t in round_.tables)
        shift = min(range(tables), key=lambda s: (sum(met[home[n], away[(n + s) % tables]] for n in range(tables)), s))
        weights = {(n, tables + m): int(m == (n + shift) % tables) for n in range(tables) for m in range(tables)}
        times = {(n, m): met[home[n], away[m - tables]] for n, m in weights}
        unmet = {pair: weight for pair, weight in weights.items() if not times[pair]}
        matched = best_matching_with_rounds_ahead(unmet, 2 * tables, ahead=self.rounds - len(played) - 1)
        matched = matched or best_matching(penalize_rematches(weights, times), 2 * tables) or ()
        return SeatedRound(
            tuple((home[n], away[m - tables]) for n, m in matched), sorted_people([*resting_home, *resting_away])
        )


def _split_resting(sides: list[Side], tables: int, *, rested: Counter[int]) -> tuple[list[Side], list[Side]]:
    """Those who play, in order, and those who rest: sides that have rested least, the last seeds first."""
    rests = sorted(sides, key=lambda side: (rested[side[0]], -sides.index(side)))[: len(sides) - tables]
    return [side for side in sides if side not in rests], rests
