"""Knock-out: who loses is out, or goes on in the consolation."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from typing import ClassVar, TypeAlias, TypeVar

from tournaments.engine.formats.base import (
    Field,
    Format,
    FormatRefused,
    Misplaced,
    PlayedRound,
    PlayedTable,
    at_least,
    finished,
    option,
    round_of,
)
from tournaments.engine.ranking import lot
from tournaments.engine.rounds import SeatedRound, Side, Table

T = TypeVar("T")
BYE = None
LEVEL = ("extra-deal", "lots")

Match: TypeAlias = tuple[Side | None, Side | None]  # BYE in place of a side that there isn't, () of one not known yet
Place: TypeAlias = tuple[str, int, int]  # a match: its part of the bracket, its round there, its place in that; from 0

MAIN, THIRD, CONSOLATION = PARTS = ("main", "third", "consolation")
WINNERS, LOSERS, DECIDING = OF_TWO = ("winners", "losers", "deciding")  # of a double knock-out


@dataclass(frozen=True, slots=True)
class MatchName:
    """What a match is called, whatever is played: the same number of sides and the same options give the same names."""

    part: str
    rounds_after: int  # of its part: 0 for the final, 1 for a semi-final
    number: int  # from 1, in its round; in the consolation and in a double knock-out through all rounds of its part


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a side comes from that isn't known yet."""

    won: bool  # whether it is to win that match, or to lose it
    match: MatchName


@dataclass(frozen=True, slots=True)
class NamedMatch:
    """A match of two sides, those not known yet by where they come from."""

    name: MatchName
    place: Place
    sides: tuple[Side | Origin, Side | Origin]
    winner: Side | None  # () when it isn't known yet, BYE when nobody has won
    played: PlayedTable | None = None  # None where it has no table, or not yet

    @property
    def decided(self) -> bool:
        return self.winner != ()


@dataclass(frozen=True)
class Bracket:
    """The matches of each round of a bracket, those of them that can be played now or are won now without a table, and
    who has won it, () for nobody yet."""

    rounds: tuple[tuple[Match, ...], ...]
    playable: tuple[Table, ...]
    walkovers: tuple[tuple[Side, Side], ...]  # who goes on without a table, and who isn't there
    winner: Side


@dataclass(frozen=True)
class Decided:
    """What is known of the matches: who won (BYE: nobody, as neither was there), and who isn't there, so that their
    sides lose without a table."""

    won: Mapping[frozenset[Side], Side | None]
    absent: frozenset[int]

    def bracket(self, places: Sequence[Side | None]) -> Bracket:
        """A bracket from its first places."""
        rounds: list[tuple[Match, ...]] = []
        playable: list[Table] = []
        walkovers: list[tuple[Side, Side]] = []
        line = list(places)
        while len(line) > 1:
            matches = [(line[n], line[n + 1]) for n in range(0, len(line), 2)]
            rounds.append(tuple(matches))
            line = [self.goes_on(match) for match in matches]
            for (first, second), winner in zip(matches, line, strict=True):
                if not first or not second or frozenset((first, second)) in self.won:
                    continue
                if winner == ():
                    playable.append((first, second))
                elif winner:
                    walkovers.append((winner, second if winner == first else first))
        return Bracket(tuple(rounds), tuple(playable), tuple(walkovers), (line[0] if line else None) or ())

    def goes_on(self, match: Match) -> Side | None:
        """Who goes on from a match: () when it isn't known yet, BYE when nobody does."""
        first, second = match
        if first is BYE or second is BYE:
            return second if first is BYE else first
        if not first or not second:
            return ()
        if (pair := frozenset((first, second))) in self.won:
            return self.won[pair]
        present = [side for side in (first, second) if not self.absent.intersection(side)]
        return present[0] if len(present) == 1 else () if present else BYE

    def losers(self, matches: Sequence[Match]) -> list[Side | None]:
        """Who lost each match: () when it isn't known yet, BYE when nobody did."""
        lost: list[Side | None] = []
        for first, second in matches:
            goes_on = self.goes_on((first, second))
            if first is BYE or second is BYE or goes_on is BYE:
                lost.append(BYE)
            elif not goes_on:
                lost.append(())
            else:
                lost.append(second if goes_on == first else first)
        return lost

    def first_losers(self, main: Bracket, *, byes: bool) -> list[Side | None]:
        """The places of the consolation: the losers of the first round. With `byes`, a bye's place goes to the side
        that had it, once that has lost in the second round."""
        places = self.losers(main.rounds[0])
        for number, lost in enumerate(self.losers(main.rounds[1]) if byes else ()):
            for place, match in enumerate(main.rounds[0][2 * number : 2 * number + 2], start=2 * number):
                if BYE in match and lost is not BYE and (lost == () or lost in match):
                    places[place] = lost
                    break
        return places


