"""Formats of whole tables: progressive, and a single table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import ClassVar

from tournaments.engine.formats.base import Field, FormatRefused, InRounds, PlayedRound, option
from tournaments.engine.rounds import SeatedRound, Side, Table

TABLE = 4
CARDS = ("colours", "losers-colours")  # moves by which everybody has a card of one of two colours
MOVES = ("losers-stay", "losers-down", *CARDS, "compass")


@dataclass(frozen=True, kw_only=True)
class Progressive(InRounds):
    """Tables of four; the first is the head table. After each round the tables change by who won.

    `losers-stay`: winners go up a table, losers stay; at the head table the winners stay and the losers go to the last.
    `losers-down`: losers go down a table. `colours`: everybody has a card of one of two colours for the whole event and
    always partners the other colour; winners of the first colour go up, of the second down, losers stay, and the ends
    are joined. `losers-colours`: the same, but losers move and winners stay. Who arrives partners who was there.
    `compass`: North stays, South goes down a table, East up one, West up two, win or lose.

    Sources: progressive euchre (ohioeuchre.com, Keller 1887; for the compass chatgamers' Progressive Rules) and whist
    drives (whistdrive.wordpress.com, FAQs: losing ladies go up, losing gentlemen down, everybody changes partners)."""

    slug: ClassVar[str] = "progressive"
    by_order_of_tables: ClassVar[bool] = True
    late_tables: ClassVar[bool] = True
    fours: ClassVar[bool] = True
    moves: str = option("losers-stay", choices=MOVES)

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """The next seats. Those left over wait at the last table, and play before anybody waits twice."""
        self.refuse_unready(field, played, least=TABLE)
        people = [person for team in field.present for person in team]
        if not played:
            return self._first_round(people, seed)
        return self._seat_people(self._move_people(played[-1]), people, played=played)

    def late_table(self, field: Field, played: Sequence[PlayedRound], *, people: Sequence[int]) -> Table | None:
        """Four people, with the partners they had least often; with colours, of two colours if possible."""
        if len(people) != TABLE:
            return None
        return self._choose_partners(_alternate_colours(people, played) if self.moves in CARDS else people, played)

    def _first_round(self, people: Sequence[int], seed: int) -> SeatedRound:
        order = list(people)
        Random(seed).shuffle(order)
        seats = len(order) - len(order) % TABLE
        if self.moves in CARDS:
            half = seats // 2
            first, second = order[:half], order[half:seats]
            order[:seats] = [person for pair in zip(first, second, strict=True) for person in pair]
        tables = tuple(((order[s], order[s + 1]), (order[s + 2], order[s + 3])) for s in range(0, seats, TABLE))
        return SeatedRound(tables, tuple(sorted(order[seats:])))

    def _move_people(self, last: PlayedRound) -> list[list[int]]:
        """Who is due at each table: those arriving in the odd places, those who were there in the even ones."""
        ranked = [table.order() for table in last.tables]
        winners, losers = ([sides[n] for sides in ranked] for n in range(2))
        count = len(ranked)
        if self.moves == "compass":
            seats = [[*north_south, *east_west] for north_south, east_west in (table.sides for table in last.tables)]
            step = (0, -1, 1, 2)  # tables that each seat's next one comes from, further down
            return [[seats[(t + step[n]) % count][n] for n in range(TABLE)] for t in range(count)]
        if self.moves in CARDS:
            if self.moves == "losers-colours":
                winners, losers = losers, winners
            return [[winners[(t + 1) % count][0], *losers[t][::-1], winners[t - 1][1]] for t in range(count)]
        if count == 1:
            arriving, staying = winners, losers
        elif self.moves == "losers-stay":
            arriving, staying = [*winners[1:], losers[0]], [winners[0], *losers[1:]]
        else:
            arriving, staying = [*winners[1:], losers[-1]], [winners[0], *losers[:-1]]
        return [[come[0], *stay, come[1]] for come, stay in zip(arriving, staying, strict=True)]

    def _seat_people(
        self, places: list[list[int]], people: Sequence[int], *, played: Sequence[PlayedRound]
    ) -> SeatedRound:
        """The next round, from the places after the move. Where people left or rest, everybody behind them closes
        up."""
        present = set(people)
        order = [person for table in places for person in table if person in present]
        seated = set(order)
        waiting = [person for person in played[-1].sit_outs if person in present]
        waiting += [person for person in people if person not in seated and person not in waiting]
        line = order + waiting
        rested = Counter(person for round_ in played for person in round_.sit_outs)
        fair = sorted(line, key=lambda person: (person in waiting, rested[person], -line.index(person)))
        resting = set(fair[: len(line) % TABLE])
        line = [person for person in line if person not in resting]
        if self.moves in CARDS:
            line = _alternate_colours(line, played)
        fours = [line[s : s + TABLE] for s in range(0, len(line), TABLE)]
        return SeatedRound(tuple(self._choose_partners(four, played) for four in fours), tuple(sorted(resting)))

    def _choose_partners(self, four: Sequence[int], played: Sequence[PlayedRound]) -> Table:
        """Four people as two partnerships: with colours or by the compass as they come, else those who partnered least,
        and not the partners of the last round."""
        last = {frozenset(side) for table in played[-1].tables for side in table.sides}

        def again(way: Table) -> int:
            return sum(frozenset(side) in last for side in way)

        a, b, c, d = four
        if self.moves == "compass":
            return min((((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))), key=again)
        if self.moves in CARDS:
            crossed: list[Table] = [((a, b), (c, d)), ((a, d), (c, b))]
            return min(crossed, key=again)
        often: Counter[frozenset[int]] = Counter(
            frozenset(side) for round_ in played for table in round_.tables for side in table.sides
        )
        ways: list[Table] = [((a, b), (d, c)), ((a, c), (d, b)), ((a, d), (b, c))]
        return min(ways, key=lambda way: (again(way), sum(often[frozenset(side)] ** 2 for side in way)))


def _alternate_colours(line: Sequence[int], played: Sequence[PlayedRound]) -> list[int]:
    """The line with the two colours in turn. A person's colour is that of their first seat; newcomers even them out."""
    colour: dict[int, int] = {}
    for round_ in played:
        for table in round_.tables:
            for side in table.sides:
                for number, person in enumerate(side):
                    colour.setdefault(person, number)
    first = [person for person in line if colour.get(person) == 0]
    second = [person for person in line if colour.get(person) == 1]
    for person in line:
        if person not in colour:
            min(first, second, key=len).append(person)
    while len(first) != len(second):
        longer, shorter = (first, second) if len(first) > len(second) else (second, first)
        shorter.append(longer.pop())
    return [person for pair in zip(first, second, strict=True) for person in pair]


MOST = 12  # people at one table


@dataclass(frozen=True, kw_only=True)
class SingleTable(InRounds):
    """Everybody at one table, in sides of `per_side`. Partners stay, or change so that all partner all equally
    often."""

    slug: ClassVar[str] = "single-table"
    one_table: ClassVar[bool] = True
    all_meet: ClassVar[bool] = True
    two_sides: ClassVar[bool] = False
    rounds: int = option(3)
    per_side: int = option(2, most=6)
    partners: str = option("change", choices=("change", "stay"))

    @classmethod
    def sides_stay(cls, options: Mapping[str, object]) -> bool:
        return options.get("partners") == "stay"

    def next_round(self, field: Field, played: Sequence[PlayedRound], *, seed: int) -> SeatedRound:
        """Of all ways to make sides, the one with the fewest repeated partners."""
        people = [person for team in field.present for person in team]
        if len(people) < 2 * self.per_side:
            raise FormatRefused("format.too-few", (("least", 2 * self.per_side), ("given", len(people))))
        if len(people) > MOST or len(people) % self.per_side:
            raise FormatRefused("format.size", (("size", self.per_side), ("given", len(people))))
        if self.is_over(field, played):
            raise FormatRefused("format.over")
        if self.partners == "stay" or self.per_side == 1:
            return SeatedRound((next(ways_to_split(people, self.per_side)),))
        often = Counter(
            frozenset(pair)
            for round_ in played
            for table in round_.tables
            for side in table.sides
            for pair in combinations(side, 2)
        )

        def again(table: Table) -> int:
            return sum(often[frozenset(pair)] ** 2 for side in table for pair in combinations(side, 2))

        return SeatedRound((min(ways_to_split(people, self.per_side), key=again),))


def ways_to_split(people: Sequence[int], size: int) -> Iterator[Table]:
    """All ways to make sides of `size` from people, each once, in the order of seats.

    >>> len(list(ways_to_split(range(6), 3))), next(ways_to_split((1, 2, 3, 4), 2))
    (10, ((1, 2), (3, 4)))
    """
    if not people:
        yield ()
        return
    first, others = people[0], people[1:]
    for partners in combinations(others, size - 1):
        side: Side = (first, *partners)
        rest = [person for person in others if person not in partners]
        for further in ways_to_split(rest, size):
            yield (side, *further)
