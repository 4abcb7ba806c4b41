"""Contests played to the end by luck and skill, on the engines alone: draws, games, cuts, ties, reserves, the final.

Every contest depends on a seed and its number alone. With `troubled`, people withdraw, are barred or disqualified,
finalists drop out after the cut and cards are corrected. The standings that were kept up game by game are held
against those counted afresh from all cards; whatever differs, or breaks what a cut promises, is told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import TypeAlias

from lab.simulation.skill_and_luck import Luck, skills, strength
from tournaments.engine.draws.contest import Sizes, TableDraw, contest_draw, meetings_again
from tournaments.engine.grouping import grouped
from tournaments.engine.rounds import SEEDS, SeatedRound
from tournaments.engine.standings.cut import (
    Candidate,
    CutOutcome,
    DrawnLots,
    Per,
    PlayedOff,
    Settlement,
    call_up,
    next_in_line,
    propose_cut,
    rule_for,
)
from tournaments.engine.standings.ranking import Encounter, Result, chain_of, rank

CHAINS = (
    ("points", "games-won", "net", "best-game"),
    ("games-won", "head-to-head", "points"),
    ("points", "last-game"),
)
COARSE = Luck(target=8)  # few different totals, so that many are level
TROUBLE = 0.02  # for each entry and stage: the chance to withdraw, and as much to be barred
CORRECTED = 0.03  # share of cards

Card: TypeAlias = tuple[tuple[int, ...], ...]  # the sides of a game


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


FIFTY_FOUR = (TrialStage(54, 4, "group", 18), TrialStage(18, 4, "group", 6), TrialStage(6, 4))


@dataclass(frozen=True, slots=True)
class PlayedContest:
    """A contest played: its order, best first, as far as its last stage goes, and the games as rounds."""

    order: tuple[int, ...]
    rounds: tuple[SeatedRound, ...]
    told: ContestFindings


@dataclass(frozen=True, slots=True)
class ContestFindings:
    """What was found in a number of contests, added up."""

    contests: int = 0
    games: int = 0
    compared: int = 0  # standings counted afresh
    differ: int = 0  # of those, how many differ from the standings kept game by game
    ties: int = 0  # at a line, settled by a play-off or lots
    play_offs: int = 0
    withdrawn: int = 0
    barred: int = 0  # ineligible or disqualified
    called_up: int = 0
    corrected: int = 0  # cards
    met_again: int = 0  # pairs at a table again in a later stage
    broken: int = 0  # cuts of another size than planned, or with somebody in them who may not go on
    worst: tuple[int, ...] = field(default=())  # numbers of contests with anything wrong

    def __add__(self, other: ContestFindings) -> ContestFindings:
        return ContestFindings(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    @property
    def clean(self) -> bool:
        """Whether nothing was wrong."""
        return not (self.differ or self.broken)


def try_contest(
    seed: int, number: int, *, parts: Sequence[TrialStage] = FIFTY_FOUR, seating: ContestSeating = ContestSeating()
) -> ContestFindings:
    """Play one troubled contest with coarse points, and say what was found."""
    rng = Random(f"{seed}/{number}")
    people = range(1, parts[0].entries + 1)
    chain = rng.choice(CHAINS)
    told = play_contest(
        parts, seating, chances=Chances(skills(people, rng), COARSE, rng), chain=chain, troubled=True
    ).told
    return told if told.clean else told + ContestFindings(worst=(number,))


@dataclass(frozen=True, slots=True)
class Chances:
    """What decides the games: everybody's skill, the luck of the game, and the stream that chance is drawn from."""

    skill: Mapping[int, float]
    luck: Luck
    rng: Random

    def points_of(self, group: Card) -> tuple[int, ...]:
        """The points of the sides of one game."""
        return self.luck.points([strength(side, self.skill) for side in group], self.rng)


