"""Formats compared by playing imagined events with people of known skill: how often does the best one win?

A `Way` plays one event from its first round to its order; `play_events` plays it many times. Chance comes from a seed
alone. Skills are spread normally, one standard deviation being 1. In a game each side does what the mean skill of its
people says, plus luck (Gumbel's distribution, so that of two sides the better one wins by the logistic curve, and of
three each by its share). Nothing here is a rule of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import log
from random import Random
from typing import Protocol, TypeAlias

from tournaments.advice import EDGE
from tournaments.engine.draws.contest import Sizes, TableDraw, draw_contest
from tournaments.engine.formats import Field, Format, FormatRefused, PlayedRound, PlayedTable
from tournaments.engine.formats.knock_out import KnockOut
from tournaments.engine.formats.pairings import Groups, seed_group_qualifiers
from tournaments.engine.ranking import (
    Candidate,
    DrawnLots,
    Encounter,
    Per,
    Result,
    Settlement,
    build_chain,
    make_cut_rule,
    propose_cut,
    rank,
)
from tournaments.engine.rounds import SEEDS, SeatedRound, Side

TARGET = 150  # points of the winners
STEEP = 40  # points by which the losers fall short, for each unit of luck between them and the winners
MOST_ROUNDS = 60  # of one event
TOP = 3

Skill: TypeAlias = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Luck:
    edge: int = EDGE
    target: int = TARGET

    def points(self, strengths: Sequence[float], rng: Random) -> tuple[int, ...]:
        """Points of each side of one game: the target for the winners, less for the others, never below zero.

        >>> Luck().points((0.0, 0.0), Random(2))
        (150, 143)
        """
        weight = log(self.edge / (100 - self.edge))
        done = [weight * own - log(-log(rng.random() or 0.5)) for own in strengths]
        best = max(done)
        steep = STEEP * self.target / TARGET
        return tuple(max(0, self.target - round(steep * (best - own))) for own in done)


USUAL = Luck()


def skills(people: Sequence[int], rng: Random) -> dict[int, float]:
    return {person: rng.gauss(0, 1) for person in people}


def strength(side: Sequence[int], skill: Mapping[int, float]) -> float:
    """The skill of a side: the mean of its people's."""
    return sum(skill[person] for person in side) / len(side)


@dataclass(frozen=True, slots=True)
class TrialStage:
    """A stage: how many play, how many games a group plays, and who goes on."""

    entries: int
    games: int
    per: Per = "overall"
    advance: int = 0  # how many go on; 0: its order is the result


@dataclass(frozen=True, slots=True)
class ContestSeating:
    """How a contest is seated: people at a table, in a group, and sides of a group."""

    table: int = 6
    group: int = 3
    sides: int = 3


@dataclass(frozen=True, slots=True)
class EventPlayed:
    """One event played: who scored together in its order, best first, and its rounds."""

    order: tuple[Side, ...]
    rounds: tuple[SeatedRound, ...]
    refused: bool = False  # whether it couldn't be played to its end


class Way(Protocol):
    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed: ...


@dataclass(frozen=True, slots=True)
class Rotating:
    """Partners by a draw made beforehand; everybody scores for themselves."""

    drawn: tuple[SeatedRound, ...]
    chain: tuple[str, ...]

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        played = [_play_round(one, skill, luck=luck, rng=rng) for one in self.drawn]
        return EventPlayed(_rank([(person,) for person in skill], played, chain=self.chain, rng=rng), self.drawn)


