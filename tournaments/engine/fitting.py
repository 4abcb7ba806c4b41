"""Putting people into a ready-made pattern so that what they wish holds: who takes which part in it is free."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.engine.placing import Demands, Number, shuffled

EXCHANGES = 20_000  # of parts, tried at most
FOUR = 4


def fitted(
    pattern: Sequence[Sequence[int]], size: int, side: int, demands: Demands, number: Number
) -> list[list[int]] | None:
    """The rounds of a pattern without repeats, with people for its players; None when that isn't found.

    `pattern` is by seat, `size` at a table. Partnerships at a table of four are free, as nobody meets twice.
    """
    players = len(pattern[0])
    if demands == Demands():
        person = shuffled(range(players), number)
        return [[person[p] for p in seating] for seating in pattern]
    if demands.always or (size, side) != (FOUR, 2) or demands.pinned.keys() & _twice_at_one_table(demands):
        return None
    part = _parts(pattern, demands, number)
    if part is None:
        return None
    person = [0] * players
    for who, p in enumerate(part):
        person[p] = who
    rounds = []
    for seating in pattern:
        seats: list[int] = []
        for start in range(0, players, FOUR):
            table = _paired([person[p] for p in seating[start : start + FOUR]], demands)
            if table is None:
                return None
            seats += table
        rounds.append(seats)
    return rounds


def _twice_at_one_table(demands: Demands) -> set[int]:
    tables = [table for table, _seat in demands.pinned.values()]
    return {who for who, (table, _seat) in demands.pinned.items() if tables.count(table) > 1}


def _parts(pattern: Sequence[Sequence[int]], demands: Demands, number: Number) -> list[int] | None:
    """Which player of the pattern everybody is: pinned people those who never move, the rest by exchange."""
    players = len(pattern[0])
    meets: list[set[int]] = [set() for _ in range(players)]
    where: list[set[int]] = [set() for _ in range(players)]
    for seating in pattern:
        for start in range(0, players, FOUR):
            for p in seating[start : start + FOUR]:
                meets[p].update(seating[start : start + FOUR])
                where[p].add(start // FOUR)
    part = shuffled(range(players), number)
    held = [part.index(p) for p in range(players)]  # who plays each part
    for who, (table, _seat) in demands.pinned.items():
        still = next((p for p in range(players) if where[p] == {table}), None)
        if still is None:
            return None
        other = held[still]
        part[who], part[other] = still, part[who]
        held[part[who]], held[part[other]] = who, other
    wanted = [(a, b, False) for a, others in demands.apart.items() for b in others if a < b]
    wanted += [(a, b, True) for a, b in demands.once]
    by_person: dict[int, list[tuple[int, bool]]] = {}
    for a, b, meet in wanted:
        by_person.setdefault(a, []).append((b, meet))
        by_person.setdefault(b, []).append((a, meet))

    def broken(who: int) -> int:
        return sum((part[b] in meets[part[who]]) != meet for b, meet in by_person.get(who, ()))

    left = sum((part[b] in meets[part[a]]) != meet for a, b, meet in wanted)
    wishing = sorted(by_person)
    for _ in range(EXCHANGES):
        if not left:
            return part
        a, b = wishing[int(number() * len(wishing))], int(number() * players)
        if a == b or a in demands.pinned or b in demands.pinned:
            continue
        both = any(other == b for other, _meet in by_person[a])
        before = broken(a) + broken(b) - (both and (part[b] in meets[part[a]]) != dict(by_person[a])[b])
        part[a], part[b] = part[b], part[a]
        after = broken(a) + broken(b) - (both and (part[b] in meets[part[a]]) != dict(by_person[a])[b])
        if after > before:
            part[a], part[b] = part[b], part[a]
        else:
            left += after - before
    return None if left else part


def _paired(four: Sequence[int], demands: Demands) -> list[int] | None:
    """The four in seats so that partners may be partners, those who want to be are, and seats are kept to."""
    a, b, c, d = four
    for pairs in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))):
        if any(y in demands.never.get(x, ()) for x, y in pairs):
            continue
        if any({x, y} <= set(four) and {x, y} not in map(set, pairs) for x, y in demands.once):
            continue
        (p, q), (r, s) = pairs
        own = {seat: who for who in four for seat in [demands.pinned.get(who, (0, None))[1]] if seat is not None}
        for seats in ([p, q, r, s], [q, p, r, s], [r, s, p, q], [r, s, q, p]):
            if all(seats[seat] == who for seat, who in own.items()):
                return seats
    return None
