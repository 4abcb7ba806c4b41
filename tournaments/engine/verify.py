"""What a draw repeats, counted afresh and held against lower bounds. Shares no code with what makes draws.

A pair has met c times in a role (partner, opponent, table-mate: either of the two). Repeats of the role are the
sum over pairs of max(0, c - 1); squares the sum of c (c - 1) / 2, which a few pairs meeting often drive up.
The bounds hold for every draw with the same people, tables and attendance. Couples who are always partners are left
out of what is counted, and out of the bounds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb

from scoring.engine.core.ledger import Args, named
from tournaments.engine.rounds import DrawWish, SeatedRound

# (tables, people at each): rounds without a repeated meeting that are possible at most, where counting alone would
# allow more. Harvey's table in OEIS A107431; Miller, Valkov and Abel, Symmetry 18(2) 269, 2026.
PROVEN_MOST = {(4, 3): 4, (5, 4): 5, (6, 6): 3}

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RoleMeetings:
    """How often pairs met in one role, with lower bounds for any draw."""

    meetings: int
    different: int  # pairs that met at all
    repeats: int
    squares: int
    most: int  # meetings of the pair that met most often
    pairs_repeated: int
    least_repeats: int  # lower bound
    least_squares: int  # lower bound


@dataclass(frozen=True, slots=True)
class SitOuts:
    """How sit-outs are shared among those present in every round."""

    total: int  # of everybody
    fewest: int
    most: int
    back_to_back: int  # times anyone sat out two rounds running
    least_spread: int  # lower bound of most - fewest

    @property
    def spread(self) -> int:
        return self.most - self.fewest


@dataclass(frozen=True, slots=True)
class Visits:
    size: int
    fewest: int
    most: int


@dataclass(frozen=True, slots=True)
class WishOutcome:
    wish: DrawWish
    met: bool | None  # None: nobody was there for whom it could be judged


@dataclass(frozen=True, slots=True)
class Statement:
    people: int
    rounds: int
    partner: RoleMeetings
    opponent: RoleMeetings
    table_mate: RoleMeetings
    never_met: int  # pairs never at one table
    sit_outs: SitOuts
    visits: tuple[Visits, ...] = ()


def make_statement(
    rounds: Sequence[SeatedRound], people: Iterable[int], *, couples: Iterable[Sequence[int]] = ()
) -> Statement:
    """Count what these rounds repeat. Everyone who was seated counts, and `people` who never were."""
    without = {pair for a, b in couples for pair in ((a, b), (b, a))}
    partner, opponent = _count_meetings(rounds, without)
    roster = sorted({*people, *(p for r in rounds for p in (*r.seated, *r.sit_outs))})
    present = {p: {n for n, r in enumerate(rounds) if p in r.seated or p in r.sit_outs} for p in roster}
    bounds = _Bounds(rounds, present, without=without)
    table_mate = partner + opponent
    return Statement(
        people=len(roster),
        rounds=len(rounds),
        partner=_role_meetings(partner, bounds.least("partner")),
        opponent=_role_meetings(opponent, bounds.least("opponent")),
        table_mate=_role_meetings(table_mate, bounds.least("table_mate")),
        never_met=comb(len(roster), 2) - len(_count_meetings(rounds)[0] + _count_meetings(rounds)[1]),
        sit_outs=_count_sit_outs(rounds, present),
        visits=_count_visits(rounds, present),
    )


def wish_outcomes(
    rounds: Sequence[SeatedRound], wishes: Iterable[DrawWish], *, played: int = 0
) -> tuple[WishOutcome, ...]:
    """Whether each wish is met by the rounds after the first `played`; partners once may also be met by those."""
    return tuple(WishOutcome(wish, _is_met(wish, rounds, played=played)) for wish in wishes)


def find_faults(
    rounds: Sequence[SeatedRound],
    people: Iterable[int],
    *,
    sides: Sequence[int] = (2, 2),
    or_sides: Iterable[Sequence[int]] = (),
    everyone: bool = False,
) -> tuple[tuple[str, Args], ...]:
    """Everything that makes the rounds unplayable, as codes with their arguments.

    `sides` are the sizes of the sides at every table, `or_sides` alternatives to them. With `everyone`, each of
    `people` must have a seat or a sit-out in every round; without, those with neither are taken as absent."""
    roster = set(people)
    usual = "-".join(map(str, sides))
    sound = {usual, *("-".join(map(str, other)) for other in or_sides)}
    problems = []
    for number, round_ in enumerate(rounds, start=1):
        places = Counter((*round_.seated, *round_.sit_outs))
        for person, times in sorted(places.items()):
            if times > 1:
                problems.append(("draw.twice-in-round", named(round=number, person=person, times=times)))
            if person not in roster:
                problems.append(("draw.unknown-person", named(round=number, person=person)))
        for table, seats in enumerate(round_.tables, start=1):
            sizes = "-".join(str(len(side)) for side in seats)
            if sizes not in sound:
                args = named(round=number, table=table, found=sizes, wanted=usual)
                problems.append(("draw.wrong-size", args))
        if everyone:
            missing = sorted(roster - places.keys())
            problems.extend(("draw.left-out", named(round=number, person=person)) for person in missing)
    return tuple(problems)


def _is_met(wish: DrawWish, rounds: Sequence[SeatedRound], *, played: int) -> bool | None:
    later = rounds[played:]
    seats = [
        {person: (t, s) for t, table in enumerate(round_.tables, 1) for s, person in enumerate(_people_at(table), 1)}
        for round_ in later
    ]
    if not any({*where, *round_.sit_outs} >= set(wish.people) for round_, where in zip(later, seats, strict=True)):
        return None
    if wish.kind in ("stay", "host"):
        (who,) = wish.people
        places = {where[who] for where in seats if who in where}
        tables = {table for table, _seat in places}
        if wish.kind == "host" and any(who in round_.sit_outs for round_ in later):
            return False
        if wish.seat is not None:
            return places <= {(wish.table, wish.seat)}
        return tables <= {wish.table} if wish.table is not None else len(tables) <= 1
    a, b = wish.people
    table_mates = [bool({a, b} <= set(_people_at(table))) for round_ in later for table in round_.tables]
    if wish.kind == "apart":
        return not any(table_mates)
    partners = [bool({a, b} <= set(side)) for round_ in later for table in round_.tables for side in table]
    if wish.kind == "never":
        return not any(partners)
    if wish.kind == "once":
        return any({a, b} <= set(side) for round_ in rounds for table in round_.tables for side in table)
    playing = sum(a in where or b in where for where in seats)
    return sum(partners) == playing


def _people_at(table: Sequence[Sequence[int]]) -> list[int]:
    return [person for side in table for person in side]


def _count_visits(rounds: Sequence[SeatedRound], present: dict[int, set[int]]) -> tuple[Visits, ...]:
    times: dict[int, Counter[int]] = {}
    for round_ in rounds:
        for table in round_.tables:
            people = _people_at(table)
            times.setdefault(len(people), Counter()).update(people)
    throughout = [p for p, numbers in present.items() if len(numbers) == len(rounds)]
    if len(times) < 2 or not throughout:
        return ()
    return tuple(
        Visits(size, min(seen[p] for p in throughout), max(seen[p] for p in throughout))
        for size, seen in sorted(times.items())
    )


def _count_meetings(rounds: Sequence[SeatedRound], without: Iterable[Pair] = ()) -> tuple[Counter[Pair], Counter[Pair]]:
    partner: Counter[Pair] = Counter()
    opponent: Counter[Pair] = Counter()
    for round_ in rounds:
        for table in round_.tables:
            side_of = {person: number for number, side in enumerate(table) for person in side}
            for a, b in combinations(sorted(side_of), 2):
                if (a, b) not in without:
                    (partner if side_of[a] == side_of[b] else opponent)[a, b] += 1
    return partner, opponent


def _role_meetings(met: Counter[Pair], least: tuple[int, int]) -> RoleMeetings:
    times = met.values()
    return RoleMeetings(
        meetings=sum(times),
        different=len(met),
        repeats=sum(c - 1 for c in times),
        squares=sum(comb(c, 2) for c in times),
        most=max(times, default=0),
        pairs_repeated=sum(c > 1 for c in times),
        least_repeats=least[0],
        least_squares=least[1],
    )


def _count_sit_outs(rounds: Sequence[SeatedRound], present: dict[int, set[int]]) -> SitOuts:
    times = Counter(p for round_ in rounds for p in round_.sit_outs)
    throughout = [times[p] for p, numbers in present.items() if len(numbers) == len(rounds)] or [0]
    running = sum(len(set(before.sit_outs) & set(after.sit_outs)) for before, after in pairwise(rounds))
    total = times.total()
    even = not present or total % len(present) == 0
    return SitOuts(total, min(throughout), max(throughout), running, 0 if even else 1)


class _Bounds:
    """Lower bounds on repeats and squares, per role.

    Counting: T meetings of a role among at most P different pairs repeat T minus P; when all seats are alike, a person
    with g games and k role-mates a seat meets at most k g others, games spread evenly. Pigeonhole (table-mates): those
    of one table go to the tables of a later round, where some must meet again. Proven: G tables of S have a proven most
    of rounds without a repeated meeting; each beyond costs one."""

    def __init__(self, rounds: Sequence[SeatedRound], present: dict[int, set[int]], *, without: set[Pair]) -> None:
        self.rounds = rounds
        self.couples = len(without) // 2
        tables = [table for round_ in rounds for table in round_.tables]
        self.without = {
            "partner": sum((a, b) in without for table in tables for side in table for a in side for b in side) // 2,
            "table_mate": sum(
                (a, b) in without for table in tables for a in _people_at(table) for b in _people_at(table)
            )
            // 2,
        }
        self.without["opponent"] = self.without["table_mate"] - self.without["partner"]
        self.present = present
        self.shapes = {tuple(sorted(map(len, table))) for round_ in rounds for table in round_.tables}
        self.together = sum(bool(present[a] & present[b]) for a, b in combinations(present, 2))

    def least(self, role: str) -> tuple[int, int]:
        """The least repeats and the least squares that any draw can have in a role."""
        meetings = sum(
            _pairs_at_table(tuple(map(len, table)), role) for round_ in self.rounds for table in round_.tables
        )
        meetings -= self.without[role]
        each, over = divmod(meetings, self.together) if self.together else (0, 0)
        squares = (self.together - over) * comb(each, 2) + over * comb(each + 1, 2)
        repeats = max(0, meetings - self._most_pairs(role))
        if role == "table_mate":
            late = range(1, len(self.rounds))
            repeats = max(
                repeats, sum(max(self._least_meeting_again(a, b) for a in range(b)) for b in late), self._proven_least()
            )
            squares = max(squares, sum(self._least_meeting_again(a, b) for b in late for a in range(b)))
        return repeats, squares

    def _most_pairs(self, role: str) -> int:
        """The most different pairs that can meet in the role."""
        if len(self.shapes) != 1 or len(set(shape := next(iter(self.shapes)))) != 1:
            return self.together
        mates = {"partner": shape[0] - 1, "opponent": sum(shape) - shape[0], "table_mate": sum(shape) - 1}[role]
        people = len(self.present)
        games, over = divmod(sum(len(round_.seated) for round_ in self.rounds), people)
        meetable = over * min(mates * (games + 1), people - 1) + (people - over) * min(mates * games, people - 1)
        return min(self.together, meetable // 2)

    def _least_meeting_again(self, early: int, late: int) -> int:
        """The fewest pairs of table-mates of round `early` that must share a table again in round `late`."""
        tables = len(self.rounds[late].tables)
        if not tables:
            return 0
        gone = sum(early in rounds and late not in rounds for rounds in self.present.values())
        away = len(self.rounds[late].sit_outs) + gone
        sizes = [sum(map(len, table)) for table in self.rounds[early].tables]
        for _ in range(away):  # leaving people of the fullest table unseated costs the least
            fullest = max(range(len(sizes)), key=lambda t: sizes[t], default=None)
            if fullest is None or sizes[fullest] == 0:
                break
            sizes[fullest] -= 1
        again = sum(
            (tables - size % tables) * comb(size // tables, 2) + size % tables * comb(size // tables + 1, 2)
            for size in sizes
        )
        return max(0, again - self.couples)

    def _proven_least(self) -> int:
        if len(self.shapes) != 1 or self.couples or any(round_.sit_outs for round_ in self.rounds):
            return 0
        counts = {len(round_.tables) for round_ in self.rounds}
        size = sum(next(iter(self.shapes)))
        if len(counts) != 1 or (tables := counts.pop()) * size != len(self.present):
            return 0
        return max(0, len(self.rounds) - PROVEN_MOST.get((tables, size), len(self.rounds)))


def _pairs_at_table(sides: tuple[int, ...], role: str) -> int:
    partners = sum(comb(size, 2) for size in sides)
    together = comb(sum(sides), 2)
    return {"partner": partners, "opponent": together - partners, "table_mate": together}[role]
