"""Rotating partners for an afternoon: who plays with whom and against whom in every round.

In this order: nobody has the same partner twice, nobody the same opponent twice, nobody shares a table twice. Sit-outs
differ by at most one, and never come twice in a row if that can be avoided.

If all tables are alike and nothing has been played, a construction without any repeat is used; else a stored draw, or
the cheapest of a pattern and a local search. Any person can have any part of a pattern, so it serves for most wishes,
too (`patterns.fit_pattern`). Sides may also be groups that each play a game of their own (two groups of three at a
table of six): the people of a group are then the ones called partners here. `tournaments.engine.verify` counts what a
draw repeats, and shares no code with this.
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
from tournaments.engine.draws.patterns import (
    finals_pattern,
    fit_pattern,
    fit_pattern_loosely,
    stored_draw,
    whist_pattern,
)
from tournaments.engine.draws.search import (
    FIRST_STAGE,
    FeasibilityCheck,
    OnProgress,
    SearchProgress,
    SeatingAttempt,
    Undecided,
    find_feasible_rounds,
    lower_bound,
    search,
)
from tournaments.engine.draws.starts import (
    Demands,
    History,
    NextFraction,
    SearchTask,
    Start,
    find_by_lot,
    order_rounds,
    shuffled,
)
from tournaments.engine.rounds import (
    PAIR_WISHES,
    PLACE_WISHES,
    DrawRefused,
    DrawWish,
    Layout,
    SeatedRound,
    Shape,
    at_tables,
    connected_groups,
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
    "draw_rotation",
]

# Called now and then with how far the search is, and a way to get the best rounds so far (none while all break wishes).
# False stops the search, which keeps the best so far.
Watch = Callable[[SearchProgress, Callable[[], tuple[SeatedRound, ...]]], bool]


@dataclass(frozen=True, slots=True)
class Plan:
    """Rounds, with what it takes to draw them again and to say how they were drawn."""

    rounds: tuple[SeatedRound, ...]
    seed: int
    # "movement" (the classical one: North stays, South goes down one table, East up one, West up two),
    # "construction" (no meeting repeated), "whist", "stored" (found by a long search), "search", or "extended"
    # (a pattern, then a search)
    method: str
    steps: int  # exchanges the search looked at; 0 for a pattern


@dataclass(frozen=True, slots=True)
class Afternoon:
    """Who is here, what was played, and what is to be drawn.

    `people` are the ids of those present from now on, in any order. Those at no table and in no sit-out of a played
    round missed it; they are credited with a fair share of its sit-outs (rounded, a half up), so that latecomers are
    neither sat out at once to catch up, nor spared.

    Tables seat `table` people in sides of `side`; `odd` says what becomes of those left over (`rounds.ODD`). `again`
    are rounds of an earlier plan that weren't played: the search starts from them."""

    people: Sequence[int]
    rounds: int  # still to be drawn
    played: Sequence[SeatedRound] = ()
    table: int = 4
    side: int = 2
    odd: str = "sit-out"
    wishes: Sequence[DrawWish] = ()
    again: Sequence[SeatedRound] = ()


def draw_rotation(
    afternoon: Afternoon, *, seed: int, steps: int = STEPS, watch: Watch | None = None, soon: bool = False
) -> Plan:
    """Draw the further rounds of an afternoon for those present, around the rounds already played.

    The same people (in any order), rounds, history, wishes, seed and steps give the same draw everywhere. `watch` gets
    the progress of the search, and stops it by returning False. Whether very tight wishes can hold may take two seconds
    to find out; with `soon`, Undecided is raised after a tenth of that.

    Raises Undecided: only with `soon`. DrawRefused: too few people or more than 200, somebody named twice, no rounds or
    steps, impossible tables, or hard wishes that collide."""
    if steps < 1:
        raise DrawRefused("draw.no-steps")
    stream = Random(seed).random
    task, roster = _prepare_task(afternoon, stream, seed=seed, soon=soon)
    tables, history = task.layout, task.history
    index = {person: i for i, person in enumerate(roster)}
    task = replace(task, plan=_replan(afternoon.again, index, tables=tables, rounds=afternoon.rounds))

    def in_order(seatings: Sequence[Sequence[int]]) -> tuple[SeatedRound, ...]:
        sequence: Sequence[int] = range(len(seatings))
        if tables.sit_outs:
            seats = sum(map(sum, tables.shapes))
            sequence = order_rounds(
                [frozenset(seating[seats:]) for seating in seatings], history.sat_last, count=history.sit_outs
            )
        return tuple(_seated_round([roster[i] for i in seatings[r]], tables.shapes) for r in sequence)

    def on_progress(progress: SearchProgress) -> bool:
        return watch is None or watch(progress, lambda: in_order(progress.seatings))

    (seatings, method), spent = _find_rounds(
        task, bool(afternoon.played), random=stream, steps=steps, on_progress=on_progress
    )
    return Plan(in_order(seatings), seed, method, spent)


