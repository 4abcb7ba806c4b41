"""Knock-out: who loses is out, or goes on in the consolation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import ClassVar, TypeAlias

from tournaments.engine.formats.base import (
    Field,
    Format,
    FormatRefused,
    Misplaced,
    PlayedRound,
    at_least,
    finished,
    option,
)
from tournaments.engine.ranking import lot
from tournaments.engine.rounds import SeatedRound, Side, Table

BYE = None

Match: TypeAlias = tuple[Side | None, Side | None]  # BYE in place of a side that there isn't, () of one not known yet
Place: TypeAlias = tuple[str, int, int]  # a match: its part of the bracket, its round there, its place in that; from 0

MAIN, THIRD, CONSOLATION = PARTS = ("main", "third", "consolation")


@dataclass(frozen=True, slots=True)
class MatchName:
    """What a match is called, whatever is played: the same number of sides and the same options give the same names."""

    part: str  # of PARTS
    rounds_after: int  # of its part: 0 for the final, 1 for a semi-final
    number: int  # from 1, in its round; in the consolation through all its rounds


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
            for (one, other), winner in zip(matches, line, strict=True):
                if not one or not other or frozenset((one, other)) in self.won:
                    continue
                if winner == ():
                    playable.append((one, other))
                elif winner:
                    walkovers.append((winner, other if winner == one else one))
        return Bracket(tuple(rounds), tuple(playable), tuple(walkovers), (line[0] if line else None) or ())

    def goes_on(self, match: Match) -> Side | None:
        """Who goes on from a match: () when it isn't known yet, BYE when nobody does."""
        one, other = match
        if one is BYE or other is BYE:
            return other if one is BYE else one
        if not one or not other:
            return ()
        if (pair := frozenset((one, other))) in self.won:
            return self.won[pair]
        there = [side for side in (one, other) if not self.absent.intersection(side)]
        return there[0] if len(there) == 1 else () if there else BYE

    def losers(self, matches: Sequence[Match]) -> list[Side | None]:
        """Who lost each match: () when it isn't known yet, BYE when nobody did."""
        lost: list[Side | None] = []
        for one, other in matches:
            goes_on = self.goes_on((one, other))
            if one is BYE or other is BYE or goes_on is BYE:
                lost.append(BYE)
            elif not goes_on:
                lost.append(())
            else:
                lost.append(other if goes_on == one else one)
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
class KnockOut(Format):
    """Two sides at a table, by seeding; the best seeded have the byes of the first round, and meet last.

    With `consolation` those who lose their first match play a knock-out of their own beside the rounds that follow;
    with `third` the losers of the semi-finals play for the third place while the final is on. A side that has left
    loses without a table. In the first round nobody meets whom they mustn't, and where lots allow it only in the final.
    """

    slug: ClassVar[str] = "knock-out"
    by_order_of_tables: ClassVar[bool] = True
    bracket: ClassVar[bool] = True
    wishes: ClassVar[tuple[str, ...]] = ("apart",)
    chain: ClassVar[tuple[str, ...]] = ("reached", "points")
    fixed_sides: ClassVar[bool] = True
    consolation: bool = option(True)
    third: bool = option(True)
    level: str = option("extra-deal", choices=("extra-deal", "lots"))  # what settles a match that ended level

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next matches of the bracket, then the match for the third place, then those of the consolation."""
        if len(field.teams) < 2:
            at_least(field, 2)
        finished(played)
        if wrong := self.misplaced(field, played):
            raise FormatRefused("format.misplaced", (("round", wrong.round),))
        brackets = self._brackets(field, Decided(self._winners(field, played), field.absent))
        tables = [match for one in brackets if one for match in one.playable]
        if not tables:
            raise FormatRefused("format.over")
        if not played and not self.kept_apart(field):
            raise FormatRefused("format.apart")
        seated = {person for table in tables for side in table for person in side}
        walkovers = tuple(
            (winner, away)
            for one in brackets
            if one
            for winner, away in one.walkovers
            if not seated.intersection(winner)
        )
        rest = tuple(sorted(p for t in field.present for p in t if p not in seated))
        return SeatedRound(tuple(tables), rest, walkovers)

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
        brackets = self._brackets(field, Decided(self._winners(field, played), absent))
        return [match for one in brackets if one for match in one.playable]

    @property
    def lots_settle(self) -> bool:
        return self.level == "lots"

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """How far each side has come, the higher the further; those who left the same round are level.

        The winner, the other finalist, the third and the fourth come first; then who went out later in the main
        bracket, then who went out later in the consolation."""
        won = self._winners(field, played)
        main, third, beside = self._brackets(field, Decided(won, field.absent))
        found = {side: 100 * n for n, matches in enumerate(main.rounds) for side in chain(*matches) if side}
        if main.winner:
            found[main.winner] = 100 * len(main.rounds)
        if third and third.winner:
            played_for = frozenset(third.rounds[0][0]) in won
            if played_for or not field.absent.intersection(third.winner):  # nobody is third where both have left
                found[third.winner] += 50
        if beside:
            for number, matches in enumerate(beside.rounds, start=1):
                for side in filter(None, chain(*matches)):
                    found[side] = found[side] // 100 * 100 + number
            if beside.winner:
                found[beside.winner] += 1
        return found

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
        """All matches but byes, round after round: the main bracket, the match for the third place, the consolation.
        Raises FormatRefused for a match that ended level, unless lots settle it."""
        names = self._names(field)
        decided = Decided(self._winners(field, played), field.absent)
        brackets = dict(zip(PARTS, self._brackets(field, decided), strict=True))
        matches = []
        for place, name in names.items():
            part, number, n = place
            match = _rounds(brackets[part])[number][n]
            if BYE in match:
                continue
            one, other = (side or _origin(names, place, brackets=brackets, side=s) for s, side in enumerate(match))
            matches.append(NamedMatch(name, place, (one, other), decided.goes_on(match)))
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

    def misplaced(self, field: Field, played: Sequence[PlayedRound]) -> Misplaced | None:
        """The first round whose matches aren't those of the bracket, as a corrected result before it leaves it. Raises
        FormatRefused for a match of a round before another that has no result, or no winner."""
        for number, one in enumerate(played, start=1):
            before = played[: number - 1]
            finished(before)
            due = {frozenset(match): match for match in self._due(field, before, absent=_away(field, one))}
            there = {frozenset(table.sides): table.sides for table in one.tables}
            if due.keys() != there.keys():
                return Misplaced(
                    number,
                    tuple(sides for match, sides in there.items() if match not in due),
                    tuple(sides for match, sides in due.items() if match not in there),
                )
        return None

    def _winners(self, field: Field, played: Sequence[PlayedRound]) -> dict[frozenset[Side], Side | None]:
        """Who won each match. A side that wasn't there for a round that was played has lost it, even if it comes back;
        BYE has won where neither was. Raises FormatRefused for a match that ended level, unless lots settle it."""
        won: dict[frozenset[Side], Side | None] = {}
        for number, one in enumerate(played, start=1):
            decided = Decided(won, _away(field, one))
            won |= {
                frozenset((side, other)): winner
                for of in self._brackets(field, decided)
                if of
                for side, other in chain(*of.rounds)
                if side and other and (winner := decided.goes_on((side, other))) != ()
            }
            for place, table in enumerate(one.tables, start=1):
                first, second = table.sides
                if not table.half_wins:  # still being played
                    continue
                if table.half_wins[0] != table.half_wins[1]:
                    won[frozenset(table.sides)] = table.order()[0]
                elif table.walkover:
                    won[frozenset(table.sides)] = BYE
                elif self.lots_settle:
                    won[frozenset(table.sides)] = _drawn(field, one, first=first, second=second)
                else:
                    raise FormatRefused("format.level-table", (("round", number), ("table", place)))
        return won


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


def _away(field: Field, one: PlayedRound) -> frozenset[int]:
    """Who wasn't there for a round that was played."""
    there = {p for table in one.tables for side in table.sides for p in side} | set(one.sit_outs)
    return frozenset(person for team in field.teams for person in team) - there


def _drawn(field: Field, one: PlayedRound, *, first: Side, second: Side) -> Side:
    """Who goes on by lot: the side with the lowest lot, which is made of its lowest number and the round's seed."""
    seed = one.lots_seed
    if seed is None:  # from before lots went by numbers: what was decided stays
        return max((first, second), key=lambda side: sha256(repr(sorted(side)).encode()).digest())
    return min((first, second), key=lambda side: lot(seed, min(field.number_of(person) for person in side)))


def bracket_order(sides: int) -> list[int]:
    """The seeds of a bracket for so many, from 0, in the order of its places.

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
