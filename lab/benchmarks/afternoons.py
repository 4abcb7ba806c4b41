"""What `./dev bench draws` measures beside plain draws: tables of six, finals, draws made again, wishes.

Every case has a figure that the project set as its aim. Cases that depend on who comes and goes are drawn from three
seeds, all of which are shown; the best must reach the aim, which came from a single draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from lab.benchmarks.draws import repeats, timed
from tournaments.engine.draws.rotation import STEPS, Afternoon, rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import fates, faults, statement

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
WISHED = (  # the case, people, wishes, the aim
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
        """Whether all draws are sound, and the best of them reaches the aim."""
        return self.sound and any(all(mine <= aim for mine, aim in zip(got, self.aim, strict=True)) for got in self.got)


def tried(steps: int = STEPS) -> Iterator[TriedCase]:
    """Try all cases."""
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
    for what, people, wishes, aim in WISHED:
        afternoon = Afternoon(range(1, people + 1), 6, wishes=wishes)
        yield _case(what, [_drawn(afternoon, seed=seed, steps=steps) for seed in SEEDS], aim=aim)


def _case(what: str, draws: Sequence[Drawn], *, aim: tuple[int, ...]) -> TriedCase:
    """What draws of one case came to."""
    got, sound, seconds = zip(*draws, strict=True)
    return TriedCase(what, got, aim, all(sound), max(seconds))


def _drawn(afternoon: Afternoon, *, seed: int, steps: int) -> Drawn:
    """One draw, with the repeats of each kind."""
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
    """A final at three tables of six, for eighteen of 54 chosen by lot: how many of its 45 pairs met in the four games
    before."""
    for seed in SEEDS:
        games = Afternoon(range(SIXES), 4, table=6, side=1)
        played = rotation(games, seed=seed).rounds
        finalists = sorted(Random(seed).sample(range(SIXES), FINALISTS))
        final = replace(games, people=finalists, rounds=1, played=played)
        (_partners, _opponents, again), sound, seconds = _drawn(final, seed=seed, steps=steps)
        yield (again - repeats(statement(played, ()))[2],), sound, seconds
