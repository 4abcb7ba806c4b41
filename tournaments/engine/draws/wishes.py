"""Wishes as demands on a draw, and which of them collide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations

from scoring.engine.core.ledger import named
from tournaments.engine.draws.starts import Demands
from tournaments.engine.draws.table_layout import DrawRefused, Layout
from tournaments.engine.grouping import joined
from tournaments.engine.rounds import PAIR_WISHES, PLACE_WISHES, DrawWish

FEW = 20  # up to that many wishes, every pair of them is tried for a collision

Feasible = Callable[[Demands], bool | None]  # whether there are rounds in which demands hold; None: not found out


def check_wishes(wishes: Sequence[DrawWish]) -> None:
    """Raises DrawRefused for a wish of an unknown kind, or one that names too many or too few."""
    for number, wish in enumerate(wishes, start=1):
        pair = wish.kind in PAIR_WISHES and len(set(wish.people)) == 2 and wish.table is None and wish.seat is None
        place = wish.kind in PLACE_WISHES and len(wish.people) == 1
        place = place and all(value is None or value >= 1 for value in (wish.table, wish.seat))
        place = place and (wish.table is not None or (wish.seat is None and wish.kind == "stay"))
        if not pair and not place:
            raise DrawRefused("draw.wish-unclear", named(wish=number))


def settled(
    wishes: Sequence[DrawWish],
    index: Mapping[int, int],
    *,
    layout: Layout,
    met: Iterable[tuple[int, int]],
    by_lot: Feasible,
    sought: Feasible,
) -> Demands:
    """The demands of all hard wishes, and of as many others as go with them, taken in their order.

    `index` are those present; a wish that names anybody else waits until they come. `met` are pairs, by index, who
    have been partners already, which meets a wish for "once". `by_lot` asks whether lots soon find rounds in which
    demands hold, `sought` looks longer: it is asked where lots find none for the hard wishes.

    Raises:
        DrawRefused: hard wishes collide; it names the numbers of some that do, leaving out those not needed for that.
    """
    check_wishes(wishes)
    here = [n for n, wish in enumerate(wishes) if all(person in index for person in wish.people)]
    done = {frozenset(pair) for pair in met}

    def demands_of(numbers: Iterable[int]) -> Demands | None:
        return _demands([wishes[n] for n in sorted(numbers)], index, layout=layout, done=done)

    def holds(numbers: Iterable[int], found: Feasible) -> bool | None:
        demands = demands_of(numbers)
        return demands is not None and (demands == Demands() or found(demands))

    kept = [n for n in here if wishes[n].hard]
    found = by_lot
    if not holds(kept, by_lot):
        found = sought
        if not holds(kept, sought):
            groups = _strangers(wishes, kept)
            kept = next((group for group in groups if holds(group, sought) is False), kept)
            kept = _colliding(kept, lambda numbers: holds(numbers, sought))
            raise DrawRefused("draw.wishes-collide", named(wishes=", ".join(str(n + 1) for n in kept)))
    soft = [n for n in here if not wishes[n].hard]
    if soft and holds([*kept, *soft], found):
        kept += soft
    else:
        for n in soft:
            if holds([*kept, n], found):
                kept.append(n)
    return demands_of(kept) or Demands()


def _strangers(wishes: Sequence[DrawWish], numbers: Sequence[int]) -> list[list[int]]:
    """The wishes in groups that share no person and no table, the smallest group first."""

    def touched(n: int) -> Iterator[object]:
        yield from wishes[n].people
        if wishes[n].table:
            yield f"table {wishes[n].table}"

    return sorted(map(sorted, joined(numbers, touched)), key=len)


def _colliding(numbers: Sequence[int], holds: Callable[[Sequence[int]], bool | None]) -> list[int]:
    """Of wishes that collide, some that still do, none of which is needless: without any one of them the others hold.

    One that can't be met by itself, else two that collide, where wishes are few enough to try all; else half of them
    are left out, a quarter ..., as long as the others collide. Where that takes too long, more than needed are named.
    """
    if len(numbers) <= FEW:
        for those in chain(combinations(numbers, 1), combinations(numbers, 2)):
            if holds(those) is False:
                return list(those)
    kept, size = list(numbers), max(len(numbers) // 2, 1)
    while size:
        at = 0
        while at < len(kept):
            fewer = kept[:at] + kept[at + size :]
            found = holds(fewer)
            if found is None:
                return kept
            if found is False:
                kept = fewer
            else:
                at += size
        size //= 2
    return kept


def _demands(
    wishes: Sequence[DrawWish], index: Mapping[int, int], *, layout: Layout, done: set[frozenset[int]]
) -> Demands | None:
    """The demands that these wishes make together; None when two of them contradict each other outright."""
    never: dict[int, set[int]] = {}
    apart: dict[int, set[int]] = {}
    always: dict[int, int] = {}
    once: list[tuple[int, int]] = []
    pinned: dict[int, tuple[int, int | None]] = {}
    roaming: list[int] = []  # people who stay at one table, whichever
    hosts: set[int] = set()
    for wish in wishes:
        who = [index[person] for person in wish.people]
        if wish.kind in ("never", "apart"):
            for a, b in (who, who[::-1]):
                (never if wish.kind == "never" else apart).setdefault(a, set()).add(b)
        elif wish.kind == "always":
            for a, b in (who, who[::-1]):
                if always.setdefault(a, b) != b:
                    return None
        elif wish.kind == "once":
            if frozenset(who) not in done and (who[0], who[1]) not in once and (who[1], who[0]) not in once:
                once.append((who[0], who[1]))
        elif not _pin(wish, who[0], pinned=pinned, roaming=roaming, layout=layout):
            return None
        if wish.kind == "host":
            hosts.add(who[0])
    if any(always[a] in never.get(a, ()) or always[a] in apart.get(a, ()) for a in always):
        return None
    once = [(a, b) for a, b in once if always.get(a) != b]
    if any(a in always or b in always or b in never.get(a, ()) or b in apart.get(a, ()) for a, b in once):
        return None
    for person in roaming:
        if person not in pinned:
            kept = [table for table, _seat in pinned.values()]
            usual = [t for t, shape in enumerate(layout.shapes) if shape == layout.shapes[0]]
            pinned[person] = (min(usual, key=lambda t: (kept.count(t), t)), None)
    return Demands(
        never={a: frozenset(others) for a, others in never.items()},
        apart={a: frozenset(others) for a, others in apart.items()},
        always=always,
        once=tuple(once),
        pinned=pinned,
        hosts=frozenset(hosts),
    )


def _pin(
    wish: DrawWish, person: int, *, pinned: dict[int, tuple[int, int | None]], roaming: list[int], layout: Layout
) -> bool:
    """Note somebody's table; False when it contradicts another wish or there is no such place."""
    if wish.table is None:
        roaming.append(person)
        return True
    if wish.table > len(layout.shapes) or (wish.seat or 0) > sum(layout.shapes[wish.table - 1]):
        return False
    before = pinned.get(person, (wish.table - 1, None))
    seat = before[1] if wish.seat is None else wish.seat - 1
    if before[0] != wish.table - 1 or before[1] not in (None, seat):
        return False
    pinned[person] = (wish.table - 1, seat)
    return True
