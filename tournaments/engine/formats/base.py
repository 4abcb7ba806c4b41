"""What every format has: who takes part, what was played, what is true of it."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from tournaments.engine.rounds import PAIR_WISHES, PLACE_WISHES, EngineRefused, SeatedRound, Side, Table


class Traits:
    """The traits of a format, with their defaults."""

    slug: ClassVar[str]
    has_cut: ClassVar[bool] = False  # stages with cuts between them; else rounds of those who are here
    searched: ClassVar[bool] = False  # a draw is searched for, all planned rounds together
    fixed_sides: ClassVar[bool] = False  # somebody says who plays with whom, for the whole event
    between_clubs: ClassVar[bool] = False  # each side plays for one of two clubs
    bracket: ClassVar[bool] = False  # all meetings follow from its first round: nobody comes later
    outs: ClassVar[bool] = False  # who loses, or loses often enough, is out: places go by how long somebody was in
    one_table: ClassVar[bool] = False
    by_order_of_tables: ClassVar[bool] = False  # who plays where next follows from the order of the tables
    all_meet: ClassVar[bool] = False  # so that games against each other can decide among those who are level
    plans_matches: ClassVar[bool] = False  # all matches are known beforehand
    ordered: ClassVar[bool] = False  # the order of sides in its first draw stays
    counts_meetings: ClassVar[bool] = False  # its draws say who partners, opposes and meets whom again
    in_groups: ClassVar[bool] = False  # sides meet within their group alone, and have their place in it
    by_score: ClassVar[bool] = False  # sides of like score meet, by the totals of the standings
    wishes: ClassVar[tuple[str, ...]] = ()  # the kinds of `rounds.DrawWish` that its draws are held to
    late_tables: ClassVar[bool] = False  # people who come late get a table of their own in the round that is on
    refills: ClassVar[bool] = False  # a table that has finished is for those who have waited longest, at once
    tells_rematches: ClassVar[bool] = False  # its draws say who meets again
    two_sides: ClassVar[bool] = True  # it takes games of two sides only
    fours: ClassVar[bool] = False  # it takes games of two sides of two only
    chain: ClassVar[tuple[str, ...]] = ("points", "games-won", "fewest-sets", "best-game", "play-off", "lots")
    # what places go by, where nobody says otherwise

    @classmethod
    def fits(cls, sides: int, per_side: int) -> bool:
        """Whether a game with this many sides can be played in this format."""
        return (sides == 2 or not cls.two_sides) and ((sides, per_side) == (2, 2) or not cls.fours)

    @classmethod
    def gives_result_points(cls) -> bool:
        """Whether its matches may give points by their results."""
        return cls.fixed_sides and not cls.outs and "rung" not in cls.chain

    @classmethod
    def sides_stay(cls, options: Mapping[str, object]) -> bool:
        """Whether, with these options, the same people score together throughout, so that sides are ranked, not
        people."""
        return cls.fixed_sides


class ContestTraits(Traits):
    """A competition: stages of groups drawn by lot, cuts, a final."""

    slug = "contest"
    has_cut = True
    two_sides = False


class RotationTraits(Traits):
    """A club night with new partners in every round."""

    slug = "rotation"
    searched = True
    late_tables = True
    wishes = (*PAIR_WISHES, *PLACE_WISHES)
    fours = True


WON = 2  # half wins of a side that has won its table; 1 where it is shared


class FormatRefused(EngineRefused):
    """No next round can be made."""


@dataclass(frozen=True)
class Field:
    """Who takes part. `teams` are those who score together, in the order of their seeding; a single is a team of one.

    `absent` people aren't there for the next round; a team is absent if one of its people is. `forfeits` are those of
    them who have left for good, and lose every match that they still had. `clubs` has the club of each team, for
    matches between clubs. `totals` are half wins and points in the standings (many are good), by a team's first person;
    None if there are only the tables' results. `apart` are pairs of people who mustn't meet."""

    teams: tuple[Side, ...]
    absent: frozenset[int] = frozenset()
    clubs: tuple[int, ...] = ()
    numbers: Mapping[int, int] = dataclasses.field(default_factory=dict)
    forfeits: frozenset[int] = frozenset()
    totals: Mapping[int, tuple[int, int]] | None = None
    apart: frozenset[frozenset[int]] = frozenset()

    def number_of(self, person: int) -> int:
        return self.numbers.get(person, person)

    @cached_property
    def present(self) -> tuple[Side, ...]:
        return tuple(team for team in self.teams if not self.absent.intersection(team))

    def keeps_apart(self, side: Side, other: Side) -> bool:
        """Whether two sides mustn't meet, because somebody of one mustn't meet somebody of the other."""
        return any(pair.intersection(side) and pair.intersection(other) for pair in self.apart)


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round: its sides with their points and half wins (2 won, 1 shared, 0 lost).

    Many points are good; where few are, `tournaments.draws.by_format` gives them as minus points. A walkover was
    decided without cards, as a side wasn't there. If neither was, nobody has won it."""

    sides: tuple[Side, ...]
    points: tuple[int, ...] = ()
    half_wins: tuple[int, ...] = ()
    walkover: bool = False

    @property
    def is_level(self) -> bool:
        """Whether it was played, or ended, without a winner."""
        return bool(self.half_wins) and self.half_wins[0] == self.half_wins[1] and not self.walkover

    def order(self) -> tuple[Side, ...]:
        points = self.points or (0,) * len(self.sides)
        ranked = sorted(range(len(self.sides)), key=lambda s: (-self.half_wins[s], -points[s], s))
        return tuple(self.sides[s] for s in ranked)


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round with its results. The first table is table 1."""

    tables: tuple[PlayedTable, ...]
    sit_outs: tuple[int, ...] = ()
    lots_seed: int | None = None  # decides tables that ended level, where lots settle that


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A round that no longer follows from the results before it."""

    round: int  # from 1
    seated: tuple[tuple[Side, ...], ...]  # matches at its tables that aren't due by the results as they are
    due: tuple[tuple[Side, ...], ...]  # matches that are due, and have no table