def _prepare_task(afternoon: Afternoon, random: NextFraction, *, seed: int, soon: bool) -> tuple[SearchTask, list[int]]:
    """The search task of an afternoon with people numbered from 0, and their ids by those numbers."""
    people, rounds = afternoon.people, afternoon.rounds
    if len(people) > MOST:
        raise DrawRefused("draw.too-many", named(people=len(people), most=MOST))
    for person, times in Counter(people).items():
        if times > 1:
            raise DrawRefused("draw.named-twice", named(person=person))
    if rounds < 1:
        raise DrawRefused("draw.no-rounds")
    tables = layout(len(people), table=afternoon.table, side=afternoon.side, odd=afternoon.odd)
    roster = shuffled(sorted(people), random)
    index = {person: i for i, person in enumerate(roster)}
    history = _history(roster, afternoon.played, usual=tables.shapes[0])
    even_visits = len(set(tables.shapes)) > 1 and len(people) >= EVEN_VISITS_FROM
    task = SearchTask(tables, rounds, history, even_visits=even_visits, seed=seed)
    partnered = ((i, j) for i, row in enumerate(history.partners) for j, times in enumerate(row) if times)
    looking = FeasibilityCheck(task, soon=soon)
    demands = settle_wishes(
        afternoon.wishes,
        index,
        layout=tables,
        met=partnered,
        by_lot=lambda demands: find_by_lot(replace(task, demands=demands)) is not None,
        sought=looking,
    )
    task = replace(task, demands=demands)
    return replace(task, known=find_feasible_rounds(task) if looking.asked else None), roster


Rounds = tuple[Sequence[Sequence[int]], str]  # by seat, and how they were made


def _best_pattern(task: SearchTask, patterns: Iterable[Rounds]) -> Rounds | None:
    """The first pattern for all rounds that can't be bettered, at least not in the time a search has; None if there is
    none."""
    least = lower_bound(task)
    for seatings, method in patterns:
        if len(seatings) == task.rounds and (
            method in ("movement", "construction", "stored") or _cost(task, seatings) <= least
        ):
            return seatings, method
    return None


