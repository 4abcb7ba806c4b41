"""Draws known beforehand, and giving people their parts in them so that their wishes hold.

Constructions are for tables that are all alike, where nobody sits out and nothing has been played: for g tables of s
people each function returns `rounds` lists of the players 0 ... g s - 1, s in a row to a table, or None if it has no
pattern that long. Others were found by long searches and are stored (`found.json`, `sixes.json`).

What can be chosen: who takes which part in a pattern, the number of a table in a round, and the order of sides and
seats at it; at a table whose people meet at no other one, also who are partners. Two people exchange parts while that
breaks no more wishes, a fixed number of times, so that it ends the same everywhere.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, combinations, permutations
from pathlib import Path
from typing import Any

from tournaments.engine.draws.starts import Demands, NextFraction, shuffled
from tournaments.engine.rounds import Shape, at_tables

ARRAY_NODES = 40_000  # numbers to try; 8 rounds at 10 tables of four need hundreds, at 12 of six nearly all
PATTERNS = Path(__file__).parent

# Prime powers p^d up to 64 tables: x^d = these coefficients, lowest first, an irreducible polynomial over GF(p).
_POWERS = {
    4: (2, (1, 1)),
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (2, 0)),
    27: (3, (2, 1, 0)),
    32: (2, (1, 0, 1, 0, 0)),
    49: (7, (3, 0)),
    64: (2, (1, 1, 0, 0, 0, 0)),
}


def pattern_without_repeats(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    for make in (field_pattern, starter_pattern, array_pattern):
        if (pattern := make(tables, rounds, size=size)) is not None:
            return pattern
    return None


def field_pattern(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """g tables, g a prime power of s or more: in round r table t seats (i, t + m_i r) for s rows i, all in GF(g).

    Rows i and j meet at the one r that solves (m_i - m_j) r = difference, so g rounds are clean; when s divides g, the
    rows themselves give one more. Row 0 never moves."""
    arithmetic = galois_field(tables) if tables >= size else None
    if arithmetic is None or rounds > tables + (tables % size == 0):
        return None
    plus, times = arithmetic
    seatings = [
        [row * tables + plus(t, times(row, r)) for t in range(tables) for row in range(size)]
        for r in range(min(rounds, tables))
    ]
    if rounds > tables:
        seatings.append(list(range(size * tables)))
    return seatings


def starter_pattern(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """A stored first round, turned within its orbits: `golfers.json`, found and verified for this project."""
    stored = load_patterns("golfers", "starters").get(f"{tables}x{size}")
    if stored is None or rounds > stored["rounds"]:
        return None
    length, turning = stored["rounds"], size * tables - stored["fixed"]

    def turned(player: int, by: int) -> int:
        return player if player >= turning else player - player % length + (player + by) % length

    return [[turned(player, r) for player in stored["first_round"]] for r in range(rounds)]


def array_pattern(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """Columns c_r in Z_g^s with c_r[0] = 0 whose differences c_r[i] - c_r[j] are distinct over the rounds: round r,
    table t seats (i, t + c_r[i]). They are searched depth first, in a fixed order, for at most `ARRAY_NODES`
    numbers."""
    columns: list[list[int]] = []
    used = {(i, j): set[int]() for i in range(size) for j in range(i)}
    nodes = 0

    def extend(column: list[int]) -> bool:
        nonlocal nodes
        if len(column) == size:
            columns.append(column)
            if len(columns) == rounds or extend([0, len(columns)]):
                return True
            columns.pop()
            return False
        i = len(column)
        for value in range(tables):
            nodes += 1
            if nodes > ARRAY_NODES:
                return False
            differences = [(value - other) % tables for other in column]
            if any(difference in used[i, j] for j, difference in enumerate(differences)):
                continue
            for j, difference in enumerate(differences):
                used[i, j].add(difference)
            if extend([*column, value]):
                return True
            for j, difference in enumerate(differences):
                used[i, j].remove(difference)
        return False

    # rounds may be numbered by the difference of row 1 to row 0, so round r begins with the column 0, r
    if rounds > tables or not extend([0, 0]):
        return None
    return _develop(columns, tables)


def movement_pattern(tables: int, rounds: int) -> list[list[int]] | None:
    """The classical movement of individuals: North stays, South goes down one table, East up one, West up two.

    Rows meet at differences -r, r, 2r, 2r, 3r, r of tables: no one meets twice as long as 2r and 3r don't come back to
    0, so for g rounds where g has no factor of 2 or 3, g/2 where it is even, g/3 where 3 divides it. North and South
    are partners, East and West."""
    if tables < 4 or any(r * step % tables == 0 for r in range(1, rounds) for step in (1, 2, 3)):
        return None
    return _develop([[0, -r, r, 2 * r] for r in range(rounds)], tables)


def _develop(columns: list[list[int]], tables: int) -> list[list[int]]:
    return [
        [row * tables + (t - shift) % tables for t in range(tables) for row, shift in enumerate(column)]
        for column in columns
    ]


@cache
def load_patterns(file: str, what: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((PATTERNS / f"{file}.json").read_text(encoding="utf-8"))[what]
    return data


def galois_field(order: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]] | None:
    """Addition and multiplication of GF(order) on 0..order-1, with 0 and 1 as neutrals; None if there is no such
    field."""
    if order < 2:
        return None
    if all(order % divisor for divisor in range(2, order)):
        return (lambda a, b: (a + b) % order), (lambda a, b: a * b % order)
    if order not in _POWERS:
        return None
    prime, reduction = _POWERS[order]
    degree = len(reduction)

    def digits(a: int) -> list[int]:
        return [a // prime**k % prime for k in range(degree)]

    def number(values: list[int]) -> int:
        return sum(value % prime * prime**k for k, value in enumerate(values))

    def plus(a: int, b: int) -> int:
        return number([x + y for x, y in zip(digits(a), digits(b), strict=True)])

    def times(a: int, b: int) -> int:
        product = [0] * (2 * degree - 1)
        for i, x in enumerate(digits(a)):
            for j, y in enumerate(digits(b)):
                product[i + j] += x * y
        for high in range(2 * degree - 2, degree - 1, -1):
            for k, coefficient in enumerate(reduction):
                product[high - degree + k] += product[high] * coefficient
        return number(product[:degree])

    return plus, times


DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # people 0 ... 61


def stored_draw(people: int, rounds: int, *, odd: str = "") -> list[list[int]] | None:
    """All rounds of a stored draw, by seat; None if none is stored. `odd` is "six" for a draw with such a table.

    In `found.json` "22x8" are 22 people in 8 rounds at tables of four, with sit-outs; "22x8six" has one table of three
    against three. A round is a word with a character for each person, by seat, who sits out last. These draws are
    better than any search finds in the time an afternoon has. Most come from a long local search; "32x10", in which
    nobody meets anybody twice, from backtracking among the draws that stay the same when any of the lowest three bits
    of everybody's number are changed."""
    text = load_patterns("found", "draws").get(f"{people}x{rounds}{odd}")
    return None if text is None else [[DIGITS.index(digit) for digit in seating] for seating in text.split()]


