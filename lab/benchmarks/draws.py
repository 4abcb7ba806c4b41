"""What `./dev bench draws` measures: the repeats, steps and time of draws, against aims that were set beforehand.

Repeats are given as partners / opponents / table-mates. The aims in SET, SMALL and CLEAN are the project's own, reached
by a prototype of the search with a million steps; lower bounds come from the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

from lab.benchmarks.good_enough_golfers import good_enough
from tournaments.engine.draws.rotation import STEPS, Afternoon, Plan, rotation
from tournaments.engine.rounds import DrawWish, SeatedRound
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
PEER = ((16, 6), (20, 6), (24, 6), (28, 8), (32, 8))  # people, rounds; the other algorithm needs full tables
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
GROWTH = (22, 46, 94, 198, 200)  # people; all but the last leave two to sit out, so a search is needed
MOST_SECONDS, MOST_MEGABYTES = 2, 200  # limits for the draw for the last of these


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
    theirs: Repeats | None = None  # the other algorithm's repeats
    their_seconds: float = 0

    @property
    def reached(self) -> bool:
        """Whether it is sound, fair in sit-outs, meets all wishes, and has no more repeats of any kind than the aim."""
        within = self.aim is None or all(mine <= aim for mine, aim in zip(self.repeats, self.aim, strict=True))
        return self.sound and self.spread <= 1 and not self.running and self.met == self.wished and within


def timed(afternoon: Afternoon, *, seed: int, steps: int = STEPS) -> tuple[Plan, float]:
    """Make one draw, and say how many seconds it took."""
    started = perf_counter()
    plan = rotation(afternoon, seed=seed, steps=steps)
    return plan, perf_counter() - started


def draw(afternoon: Afternoon, *, steps: int = STEPS, aim: Repeats | None = None) -> TimedDraw:
    """Make one draw and have it verified."""
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
    """Draw all cases that have an aim."""
    for (people, rounds, odd), aim in (SET | SMALL | CLEAN).items():
        yield draw(Afternoon(range(people), rounds, odd=odd), steps=steps, aim=aim)


def searched(steps: int = STEPS) -> Iterator[TimedDraw]:
    """Draw the cases of SET and SMALL by search alone, as after rounds that were played: here a round without
    anybody."""
    for (people, rounds, odd), aim in (SET | SMALL).items():
        yield draw(Afternoon(range(people), rounds, odd=odd, played=(SeatedRound(()),)), steps=steps, aim=aim)


def against_peer() -> Iterator[TimedDraw]:
    """The same people and rounds drawn here and by the algorithm that organisers use, which looks at table-mates
    alone."""
    for people, rounds in PEER:
        drawn = draw(Afternoon(range(people), rounds))
        started = perf_counter()
        tables = good_enough(people // 4, 4, rounds=rounds, seed=1)
        seconds = perf_counter() - started
        theirs = [SeatedRound(tuple(((a, b), (c, d)) for a, b, c, d in one)) for one in tables]
        yield replace(drawn, theirs=repeats(statement(theirs, range(people))), their_seconds=seconds)


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


def relabelled(swept: Sequence[tuple[TimedDraw, ...]]) -> Iterator[tuple[int, int, int, int]]:
    """For each number of wishes: that number; how many cases have a ready pattern; in how many of these all wishes
    could be met just by putting other people into its places; how many table-mates more meet again in all cases."""
    for n, wishes in enumerate(WISHED[1:], start=1):
        patterns = [cases[n] for cases in swept if not cases[0].steps]
        cost = sum(cases[n].repeats[2] - cases[0].repeats[2] for cases in swept)
        yield wishes, len(patterns), sum(not wished.steps for wished in patterns), cost


def everything(steps: int = 2_000) -> Iterator[TimedDraw]:
    """4 to 200 people, 1 to 12 rounds, with few steps: to see whether there is always a sound and fair draw."""
    for people in range(4, 201):
        for rounds in range(1, 13):
            yield draw(Afternoon(range(people), rounds), steps=steps)


def growth() -> Iterator[tuple[TimedDraw, int]]:
    """Draws of eight rounds for more and more people, each with the most memory used so far, in MB."""
    for people in GROWTH:
        drawn = draw(Afternoon(range(people), 8))
        yield drawn, getrusage(RUSAGE_SELF).ru_maxrss // 1024


def repeats(said: Statement) -> Repeats:
    """The repeats of each kind."""
    return said.partner.repeats, said.opponent.repeats, said.table_mate.repeats
