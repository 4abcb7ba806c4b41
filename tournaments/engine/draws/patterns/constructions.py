"""Rounds in which no two people meet twice, without searching: all tables alike, nobody sits out, nothing played yet.

For g tables of s people each. Every function returns `rounds` lists of the players 0 ... g s - 1, s in a row to a
table, or None when it has no pattern that long.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

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


def without_repeats(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """The first construction that gives that many rounds; None when none does."""
    for make in (field, starter, array):
        if (found := make(tables, rounds, size=size)) is not None:
            return found
    return None


def field(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """g tables, g a prime power of s or more: in round r table t seats (i, t + m_i r) for s rows i, all in GF(g).

    Rows i and j meet at the one r that solves (m_i - m_j) r = difference, so g rounds are clean; when s
    divides g, the rows themselves give one more. Row 0 never moves.
    """
    arithmetic = field_of(tables) if tables >= size else None
    if arithmetic is None or rounds > tables + (tables % size == 0):
        return None
    plus, times = arithmetic
    made = [
        [row * tables + plus(t, times(row, r)) for t in range(tables) for row in range(size)]
        for r in range(min(rounds, tables))
    ]
    if rounds > tables:
        made.append(list(range(size * tables)))
    return made


def starter(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """A stored first round, turned within its orbits: `golfers.json`, found and verified for this project."""
    stored = shipped("golfers", "starters").get(f"{tables}x{size}")
    if stored is None or rounds > stored["rounds"]:
        return None
    length, turning = stored["rounds"], size * tables - stored["fixed"]

    def turned(player: int, by: int) -> int:
        return player if player >= turning else player - player % length + (player + by) % length

    return [[turned(player, r) for player in stored["first_round"]] for r in range(rounds)]


def array(tables: int, rounds: int, *, size: int = 4) -> list[list[int]] | None:
    """Columns c_r in Z_g^s with c_r[0] = 0 whose differences c_r[i] - c_r[j] are distinct over the rounds.

    Round r, table t seats (i, t + c_r[i]). Columns are found depth first, in a fixed order, within `ARRAY_NODES`.
    """
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
    return _developed(columns, tables)


def movement(tables: int, rounds: int) -> list[list[int]] | None:
    """The classical movement of individuals: North stays, South goes down one table, East up one, West up two.

    Rows meet at differences -r, r, 2r, 2r, 3r, r of tables: no one meets twice as long as 2r and 3r don't come back
    to 0, so for g rounds where g has no factor of 2 or 3, g/2 where it is even, g/3 where 3 divides it.
    North and South are partners, East and West.
    """
    if tables < 4 or any(r * step % tables == 0 for r in range(1, rounds) for step in (1, 2, 3)):
        return None
    return _developed([[0, -r, r, 2 * r] for r in range(rounds)], tables)


def _developed(columns: list[list[int]], tables: int) -> list[list[int]]:
    return [
        [row * tables + (t - shift) % tables for t in range(tables) for row, shift in enumerate(column)]
        for column in columns
    ]


@cache
def shipped(file: str, what: str) -> dict[str, Any]:
    """What a file of this folder holds under that heading."""
    found: dict[str, Any] = json.loads((PATTERNS / f"{file}.json").read_text(encoding="utf-8"))[what]
    return found


def field_of(order: int) -> tuple[Callable[[int, int], int], Callable[[int, int], int]] | None:
    """Addition and multiplication of GF(order) on 0..order-1, with 0 and 1 as neutrals; None when there is none."""
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
