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
    make_round,
    option,
    refuse_open_tables,
    refuse_too_few,
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
    """What a match is called. Sides and options decide that alone, whatever is played."""

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
    """A match of two sides; those not known yet are given by their origin."""

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
    """The matches of each round of a bracket, those that can be played now or are won now without a table, and who has
    won the bracket, () for nobody yet."""

    rounds: tuple[tuple[Match, ...], ...]
    playable: tuple[Table, ...]
    walkovers: tuple[tuple[Side, Side], ...]  # who goes on without a table, and who isn't there
    winner: Side


@dataclass(frozen=True)
class KnownResults:
    """What is known of the matches: who won (BYE: nobody, as neither was there), and who isn't there, so that their
    sides lose without a table."""

    won: Mapping[frozenset[Side], Side | None]
    absent: frozenset[int]

    def bracket(self, places: Sequence[Side | None]) -> Bracket:
        rounds: list[tuple[Match, ...]] = []
        playable: list[Table] = []
        walkovers: list[tuple[Side, Side]] = []
        line = list(places)
        while len(line) > 1:
            matches = [(line[n], line[n + 1]) for n in range(0, len(line), 2)]
            rounds.append(tuple(matches))
            line = [self.winner(match) for match in matches]
            for (first, second), winner in zip(matches, line, strict=True):
                if not first or not second or frozenset((first, second)) in self.won:
                    continue
                if winner == ():
                    playable.append((first, second))
                elif winner:
                    walkovers.append((winner, second if winner == first else first))
        return Bracket(tuple(rounds), tuple(playable), tuple(walkovers), (line[0] if line else None) or ())

    def winner(self, match: Match) -> Side | None:
        """The winner of a match: () if it isn't known yet, BYE if nobody wins it."""
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
        """The loser of each match: () if it isn't known yet, BYE if nobody lost it."""
        lost: list[Side | None] = []
        for first, second in matches:
            goes_on = self.winner((first, second))
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
    """Two sides at a table, by seeding. The best seeds have the byes of the first round, and meet last.

    A side that has left loses without a table. Pairs that mustn't meet don't in the first round and, if lots allow it,
    only in the last."""

    by_order_of_tables: ClassVar[bool] = True
    bracket: ClassVar[bool] = True
    outs: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    chain: ClassVar[tuple[str, ...]] = ("reached", "points")
    fixed_sides: ClassVar[bool] = True

    @abstractmethod
    def matches(self, field: Field, played: Sequence[PlayedRound]) -> list[NamedMatch]:
        """All matches but byes, part after part, round after round. Raises FormatRefused: a match ended level, and lots
        don't settle that."""

    @abstractmethod
    def _open_matches(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        """The matches that can be played now; and those won now without a table, with who isn't there."""

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The matches that can be played now, part after part."""
        if len(field.teams) < 2:
            refuse_too_few(field, 2)
        refuse_open_tables(played)
        if wrong := self.find_misplaced(field, played):
            raise FormatRefused("format.misplaced", (("round", wrong.round),))
        tables, walkovers = self._open_matches(field, played, absent=field.absent)
        if not tables:
            raise FormatRefused("format.over")
        if not played and not self.is_kept_apart(field):
            raise FormatRefused("format.apart")
        seated = set(chain.from_iterable(tables))
        return make_round(field, tables, lost=[match for match in walkovers if match[0] not in seated])

    def is_kept_apart(self, field: Field) -> bool:
        return not any(field.keeps_apart(*match) for match in self._due_matches(field, (), absent=field.absent))

    def earliest_meetings(self, field: Field) -> dict[frozenset[int], int]:
        """The pairs that mustn't meet, each with the earliest round, from 1, in which they could."""
        place = {person: n for n, side in enumerate(seed_bracket(field.teams)) for person in side or ()}
        return {
            pair: (place[a] ^ place[b]).bit_length() for pair in field.apart for a, b in [pair] if {a, b} <= {*place}
        }

    def first_meeting(self, field: Field) -> int:
        """The earliest of these rounds; the final's if they are in different halves, or there are no such pairs."""
        return min([(len(field.teams) - 1).bit_length(), *self.earliest_meetings(field).values()])

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return not self._due_matches(field, played, absent=field.absent) and self.find_misplaced(field, played) is None

    def _due_matches(self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]) -> list[Table]:
        return self._open_matches(field, played, absent=absent)[0]

    def find_misplaced(self, field: Field, played: Sequence[PlayedRound]) -> Misplaced | None:
        """The first round whose matches aren't those of the bracket, because an earlier result was corrected. Raises
        FormatRefused: an earlier match has no result, or no winner."""
        for number, round_ in enumerate(played, start=1):
            before = played[: number - 1]
            refuse_open_tables(before)
            due = {
                frozenset(match): match
                for match in self._due_matches(field, before, absent=absent_people(field, round_))
            }
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
    """A side that loses is out.

    With `consolation`, sides that lose their first match play a knock-out of their own beside the rounds that follow;
    with `third`, the losers of the semi-finals play for third place beside the final."""

    slug: ClassVar[str] = "knock-out"
    consolation: bool = option(True)
    third: bool = option(True)
    level: str = option("extra-deal", choices=LEVEL)  # what settles a match that ended level

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def _open_matches(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        brackets = list(
            filter(None, self._make_brackets(field, KnownResults(self._find_winners(field, played), absent)))
        )
        return [t for b in brackets for t in b.playable], [w for b in brackets for w in b.walkovers]

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """How far each side has come, the higher the further; those who left the same round are level.

        The winner, the other finalist, the third and the fourth come first; then those who went out later in the main
        bracket, then those who went out later in the consolation."""
        won = self._find_winners(field, played)
        main, third, beside = self._make_brackets(field, KnownResults(won, field.absent))
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

    def _make_brackets(self, field: Field, decided: KnownResults) -> tuple[Bracket, Bracket | None, Bracket | None]:
        """The main bracket, the match for third place, the consolation; None for one that isn't played."""
        main = decided.bracket(seed_bracket(field.teams))
        last = len(main.rounds)
        third = decided.bracket(decided.losers(main.rounds[-2])) if self.third and last > 1 else None
        if not self.consolation or last < 3:
            return main, third, None
        semi_final = self.third and last == 3  # whether the second round's losers play for third place
        return main, third, decided.bracket(decided.first_losers(main, byes=not semi_final))

    def matches(self, field: Field, played: Sequence[PlayedRound]) -> list[NamedMatch]:
        names = self._match_names(field)
        decided = KnownResults(self._find_winners(field, played), field.absent)
        brackets = dict(zip(PARTS, self._make_brackets(field, decided), strict=True))
        matches = []
        at: dict[frozenset[Side | None], PlayedTable] = {
            frozenset(table.sides): table for round_ in played for table in round_.tables
        }
        for place, name in names.items():
            part, number, n = place
            match = _bracket_rounds(brackets[part])[number][n]
            if BYE in match:
                continue
            first, second = (
                side or _find_origin(names, place, brackets=brackets, side=s) for s, side in enumerate(match)
            )
            matches.append(NamedMatch(name, place, (first, second), decided.winner(match), at.get(frozenset(match))))
        return matches

    def _match_names(self, field: Field) -> dict[Place, MatchName]:
        """The names of matches by their places in the bracket before anything is played, without byes."""
        names = {}
        for part, bracket in zip(PARTS, self._make_brackets(field, KnownResults({}, frozenset())), strict=True):
            count = 0
            for number, matches in enumerate(rounds := _bracket_rounds(bracket)):
                count = count if part == CONSOLATION else 0
                for n, match in enumerate(matches):
                    if BYE not in match:
                        count += 1
                        names[part, number, n] = MatchName(part, len(rounds) - number - 1, count)
        return names

    def _find_winners(self, field: Field, played: Sequence[PlayedRound]) -> dict[frozenset[Side], Side | None]:
        """The winner of each match. A side that wasn't there for a played round has lost its match, even if it comes
        back; BYE has won if neither was there."""
        won: dict[frozenset[Side], Side | None] = {}
        for number, round_ in enumerate(played, start=1):
            decided = KnownResults(won, absent_people(field, round_))
            won |= {
                frozenset((side, other)): winner
                for bracket in self._make_brackets(field, decided)
                if bracket
                for side, other in chain(*bracket.rounds)
                if side and other and (winner := decided.winner((side, other))) != ()
            }
            for place, table in enumerate(round_.tables, start=1):
                if table.half_wins:  # else it is still being played
                    won[frozenset(table.sides)] = table_winner(
                        field, round_, table=table, at=(number, place), lots=self.lots_settle
                    )
        return won


Item: TypeAlias = tuple[Side | None, "Feeder | None"]  # a side, or () or BYE, and where it comes from


@dataclass(frozen=True, slots=True)
class Feeder:
    """The match that a side comes from, and whether as its winner."""

    won: bool
    place: Place


@dataclass(frozen=True, kw_only=True)
class DoubleKnockOut(Bracketed):
    """A side that has lost twice is out.

    Losers of the winners' bracket go on in the losers' bracket, whose winner meets the other's in the final; there the
    side without a loss must be beaten twice. In the losers' bracket the survivors of a round meet those who drop from
    the winners' bracket, in an order with few rematches; then each other."""

    slug: ClassVar[str] = "double-ko"
    level: str = option("extra-deal", choices=LEVEL)

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """The winner, the other finalist, then those who went out later. Those still in go by their round, and those
        without a loss come first."""
        at = self._play_out(field, self._find_winners(field, played), absent=field.absent)
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
        """The winners' bracket, the losers' bracket, the final, and the deciding match once it is needed."""
        tables: dict[Place, PlayedTable] = {}
        names = self._match_names(field)
        matches = []
        for place, (match, winner) in self._play_out(
            field, self._find_winners(field, played, tables=tables), absent=field.absent
        ).items():
            sides = [side or (feed and Origin(feed.won, names[feed.place])) for side, feed in match]
            if place in names and sides[0] and sides[1]:
                matches.append(NamedMatch(names[place], place, (sides[0], sides[1]), winner, tables.get(place)))
        return sorted(matches, key=lambda match: (OF_TWO.index(match.place[0]), match.place))

    def _match_names(self, field: Field) -> dict[Place, MatchName]:
        names, count = {}, dict.fromkeys(OF_TWO, 0)
        shape = self._play_out(field, {}, absent=frozenset())
        for place, (match, _winner) in sorted(shape.items(), key=lambda item: item[0]):
            if all(side is not BYE for side, _feed in match):
                count[place[0]] += 1
                names[place] = MatchName(place[0], 0, count[place[0]])
        names[DECIDING, 1, 0] = MatchName(DECIDING, 0, 2)
        return names

    def _open_matches(
        self, field: Field, played: Sequence[PlayedRound], *, absent: frozenset[int]
    ) -> tuple[list[Table], list[tuple[Side, Side]]]:
        due, lost = self._next_matches(field, self._find_winners(field, played), absent=absent)
        return list(due.values()), [(winner, away) for away, winner in lost.items() if winner]

    def _next_matches(
        self, field: Field, won: dict[Place, Side | None], *, absent: frozenset[int]
    ) -> tuple[dict[Place, Table], dict[Side, Side | None]]:
        """The matches that come next, by place; and the sides that aren't there for one, with who wins it, which is
        added to `won`. A side loses one match in a round, unless nobody else has one."""
        lost: dict[Side, Side | None] = {}
        while True:
            due, decided = dict[Place, Table](), False
            for place, (((first, _from), (second, _of)), winner) in self._play_out(
                field, won, absent=frozenset()
            ).items():
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

    def _find_winners(
        self, field: Field, played: Sequence[PlayedRound], *, tables: dict[Place, PlayedTable] | None = None
    ) -> dict[Place, Side | None]:
        """The winner of each match so far. A side that wasn't there for a played round has lost the match that it had
        then. Adds the tables of matches to `tables`."""
        won: dict[Place, Side | None] = {}
        for number, round_ in enumerate(played, start=1):
            due, _lost = self._next_matches(field, won, absent=absent_people(field, round_))
            places = {frozenset(match): place for place, match in due.items()}
            for n, table in enumerate(round_.tables, start=1):
                at = places.get(frozenset(table.sides))
                if at and tables is not None:
                    tables[at] = table
                if at and table.half_wins:
                    won[at] = table_winner(field, round_, table=table, at=(number, n), lots=self.lots_settle)
        return won

    def _play_out(
        self, field: Field, won: Mapping[Place, Side | None], *, absent: frozenset[int]
    ) -> dict[Place, tuple[tuple[Item, Item], Side | None]]:
        """Every match by place: its two sides with where they come from, and its winner, () for nobody yet."""
        decided, matches = KnownResults({}, absent), dict[Place, tuple[tuple[Item, Item], Side | None]]()

        def play(place: Place, match: tuple[Item, Item]) -> tuple[Item, Item]:
            first, second = match
            winner = won[place] if place in won else decided.winner((first[0], second[0]))
            matches[place] = match, winner
            if first[0] is BYE or second[0] is BYE:
                return (second if first[0] is BYE else first), (BYE, None)
            loser = winner if not winner else second[0] if winner == first[0] else first[0]
            return (winner, Feeder(won=True, place=place)), (loser, Feeder(won=False, place=place))

        def rounds(part: str, number: int, *, pairs: Iterable[tuple[Item, Item]]) -> tuple[list[Item], list[Item]]:
            went = [play((part, number, n), pair) for n, pair in enumerate(pairs)]
            return [winner for winner, _loser in went], [loser for _winner, loser in went]

        if len(field.teams) < 2:
            return matches
        line: list[Item] = [(side, None) for side in seed_bracket(field.teams)]
        line, below = rounds(WINNERS, 0, pairs=_pair_up(line))
        if len(below) > 1:
            below, _out = rounds(LOSERS, 0, pairs=_pair_up(below))
        dropping = 0
        while len(line) > 1:
            dropping += 1
            line, lost = rounds(WINNERS, dropping, pairs=_pair_up(line))
            below, _out = rounds(
                LOSERS, 2 * dropping - 1, pairs=zip(below, order_dropping(lost, dropping), strict=True)
            )
            if len(below) > 1:
                below, _out = rounds(LOSERS, 2 * dropping, pairs=_pair_up(below))
        first, second = line[0], below[0]
        (winner, _feed), _loser = play((DECIDING, 0, 0), (first, second))
        if first[0] and second[0] and winner == second[0]:  # the one without a loss has one now
            play((DECIDING, 1, 0), (first, second))
        return matches


def _pair_up(line: Sequence[Item]) -> list[tuple[Item, Item]]:
    return [(line[n], line[n + 1]) for n in range(0, len(line), 2)]


TURNS = {2: 0, 4: 3, 8: 3, 16: 8, 32: 31, 64: 31}
"""By how many drop from a round: what is added to each place, bit by bit. Of all ways to turn the rounds of a bracket
(backwards, by halves, both, neither) this is one in which close to the fewest matches are rematches, if every match is
a toss-up: 0.6 to 0.9 before the final, of 8 to 256 sides."""


def order_dropping(lost: Sequence[T], dropping: int) -> list[T]:
    """The sides that drop from a round of the winners' bracket (from 1), in the order in which they meet the survivors
    of the losers' bracket.

    >>> order_dropping("ab", 1), order_dropping("abcd", 1), order_dropping("abcdefgh", 1), order_dropping("ab", 2)
    (['b', 'a'], ['d', 'c', 'b', 'a'], ['d', 'c', 'b', 'a', 'h', 'g', 'f', 'e'], ['a', 'b'])
    """
    turn = TURNS.get(len(lost), len(lost) - 1) if (len(lost), dropping) != (2, 1) else 1
    return [lost[place ^ turn] for place in range(len(lost))]


def _bracket_rounds(bracket: Bracket | None) -> tuple[tuple[Match, ...], ...]:
    return bracket.rounds if bracket else ()


def _find_origin(
    names: Mapping[Place, MatchName], place: Place, *, brackets: Mapping[str, Bracket | None], side: int
) -> Origin:
    """Where a side comes from that isn't known yet: the winner or the loser of which match."""
    part, number, n = place
    main, before = _bracket_rounds(brackets[MAIN]), 2 * n + side
    if number:
        feeder = (part, number - 1, before)
        match = _bracket_rounds(brackets[part])[number - 1][before]
        if BYE in match:  # the side that is to come goes through
            return _find_origin(names, feeder, brackets=brackets, side=match.index(()))
        return Origin(won=True, match=names[feeder])
    if part == THIRD:
        return Origin(won=False, match=names[MAIN, len(main) - 2, before])
    if (lost := (MAIN, 0, before)) in names:
        return Origin(won=False, match=names[lost])
    return Origin(won=False, match=names[MAIN, 1, n])  # who had a bye may lose the second round


def absent_people(field: Field, round_: PlayedRound) -> frozenset[int]:
    """Who wasn't there for a played round."""
    present = {p for table in round_.tables for side in table.sides for p in side} | set(round_.sit_outs)
    return frozenset(person for team in field.teams for person in team) - present


def table_winner(
    field: Field, round_: PlayedRound, *, table: PlayedTable, at: tuple[int, int], lots: bool
) -> Side | None:
    """The winner of a table that has a result: BYE if neither side was there. Raises FormatRefused: it ended level and
    `lots` don't settle that; `at` are the numbers of round and table."""
    first, second = table.sides
    if table.half_wins[0] != table.half_wins[1]:
        return table.order()[0]
    if table.walkover:
        return BYE
    if lots:
        return winner_by_lot(field, round_, first=first, second=second)
    raise FormatRefused("format.level-table", (("round", at[0]), ("table", at[1])))


def reopen_level_tables(played: Sequence[PlayedRound], *, lots: bool) -> list[PlayedRound]:
    """The rounds, with tables that ended level as still being played, unless `lots` settle them: the director will
    decide."""

    def left_open(table: PlayedTable) -> PlayedTable:
        return replace(table, half_wins=()) if table.is_level and not lots else table

    return [replace(round_, tables=tuple(map(left_open, round_.tables))) for round_ in played]


def winner_by_lot(field: Field, round_: PlayedRound, *, first: Side, second: Side) -> Side:
    """The side with the lowest lot, which is made of the side's lowest number and the round's seed."""
    seed = round_.lots_seed
    if seed is None:  # from before lots went by numbers: what was decided stays
        return max((first, second), key=lambda side: sha256(repr(sorted(side)).encode()).digest())
    return min((first, second), key=lambda side: lot(seed, min(field.number_of(person) for person in side)))


def bracket_order(sides: int) -> list[int]:
    """The seeds, from 0, of a bracket for this many sides, in the order of its places.

    >>> bracket_order(4)
    [0, 3, 1, 2]
    """
    order = [0]
    while len(order) < sides:
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return order


def seed_bracket(teams: Sequence[Side]) -> list[Side | None]:
    """The places of a bracket: first against last seed, the first two at opposite ends, byes to the first seeds.

    >>> seed_bracket([(1,), (2,), (3,)])
    [(1,), None, (2,), (3,)]
    """
    order = bracket_order(len(teams))
    return [teams[seed] if seed < len(teams) else BYE for seed in order]