@dataclass(frozen=True, kw_only=True)
class Format(Traits, ABC):
    @abstractmethod
    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The seats of the next round. Raises FormatRefused: there is none; says what to do."""

    def find_misplaced(self, field: Field, played: Sequence[PlayedRound]) -> Misplaced | None:
        """The first round that doesn't follow from the results before it. None if all do, and in formats without a
        bracket. Raises FormatRefused: a result before it is missing."""
        return None

    def late_table(self, field: Field, played: Sequence[PlayedRound], *, people: Sequence[int]) -> Table | None:
        """The sides of a further table in the last of the rounds played, for people without a seat in it: two whole
        teams that may meet. None if these people can't play so."""
        among = set(people)
        teams = tuple(team for team in field.teams if among.intersection(team))
        whole = set(sorted_people(teams)) == among and len(teams) == 2
        return teams if whole and not field.keeps_apart(*teams) else None

    def reached(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        return {}

    def count_losses(self, field: Field, played: Sequence[PlayedRound]) -> dict[Side, int]:
        """The matches lost by each side, if a number of losses puts a side out."""
        return {}

    def sides_out(self, field: Field, played: Sequence[PlayedRound]) -> frozenset[Side]:
        """The sides that are out, if losing often enough puts a side out."""
        return frozenset()

    def rounds_without_rematch(self, field: Field, played: Sequence[PlayedRound]) -> tuple[int, int]:
        """How many of the rounds still planned can be played without a rematch, and how many are planned."""
        return 0, 0

    @property
    def lots_settle(self) -> bool:
        return False

    @property
    def bye_half_wins(self) -> int:
        return 0

    @abstractmethod
    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        """Whether all rounds are played."""

    def end_reason(self, field: Field, played: Sequence[PlayedRound]) -> FormatRefused | None:
        """Why no further round is possible for those who are there, whatever the results; None if one is."""
        return FormatRefused("format.over") if self.is_over(field, played) else None


def option(default: Any, *, choices: Sequence[str] = (), most: int = 50) -> Any:
    """A field of a format that the director may choose: one of `choices`, yes or no, or a number up to `most`."""
    return dataclasses.field(default=default, metadata={"choices": tuple(choices), "most": most})


@dataclass(frozen=True, kw_only=True)
class InRounds(Format):
    """A format of a fixed number of rounds, whether or not all have met by then."""

    rounds: int = option(8)

    def refuse_unready(self, field: Field, played: Sequence[PlayedRound], *, least: int) -> None:
        """Raises FormatRefused: fewer than `least` teams are there, a table has no result, or all rounds are played."""
        refuse_too_few(field, least)
        refuse_open_tables(played)
        if self.is_over(field, played):
            raise FormatRefused("format.over")

    def is_over(self, field: Field, played: Sequence[PlayedRound]) -> bool:
        return len(played) >= self.rounds


def option_fields(kind: type[Format]) -> Iterator[dataclasses.Field[Any]]:
    yield from dataclasses.fields(kind)


def refuse_open_tables(played: Sequence[PlayedRound]) -> None:
    for number, round_ in enumerate(played, start=1):
        for table, played_table in enumerate(round_.tables, start=1):
            if len(played_table.half_wins) != len(played_table.sides):
                raise FormatRefused("format.open-table", (("round", number), ("table", table)))


def refuse_too_few(field: Field, least: int) -> None:
    if len(field.present) < least:
        raise FormatRefused("format.too-few", (("least", least), ("given", len(field.present))))


def make_round(field: Field, tables: Iterable[Table], *, lost: Iterable[tuple[Side, Side]] = ()) -> SeatedRound:
    """A round at these tables; those present without a seat rest. `lost` are matches without a table: the winner, and
    who isn't there."""
    tables = tuple(tables)
    seated = {side for table in tables for side in table}
    return SeatedRound(tables, sorted_people([side for side in field.present if side not in seated]), tuple(lost))


def sorted_people(teams: Iterable[Side]) -> tuple[int, ...]:
    return tuple(sorted(person for team in teams for person in team))
