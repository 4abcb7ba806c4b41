"""Rotating partners for an afternoon: who plays with whom and against whom in every round.

In this order: nobody has the same partner twice, nobody the same opponent twice, nobody shares a table twice;
sit-outs (when the number doesn't fit the tables) differ by at most one and never come two running if that
can be avoided. Where all tables are alike and nothing has been played, a construction without any repeat is
used; else a draw that was found before, or the cheapest of a pattern and a local search. Who takes which part in a
pattern is free, so it serves for most wishes, too (`patterns.fitted`). Sides may also be groups that play a game each
(two groups of three at a table of six): then those of a group are the ones called partners here.
`tournaments.engine.verify` counts what a draw repeats, and shares no code with this.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, permutations
from operator import add
from random import Random

from scoring.engine.core.ledger import named
from tournaments.engine.draws import patterns
from tournaments.engine.draws.patterns import finals, fitted, found_earlier, nearest, whist
from tournaments.engine.draws.search import (
    FIRST_STAGE,
    Looking,
    OnProgress,
    SearchProgress,
    SeatingAttempt,
    Undecided,
    lower_bound,
    search,
    sought,
)
from tournaments.engine.draws.starts import Demands, History, NextFraction, SearchTask, Start, feasible, order, shuffled
from tournaments.engine.rounds import (
    PAIR_WISHES,
    PLACE_WISHES,
    DrawRefused,
    DrawWish,
    Layout,
    SeatedRound,
    Shape,
    at_tables,
    joined,
    layout,
)

MOST = 200  # people
STEPS, HARDER = 1_000_000, 5_000_000  # exchanges the search may look at: about a second, long
EVEN_VISITS_FROM = 30  # people; with fewer, sharing out visits to the odd tables evenly costs many repeats

__all__ = [
    "HARDER",
    "MOST",
    "STEPS",
    "Afternoon",
    "DrawRefused",
    "Plan",
    "SearchProgress",
    "Undecided",
    "Watch",
    "rotation",
]

# Called now and then with how far the search is, and a way to get the best rounds so far (none while all break wishes).
# False stops the search, which keeps the best so far.
Watch = Callable[[SearchProgress, Callable[[], tuple[SeatedRound, ...]]], bool]


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds drawn, and how they were drawn: enough to draw them again and to say what was done."""

    rounds: tuple[SeatedRound, ...]
    seed: int
    # "movement" (the classical one: North stays, South goes down one table, East up one, West up two),
    # "construction" (no meeting repeated), "whist", "stored" (found by a long search), "search", or "extended"
    # (a pattern, then a search)
    method: str
    steps: int  # exchanges the search looked at; 0 for a pattern


@dataclass(frozen=True, slots=True)
class Afternoon:
    """Who is there, what has been played, and what is still to be drawn.

    `people` are the ids of those present from now on, in any order. Who was in no table and no sit-out of a played
    round missed it, and is credited with a fair share of its sit-outs (rounded, a half up), so that nobody who comes
    late is sat out at once to catch up, or spared.

    Tables seat `table` people in sides of `side`; `odd` says what becomes of those who don't fit (`rounds.ODD`).
    `again` are rounds of an earlier plan that weren't played: the search starts from them."""

    people: Sequence[int]
    rounds: int  # still to be drawn
    played: Sequence[SeatedRound] = ()
    table: int = 4
    side: int = 2
    odd: str = "sit-out"
    wishes: Sequence[DrawWish] = ()
    again: Sequence[SeatedRound] = ()


def rotation(
    afternoon: Afternoon, *, seed: int, steps: int = STEPS, watch: Watch | None = None, soon: bool = False
) -> Plan:
    """Draw the further rounds of an afternoon for those present, around the rounds already played.

    The same people (in any order), rounds, history, wishes, seed and steps give the same draw everywhere. `watch` is
    told how far the search is, and stops it with False. Whether very tight wishes can hold may take some time to find
    out, about two seconds at most; with `soon` it is left undecided after a tenth of that.

    Raises Undecided: with `soon` only. DrawRefused: too few people or more than 200, somebody named twice, no rounds or
    steps asked for, tables that there are not, or hard wishes that collide."""
    if steps < 1:
        raise DrawRefused("draw.no-steps")
    stream = Random(seed).random
    task, roster = _prepared(afternoon, stream, seed=seed, soon=soon)
    tables, history = task.layout, task.history
    index = {person: i for i, person in enumerate(roster)}
    task = replace(task, plan=_old_plan(afternoon.again, index, tables=tables, rounds=afternoon.rounds))

    def in_order(seatings: Sequence[Sequence[int]]) -> tuple[SeatedRound, ...]:
        sequence: Sequence[int] = range(len(seatings))
        if tables.sit_outs:
            seats = sum(map(sum, tables.shapes))
            sequence = order(
                [frozenset(seating[seats:]) for seating in seatings], history.sat_last, count=history.sit_outs
            )
        return tuple(_round([roster[i] for i in seatings[r]], tables.shapes) for r in sequence)

    def on_progress(progress: SearchProgress) -> bool:
        return watch is None or watch(progress, lambda: in_order(progress.seatings))

    (seatings, method), spent = _drawn(
        task, bool(afternoon.played), number=stream, steps=steps, on_progress=on_progress
    )
    return Plan(in_order(seatings), seed, method, spent)


