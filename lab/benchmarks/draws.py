"""What `./dev bench draws` measures: the repeats, steps and time of draws, against aims that were set beforehand.

Repeats are given as partners / opponents / table-mates. The aims in SET, SMALL and CLEAN are the project's own, reached
by a prototype of the search with a million steps; lower bounds come from the verifier.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter

from tournaments.engine.draws.rotation import STEPS, Afternoon, Plan, rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import Statement, fates, faults, statement

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


@dataclass(frozen=True, slots=True)
class TimedDraw:
    """One draw: its repeats, their lower bound, and how long it took."""

    people: int
    rounds: int
    odd: str
    repeats: Repeats
    least: Repeats
    spread: int  # between the most and the fewest sit-outs of a person; hosts, who have none, aside
    running: int  # times anyone sat out two rounds running
    sound: bool
    method: str
    steps: int
    seconds: float
    wished: int = 0
    met: int = 0  # wishes that were met
    aim: Repeats | None = None  # the most repeats that are good enough

    @property
    def reached(self) -> bool:
        """Whether it is sound, fair in sit-outs, meets all wishes, and has no more repeats of any kind than the aim."""
        within = self.aim is None or all(mine <= aim for mine, aim in zip(self.repeats, self.aim, strict=True))
        return self.sound and self.spread <= 1 and not self.running and self.met == self.wished and within


def timed(afternoon: Afternoon, *, seed: int, steps: int = STEPS) -> tuple[Plan, float]:
    started = perf_counter()
    plan = rotation(afternoon, seed=seed, steps=steps)
    return plan, perf_counter() - started


def draw(afternoon: Afternoon, *, steps: int = STEPS, aim: Repeats | None = None) -> TimedDraw:
    people, odd, wishes = afternoon.people, afternoon.odd, afternoon.wishes
    plan, seconds = timed(afternoon, seed=1, steps=steps)
    said = statement(plan.rounds, people)
    hosts = {wish.people[0] for wish in wishes if wish.kind == "host"}
    sit_outs = [sum(p in one.sit_outs for one in plan.rounds) for p in people if p not in hosts]
    sound = not faults(plan.rounds, people, or_sides=[(3, 3)] if odd == "six" else (), everyone=True)
    return TimedDraw(
        len(people),
        afternoon.rounds,
        odd,
        repeats(said),
        (said.partner.least_repeats, said.opponent.least_repeats, said.table_mate.least_repeats),
        max(sit_outs) - min(sit_outs),
        said.sit_outs.back_to_back,
        sound,
        plan.method,
        plan.steps,
        seconds,
        len(wishes),
        sum(fate.met is True for fate in fates(plan.rounds, wishes)),
        aim,
    )


def named(steps: int = STEPS) -> Iterator[TimedDraw]:
    for (people, rounds, odd), aim in (SET | SMALL | CLEAN).items():
        yield draw(Afternoon(range(people), rounds, odd=odd), steps=steps, aim=aim)


def sweep(steps: int = STEPS) -> Iterator[tuple[TimedDraw, ...]]:
    """16 to 64 people, 3 to 8 rounds, with sit-outs, and where it helps with one table of three against three: each
    with as many wishes as `WISHED` says."""
    for people in range(16, 65):
        for odd in ("sit-out", "six") if people % 4 >= 2 else ("sit-out",):
            for rounds in range(3, 9):
                plain = Afternoon(range(people), rounds, odd=odd)
                yield (
                    draw(plain, steps=steps, aim=SET.get((people, rounds, odd))),
                    *(draw(replace(plain, wishes=WISHES[:count]), steps=steps) for count in WISHED[1:]),
                )


def repeats(said: Statement) -> Repeats:
    return said.partner.repeats, said.opponent.repeats, said.table_mate.repeats


# --- Tables of six, finals, draws made again, wishes -----------------------------------------------------------------

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
Drawn = tuple[tuple[int, ...], bool, float]  # figures of one draw, whether it is sound, and its seconds


@dataclass(frozen=True, slots=True)
class TriedCase:
    """One case, drawn from a seed or from several."""

    what: str
    got: tuple[tuple[int, ...], ...]  # per seed
    aim: tuple[int, ...]
    sound: bool  # nobody is left out or twice in a round, and no hard wish is broken
    seconds: float  # that the longest draw took

    @property
    def reached(self) -> bool:
        return self.sound and any(all(mine <= aim for mine, aim in zip(got, self.aim, strict=True)) for got in self.got)


def tried(steps: int = STEPS) -> Iterator[TriedCase]:
    sixes = Afternoon(range(SIXES), 9, table=6, side=3)
    yield _case("54 people at nine sixes, 9 rounds", [_drawn(sixes, seed=1, steps=STEPS)], aim=(0, 0, 0))
    yield from _finals()
    yield _case("18 of 54 after four games, one final: pairs that had met", list(_last_finals(steps)), aim=(7,))
    for (people, rounds, done, leave, come), aim in AGAIN:
        what = f"{people} people, {rounds} rounds; after {done} {leave} leave, {come} come"
        draws = []
        for seed in SEEDS:
            before = rotation(Afternoon(range(people), rounds), seed=seed).rounds
            later = Afternoon(range(leave, people + come), rounds - done, played=before[:done], again=before[done:])
            draws.append(_drawn(later, seed=seed, steps=steps))
        yield _case(what, draws, aim=aim)
    for what, people, wishes, aim in TOGETHER:
        afternoon = Afternoon(range(1, people + 1), 6, wishes=wishes)
        yield _case(what, [_drawn(afternoon, seed=seed, steps=steps) for seed in SEEDS], aim=aim)


def _case(what: str, draws: Sequence[Drawn], *, aim: tuple[int, ...]) -> TriedCase:
    got, sound, seconds = zip(*draws, strict=True)
    return TriedCase(what, got, aim, all(sound), max(seconds))


def _drawn(afternoon: Afternoon, *, seed: int, steps: int) -> Drawn:
    plan, seconds = timed(afternoon, seed=seed, steps=steps)
    sides = (afternoon.side,) * (afternoon.table // afternoon.side)
    sound = not faults(plan.rounds, afternoon.people, sides=sides, everyone=True)
    met = all(fate.met for fate in fates(plan.rounds, afternoon.wishes))
    couples = [wish.people for wish in afternoon.wishes if wish.kind == "always"]
    return repeats(statement((*afternoon.played, *plan.rounds), (), couples=couples)), sound and met, seconds


def _finals() -> Iterator[TriedCase]:
    """Finals, judged by the sum of the squares of how often each pair meets; the aim is the lower bound."""
    for rounds, squares in ((2, 9), (3, 27), (4, 54)):
        plan, seconds = timed(Afternoon(range(FINALISTS), rounds, table=6, side=1), seed=1)
        sound = not faults(plan.rounds, range(FINALISTS), sides=(1,) * 6, everyone=True)
        got = statement(plan.rounds, ()).table_mate.squares
        yield TriedCase(f"18 people at three sixes, {rounds} rounds: squares", ((got,),), (squares,), sound, seconds)


def _last_finals(steps: int) -> Iterator[Drawn]:
    for seed in SEEDS:
        games = Afternoon(range(SIXES), 4, table=6, side=1)
        played = rotation(games, seed=seed).rounds
        finalists = sorted(Random(seed).sample(range(SIXES), FINALISTS))
        final = replace(games, people=finalists, rounds=1, played=played)
        (_partners, _opponents, again), sound, seconds = _drawn(final, seed=seed, steps=steps)
        yield (again - repeats(statement(played, ()))[2],), sound, seconds
