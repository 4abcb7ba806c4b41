"""Formats compared by playing them often with people of known skill: how often does the best one win, who meets whom.

A `Way` plays one event from its first round to its order; `tried` plays it many times. Chance comes from a seed alone,
so the same call gives the same figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Protocol, TypeAlias

from lab.simulation.contests import Chances, ContestSeating, TrialStage, pairs_of, play_contest
from lab.simulation.skill_and_luck import USUAL, Luck, skills, strength
from tournaments.engine.formats import Field, Format, FormatRefused, PlayedRound, PlayedTable
from tournaments.engine.rounds import SEEDS, SeatedRound, Side
from tournaments.engine.standings.ranking import Encounter, Result, chain_of, rank

MOST_ROUNDS = 60  # of one event
TOP = 3

Skill: TypeAlias = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class EventPlayed:
    """One event played: who scored together in its order, best first, and its rounds."""

    order: tuple[Side, ...]
    rounds: tuple[SeatedRound, ...]
    refused: bool = False  # whether it couldn't be played to its end


class Way(Protocol):
    """How one event is run."""

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        """Play one with these people."""
        ...


@dataclass(frozen=True, slots=True)
class Rotating:
    """Partners by a draw made beforehand; everybody scores for themselves."""

    drawn: tuple[SeatedRound, ...]
    chain: tuple[str, ...]

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        """Play the rounds of the draw."""
        played = [_results(one, skill, luck=luck, rng=rng) for one in self.drawn]
        return EventPlayed(_ordered([(person,) for person in skill], played, chain=self.chain, rng=rng), self.drawn)


@dataclass(frozen=True, slots=True)
class ByFormat:
    """A format of `engine.formats`, with sides of two where it wants fixed ones. People left over don't play."""

    format: Format
    chain: tuple[str, ...]

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        """Play round after round until the format says that it is over."""
        people = sorted(skill)
        size = 2 if self.format.fixed_sides else 1
        teams = [tuple(people[n : n + size]) for n in range(0, len(people) - size + 1, size)]
        clubs: tuple[int, ...] = ()
        if self.format.between_clubs:
            teams = teams[: len(teams) // 2 * 2]
            clubs = tuple(number % 2 for number in range(len(teams)))
        field, played, refused = Field(tuple(teams), clubs=clubs), list[PlayedRound](), False
        while len(played) < MOST_ROUNDS and not self.format.over(field, played):
            try:
                drawn = self.format.next_round(field, played, seed=rng.randrange(SEEDS))
            except FormatRefused:
                refused = True
                break
            played.append(_results(drawn, skill, luck=luck, rng=rng))
        reached = {} if refused else self.format.reached(field, played)
        bye = self.format.bye_half_wins
        order = _ordered(teams, played, chain=self.chain, rng=rng, reached=reached, bye=bye)
        rounds = tuple(SeatedRound(tuple(table.sides for table in one.tables), one.sit_outs) for one in played)
        return EventPlayed(order, rounds, refused)


@dataclass(frozen=True, slots=True)
class ByContest:
    """A contest with cuts. Everybody is drawn and goes on alone; sides of a group are those of `seating`."""

    parts: tuple[TrialStage, ...]
    seating: ContestSeating
    chain: tuple[str, ...]

    def play(self, skill: Skill, luck: Luck, *, rng: Random) -> EventPlayed:
        """Play all stages."""
        played = play_contest(self.parts, self.seating, chances=Chances(skill, luck, rng), chain=self.chain)
        return EventPlayed(tuple((person,) for person in played.order), played.rounds)


@dataclass(frozen=True, slots=True)
class Figures:
    """Sums over many events; the properties are averages for one event, or for one person and event."""

    events: int = 0
    people: int = 0
    first: int = 0  # events that the best one won
    in_top: int = 0  # in which the best one came among the first three
    refused: int = 0
    rounds: int = 0
    longest: int = 0  # rounds of the longest event
    games: int = 0  # seats taken
    sit_outs: int = 0
    fewest: int = 0  # games of the person who played the fewest, summed over events
    met: int = 0  # different people met at tables, summed over everybody; partners in every game left out
    again: int = 0  # meetings with somebody met before, summed over everybody

    def __add__(self, other: Figures) -> Figures:
        sums = {
            name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__ if name != "people"
        }
        sums["longest"] = max(self.longest, other.longest)
        return Figures(people=max(self.people, other.people), **sums)

    def _each(self, total: int) -> Fraction:
        return Fraction(total, self.events * self.people) if self.events * self.people else Fraction(0)

    def _of_events(self, total: int) -> Fraction:
        return Fraction(total, self.events) if self.events else Fraction(0)

    @property
    def best_wins(self) -> Fraction:
        """Share of events that the best one won."""
        return self._of_events(self.first)

    @property
    def best_in_top(self) -> Fraction:
        """Share of events in which the best one came among the first three."""
        return self._of_events(self.in_top)

    @property
    def games_each(self) -> Fraction:
        """Games that somebody plays."""
        return self._each(self.games)

    @property
    def fewest_games(self) -> Fraction:
        """Games of who plays the fewest."""
        return self._of_events(self.fewest)

    @property
    def sit_outs_each(self) -> Fraction:
        """Rounds that somebody sits out."""
        return self._each(self.sit_outs)

    @property
    def met_each(self) -> Fraction:
        """Different people that somebody meets."""
        return self._each(self.met)

    @property
    def again_each(self) -> Fraction:
        """How often somebody meets people again whom they have met."""
        return self._each(self.again)


def tried(way: Way, people: int, *, count: int, seed: int, luck: Luck = USUAL) -> Figures:
    """Play that many events."""
    figures = Figures(people=people)
    for number in range(count):
        rng = Random(f"{seed}/{number}")
        skill = skills(range(1, people + 1), rng)
        figures += counted(way.play(skill, luck, rng=rng), skill)
    return figures


def counted(event: EventPlayed, skill: Skill) -> Figures:
    """The figures of one event.

    In a contest only the last stage has an order: who isn't in it came after all who are. The best one is the best
    person where sides change, else the best side.
    """
    size = len(event.order[0])
    sides = [(person,) for person in skill] if size == 1 else list(event.order)
    best = max(sides, key=lambda side: strength(side, skill))
    games = Counter(person for one in event.rounds for person in one.seated)
    mates = {frozenset((a, b)) for side in event.order for a in side for b in side if a != b}
    pairs = Counter(pair for pair in pairs_of(event.rounds) if frozenset(pair) not in mates)
    return Figures(
        events=1,
        people=len(skill),
        first=best == event.order[0],
        in_top=best in event.order[:TOP],
        refused=event.refused,
        rounds=len(event.rounds),
        longest=len(event.rounds),
        games=games.total(),
        sit_outs=sum(len(one.sit_outs) for one in event.rounds),
        fewest=min(games[person] for person in skill),
        met=2 * len(pairs),
        again=2 * (pairs.total() - len(pairs)),
    )


def _results(drawn: SeatedRound, skill: Skill, *, luck: Luck, rng: Random) -> PlayedRound:
    tables = []
    for sides in drawn.tables:
        points = luck.points([strength(side, skill) for side in sides], rng)
        if points.count(max(points)) > 1:  # a level game: one more deal decides
            points = (points[0] + 1, *points[1:])
        tables.append(PlayedTable(sides, points, tuple(2 * (own == max(points)) for own in points)))
    return PlayedRound(tuple(tables), drawn.sit_outs)


def _ordered(
    teams: Sequence[Side],
    played: Sequence[PlayedRound],
    *,
    chain: Sequence[str],
    rng: Random,
    reached: Mapping[Side, int] | None = None,
    bye: int = 0,
) -> tuple[Side, ...]:
    """The teams in order by the chain, level ones by lots. A round without a table is worth a team's own average."""
    team_of = {person: number for number, team in enumerate(teams) for person in team}
    points: list[list[int]] = [[] for _team in teams]
    halves, net, rests = [0] * len(teams), [0] * len(teams), [0] * len(teams)
    met: list[dict[int, list[int]]] = [{} for _team in teams]  # other to games and half wins against it
    meetings = "head-to-head" in chain
    for one in played:
        for table in one.tables:
            here = [{team_of[person] for person in side} for side in table.sides]
            all_points = sum(table.points)
            for s, side in enumerate(here):
                own, won = table.points[s], table.half_wins[s]
                for number in side:
                    points[number].append(own)
                    halves[number] += won
                    net[number] += 2 * own - all_points
                    for other in set().union(*here[:s], *here[s + 1 :]) if meetings else ():
                        seen = met[number].setdefault(other, [0, 0])
                        seen[0], seen[1] = seen[0] + 1, seen[1] + won
        for number in {team_of[person] for person in one.sit_outs if person in team_of}:
            rests[number] += 1
            halves[number] += bye
    results = [
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
    links = chain_of(dict.fromkeys((*chain, "lots")), lots_seed=rng.randrange(SEEDS))
    return tuple(teams[place.entry] for place in rank(results, links))