def _prepared(afternoon: Afternoon, number: NextFraction, *, seed: int, soon: bool) -> tuple[SearchTask, list[int]]:
    """The search task of an afternoon, with people numbered from 0, and their ids by those numbers."""
    people, rounds = afternoon.people, afternoon.rounds
    if len(people) > MOST:
        raise DrawRefused("draw.too-many", named(people=len(people), most=MOST))
    for person, times in Counter(people).items():
        if times > 1:
            raise DrawRefused("draw.named-twice", named(person=person))
    if rounds < 1:
        raise DrawRefused("draw.no-rounds")
    tables = layout(len(people), table=afternoon.table, side=afternoon.side, odd=afternoon.odd)
    roster = shuffled(sorted(people), number)
    index = {person: i for i, person in enumerate(roster)}
    history = _history(roster, afternoon.played, usual=tables.shapes[0])
    even_visits = len(set(tables.shapes)) > 1 and len(people) >= EVEN_VISITS_FROM
    task = SearchTask(tables, rounds, history, even_visits=even_visits, seed=seed)
    partnered = ((i, j) for i, row in enumerate(history.partners) for j, times in enumerate(row) if times)
    looking = Looking(task, soon=soon)
    demands = settled(
        afternoon.wishes,
        index,
        layout=tables,
        met=partnered,
        by_lot=lambda demands: feasible(replace(task, demands=demands)) is not None,
        sought=looking,
    )
    task = replace(task, demands=demands)
    return replace(task, known=sought(task) if looking.asked else None), roster


Rounds = tuple[Sequence[Sequence[int]], str]  # by seat, and how they were made


def _ready(task: SearchTask, patterns: Iterable[Rounds]) -> Rounds | None:
    """The first pattern for all rounds that nothing betters, or that no search betters in the time it has; None where
    there is none."""
    least = lower_bound(task)
    for seatings, method in patterns:
        if len(seatings) == task.rounds and (
            method in ("movement", "construction", "stored") or _cost(task, seatings) <= least
        ):
            return seatings, method
    return None