def _find_rounds(
    task: SearchTask, played: bool, *, random: NextFraction, steps: int, on_progress: OnProgress
) -> tuple[Rounds, int]:
    """The rounds and the steps they took: a pattern, else the better of a pattern continued by a search and a search of
    its own. If no pattern fits the wishes, a short search also starts from the nearest one."""
    patterns = [] if played else list(_fitting_patterns(task, random))
    if (ready := _best_pattern(task, patterns)) is not None:
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
            tail_task = replace(task, rounds=missing, history=_seatings_history(task, seatings), plan=())
            tail = search(tail_task, random, steps=max(steps // 4, 1), on_progress=telling(seatings), least=least)
            seatings, method = [*seatings, *tail.seatings], "extended"
            spent += tail.steps
        if best is None or _cost(task, seatings) < cost:
            best, cost = (seatings, method), _cost(task, seatings)
    plan = _nearest_pattern(task) if best is None and not played else ()
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
        whole = search(task, random, steps=steps - spent, on_progress=telling(()))
        spent += whole.steps
        if best is None or (_repeats(task, whole.seatings) < _repeats(task, best[0]) if plan else whole.cost < cost):
            best = whole.seatings, "search"
    return best, spent


def _fitting_patterns(task: SearchTask, random: NextFraction) -> Iterator[Rounds]:
    """Patterns in which all demands hold, the best first.

    If there are no demands, the last may have fewer rounds than asked for."""
    shapes, demands = task.layout.shapes, task.demands
    if demands != Demands():
        random = Random(task.seed).random  # so that a search after it draws the numbers it would draw without patterns
    for pattern, method in _known_patterns(task):
        as_numbered = method == "movement"
        if seatings := fit_pattern(pattern, shapes, demands=demands, random=random, as_numbered=as_numbered):
            yield seatings, method
            if method == "movement":
                return


def _nearest_pattern(task: SearchTask) -> tuple[tuple[int, ...], ...]:
    """The rounds of a pattern that break few wishes about whom to meet; () if there is none."""
    for pattern, _method in _known_patterns(task):
        if rounds := fit_pattern_loosely(
            pattern, task.layout.shapes, demands=task.demands, random=Random(task.seed).random
        ):
            return tuple(map(tuple, rounds))
    return ()


def _known_patterns(task: SearchTask) -> Iterator[Rounds]:
    """Patterns for these tables; if there are no demands, also the longest with fewer rounds than asked for."""
    shapes, rounds = task.layout.shapes, task.rounds
    fours, free = set(shapes) == {(2, 2)}, task.demands == Demands()
    if task.layout.alike:
        if fours and (pattern := patterns.movement_pattern(len(shapes), rounds)):
            yield pattern, "movement"
        fewest = 1 if free else rounds
        longest = (
            shorter
            for fewer in range(rounds, fewest - 1, -1)
            if (shorter := patterns.pattern_without_repeats(len(shapes), fewer, size=sum(shapes[0])))
        )
        if pattern := next(longest, None):
            yield pattern, "construction"
        if pattern := finals_pattern(task.people, rounds, size=sum(shapes[0]), side=shapes[0][0]):
            yield pattern, "stored"
    one_six = len(shapes) > 1 and set(shapes[:-1]) == {(2, 2)} and shapes[-1] == (3, 3)
    if (fours or one_six) and (pattern := stored_draw(task.people, rounds, odd="six" if one_six else "")):
        yield pattern, "stored"
    pattern = whist_pattern(task.people) if fours and 3 * rounds >= 2 * (task.people - 1) else None
    if pattern and (free or len(pattern) >= rounds):
        yield pattern[:rounds], "whist"


def _cost(task: SearchTask, seatings: Sequence[Sequence[int]]) -> int:
    begun = Start([list(seating) for seating in seatings], [dict(task.demands.always) for _ in seatings])
    return SeatingAttempt(task, begun, random=lambda: 0.0).cost


def _repeats(task: SearchTask, seatings: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """How many partners, opponents and table-mates meet again, in order of weight; last the cost of the rounds."""
    met = _seatings_history(task, seatings)
    partners, opponents = list(chain(*met.partners)), list(chain(*met.opponents))
    table_mates = map(add, partners, opponents)
    return (
        *(sum(max(times - 1, 0) for times in role) // 2 for role in (partners, opponents, table_mates)),
        _cost(task, seatings),
    )


def _seatings_history(task: SearchTask, seatings: Sequence[Sequence[int]]) -> History:
    rounds = [_seated_round(seating, task.layout.shapes) for seating in seatings]
    return _history(range(task.people), rounds, usual=task.layout.shapes[0])


def _replan(
    again: Sequence[SeatedRound], index: dict[int, int], *, tables: Layout, rounds: int
) -> tuple[tuple[int | None, ...], ...]:
    """An earlier plan's rounds by seat, with as many tables of each kind as there are now; None for people who have
    left."""
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


def _seated_round(seating: Sequence[int], shapes: Sequence[Shape]) -> SeatedRound:
    """A round from everyone by seat, table after table; those left over sit out."""
    return SeatedRound(at_tables(seating, shapes), tuple(sorted(seating[sum(map(sum, shapes)) :])))


def _history(roster: Sequence[int], played: Sequence[SeatedRound], *, usual: Shape) -> History:
    """What those present bring from the rounds played; people who have left don't count."""
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
    """Raises DrawRefused: a wish is of an unknown kind, or names too many or too few people."""
    for number, wish in enumerate(wishes, start=1):
        pair = wish.kind in PAIR_WISHES and len(set(wish.people)) == 2 and wish.table is None and wish.seat is None
        place = wish.kind in PLACE_WISHES and len(wish.people) == 1
        place = place and all(value is None or value >= 1 for value in (wish.table, wish.seat))
        place = place and (wish.table is not None or (wish.seat is None and wish.kind == "stay"))
        if not pair and not place:
            raise DrawRefused("draw.wish-unclear", named(wish=number))


def settle_wishes(
    wishes: Sequence[DrawWish],
    index: Mapping[int, int],
    *,
    layout: Layout,
    met: Iterable[tuple[int, int]],
    by_lot: Feasible,
    sought: Feasible,
) -> Demands:
    """The demands of all hard wishes, and of as many others as go with them, in their order.

    `index` has those present; a wish that names anybody else waits. `met` are pairs, by index, who have been partners
    already, which meets a wish for "once". `by_lot` asks whether lots soon find rounds in which demands hold; `sought`
    looks longer, and is asked if lots find none for the hard wishes.

    Raises DrawRefused: hard wishes collide; it names the numbers of some that do, without those not needed for that."""
    check_wishes(wishes)
    applicable = [n for n, wish in enumerate(wishes) if all(person in index for person in wish.people)]
    done = {frozenset(pair) for pair in met}

    def demands_of(numbers: Iterable[int]) -> Demands | None:
        return _combine_demands([wishes[n] for n in sorted(numbers)], index, layout=layout, done=done)

    def holds(numbers: Iterable[int], check: Feasible) -> bool | None:
        demands = demands_of(numbers)
        return demands is not None and (demands == Demands() or check(demands))

    chosen = [n for n in applicable if wishes[n].hard]
    check = by_lot
    if not holds(chosen, by_lot):
        check = sought
        if not holds(chosen, sought):
            groups = _independent_groups(wishes, chosen)
            chosen = next((group for group in groups if holds(group, sought) is False), chosen)
            chosen = _find_colliding(chosen, lambda numbers: holds(numbers, sought))
            raise DrawRefused("draw.wishes-collide", named(wishes=", ".join(str(n + 1) for n in chosen)))
    soft = [n for n in applicable if not wishes[n].hard]
    if soft and holds([*chosen, *soft], check):
        chosen += soft
    else:
        for n in soft:
            if holds([*chosen, n], check):
                chosen.append(n)
    return demands_of(chosen) or Demands()


def _independent_groups(wishes: Sequence[DrawWish], numbers: Sequence[int]) -> list[list[int]]:
    """The wishes in groups that share no person and no table, the smallest group first."""

    def touched(n: int) -> Iterator[object]:
        yield from wishes[n].people
        if wishes[n].table:
            yield f"table {wishes[n].table}"

    return sorted(map(sorted, connected_groups(numbers, touched)), key=len)


def _find_colliding(numbers: Sequence[int], holds: Callable[[Sequence[int]], bool | None]) -> list[int]:
    """Some of these colliding wishes that still collide, none of them needless.

    If wishes are few, one that can't be met by itself, else two that collide. Else half of them are left out, then a
    quarter, ..., as long as the others collide. If that takes too long, more than needed are named."""
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


def _combine_demands(
    wishes: Sequence[DrawWish], index: Mapping[int, int], *, layout: Layout, done: set[frozenset[int]]
) -> Demands | None:
    """The demands of these wishes together; None if two of them contradict each other."""
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
        elif not _pin_to_table(wish, who[0], pinned=pinned, roaming=roaming, layout=layout):
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


def _pin_to_table(
    wish: DrawWish, person: int, *, pinned: dict[int, tuple[int, int | None]], roaming: list[int], layout: Layout
) -> bool:
    """Note somebody's table; False if that contradicts another wish or there is no such place."""
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
