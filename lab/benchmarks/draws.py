"""What `./dev bench draws` measures: the repeats and time of draws, against aims that were set beforehand.

Repeats are given as partners / opponents / table-mates. The aims in SET, SMALL and CLEAN are the project's own, reached
by a prototype of the search with a million steps.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from tournaments.engine.draws.rotation import STEPS, Afternoon, draw_rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import Statement, find_faults, make_statement, wish_outcomes

Repeats = tuple[int, int, int]  # partners, opponents, table-mates
Case = tuple[int, int, str]  # people, rounds, what those do whom tables of four leave over

SET: dict[Case, Repeats] = {
    (16, 6, "sit-out"): (0, 0, 24),
    (16, 8, "sit-out"): (0, 12, 72),
    (17, 6, "sit-out"): (0, 0, 14),
    (17, 8, "sit-out"): (0, 4, 56),
    (20, 6, "sit-out"): (0, 0, 6),
    (20, 8, "sit-out"): (0, 2, 51),
    (22, 6, "sit-out"): (0, 0, 1),
    (22, 8, "sit-out"): (0, 0, 16),
    (23, 8, "sit-out"): (0, 0, 5),
    (22, 4, "six"): (0, 0, 16),
    (22, 6, "six"): (0, 0, 36),
    (24, 8, "sit-out"): (0, 0, 18),
    (30, 8, "sit-out"): (0, 0, 2),
    (30, 6, "six"): (0, 0, 4),
    (30, 8, "six"): (0, 0, 30),
}
SMALL: dict[Case, Repeats] = {
    (8, 4, "sit-out"): (0, 4, 20),
    (8, 6, "sit-out"): (0, 20, 44),
    (9, 6, "sit-out"): (0, 12, 36),
    (10, 4, "sit-out"): (0, 0, 12),
    (12, 4, "sit-out"): (0, 0, 18),
    (12, 6, "sit-out"): (0, 6, 42),
    (13, 6, "sit-out"): (0, 0, 30),
    (14, 4, "sit-out"): (0, 0, 6),
    (15, 4, "sit-out"): (0, 0, 0),
    (15, 8, "sit-out"): (0, 0, 39),
}
CLEAN: dict[Case, Repeats] = {  # a construction without repeats is known for these
    (people, rounds, "sit-out"): (0, 0, 0)
    for people, rounds in (
        (24, 7),
        (28, 9),
        (32, 9),
        (32, 10),
        (36, 11),
        (40, 10),
        (40, 13),
        (64, 8),
        (100, 8),
        (200, 8),
    )
}
ZEROS_SET = (438, 421, 359)  # the aim: cases of the sweep's 438 without repeats of each kind
WISHES = (  # for the sweep, which takes none, the first one, three or all (WISHED)
    DrawWish("apart", (0, 1)),
    DrawWish("once", (2, 3)),
    DrawWish("stay", (4,), table=1),
    DrawWish("apart", (5, 6)),
    DrawWish("never", (7, 8)),
    DrawWish("host", (9,), table=2),
)
WISHED = (0, 1, 3, 6)


SEEDS = (1, 2, 3)
SIXES = 54  # people at nine tables of six
FINALISTS = 18
AGAIN = (  # people, rounds, of these played, people who leave, who come; the aim: repeats by kind
    ((40, 6, 2, 2, 4), (0, 0, 0)),
    ((24, 6, 3, 3, 0), (0, 0, 2)),
    ((32, 8, 3, 1, 0), (0, 0, 3)),
    ((200, 8, 4, 3, 2), (0, 0, 0)),
)
FORTY = (
    *(DrawWish("apart", (2 * n - 1, 2 * n)) for n in range(1, 21)),
    *(DrawWish("once", (2 * n, 2 * n + 11)) for n in range(1, 6)),
    *(DrawWish("always", pair) for pair in ((25, 28), (29, 32), (33, 36))),
    *(DrawWish("stay", (2 * n - 1,), table=n) for n in range(1, 5)),
)
COUPLES = tuple(DrawWish("once", (2 * n - 1, 2 * n)) for n in range(1, 13))
TOGETHER = (  # the case, people, wishes, the aim
    ("40 people, 6 rounds: 20 pairs apart, 5 once, 3 couples, 4 with a table", 40, FORTY, (0, 0, 0)),
    ("24 people, 6 rounds: 12 couples partners once each", 24, COUPLES, (0, 0, 4)),
)


@dataclass(frozen=True, slots=True)
class DrawCase:
    """One case, drawn from a seed or from several."""

    what: str
    figures: tuple[tuple[int, ...], ...]  # per seed: repeats, or what the case says
    sound: bool  # nobody is left out or twice in a round, sit-outs are fair, every wish is met
    seconds: float  # of the longest draw
    aim: tuple[int, ...] | None = None  # the most that is good enough, from one of the seeds

    @property
    def reached(self) -> bool:
        aim = self.aim
        return self.sound and (
            aim is None or any(all(n <= most for n, most in zip(got, aim, strict=True)) for got in self.figures)
        )

    def __str__(self) -> str:
        got = ", ".join("/".join(map(str, figures)) for figures in self.figures)
        aim = "" if self.aim is None else f"  set {'/'.join(map(str, self.aim))}"
        return f"  {self.what:72} {got}{aim}  {self.seconds:.2f} s{'' if self.reached else '  WORSE'}"


Draw = tuple[Statement, bool, float]  # the draw's statement, whether it is sound, and its seconds


def draw(afternoon: Afternoon, *, seed: int = 1, steps: int = STEPS) -> Draw:
    started = perf_counter()
    plan = draw_rotation(afternoon, seed=seed, steps=steps)
    seconds = perf_counter() - started
    people, wishes = afternoon.people, afternoon.wishes
    sides = (afternoon.side,) * (afternoon.table // afternoon.side)
    sound = not find_faults(
        plan.rounds, people, sides=sides, or_sides=[(3, 3)] if afternoon.odd == "six" else (), everyone=True
    )
    sound = sound and all(outcome.met for outcome in wish_outcomes(plan.rounds, wishes))
    couples = [wish.people for wish in wishes if wish.kind == "always"]
    found = make_statement((*afternoon.played, *plan.rounds), () if afternoon.played else people, couples=couples)
    if not afternoon.played:
        hosts = {wish.people[0] for wish in wishes if wish.kind == "host"}
        sit_outs = [sum(p in one.sit_outs for one in plan.rounds) for p in people if p not in hosts]
        sound = sound and max(sit_outs) - min(sit_outs) <= 1 and not found.sit_outs.back_to_back
    return found, sound, seconds


def repeats(found: Statement) -> Repeats:
    return found.partner.repeats, found.opponent.repeats, found.table_mate.repeats


def _case(what: str, draws: Iterable[Draw], *, aim: tuple[int, ...] | None = None) -> DrawCase:
    found, sound, seconds = zip(*draws, strict=True)
    return DrawCase(what, tuple(map(repeats, found)), all(sound), max(seconds), aim)


def named_cases(steps: int = STEPS) -> Iterator[DrawCase]:
    for (people, rounds, odd), aim in (SET | SMALL | CLEAN).items():
        drawn = draw(Afternoon(range(people), rounds, odd=odd), steps=steps)
        yield _case(f"{people} people, {rounds} rounds, {odd}", [drawn], aim=aim)


def sweep(steps: int = STEPS) -> Iterator[tuple[DrawCase, ...]]:
    """16 to 64 people, 3 to 8 rounds, with sit-outs, and where it helps with one table of three against three: each
    with as many wishes as `WISHED` says."""
    for people in range(16, 65):
        for odd in ("sit-out", "six") if people % 4 >= 2 else ("sit-out",):
            for rounds in range(3, 9):
                plain, what = Afternoon(range(people), rounds, odd=odd), f"{people} people, {rounds} rounds, {odd}"
                aim = SET.get((people, rounds, odd))
                yield tuple(
                    _case(
                        f"{what}, {count} wishes",
                        [draw(replace(plain, wishes=WISHES[:count]), steps=steps)],
                        aim=None if count else aim,
                    )
                    for count in WISHED
                )


def other_cases(steps: int = STEPS) -> Iterator[DrawCase]:
    """Tables of six, finals, draws made again, wishes."""
    sixes = Afternoon(range(SIXES), 9, table=6, side=3)
    yield _case("54 people at nine sixes, 9 rounds", [draw(sixes)], aim=(0, 0, 0))
    # the sum of the squares of how often each pair meets, and its lower bound
    for rounds, squares in ((2, 9), (3, 27), (4, 54)):
        found, sound, seconds = draw(Afternoon(range(FINALISTS), rounds, table=6, side=1))
        what = f"18 people at three sixes, {rounds} rounds: squares"
        yield DrawCase(what, ((found.table_mate.squares,),), sound, seconds, (squares,))
    yield _last_final(steps)
    for (people, rounds, done, leave, come), aim in AGAIN:
        draws = []
        for seed in SEEDS:
            before = draw_rotation(Afternoon(range(people), rounds), seed=seed).rounds
            later = Afternoon(range(leave, people + come), rounds - done, played=before[:done], again=before[done:])
            draws.append(draw(later, seed=seed, steps=steps))
        yield _case(f"{people} people, {rounds} rounds; after {done} {leave} leave, {come} come", draws, aim=aim)
    for what, people, wishes, aim in TOGETHER:
        afternoon = Afternoon(range(1, people + 1), 6, wishes=wishes)
        yield _case(what, [draw(afternoon, seed=seed, steps=steps) for seed in SEEDS], aim=aim)


def _last_final(steps: int) -> DrawCase:
    met, draws = [], []
    for seed in SEEDS:
        games = Afternoon(range(SIXES), 4, table=6, side=1)
        played = draw_rotation(games, seed=seed).rounds
        finalists = sorted(Random(seed).sample(range(SIXES), FINALISTS))
        found, *drawn = draw(replace(games, people=finalists, rounds=1, played=played), seed=seed, steps=steps)
        met.append((found.table_mate.repeats - make_statement(played, ()).table_mate.repeats,))
        draws.append(drawn)
    sound, seconds = zip(*draws, strict=True)
    return DrawCase(
        "18 of 54 after four games, one final: pairs that had met", tuple(met), all(sound), max(seconds), (7,)
    )