@dataclass(frozen=True, kw_only=True)
class Bracketed(Format):
    """Two sides at a table, by seeding; the best seeded have the byes of the first round, and meet last.

    A side that has left loses without a table. In the first round nobody meets whom they mustn't, and where lots allow
    it only in the last."""

    by_order_of_tables: ClassVar[bool] = True
    bracket: ClassVar[bool] = True
    outs: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    chain: ClassVar[tuple[str, ...]] = ("reached", "points")
    fixed_sides: ClassVar[bool] = True

    @abstractmethod
    def matches(self, field: Field, played: Sequence[PlayedRound]) -> list[NamedMatch]:
        """All matches but byes, part after part, round after round. Raises FormatRefused for a match that ended level,
        unless lots settle it."""

    @abstractmethod
    def _open(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        """The matches that can be played now; and those won now without a table, with who isn't there."""

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The matches that can be played now, part after part."""
        if len(field.teams) < 2:
            at_least(field, 2)
        finished(played)
        if wrong := self.misplaced(field, played):
            raise FormatRefused("format.misplaced", (("round", wrong.round),))
        tables, walkovers = self._open(field, played, absent=field.absent)
        if not tables:
            raise FormatRefused("format.over")
        if not played and not self.kept_apart(field):
            raise FormatRefused("format.apart")
        seated = set(chain.from_iterable(tables))
        return round_of(field, tables, lost=[match for match in walkovers if match[0] not in seated])

    def kept_apart(self, field: Field) -> bool:
        return not any(field.keeps_apart(*match) for match in self._due(field, (), absent=field.absent))

    def could_meet(self, field: Field) -> dict[frozenset[int], int]:
        """The pairs that mustn't meet, each to the earliest round, from 1, in which they could."""
        place = {person: n for n, side in enumerate(seeded(field.teams)) for person in side or ()}
        return {
            pair: (place[a] ^ place[b]).bit_length() for pair in field.apart for a, b in [pair] if {a, b} <= {*place}
        }

    def first_meeting(self, field: Field) -> int:
        """The earliest of these rounds; that of the final where they are in different halves, or nobody mustn't."""
        return min([(len(field.teams) - 1).bit_length(), *self.could_meet(field).values()])

    def over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return not self._due(field, played, absent=field.absent) and self.misplaced(field, played) is None

    def _due(self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]) -> list[Table]:
        return self._open(field, played, absent=absent)[0]

    def misplaced(self, field: Field, played: Sequence[PlayedRound]) -> Misplaced | None:
        """The first round whose matches aren't those of the bracket, as a corrected result before it leaves it. Raises
        FormatRefused for a match of a round before another that has no result, or no winner."""
        for number, round_ in enumerate(played, start=1):
            before = played[: number - 1]
            finished(before)
            due = {frozenset(match): match for match in self._due(field, before, absent=away_from(field, round_))}
            seated = {frozenset(table.sides): table.sides for table in round_.tables}
            if due.keys() != seated.keys():
                return Misplaced(
                    number,
                    tuple(sides for match, sides in seated.items() if match not in due),
                    tuple(sides for match, sides in due.items() if match not in seated),
                )
        return None