FINALISTS, ROUNDS, SIX = 18, 3, 6


def finals_pattern(people: int, rounds: int, *, size: int, side: int) -> list[list[int]] | None:
    """Stored rounds, by seat, for eighteen people at three tables of six in three rounds, so that nobody shares all
    three tables with the same person; for sides (or groups) of 1, 2 or 3. None for other numbers.

    A person's tables of the three rounds are a cell of a cube of 3 x 3 x 3, so two people of one cell would meet in all
    three: with nobody in one cell twice, eighteen of the 27 cells are taken, six in every layer. Any two rounds have
    nine pairs of tables for the eighteen, so at least nine pairs meet in both: 27 in three rounds. That is reached
    where every line of the cube has two people, where the nine free cells are a Latin square.

    >>> finals_pattern(18, 3, size=6, side=2)[0][:6], finals_pattern(24, 3, size=6, side=2)
    ([0, 1, 2, 3, 4, 5], None)
    """
    if (people, rounds, size) != (FINALISTS, ROUNDS, SIX):
        return None
    return [
        [DIGITS.index(digit) for digit in seating] for seating in load_patterns("sixes", "draws")[str(side)].split()
    ]


def whist_pattern(people: int) -> list[list[int]] | None:
    """All rounds of a whist tournament by seat, four to a table, who sits out last; None if none is known.

    Everybody partners everybody once and opposes everybody twice: N = 4k in N - 1 rounds, N = 4k + 1 in N, in each of
    which one sits out. Use it for long events only: its first rounds repeat opponents that shorter patterns don't."""
    if (closed := _closed_form_whist(people)) is not None:
        return closed
    first = load_patterns("whist", "starters").get(str(people))
    if first is None:
        return None
    if people % 4 == 0:  # the last player stays, the others turn
        turning = people - 1
        return [[p if p == turning else (p + r) % turning for p in first] for r in range(turning)]
    sits = next(p for p in range(people) if p not in first)
    return [[(p + r) % people for p in [*first, sits]] for r in range(people)]