def _drawn(
    task: SearchTask, played: bool, *, number: NextFraction, steps: int, on_progress: OnProgress
) -> tuple[Rounds, int]:
    """The rounds, and the steps they took: a pattern, or the best of patterns continued by a search and a search.

    Where no pattern fits the wishes, a short search starts from the one that comes nearest, too."""
    patterns = [] if played else list(_patterns(task, number))
    if (ready := _ready(task, patterns)) is not None:
        return ready, 0
    least = lower_bound(task)
    best: Rounds | None = None
    cost = spent = 0
    stopped = False

    def telling(before: Sequence[Sequence[int]]) -> OnProgress:
        def tell(progress: SearchProgress) -> bool:
            nonlocal stopped
            progress = replace(progress, steps=spent + progress.steps, of=steps, seatings=[*before, *progress.seatings])
            if best is not None and cost <= progress.cost:
                progress = replace(progress, cost=cost, seatings=best[0])
            stopped = stopped or not on_progress(progress)
            return not stopped

        return tell

    for seatings, method in patterns:
        if missing := task.rounds - len(seatings):
            tail_task = replace(task, rounds=missing, history=_history_of(task, seatings), plan=())
            tail = search(tail_task, number, steps=max(steps // 4, 1), on_progress=telling(seatings), least=least)
            seatings, method = [*seatings, *tail.seatings], "extended"
            spent += tail.steps
        if best is None or _cost(task, seatings) < cost:
            best, cost = (seatings, method), _cost(task, seatings)
    plan = _nearly(task) if best is None and not played else ()
    if plan:
        near = search(
            replace(task, plan=plan),
            Random(task.seed).random,
            steps=min(FIRST_STAGE, steps),
            on_progress=telling(()),
            least=least,
        )
        best, cost, spent = (near.seatings, "search"), near.cost, near.steps
        steps += near.steps  # so that this search doesn't shorten the next one
    if best is None or (cost > least and spent < steps and not stopped):
        whole = search(task, number, steps=steps - spent, on_progress=telling(()))
        spent += whole.steps
        if best is None or (_repeats(task, whole.seatings) < _repeats(task, best[0]) if plan else whole.cost < cost):
            best = whole.seatings, "search"
    return best, spent


def _patterns(task: SearchTask, number: NextFraction) -> Iterator[Rounds]:
    """Ready-made rounds in which all demands hold, those that can't be bettered first.

    Where there are no demands, the last patterns may have fewer rounds than asked for."""
    shapes, demands = task.layout.shapes, task.demands
    if demands != Demands():
        number = Random(task.seed).random  # so that a search after it draws the numbers it would draw without patterns
    for pattern, method in _ready_made(task):
        as_numbered = method == "movement"
        if seatings := fitted(pattern, shapes, demands=demands, number=number, as_numbered=as_numbered):
            yield seatings, method
            if method == "movement":
                return


def _nearly(task: SearchTask) -> tuple[tuple[int, ...], ...]:
    """The rounds of a pattern that break as few wishes about whom to meet as could be found; () if there is none."""
    for pattern, _method in _ready_made(task):
        if rounds := nearest(pattern, task.layout.shapes, demands=task.demands, number=Random(task.seed).random):
            return tuple(map(tuple, rounds))
    return ()


def _ready_made(task: SearchTask) -> Iterator[Rounds]:
    """Patterns for these tables; where there are no demands also shorter ones than asked for, the longest there are."""
    shapes, rounds = task.layout.shapes, task.rounds
    fours, free = set(shapes) == {(2, 2)}, task.demands == Demands()
    if task.layout.alike:
        if fours and (pattern := patterns.movement(len(shapes), rounds)):
            yield pattern, "movement"
        fewest = 1 if free else rounds
        longest = (
            shorter
            for fewer in range(rounds, fewest - 1, -1)
            if (shorter := patterns.without_repeats(len(shapes), fewer, size=sum(shapes[0])))
        )
        if pattern := next(longest, None):
            yield pattern, "construction"
        if pattern := finals(task.people, rounds, size=sum(shapes[0]), side=shapes[0][0]):
            yield pattern, "stored"
    one_six = len(shapes) > 1 and set(shapes[:-1]) == {(2, 2)} and shapes[-1] == (3, 3)
    if (fours or one_six) and (pattern := found_earlier(task.people, rounds, odd="six" if one_six else "")):
        yield pattern, "stored"
    pattern = whist(task.people) if fours and 3 * rounds >= 2 * (task.people - 1) else None
    if pattern and (free or len(pattern) >= rounds):
        yield pattern[:rounds], "whist"


def _cost(task: SearchTask, seatings: Sequence[Sequence[int]]) -> int:
    begun = Start([list(seating) for seating in seatings], [dict(task.demands.always) for _ in seatings])
    return SeatingAttempt(task, begun, number=lambda: 0.0).cost


def _repeats(task: SearchTask, seatings: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """How many partners, opponents and table-mates meet again in these rounds, in order of weight; last their cost."""
    met = _history_of(task, seatings)
    partners, opponents = list(chain(*met.partners)), list(chain(*met.opponents))
    table_mates = map(add, partners, opponents)
    return (
        *(sum(max(times - 1, 0) for times in role) // 2 for role in (partners, opponents, table_mates)),
        _cost(task, seatings),
    )


def _history_of(task: SearchTask, seatings: Sequence[Sequence[int]]) -> History:
    rounds = [_round(seating, task.layout.shapes) for seating in seatings]
    return _history(range(task.people), rounds, usual=task.layout.shapes[0])


def _old_plan(
    again: Sequence[SeatedRound], index: dict[int, int], *, tables: Layout, rounds: int
) -> tuple[tuple[int | None, ...], ...]:
    """The rounds of an earlier plan by seat, as many tables of each kind as there are now; None for who has left."""
    plan = []
    for old in again[:rounds]:
        left = list(old.tables)
        seats: list[int | None] = []
        for shape in tables.shapes:
            table = next((t for t in left if tuple(map(len, t)) == shape), None)
            if table is None:
                seats += [None] * sum(shape)
            else:
                left.remove(table)
                seats += [index.get(person) for side in table for person in side]
        plan.append((*seats, *(index.get(person) for person in old.sit_outs)))
    return tuple(plan) if len(plan) == rounds else ()


def _round(seating: Sequence[int], shapes: Sequence[Shape]) -> SeatedRound:
    """Everyone by seat, table after table; those left over sit out."""
    return SeatedRound(at_tables(seating, shapes), tuple(sorted(seating[sum(map(sum, shapes)) :])))


def _history(roster: Sequence[int], played: Sequence[SeatedRound], *, usual: Shape) -> History:
    """What those present bring with them; people who have left don't count."""
    index = {person: i for i, person in enumerate(roster)}
    partners = [[0] * len(roster) for _ in roster]
    opponents = [[0] * len(roster) for _ in roster]
    sit_outs, visits = [0 for _ in roster], [0 for _ in roster]
    credit = [Fraction(0) for _ in roster]
    for past in played:
        for table in past.tables:
            sides = {index[person]: side for side, people in enumerate(table) for person in people if person in index}
            for i in sides:
                visits[i] += tuple(map(len, table)) != usual
            for i, j in permutations(sides, 2):
                (partners if sides[i] == sides[j] else opponents)[i][j] += 1
        present = {*past.seated, *past.sit_outs}
        share = Fraction(len(past.sit_outs), max(len(present), 1))
        for person, i in index.items():
            if person in past.sit_outs:
                sit_outs[i] += 1
            elif person not in present:
                credit[i] += share
    sat_last = frozenset(index[p] for p in played[-1].sit_outs if p in index) if played else frozenset()
    return History(
        partners=tuple(map(tuple, partners)),
        opponents=tuple(map(tuple, opponents)),
        sit_outs=tuple(count + int(missed + Fraction(1, 2)) for count, missed in zip(sit_outs, credit, strict=True)),
        sat_last=sat_last,
        visits=tuple(visits),
    )


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

    `index` are those present; a wish that names anybody else waits until they come. `met` are pairs, by index, who have
    been partners already, which meets a wish for "once". `by_lot` asks whether lots soon find rounds in which demands
    hold, `sought` looks longer: it is asked where lots find none for the hard wishes.

    Raises DrawRefused: hard wishes collide; it names the numbers of some that do, leaving out those not needed for
    that."""
    check_wishes(wishes)
    applicable = [n for n, wish in enumerate(wishes) if all(person in index for person in wish.people)]
    done = {frozenset(pair) for pair in met}

    def demands_of(numbers: Iterable[int]) -> Demands | None:
        return _demands([wishes[n] for n in sorted(numbers)], index, layout=layout, done=done)

    def holds(numbers: Iterable[int], check: Feasible) -> bool | None:
        demands = demands_of(numbers)
        return demands is not None and (demands == Demands() or check(demands))

    chosen = [n for n in applicable if wishes[n].hard]
    check = by_lot
    if not holds(chosen, by_lot):
        check = sought
        if not holds(chosen, sought):
            groups = _strangers(wishes, chosen)
            chosen = next((group for group in groups if holds(group, sought) is False), chosen)
            chosen = _colliding(chosen, lambda numbers: holds(numbers, sought))
            raise DrawRefused("draw.wishes-collide", named(wishes=", ".join(str(n + 1) for n in chosen)))
    soft = [n for n in applicable if not wishes[n].hard]
    if soft and holds([*chosen, *soft], check):
        chosen += soft
    else:
        for n in soft:
            if holds([*chosen, n], check):
                chosen.append(n)
    return demands_of(chosen) or Demands()


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
        for subset in chain(combinations(numbers, 1), combinations(numbers, 2)):
            if holds(subset) is False:
                return list(subset)
    colliding, size = list(numbers), max(len(numbers) // 2, 1)
    while size:
        at = 0
        while at < len(colliding):
            fewer = colliding[:at] + colliding[at + size :]
            answer = holds(fewer)
            if answer is None:
                return colliding
            if answer is False:
                colliding = fewer
            else:
                at += size
        size //= 2
    return colliding


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
            tables = [table for table, _seat in pinned.values()]
            usual = [t for t, shape in enumerate(layout.shapes) if shape == layout.shapes[0]]
            pinned[person] = (min(usual, key=lambda t: (tables.count(t), t)), None)
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