def play_contest(
    parts: Sequence[TrialStage],
    seating: ContestSeating,
    *,
    chances: Chances,
    chain: Sequence[str],
    troubled: bool = False,
) -> PlayedContest:
    """Play a contest from the first draw to its result.

    Raises:
        DoesNotFit: the number of entries can't be seated in such groups.
    """
    contest, rng = _Contest(chances, chain, troubled, sorted(chances.skill)), chances.rng
    rounds: list[SeatedRound] = []
    met: list[tuple[int, ...]] = []
    order: tuple[int, ...] = ()
    for part in parts:
        sizes = Sizes(seating.table, seating.group)
        tables = contest_draw(contest.entries, seed=rng.randrange(SEEDS), sizes=sizes, apart=met)
        contest.told += ContestFindings(met_again=meetings_again(tables, met))
        met += [table.entries for table in tables]
        groups = [
            tuple(tuple(group[side :: seating.sides]) for side in range(seating.sides))
            for table in tables
            for group in table.groups
        ]
        rounds += [SeatedRound(tuple(groups))] * part.games
        results = contest.play({n: (group, chances.points_of(group)) for n, group in enumerate(groups * part.games)})
        if part.advance:
            contest.advance(part, tables, results=results)
        else:
            drawn = chain_of((*chain, "lots"), lots_seed=rng.randrange(SEEDS))
            order = tuple(place.entry for place in rank(results, drawn))
    return PlayedContest(order, tuple(rounds), contest.told)


class Kept:
    """Standings kept up card by card: what every entry has so far."""

    def __init__(self) -> None:
        self.points: defaultdict[int, int] = defaultdict(int)
        self.net: defaultdict[int, int] = defaultdict(int)
        self.halves: defaultdict[int, int] = defaultdict(int)
        self.games: defaultdict[int, dict[int, int]] = defaultdict(dict)  # number of the card to points
        self.against: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])  # games, halves, net

    def add(self, number: int, card: Card, *, points: Sequence[int], times: int = 1) -> None:
        """Count a card in; with `times` -1, out again."""
        best = max(points)
        won = [(2 if points.count(best) == 1 else 1) if own == best else 0 for own in points]
        for s, side in enumerate(card):
            others = sum(points) - points[s]
            for entry in side:
                self.points[entry] += times * points[s]
                self.halves[entry] += times * won[s]
                self.net[entry] += times * (points[s] * (len(card) - 1) - others)
                if times > 0:
                    self.games[entry][number] = points[s]
                else:
                    del self.games[entry][number]
                for t, other in enumerate(card):
                    for opponent in other if t != s else ():
                        against = self.against[entry, opponent]
                        against[0] += times
                        against[1] += times * (2 if points[s] > points[t] else points[s] == points[t])
                        against[2] += times * (points[s] - points[t])

    def results(self, entries: Iterable[int]) -> list[Result]:
        """The results as they are now."""
        met = grouped(
            (entry, Encounter(other, games, Fraction(halves, 2), net))
            for (entry, other), (games, halves, net) in sorted(self.against.items())
        )
        return [
            Result(
                entry=entry,
                points=self.points[entry],
                games_won=Fraction(self.halves[entry], 2),
                games_played=len(self.games[entry]),
                net=self.net[entry],
                game_points=tuple(points for _number, points in sorted(self.games[entry].items())),
                encounters=tuple(met[entry]),
            )
            for entry in entries
        ]


Cards: TypeAlias = dict[int, tuple[Card, tuple[int, ...]]]  # by number, in the order played


def afresh(cards: Cards, entries: Iterable[int]) -> list[Result]:
    """The results counted from all cards at once, entry by entry, in another way than `Kept` counts them."""
    own_of = grouped(  # own side, card, points
        (entry, (s, card, points))
        for _number, (card, points) in sorted(cards.items())
        for s, side in enumerate(card)
        for entry in side
    )
    found = []
    for entry in entries:
        own = own_of[entry]
        met = sorted({other for s, card, _p in own for t, side in enumerate(card) if t != s for other in side})
        found.append(
            Result(
                entry=entry,
                points=sum(points[s] for s, _card, points in own),
                games_won=Fraction(
                    sum(2 - (points.count(points[s]) > 1) for s, _c, points in own if points[s] == max(points)), 2
                ),
                games_played=len(own),
                net=sum(points[s] - other for s, _c, points in own for t, other in enumerate(points) if t != s),
                game_points=tuple(points[s] for s, _card, points in own),
                encounters=tuple(_encounter(other, own) for other in met),
            )
        )
    return found


def _encounter(other: int, own: Sequence[tuple[int, Card, tuple[int, ...]]]) -> Encounter:
    games = [
        points[s] - points[t] for s, card, points in own for t, side in enumerate(card) if other in side and t != s
    ]
    halves = sum(2 if lead else 1 for lead in games if lead >= 0)
    return Encounter(other, len(games), Fraction(halves, 2), sum(games))


