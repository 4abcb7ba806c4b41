"""Rounds of tables of four in which no two people meet twice, without searching.

For N = 4g people, g tables, nothing played yet. Every function returns `rounds` lists of the
players 0..N-1, four in a row to a table, or None when it has no pattern that long.
"""

from __future__ import annotations

from collections.abc import Callable

TABLE = 4
ARRAY_NODES = 20_000  # columns tried before the array gives up; 8 rounds at 10 tables need a few hundred

# Prime powers p^d up to 49 tables: x^d = these coefficients, lowest first, an irreducible polynomial over GF(p).
_POWERS = {
    4: (2, (1, 1)),
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (2, 0)),
    27: (3, (2, 1, 0)),
    32: (2, (1, 0, 1, 0, 0)),
    49: (7, (3, 0)),
}

# tables: (length of the orbits and so the number of rounds, first round). Player p goes in round r to
# p - p % length + (p + r) % length, the last few beyond the last full orbit stay. Found and verified for this project.
_STARTERS = {
    6: (
        7,
        "21 20 13 4 22 17 6 11 10 3 9 7 16 19 18 8 12 14 23 2 0 1 15 5",
    ),
    7: (
        9,
        "5 4 7 17 27 15 20 1 18 0 26 23 25 16 12 9 14 24 8 3 13 21 6 19 10 11 22 2",
    ),
    8: (
        9,
        "2 16 31 22 20 24 15 18 9 14 11 1 17 5 29 19 4 0 21 6 23 28 13 7 12 3 27 25 30 26 8 10",
    ),
    9: (
        11,
        ("18 26 9 3 0 14 21 2 31 1 19 34 32 30 10 25 27 28 17 12 35 6 24 11 4 29 5 8 20 33 7 23 22 16 15 13"),
    ),
    10: (
        10,
        (
            "25 6 21 38 19 37 36 22 31 33 3 10 20 2 0 18 1 30 28 7 32 13 39 8 27 26 17 24 29 35 11 15 34 9 23 "
            "12 14 4 5 16"
        ),
    ),
}


def without_repeats(tables: int, rounds: int) -> list[list[int]] | None:
    """The first construction that gives so many rounds; None when none does."""
    for make in (field, starter, array):
        if (found := make(tables, rounds)) is not None:
            return found
    return None


def field(tables: int, rounds: int) -> list[list[int]] | None:
    """g tables, g a prime power of 4 or more: in round r table t seats (i, t + m_i r) for four rows i, all in GF(g).

    Rows i and j meet at the one r that solves (m_i - m_j) r = difference, so g rounds are clean; when 4
    divides g, the rows themselves give one more.
    """
    arithmetic = _field(tables)
    if arithmetic is None or rounds > tables + (tables % TABLE == 0):
        return None
    plus, times = arithmetic
    made = [
        [row * tables + plus(t, times(row, r)) for t in range(tables) for row in range(TABLE)]
        for r in range(min(rounds, tables))
    ]
    if rounds > tables:
        made.append(list(range(TABLE * tables)))
    return made


def starter(tables: int, rounds: int) -> list[list[int]] | None:
    """A stored first round, turned within its orbits."""
    length, numbers = _STARTERS.get(tables, (0, ""))
    if rounds > length:
        return None
    first = [int(number) for number in numbers.split()]
    turning = TABLE * tables - TABLE * tables % length

    def turned(player: int, by: int) -> int:
        return player if player >= turning else player - player % length + (player + by) % length

    return [[turned(player, r) for player in first] for r in range(rounds)]


def array(tables: int, rounds: int) -> list[list[int]] | None:
    """Columns c_r in Z_g^4 with c_r[0] = 0 whose differences c_r[i] - c_r[j] are distinct over the rounds.

    Round r, table t seats (i, t + c_r[i]). Columns are found depth first, in a fixed order, within `ARRAY_NODES`.
    """
    columns: list[tuple[int, ...]] = []
    used: list[set[int]] = [set() for _ in range(6)]
    nodes = 0

    def differences(b: int, c: int, d: int) -> tuple[int, ...]:
        return b, c, d, (c - b) % tables, (d - b) % tables, (d - c) % tables

    def extend() -> bool:
        nonlocal nodes
        if len(columns) == rounds:
            return True
        b = len(columns)  # first differences may be named in the order of rounds
        for c in range(tables):
            if c in used[1] or (c - b) % tables in used[3]:
                continue
            for d in range(tables):
                found = differences(b, c, d)
                nodes += 1
                if nodes > ARRAY_NODES:
                    return False
                if any(value in seen for value, seen in zip(found, used, strict=True)):
                    continue
                columns.append((0, b, c, d))
                for value, seen in zip(found, used, strict=True):
                    seen.add(value)
                if extend():
                    return True
                columns.pop()
                for value, seen in zip(found, used, strict=True):
                    seen.remove(value)
        return False

    if rounds > tables or not extend():
        return None
    return [
        [row * tables + (t + column[row]) % tables for t in range(tables) for row in range(TABLE)] for column in columns
    ]


def _field(order: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]] | None:
    """Addition and multiplication of GF(order) on 0..order-1, with 0 and 1 as neutrals; None when there is none."""
    if order < TABLE:
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