def _closed_form_whist(people: int) -> list[list[int]] | None:
    """N = 4n + 1 a prime power: tables (t^i, t^(i+2n)) v (t^(i+n), t^(i+3n)), t primitive in GF(N), each turned."""
    field = galois_field(people) if people % 4 == 1 else None
    if field is None:
        return None
    plus, times = field
    powers = next(cycle for t in range(2, people) if len(set(cycle := _powers(t, people, times=times))) == people - 1)
    quarter = (people - 1) // 4
    first = [powers[i + step * quarter] for i in range(quarter) for step in (0, 2, 1, 3)]
    return [[plus(p, r) for p in [*first, 0]] for r in range(people)]


def _powers(t: int, order: int, *, times: Callable[[int, int], int]) -> list[int]:
    powers = [1]
    while len(powers) < order - 1:
        powers.append(times(powers[-1], t))
    return powers


ATTEMPTS, EXCHANGES = 4, 5_000  # at most that many fresh beginnings, and exchanges of parts in each

Allowed = Sequence[Collection[int]]  # by one person's part: the parts that another person may then have
Term = tuple[int, int, Allowed]  # two people (or one person twice), and which parts they may have


def fit_pattern(
    pattern: Sequence[Sequence[int]],
    shapes: Sequence[Shape],
    *,
    demands: Demands,
    random: NextFraction,
    as_numbered: bool = False,
) -> list[list[int]] | None:
    """The rounds of a pattern with people in its parts so that the demands hold, by seat, the sit-outs last; None if no
    way is found.

    `as_numbered`: tables keep their numbers in the pattern."""
    parts = len(pattern[0])
    if demands == Demands():
        person = shuffled(range(parts), random)
        return [[person[p] for p in seating] for seating in pattern]
    roles = _Pattern(pattern, shapes)
    terms = list(_terms(roles, demands, as_numbered=as_numbered))
    if any(not any(allowed) for _a, _b, allowed in terms):
        return None
    for _attempt in range(ATTEMPTS):
        person, hold = _assign_parts(terms, parts, random=random)
        if hold and (rounds := _seat_rounds(roles, person, demands=demands)):
            return rounds
    return None


def fit_pattern_loosely(
    pattern: Sequence[Sequence[int]], shapes: Sequence[Shape], *, demands: Demands, random: NextFraction
) -> list[list[int]] | None:
    """As `fit_pattern`, but people may meet or partner who should not; None if other demands fail."""
    roles = _Pattern(pattern, shapes)
    lenient = replace(demands, apart={}, never={})
    terms = list(_terms(roles, demands, as_numbered=False))
    needed = list(_terms(roles, lenient, as_numbered=False))
    if any(not any(allowed) for _a, _b, allowed in needed):
        return None
    best: list[int] | None = None
    least = 0
    for _attempt in range(ATTEMPTS):
        person, _hold = _assign_parts(terms, len(pattern[0]), random=random)
        part = {who: p for p, who in enumerate(person)}
        broken = sum(part[b] not in allowed[part[a]] for a, b, allowed in terms)
        if (best is None or broken < least) and all(part[b] in allowed[part[a]] for a, b, allowed in needed):
            best, least = person, broken
    return None if best is None else _seat_rounds(roles, best, demands=lenient)


@dataclass(frozen=True, slots=True)
class _Table:
    sides: tuple[tuple[int, ...], ...]  # parts
    free: bool  # no two of its people meet at another table, so any two of them may be partners