@dataclass(slots=True)
class _Contest:
    """A contest that is being played: who plays its next stage, and what was found so far."""

    chances: Chances
    chain: Sequence[str]
    troubled: bool
    entries: Sequence[int]
    told: ContestFindings = ContestFindings(contests=1)

    def play(self, cards: Cards) -> list[Result]:
        """Add the cards of a stage one by one, correct some of them later, and compare in the middle and at the end."""
        kept, rng = Kept(), self.chances.rng
        middle = rng.randrange(len(cards)) if self.troubled else None
        for number, (card, points) in cards.items():
            kept.add(number, card, points=points)
            if number == middle:
                self._compare(kept.results(self.entries), {n: one for n, one in cards.items() if n <= number})
        for number, (card, points) in list(cards.items()) if self.troubled else ():
            if rng.random() < CORRECTED:
                right = tuple(rng.sample(points, len(points)))
                kept.add(number, card, points=points, times=-1)
                kept.add(number, card, points=right)
                cards[number] = (card, right)
                self.told += ContestFindings(corrected=1)
        results = kept.results(self.entries)
        self.told += ContestFindings(games=len(cards))
        if self.troubled:
            counted = self._compare(results, cards)
            self.told += ContestFindings(differ=results != counted)
        return results

    def _compare(self, kept: list[Result], cards: Cards) -> list[Result]:
        """Hold the order by standings kept game by game against that by those counted afresh, which are returned."""
        counted, links = afresh(cards, self.entries), chain_of(self.chain)
        self.told += ContestFindings(compared=1, differ=rank(kept, links) != rank(counted, links))
        return counted

    def advance(self, part: TrialStage, tables: Sequence[TableDraw], *, results: Sequence[Result]) -> None:
        """Cut the field to those who go on from a stage."""
        where = {e: (t.number, g) for t in tables for g, group in enumerate(t.groups, start=1) for e in group}
        field_ = [Candidate(result, *where[result.entry]) for result in results]
        if self.troubled:
            field_ = [_in_trouble(one, self.chances.rng) for one in field_]
            withdrawn = sum(one.withdrawn for one in field_)
            barred = sum(not one.eligible for one in field_) - withdrawn
            self.told += ContestFindings(withdrawn=withdrawn, barred=barred)
        sections = {"group": len(set(where.values())), "table": len(tables), "overall": 1}[part.per]
        rule, settled = rule_for(part.per, part.advance, sections=sections), list[Settlement]()
        while not (cut := propose_cut(field_, rule=rule, chain=chain_of(self.chain), settled=settled)).complete:
            settled.append(_settlement(cut.open_ties[0].entries, self.chances.rng))
            self.told += ContestFindings(ties=1, play_offs=isinstance(settled[-1], PlayedOff))
        if self.troubled:
            cut = self._drop_out(cut)
        able = {one.entry for one in field_ if one.eligible}
        sound = len(cut.finalists) == part.advance - cut.short and set(cut.finalists) <= able
        sound = sound and (not cut.short or len(able) <= part.advance)
        self.told += ContestFindings(broken=not sound)
        self.entries = cut.finalists

    def _drop_out(self, cut: CutOutcome) -> CutOutcome:
        """Some finalists withdraw after the cut; the next in line take their places."""
        for entry in cut.finalists:
            if self.chances.rng.random() >= TROUBLE or not cut.reserves:
                continue
            settled: list[Settlement] = []
            while (offer := next_in_line(cut, entry, settled=settled)).level:
                settled.append(_settlement(offer.level, self.chances.rng))
            cut = call_up(cut, entry, by=offer.entry)
            self.told += ContestFindings(called_up=offer.entry is not None)
        return cut


def _in_trouble(one: Candidate, rng: Random) -> Candidate:
    fate = rng.random() / TROUBLE
    if fate < 1:
        return replace(one, withdrawn=True)
    if fate < 1.5:
        return replace(one, ineligible="no member")
    return replace(one, disqualified="misconduct") if fate < 2 else one


def _settlement(level: Sequence[int], rng: Random) -> Settlement:
    """A play-off, which may leave some level again, or lots."""
    if rng.random() < 0.5:
        return PlayedOff({entry: rng.randint(0, 5) for entry in level})
    return DrawnLots(tuple(level), rng.randrange(SEEDS))


def pairs_of(rounds: Iterable[SeatedRound]) -> list[tuple[int, int]]:
    """Every meeting of two at a table, as often as it happened."""
    return [
        pair for one in rounds for table in one.tables for pair in combinations(sorted(p for s in table for p in s), 2)
    ]
