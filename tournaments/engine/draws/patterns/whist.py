"""Whist tournaments: everybody partners everybody once and opposes everybody twice.

N = 4k: N - 1 rounds; N = 4k + 1: N rounds, in each of which one sits out. Right for a long event: the beginning of
one repeats opponents that shorter patterns don't.
"""

from __future__ import annotations

from collections.abc import Callable

from tournaments.engine.draws.patterns.constructions import field_of, shipped


def whist(people: int) -> list[list[int]] | None:
    """All rounds, the players 0 ... N - 1 four in a row to a table, who sits out last; None when none is known here."""
    if (closed := _closed_form(people)) is not None:
        return closed
    first = shipped("whist", "starters").get(str(people))
    if first is None:
        return None
    if people % 4 == 0:  # the last player stays, the others turn
        turning = people - 1
        return [[p if p == turning else (p + r) % turning for p in first] for r in range(turning)]
    sits = next(p for p in range(people) if p not in first)
    return [[(p + r) % people for p in [*first, sits]] for r in range(people)]


def _closed_form(people: int) -> list[list[int]] | None:
    """N = 4n + 1 a prime power: tables (t^i, t^(i+2n)) v (t^(i+n), t^(i+3n)), t primitive in GF(N), each turned."""
    field = field_of(people) if people % 4 == 1 else None
    if field is None:
        return None
    plus, times = field
    powers = next(found for t in range(2, people) if len(set(found := _powers(t, people, times=times))) == people - 1)
    quarter = (people - 1) // 4
    first = [powers[i + step * quarter] for i in range(quarter) for step in (0, 2, 1, 3)]
    return [[plus(p, r) for p in [*first, 0]] for r in range(people)]


def _powers(t: int, order: int, *, times: Callable[[int, int], int]) -> list[int]:
    powers = [1]
    while len(powers) < order - 1:
        powers.append(times(powers[-1], t))
    return powers
