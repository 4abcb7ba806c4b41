"""What `manage.py bench draws` measures beside plain draws: tables of six, finals, draws made again, wishes.

Every case has a figure that the project set as its aim. Cases that depend on who comes and goes are drawn from three
seeds, all of which are shown; the best must reach the aim, which came from a single draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from time import perf_counter

from tournaments.engine.draws.rotation import STEPS, Afternoon, Plan, rotation
from tournaments.engine.rounds import DrawWish, SeatedRound
from tournaments.engine.verify import fates, faults, statement

SEEDS = (1, 2, 3)
SIXES = 54  # people at nine tables of six
FINALISTS = 18
AGAIN = (  # people, rounds, of these played, people who leave, who come, the aim: repeats by kind
    (40, 6, 2, 2, 4, (0, 0, 0)),
    (24, 6, 3, 3, 0, (0, 0, 2)),
    (32, 8, 3, 1, 0, (0, 0, 3)),
    (200, 8, 4, 3, 2, (0, 0, 0)),
)
FORTY = (
    *(DrawWish("apart", (2 * n - 1, 2 * n)) for n in range(1, 21)),
    *(DrawWish("once", (2 * n, 2 * n + 11)) for n in range(1, 6)),
    *(DrawWish("always", pair) for pair in ((25, 28), (29, 32), (33, 36))),
    *(DrawWish("stay", (2 * n - 1,), table=n) for n in range(1, 5)),
)
COUPLES = tuple(DrawWish("once", (2 * n - 1, 2 * n)) for n in range(1, 13))


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
        """Whether all draws are sound, and the best of them reaches the aim."""
        return self.sound and any(all(mine <= aim for mine, aim in zip(got, self.aim, strict=True)) for got in self.got)


def tried(steps: int = STEPS) -> Iterator[TriedCase]:
    """Try all cases."""
    yield _sixes()
    yield from _finals()
    yield _last_final(steps)
    yield from _again(steps)
    forty = "40 people, 6 rounds: 20 pairs apart, 5 once, 3 couples, 4 with a table"
    yield _with_wishes(forty, 40, wishes=FORTY, aim=(0, 0, 0), steps=steps)
    yield _with_wishes(
        "24 people, 6 rounds: 12 couples partners once each", 24, wishes=COUPLES, aim=(0, 0, 4), steps=steps
    )


def _sixes() -> TriedCase:
    started = perf_counter()
    plan = rotation(Afternoon(range(SIXES), 9, table=6, side=3), seed=1)
    seconds = perf_counter() - started
    sound = not faults(plan.rounds, range(SIXES), sides=(3, 3), everyone=True)
    return TriedCase("54 people at nine sixes, 9 rounds", (_repeats(plan),), (0, 0, 0), sound, seconds)


def _finals() -> Iterator[TriedCase]:
    """Finals, judged by the sum of the squares of how often each pair meets; the aim is the lower bound."""
    for rounds, squares in ((2, 9), (3, 27), (4, 54)):
        started = perf_counter()
        plan = rotation(Afternoon(range(FINALISTS), rounds, table=6, side=1), seed=1)
        seconds = perf_counter() - started
        sound = not faults(plan.rounds, range(FINALISTS), sides=(1,) * 6, everyone=True)
        got = statement(plan.rounds, ()).table_mate.squares
        yield TriedCase(f"18 people at three sixes, {rounds} rounds: squares", ((got,),), (squares,), sound, seconds)


def _last_final(steps: int) -> TriedCase:
    """A final at three tables of six, for eighteen of 54 chosen by lot: how many of its 45 pairs met in the four games
    before."""
    got, longest, sound = [], 0.0, True
    for seed in SEEDS:
        played = rotation(Afternoon(range(SIXES), 4, table=6, side=1), seed=seed).rounds
        finalists = sorted(Random(seed).sample(range(SIXES), FINALISTS))
        started = perf_counter()
        (final,) = rotation(Afternoon(finalists, 1, played=played, table=6, side=1), seed=seed, steps=steps).rounds
        longest = max(longest, perf_counter() - started)
        sound = sound and not faults([final], finalists, sides=(1,) * 6, everyone=True)
        met = {frozenset(pair) for one in played for table in one.tables for pair in combinations(sum(table, ()), 2)}
        got.append((sum(frozenset(pair) in met for table in final.tables for pair in combinations(sum(table, ()), 2)),))
    return TriedCase("18 of 54 after four games, one final: pairs that had met", tuple(got), (7,), sound, longest)


def _again(steps: int) -> Iterator[TriedCase]:
    for people, rounds, done, leave, come, aim in AGAIN:
        got, longest, sound = [], 0.0, True
        for seed in SEEDS:
            now = range(leave, people + come)
            before = rotation(Afternoon(range(people), rounds), seed=seed).rounds
            started = perf_counter()
            later = rotation(
                Afternoon(now, rounds - done, played=before[:done], again=before[done:]), seed=seed, steps=steps
            )
            longest = max(longest, perf_counter() - started)
            sound = sound and not faults(later.rounds, now, everyone=True)
            got.append(_repeats(later, before[:done]))
        what = f"{people} people, {rounds} rounds; after {done} {leave} leave, {come} come"
        yield TriedCase(what, tuple(got), aim, sound, longest)


def _with_wishes(
    what: str, people: int, *, wishes: tuple[DrawWish, ...], aim: tuple[int, int, int], steps: int
) -> TriedCase:
    got, longest, sound = [], 0.0, True
    here = range(1, people + 1)
    for seed in SEEDS:
        started = perf_counter()
        plan = rotation(Afternoon(here, 6, wishes=wishes), seed=seed, steps=steps)
        longest = max(longest, perf_counter() - started)
        sound = sound and not faults(plan.rounds, here, everyone=True)
        sound = sound and all(fate.met for fate in fates(plan.rounds, wishes))
        couples = [wish.people for wish in wishes if wish.kind == "always"]
        got.append(_repeats(plan, (), couples=couples))
    return TriedCase(what, tuple(got), aim, sound, longest)


def _repeats(
    plan: Plan, played: tuple[SeatedRound, ...] = (), *, couples: list[tuple[int, ...]] | None = None
) -> tuple[int, int, int]:
    said = statement((*played, *plan.rounds), (), couples=couples or ())
    return said.partner.repeats, said.opponent.repeats, said.table_mate.repeats