class _Pattern:
    """What the parts of a pattern do: whom they meet and partner, and when they sit out."""

    def __init__(self, pattern: Sequence[Sequence[int]], shapes: Sequence[Shape]) -> None:
        self.shapes = shapes
        self.parts = range(len(pattern[0]))
        seats = sum(map(sum, shapes))
        self.sit_outs = [tuple(seating[seats:]) for seating in pattern]
        self.met: list[list[int]] = [[0] * len(self.parts) for _ in self.parts]  # times two share a table
        self.at: list[list[int | None]] = [[None] * len(pattern) for _ in self.parts]  # table by part and round
        seated = [at_tables(seating, shapes) for seating in pattern]
        for r, tables in enumerate(seated):
            for t, sides in enumerate(tables):
                for p in chain(*sides):
                    self.at[p][r] = t
                for p, q in permutations(chain(*sides), 2):
                    self.met[p][q] += 1
        self.rounds = [[_Table(sides, self._only_here(sides)) for sides in tables] for tables in seated]

    def _only_here(self, sides: Sequence[Sequence[int]]) -> bool:
        return all(self.met[p][q] == 1 for p, q in combinations(chain(*sides), 2))

    @cached_property
    def apart(self) -> Allowed:
        """By part, the parts that never share a table with it."""
        return [{q for q in self.parts if q != p and not times[q]} for p, times in enumerate(self.met)]

    @cached_property
    def partners(self) -> Allowed:
        """By part, its partners at tables where partners can't be chosen."""
        partners: list[set[int]] = [set() for _ in self.parts]
        for table in (table for tables in self.rounds for table in tables if not table.free):
            for p, q in chain(*(permutations(side, 2) for side in table.sides)):
                partners[p].add(q)
        return partners

    @cached_property
    def not_partners(self) -> Allowed:
        """By part, the parts that needn't be its partners."""
        return [{q for q in self.parts if q != p and q not in self.partners[p]} for p in self.parts]

    @cached_property
    def may_partner(self) -> Allowed:
        """By part, the parts that are its partners in some round, or can be made so."""
        partners = [set(mates) for mates in self.partners]
        for table in (table for tables in self.rounds for table in tables if table.free):
            everybody = {p for side in table.sides for p in side}
            for p in everybody:
                partners[p] |= everybody - {p}
        return partners

    @cached_property
    def one_couple(self) -> Allowed:
        """By part, the parts that are or can be its partners in every round in which either plays."""
        return [{q for q in mates if self.at[p] == self.at[q]} for p, mates in enumerate(self.may_partner)]

    @cached_property
    def one_table(self) -> Allowed:
        """By part, the parts that share a table with it whenever both play."""
        return [
            {
                q
                for q in self.parts
                if all(t == u or None in (t, u) for t, u in zip(self.at[p], self.at[q], strict=True))
            }
            for p in self.parts
        ]

    @cached_property
    def always_play(self) -> Allowed:
        """By part, that part if it never sits out; else nothing."""
        return [{p} if None not in self.at[p] else () for p in self.parts]

    def can_stay(self, table: int, as_numbered: bool) -> Allowed:
        """By part, that part if its tables may all have this number; else nothing. They may if they have this table's
        shape; with `as_numbered`, only if they are this table."""
        return [
            {p}
            if all(
                t is None or (t == table if as_numbered else self.shapes[t] == self.shapes[table]) for t in self.at[p]
            )
            else ()
            for p in self.parts
        ]


def _terms(roles: _Pattern, demands: Demands, *, as_numbered: bool) -> Iterator[Term]:
    """The demands as terms about the parts that people have."""
    for wished, allowed in ((demands.apart, roles.apart), (demands.never, roles.not_partners)):
        for a, others in wished.items():
            yield from ((a, b, allowed) for b in sorted(others) if a < b)
    yield from ((a, b, roles.one_couple) for a, b in demands.always.items() if a < b)
    yield from ((a, b, roles.may_partner) for a, b in demands.once)
    yield from ((a, a, roles.always_play) for a in sorted(demands.hosts))
    for a, (table, _seat) in demands.pinned.items():
        yield a, a, roles.can_stay(table, as_numbered)
        for b, (other, _seat) in demands.pinned.items():
            if a < b:
                yield a, b, roles.one_table if table == other else roles.apart