@dataclass(frozen=True, kw_only=True)
class KnockOut(Bracketed):
    """Who loses is out.

    With `consolation` those who lose their first match play a knock-out of their own beside the rounds that follow;
    with `third` the losers of the semi-finals play for the third place while the final is on."""

    slug: ClassVar[str] = "knock-out"
    consolation: bool = option(True)
    third: bool = option(True)
    level: str = option("extra-deal", choices=LEVEL)  # what settles a match that ended level

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def _open(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        """Those of the main bracket, then the match for the third place, then those of the consolation."""
        brackets = list(filter(None, self._brackets(field, Decided(self._winners(field, played), absent))))
        return [t for b in brackets for t in b.playable], [w for b in brackets for w in b.walkovers]

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """How far each side has come, the higher the further; those who left the same round are level.

        The winner, the other finalist, the third and the fourth come first; then who went out later in the main
        bracket, then who went out later in the consolation."""
        won = self._winners(field, played)
        main, third, beside = self._brackets(field, Decided(won, field.absent))
        reached = {side: 100 * n for n, matches in enumerate(main.rounds) for side in chain(*matches) if side}
        if main.winner:
            reached[main.winner] = 100 * len(main.rounds)
        if third and third.winner:
            played_for = frozenset(third.rounds[0][0]) in won
            if played_for or not field.absent.intersection(third.winner):  # nobody is third where both have left
                reached[third.winner] += 50
        if beside:
            for number, matches in enumerate(beside.rounds, start=1):
                for side in filter(None, chain(*matches)):
                    reached[side] = reached[side] // 100 * 100 + number
            if beside.winner:
                reached[beside.winner] += 1
        return reached

    def _brackets(self, field: Field, decided: Decided) -> tuple[Bracket, Bracket | None, Bracket | None]:
        """The main bracket, the match for the third place, the consolation; None for one that isn't played."""
        main = decided.bracket(seeded(field.teams))
        last = len(main.rounds)
        third = decided.bracket(decided.losers(main.rounds[-2])) if self.third and last > 1 else None
        if not self.consolation or last < 3:
            return main, third, None
        semi_final = self.third and last == 3  # whether the second round's losers play for third place
        return main, third, decided.bracket(decided.first_losers(main, byes=not semi_final))

    def matches(self, field: Field, played: Sequence[PlayedRound]) -> list[NamedMatch]:
        """The main bracket, the match for the third place, the consolation."""
        names = self._names(field)
        decided = Decided(self._winners(field, played), field.absent)
        brackets = dict(zip(PARTS, self._brackets(field, decided), strict=True))
        matches = []
        at: dict[frozenset[Side | None], PlayedTable] = {
            frozenset(table.sides): table for round_ in played for table in round_.tables
        }
        for place, name in names.items():
            part, number, n = place
            match = _rounds(brackets[part])[number][n]
            if BYE in match:
                continue
            first, second = (side or _origin(names, place, brackets=brackets, side=s) for s, side in enumerate(match))
            matches.append(NamedMatch(name, place, (first, second), decided.goes_on(match), at.get(frozenset(match))))
        return matches

    def _names(self, field: Field) -> dict[Place, MatchName]:
        """The matches by their places in the bracket as it is before anything is played, byes left out."""
        names = {}
        for part, bracket in zip(PARTS, self._brackets(field, Decided({}, frozenset())), strict=True):
            count = 0
            for number, matches in enumerate(rounds := _rounds(bracket)):
                count = count if part == CONSOLATION else 0
                for n, match in enumerate(matches):
                    if BYE not in match:
                        count += 1
                        names[part, number, n] = MatchName(part, len(rounds) - number - 1, count)
        return names

    def _winners(self, field: Field, played: Sequence[PlayedRound]) -> dict[frozenset[Side], Side | None]:
        """Who won each match. A side that wasn't there for a round that was played has lost it, even if it comes back;
        BYE has won where neither was."""
        won: dict[frozenset[Side], Side | None] = {}
        for number, round_ in enumerate(played, start=1):
            decided = Decided(won, away_from(field, round_))
            won |= {
                frozenset((side, other)): winner
                for bracket in self._brackets(field, decided)
                if bracket
                for side, other in chain(*bracket.rounds)
                if side and other and (winner := decided.goes_on((side, other))) != ()
            }
            for place, table in enumerate(round_.tables, start=1):
                if table.half_wins:  # else it is still being played
                    won[frozenset(table.sides)] = winner_of(
                        field, round_, table=table, at=(number, place), lots=self.lots_settle
                    )
        return won


Item: TypeAlias = tuple[Side | None, "Feed | None"]  # a side, or () or BYE, and where it comes from


@dataclass(frozen=True, slots=True)
class Feed:
    """The match that a side comes from, and whether as its winner."""

    won: bool
    place: Place


@dataclass(frozen=True, kw_only=True)
class DoubleKnockOut(Bracketed):
    """Who has lost twice is out.

    Losers of the winners' bracket go on in the losers' bracket, whose winner meets that of the other in the final; the
    one without a loss must be beaten twice. In the losers' bracket the survivors of a round meet those who drop from
    the winners' bracket, in an order that brings few together who have met; then each other."""

    slug: ClassVar[str] = "double-ko"
    level: str = option("extra-deal", choices=LEVEL)

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """The winner, the other finalist, then who went out later; those who are in go by their round, and who hasn't
        lost comes before who has."""
        at = self._play(field, self._won(field, played), absent=field.absent)
        reached: dict[Side, int] = dict.fromkeys(field.teams, 0)
        last = max((number for part, number, _n in at if part == WINNERS), default=0)
        for (part, number, _n), (match, winner) in at.items():
            worth = {WINNERS: 4 * number + 1, LOSERS: 2 * number + 2, DECIDING: 4 * last + 5 + number}[part]
            for side, _feed in match:
                if side:
                    reached[side] = max(reached[side], worth)
            if part == DECIDING and winner and (number or winner == match[0][0]):
                reached[winner] += 2
        return reached

    def matches(self, field: Field, played: Sequence[PlayedRound]) -> list[NamedMatch]:
        """The winners' bracket, the losers' bracket, the final; the deciding match once it is needed."""
        tables: dict[Place, PlayedTable] = {}
        names = self._names(field)
        matches = []
        for place, (match, winner) in self._play(
            field, self._won(field, played, tables=tables), absent=field.absent
        ).items():
            sides = [side or (feed and Origin(feed.won, names[feed.place])) for side, feed in match]
            if place in names and sides[0] and sides[1]:
                matches.append(NamedMatch(names[place], place, (sides[0], sides[1]), winner, tables.get(place)))
        return sorted(matches, key=lambda match: (OF_TWO.index(match.place[0]), match.place))

    def _names(self, field: Field) -> dict[Place, MatchName]:
        names, count = {}, dict.fromkeys(OF_TWO, 0)
        shape = self._play(field, {}, absent=frozenset())
        for place, (match, _winner) in sorted(shape.items(), key=lambda item: item[0]):
            if all(side is not BYE for side, _feed in match):
                count[place[0]] += 1
                names[place] = MatchName(place[0], 0, count[place[0]])
        names[DECIDING, 1, 0] = MatchName(DECIDING, 0, 2)
        return names

    def _open(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        due, lost = self._due_now(field, self._won(field, played), absent=absent)
        return list(due.values()), [(winner, away) for away, winner in lost.items() if winner]

    def _due_now(
        self, field: Field, won: dict[Place, Side | None], *, absent: frozenset[int]
    ) -> tuple[dict[Place, Table], dict[Side, Side | None]]:
        """The matches that come next, by their places; and who isn't there for one, with who wins that. These are put
        into `won`. A side loses one match in a round, unless nobody else has one."""
        lost: dict[Side, Side | None] = {}
        while True:
            due, decided = dict[Place, Table](), False
            for place, (((first, _from), (second, _of)), winner) in self._play(field, won, absent=frozenset()).items():
                if not first or not second or winner != ():
                    continue
                present = [side for side in (first, second) if not absent.intersection(side)]
                if len(present) == 2:
                    due[place] = (first, second)
                    continue
                decided, won[place] = True, present[0] if present else BYE
                for away in {first, second}.difference(present):
                    lost.setdefault(away, won[place])
            if due or not decided:
                return dict(sorted(due.items(), key=lambda item: (OF_TWO.index(item[0][0]), item[0]))), lost

    def _won(
        self, field: Field, played: Sequence[PlayedRound], *, tables: dict[Place, PlayedTable] | None = None
    ) -> dict[Place, Side | None]:
        """Who won each match so far. A side that wasn't there for a round that was played has lost the match that it
        had then. Writes the tables of matches into `tables`."""
        won: dict[Place, Side | None] = {}
        for number, round_ in enumerate(played, start=1):
            due, _lost = self._due_now(field, won, absent=away_from(field, round_))
            places = {frozenset(match): place for place, match in due.items()}
            for n, table in enumerate(round_.tables, start=1):
                at = places.get(frozenset(table.sides))
                if at and tables is not None:
                    tables[at] = table
                if at and table.half_wins:
                    won[at] = winner_of(field, round_, table=table, at=(number, n), lots=self.lots_settle)
        return won

    def _play(
        self, field: Field, won: Mapping[Place, Side | None], *, absent: frozenset[int]
    ) -> dict[Place, tuple[tuple[Item, Item], Side | None]]:
        """Every match by its place: its two sides with where they come from, and who has won it, () for nobody yet."""
        decided, matches = Decided({}, absent), dict[Place, tuple[tuple[Item, Item], Side | None]]()

        def play(place: Place, match: tuple[Item, Item]) -> tuple[Item, Item]:
            first, second = match
            winner = won[place] if place in won else decided.goes_on((first[0], second[0]))
            matches[place] = match, winner
            if first[0] is BYE or second[0] is BYE:
                return (second if first[0] is BYE else first), (BYE, None)
            loser = winner if not winner else second[0] if winner == first[0] else first[0]
            return (winner, Feed(won=True, place=place)), (loser, Feed(won=False, place=place))

        def rounds(part: str, number: int, *, pairs: Iterable[tuple[Item, Item]]) -> tuple[list[Item], list[Item]]:
            went = [play((part, number, n), pair) for n, pair in enumerate(pairs)]
            return [winner for winner, _loser in went], [loser for _winner, loser in went]

        if len(field.teams) < 2:
            return matches
        line: list[Item] = [(side, None) for side in seeded(field.teams)]
        line, below = rounds(WINNERS, 0, pairs=_paired(line))
        if len(below) > 1:
            below, _out = rounds(LOSERS, 0, pairs=_paired(below))
        dropping = 0
        while len(line) > 1:
            dropping += 1
            line, lost = rounds(WINNERS, dropping, pairs=_paired(line))
            below, _out = rounds(LOSERS, 2 * dropping - 1, pairs=zip(below, turned(lost, dropping), strict=True))
            if len(below) > 1:
                below, _out = rounds(LOSERS, 2 * dropping, pairs=_paired(below))
        first, second = line[0], below[0]
        (winner, _feed), _loser = play((DECIDING, 0, 0), (first, second))
        if first[0] and second[0] and winner == second[0]:  # the one without a loss has one now
            play((DECIDING, 1, 0), (first, second))
        return matches


def _paired(line: Sequence[Item]) -> list[tuple[Item, Item]]:
    return [(line[n], line[n + 1]) for n in range(0, len(line), 2)]


TURNS = {2: 0, 4: 3, 8: 3, 16: 8, 32: 31, 64: 31}
"""By how many drop from a round: what is added to each place, bit by bit. Of all ways to turn the rounds of a bracket
(backwards, by halves, both, neither) this is one in which close to the fewest matches are rematches, if every match is
a toss-up: 0.6 to 0.9 before the final, of 8 to 256 sides."""


def turned(lost: Sequence[T], dropping: int) -> list[T]:
    """Those who drop from a round of the winners' bracket (from 1), in the order in which they meet the survivors of
    the other.

    >>> turned("ab", 1), turned("abcd", 1), turned("abcdefgh", 1), turned("ab", 2)
    (['b', 'a'], ['d', 'c', 'b', 'a'], ['d', 'c', 'b', 'a', 'h', 'g', 'f', 'e'], ['a', 'b'])
    """
    turn = TURNS.get(len(lost), len(lost) - 1) if (len(lost), dropping) != (2, 1) else 1
    return [lost[place ^ turn] for place in range(len(lost))]


def _rounds(bracket: Bracket | None) -> tuple[tuple[Match, ...], ...]:
    return bracket.rounds if bracket else ()


def _origin(
    names: Mapping[Place, MatchName], place: Place, *, brackets: Mapping[str, Bracket | None], side: int
) -> Origin:
    """Where a side comes from that isn't known yet: the winner or the loser of which match."""
    part, number, n = place
    main, before = _rounds(brackets[MAIN]), 2 * n + side
    if number:
        feeder = (part, number - 1, before)
        match = _rounds(brackets[part])[number - 1][before]
        if BYE in match:  # the side that is to come goes through
            return _origin(names, feeder, brackets=brackets, side=match.index(()))
        return Origin(won=True, match=names[feeder])
    if part == THIRD:
        return Origin(won=False, match=names[MAIN, len(main) - 2, before])
    if (lost := (MAIN, 0, before)) in names:
        return Origin(won=False, match=names[lost])
    return Origin(won=False, match=names[MAIN, 1, n])  # who had a bye may lose the second round


def away_from(field: Field, round_: PlayedRound) -> frozenset[int]:
    """Who wasn't there for a round that was played."""
    present = {p for table in round_.tables for side in table.sides for p in side} | set(round_.sit_outs)
    return frozenset(person for team in field.teams for person in team) - present


def winner_of(field: Field, round_: PlayedRound, *, table: PlayedTable, at: tuple[int, int], lots: bool) -> Side | None:
    """Who has won a table that has a result: BYE has won where neither was there. Raises FormatRefused for one that
    ended level, unless `lots` settle it; `at` are the numbers of round and table."""
    first, second = table.sides
    if table.half_wins[0] != table.half_wins[1]:
        return table.order()[0]
    if table.walkover:
        return BYE
    if lots:
        return drawn(field, round_, first=first, second=second)
    raise FormatRefused("format.level-table", (("round", at[0]), ("table", at[1])))


def level_left_open(played: Sequence[PlayedRound], *, lots: bool) -> list[PlayedRound]:
    """The rounds, a match that ended level as one that is still being played, unless `lots` settle it: the director
    will decide it."""

    def left_open(table: PlayedTable) -> PlayedTable:
        return replace(table, half_wins=()) if table.is_level and not lots else table

    return [replace(round_, tables=tuple(map(left_open, round_.tables))) for round_ in played]


def drawn(field: Field, round_: PlayedRound, *, first: Side, second: Side) -> Side:
    """Who goes on by lot: the side with the lowest lot, which is made of its lowest number and the round's seed."""
    seed = round_.lots_seed
    if seed is None:  # from before lots went by numbers: what was decided stays
        return max((first, second), key=lambda side: sha256(repr(sorted(side)).encode()).digest())
    return min((first, second), key=lambda side: lot(seed, min(field.number_of(person) for person in side)))


def bracket_order(sides: int) -> list[int]:
    """The seeds of a bracket for this many sides, from 0, in the order of its places.

    >>> bracket_order(4)
    [0, 3, 1, 2]
    """
    order = [0]
    while len(order) < sides:
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return order


def seeded(teams: Sequence[Side]) -> list[Side | None]:
    """The places of a bracket: first against last seed, the first two at opposite ends, byes to the first seeds.

    >>> seeded([(1,), (2,), (3,)])
    [(1,), None, (2,), (3,)]
    """
    order = bracket_order(len(teams))
    return [teams[seed] if seed < len(teams) else BYE for seed in order]