@dataclass(frozen=True, slots=True)
class ByFormat:
    """A format of `engine.formats`, with sides of two where it wants fixed ones. People left over don't play."""

    format: Format
    chain: tuple[str, ...]
    seeds: tuple[Side, ...] = ()  # the sides, where they aren't everybody in order
    most: int = MOST_ROUNDS

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        people = sorted(skill)
        size = 2 if self.format.fixed_sides else 1
        teams = [tuple(people[n : n + size]) for n in range(0, len(people) - size + 1, size)]
        teams = list(self.seeds) or teams
        clubs: tuple[int, ...] = ()
        if self.format.between_clubs:
            teams = teams[: len(teams) // 2 * 2]
            clubs = tuple(number % 2 for number in range(len(teams)))
        field, played, refused = Field(tuple(teams), clubs=clubs), list[PlayedRound](), False
        while len(played) < self.most and not self.format.is_over(field, played):
            try:
                drawn = self.format.next_round(field, played, seed=rng.randrange(SEEDS))
            except FormatRefused:
                refused = True
                break
            played.append(_play_round(drawn, skill, luck=luck, rng=rng))
        reached = {} if refused else self.format.reached(field, played)
        bye = self.format.bye_half_wins
        order = _rank(teams, played, chain=self.chain, rng=rng, reached=reached, bye=bye)
        rounds = tuple(SeatedRound(tuple(table.sides for table in one.tables), one.sit_outs) for one in played)
        return EventPlayed(order, rounds, refused)


@dataclass(frozen=True, slots=True)
class GroupsThenKnockOut:
    groups: Groups

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        first = ByFormat(self.groups, self.groups.chain).play(skill, luck, rng=rng)
        group = self.groups.group_of(Field(tuple(sorted(first.order))))
        own = [[side for side in first.order if group[side] == n] for n in range(self.groups.groups)]
        seeds = seed_group_qualifiers([sides[: self.groups.advance] for sides in own])
        final = ByFormat(KnockOut(), KnockOut.chain, tuple(seeds)).play(skill, luck, rng=rng)
        others = tuple(side for side in first.order if side not in seeds)
        return EventPlayed((*final.order, *others), (*first.rounds, *final.rounds), first.refused or final.refused)


@dataclass(frozen=True, slots=True)
class ByContest:
    """A contest with cuts. Everybody is drawn and goes on alone; sides of a group are those of `seating`."""

    parts: tuple[TrialStage, ...]
    seating: ContestSeating
    chain: tuple[str, ...]

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        people, rounds, met = sorted(skill), list[SeatedRound](), list[tuple[int, ...]]()
        for part in self.parts:
            sizes = Sizes(self.seating.table, self.seating.group)
            tables = draw_contest(people, seed=rng.randrange(SEEDS), sizes=sizes, apart=met)
            met += [table.entries for table in tables]
            sides = self.seating.sides
            groups = [
                tuple(tuple(group[side::sides]) for side in range(sides)) for table in tables for group in table.groups
            ]
            rounds += [SeatedRound(tuple(groups))] * part.games
            played = [
                PlayedTable(group, points, _half_wins(points))
                for group in groups * part.games
                for points in [luck.points([strength(side, skill) for side in group], rng)]
            ]
            alone = _team_results([(person,) for person in people], [PlayedRound(tuple(played), ())])
            results = [replace(result, entry=people[result.entry]) for result in alone]
            if part.advance:
                people = _advance(part, tables, results=results, chain=self.chain, rng=rng)
            else:
                links = build_chain((*self.chain, "lots"), lots_seed=rng.randrange(SEEDS))
                people = [place.entry for place in rank(results, links)]
        return EventPlayed(tuple((person,) for person in people), tuple(rounds))


def _advance(
    part: TrialStage, tables: Sequence[TableDraw], *, results: Sequence[Result], chain: Sequence[str], rng: Random
) -> list[int]:
    """Those who go on from a stage; ties at the line are settled by lots."""
    where = {e: (t.number, g) for t in tables for g, group in enumerate(t.groups, start=1) for e in group}
    field = [Candidate(result, *where[result.entry]) for result in results]
    sections = {"group": len(set(where.values())), "table": len(tables), "overall": 1}[part.per]
    rule, settled = make_cut_rule(part.per, part.advance, sections=sections), list[Settlement]()
    while not (cut := propose_cut(field, rule=rule, chain=build_chain(chain), settled=settled)).complete:
        settled.append(DrawnLots(tuple(cut.open_ties[0].entries), rng.randrange(SEEDS)))
    return list(cut.finalists)


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over many events; the properties are averages for one event, or for one person and event."""

    people: int = 0
    events: int = 0
    first: int = 0  # events that the best one won
    in_top: int = 0  # in which the best one came among the first three
    refused: int = 0
    met: int = 0  # different people met at tables, summed over everybody; partners in every game left out
    again: int = 0  # meetings with somebody met before, summed over everybody

    def __add__(self, other: Figures) -> Figures:
        sums = (getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__ if name != "people")
        return Figures(max(self.people, other.people), *sums)

    def _each(self, total: int) -> Fraction:
        return Fraction(total, self.events * self.people) if self.events * self.people else Fraction(0)

    def _of_events(self, total: int) -> Fraction:
        return Fraction(total, self.events) if self.events else Fraction(0)

    @property
    def best_wins(self) -> Fraction:
        return self._of_events(self.first)

    @property
    def best_in_top(self) -> Fraction:
        return self._of_events(self.in_top)

    @property
    def met_each(self) -> Fraction:
        return self._each(self.met)

    @property
    def again_each(self) -> Fraction:
        return self._each(self.again)


def play_events(way: Way, people: int, *, count: int, seed: int, luck: Luck = USUAL) -> Figures:
    figures = Figures(people=people)
    for number in range(count):
        rng = Random(f"{seed}/{number}")
        skill = skills(range(1, people + 1), rng)
        figures += count_event(way.play(skill, luck, rng=rng), skill)
    return figures


def count_event(event: EventPlayed, skill: Skill) -> Figures:
    """The figures of one event.

    In a contest only the last stage has an order: who isn't in it came after all who are. The best one is the best
    person where sides change, else the best side.
    """
    size = len(event.order[0])
    sides = [(person,) for person in skill] if size == 1 else list(event.order)
    best = max(sides, key=lambda side: strength(side, skill))
    mates = {frozenset((a, b)) for side in event.order for a in side for b in side if a != b}
    pairs = Counter(pair for pair in met_pairs(event.rounds) if frozenset(pair) not in mates)
    return Figures(
        events=1,
        people=len(skill),
        first=best == event.order[0],
        in_top=best in event.order[:TOP],
        refused=event.refused,
        met=2 * len(pairs),
        again=2 * (pairs.total() - len(pairs)),
    )


def _play_round(drawn: SeatedRound, skill: Skill, *, luck: Luck, rng: Random) -> PlayedRound:
    tables = []
    for sides in drawn.tables:
        points = luck.points([strength(side, skill) for side in sides], rng)
        if points.count(max(points)) > 1:  # a level game: one more deal decides
            points = (points[0] + 1, *points[1:])
        tables.append(PlayedTable(sides, points, _half_wins(points)))
    return PlayedRound(tuple(tables), drawn.sit_outs)


def _half_wins(points: Sequence[int]) -> tuple[int, ...]:
    best = max(points)
    return tuple((2 if points.count(best) == 1 else 1) if own == best else 0 for own in points)


def _rank(
    teams: Sequence[Side],
    played: Sequence[PlayedRound],
    *,
    chain: Sequence[str],
    rng: Random,
    reached: Mapping[Side, int] | None = None,
    bye: int = 0,
) -> tuple[Side, ...]:
    results = _team_results(teams, played, reached=reached, bye=bye)
    links = build_chain(dict.fromkeys((*chain, "lots")), lots_seed=rng.randrange(SEEDS))
    return tuple(teams[place.entry] for place in rank(results, links))


def _team_results(
    teams: Sequence[Side], played: Sequence[PlayedRound], *, reached: Mapping[Side, int] | None = None, bye: int = 0
) -> list[Result]:
    """What each team has done, by its number. A round without a table is worth a team's own average."""
    team_of = {person: number for number, team in enumerate(teams) for person in team}
    points: list[list[int]] = [[] for _team in teams]
    halves, net, rests = [0] * len(teams), [0] * len(teams), [0] * len(teams)
    met: list[dict[int, list[int]]] = [{} for _team in teams]  # other to games and half wins against it
    for one in played:
        for table in one.tables:
            here = [{team_of[person] for person in side} for side in table.sides]
            for s, side in enumerate(here):
                own, won = table.points[s], table.half_wins[s]
                others = set[int]().union(*here[:s], *here[s + 1 :])
                for number in side:
                    points[number].append(own)
                    halves[number] += won
                    net[number] += len(here) * own - sum(table.points)
                    for other in others:
                        seen = met[number].setdefault(other, [0, 0])
                        seen[0], seen[1] = seen[0] + 1, seen[1] + won
        for number in {team_of[person] for person in one.sit_outs if person in team_of}:
            rests[number] += 1
            halves[number] += bye
    return [
        Result(
            entry=number,
            points=sum(own) + rests[number] * (sum(own) // len(own) if own else 0),
            games_won=Fraction(halves[number], 2),
            games_played=len(own),
            net=net[number],
            game_points=tuple(own),
            encounters=tuple(Encounter(other, n, Fraction(won, 2)) for other, (n, won) in met[number].items()),
            reached=(reached or {}).get(teams[number]),
        )
        for number, own in enumerate(points)
    ]


def met_pairs(rounds: Iterable[SeatedRound]) -> list[tuple[int, int]]:
    return [
        pair for one in rounds for table in one.tables for pair in combinations(sorted(p for s in table for p in s), 2)
    ]