def _assign_parts(terms: Sequence[Term], parts: int, *, random: NextFraction) -> tuple[list[int], bool]:
    """The person of each part, and whether all terms hold. Parts are given out by lot, then exchanged while no more
    terms are broken than before."""
    part = shuffled(range(parts), random)
    person = [0] * parts
    for who, p in enumerate(part):
        person[p] = who

    def exchange(a: int, b: int) -> None:
        part[a], part[b] = part[b], part[a]
        person[part[a]], person[part[b]] = a, b

    taken: set[int] = set()
    for who, also, alone in terms:
        if who == also and part[who] not in alone[part[who]]:
            p = next((p for p in shuffled(range(parts), random) if p in alone[p] and p not in taken), part[who])
            exchange(who, person[p])
            taken.add(p)
    by_person: Mapping[int, list[int]] = {who: [] for who in range(parts)}
    for n, (a, b, _allowed) in enumerate(terms):
        for who in {a, b}:
            by_person[who].append(n)
    holds = [part[b] in allowed[part[a]] for a, b, allowed in terms]
    satisfied = sum(holds)
    for _ in range(EXCHANGES):
        if satisfied == len(terms):
            break
        n, other, first = int(random() * len(terms)), int(random() * parts), random() < 0.5
        a, b, _allowed = terms[n]
        who = a if first else b
        if holds[n] or who == other:
            continue
        touched = {*by_person[who], *by_person[other]}
        exchange(who, other)
        now = {m: part[b] in allowed[part[a]] for m in touched for a, b, allowed in [terms[m]]}
        gain = sum(now.values()) - sum(holds[m] for m in touched)
        if gain < 0:
            exchange(who, other)
            continue
        satisfied += gain
        for m, held in now.items():
            holds[m] = held
    return person, satisfied == len(terms)


def _seat_rounds(roles: _Pattern, person: Sequence[int], *, demands: Demands) -> list[list[int]] | None:
    rounds = []
    for tables, sit_outs in zip(roles.rounds, roles.sit_outs, strict=True):
        people = [tuple(tuple(person[p] for p in side) for side in table.sides) for table in tables]
        seats: list[int] = []
        for t in _number_tables(people, roles.shapes, demands=demands):
            at_table = _seat_table(people[t], tables[t].free, demands=demands)
            if at_table is None:
                return None
            seats += at_table
        rounds.append(seats + [person[p] for p in sit_outs])
    return rounds


def _number_tables(
    tables: Sequence[Sequence[Sequence[int]]], shapes: Sequence[Shape], *, demands: Demands
) -> list[int]:
    """The table that gets each number: the one asked for, else the one that has it, else one that is left.

    The terms hold for these people, so no two numbers are asked for one table, and none for a table of another
    shape."""
    pinned: dict[int, int] = {}
    for t, table in enumerate(tables):
        for n in {demands.pinned[who][0] for side in table for who in side if who in demands.pinned}:
            pinned[n] = t
    left = [t for t in range(len(tables)) if t not in pinned.values()]
    numbers = [pinned.get(n, n if n in left else -1) for n in range(len(tables))]
    left = [t for t in left if t not in numbers]
    for n, t in enumerate(numbers):
        if t < 0:
            numbers[n] = next(t for t in left if shapes[t] == shapes[n])
            left.remove(numbers[n])
    return numbers


def _seat_table(sides: Sequence[Sequence[int]], free: bool, *, demands: Demands) -> list[int] | None:
    """The people of a table by seat: as they are if that meets the demands, else in an order that does; None if none
    does."""
    people = [who for side in sides for who in side]
    pinned = {seat: who for who in people for seat in [demands.pinned.get(who, (0, None))[1]] if seat is not None}
    partners = [(a, b) for a, b in (*demands.always.items(), *demands.once) if free and {a, b} <= set(people)]
    rivals = [(a, b) for a in people for b in demands.never.get(a, ()) if free and b in people]
    if not pinned and not partners and not rivals:
        return people
    before = {frozenset(side) for side in sides}
    for seats in permutations(people):
        (table,) = at_tables(seats, [tuple(map(len, sides))])
        now = [frozenset(side) for side in table]
        side_of = {who: n for n, side in enumerate(now) for who in side}
        if (
            (free or set(now) == before)
            and all(side_of[a] == side_of[b] for a, b in partners)
            and all(side_of[a] != side_of[b] for a, b in rivals)
            and all(seats[seat] == who for seat, who in pinned.items())
        ):
            return list(seats)
    return None
