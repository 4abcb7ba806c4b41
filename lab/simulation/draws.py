"""Invented afternoons, drawn and verified: people come, leave and return between rounds, and have wishes.

Every event depends on a seed and its number alone. What the draw says of itself isn't believed: the verifier counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tournaments.engine.draws.rotation import Afternoon, DrawRefused, Plan, draw_rotation
from tournaments.engine.rounds import SEEDS, DrawWish, SeatedRound
from tournaments.engine.verify import find_faults, make_statement, wish_outcomes

FEWEST, MOST = 4, 120  # people at the beginning
STEPS = 4_000
SHAPES = ((1, 1, 1), (3, 3), (1, 1, 1, 1, 1))  # of odd tables


@dataclass(frozen=True, slots=True)
class DrawFindings:
    """What was found in a number of events, added up."""

    events: int = 0
    draws: int = 0
    refused: int = 0  # hard wishes collided
    needless: int = 0  # see the function `needless`
    faults: int = 0
    broken: int = 0  # hard wishes that weren't met
    soft: int = 0  # wishes that needn't be met
    soft_met: int = 0
    uneven: int = 0  # events in which sit-outs differ by more than one though there is no couple and no host
    differ: int = 0  # draws that differ when made again from the same seed
    worst: tuple[int, ...] = field(default=())  # numbers of events with anything wrong

    def __add__(self, other: DrawFindings) -> DrawFindings:
        return DrawFindings(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    @property
    def clean(self) -> bool:
        return not (self.needless or self.faults or self.broken or self.uneven or self.differ)


def try_event(seed: int, number: int) -> DrawFindings:
    rng = Random(f"{seed}/{number}")
    here = list(range(1, rng.randint(FEWEST, MOST) + 1))
    odd = rng.choice(("sit-out", "sit-out", "three", "five", "six")) if len(here) >= 14 else "sit-out"
    wishes = _wishes(rng, here)
    told = DrawFindings(events=1)
    played: list[SeatedRound] = []
    plan: tuple[SeatedRound, ...] = ()
    gone: list[int] = []
    for part in range(rng.randint(1, 3)):
        if part:
            here, gone = _come_and_go(rng, here, gone=gone)
        rounds = rng.randint(1, 5)
        asked = Afternoon(here, rounds, played=tuple(played), odd=odd, wishes=wishes, again=plan)
        own_seed = rng.randrange(SEEDS)
        try:
            drawn = draw_rotation(asked, seed=own_seed, steps=STEPS)
        except DrawRefused as refused:
            told += DrawFindings(refused=1, needless=needless(asked, own_seed, refused=refused))
            break
        told += _judge(asked, drawn)
        if rng.random() < 0.1:
            told += DrawFindings(differ=draw_rotation(asked, seed=own_seed, steps=STEPS) != drawn)
        now = rng.randint(1, rounds)
        played += drawn.rounds[:now]
        plan = drawn.rounds[now:]
    bearing = {wish.kind for wish in wishes} & {"always", "host"}
    spread = make_statement(played, ()).sit_outs.spread  # of sit-outs among those present throughout
    told += DrawFindings(uneven=not bearing and spread > 1)
    return told if told.clean else told + DrawFindings(worst=(number,))


def _judge(asked: Afternoon, drawn: Plan) -> DrawFindings:
    wrong = find_faults(drawn.rounds, asked.people, or_sides=SHAPES, everyone=True)
    judged = wish_outcomes([*asked.played, *drawn.rounds], asked.wishes, played=len(asked.played))
    soft = [outcome for outcome in judged if not outcome.wish.hard and outcome.met is not None]
    broken = sum(outcome.wish.hard and outcome.met is False for outcome in judged)
    return DrawFindings(
        draws=1, faults=len(wrong), broken=broken, soft=len(soft), soft_met=sum(bool(f.met) for f in soft)
    )


def needless(asked: Afternoon, seed: int, *, refused: DrawRefused) -> int:
    """How many wishes are named as colliding though the others collide without them; 1 for any other refusal."""
    if refused.code != "draw.wishes-collide":
        return 1
    named = [asked.wishes[int(number) - 1] for number in str(dict(refused.arguments)["wishes"]).split(", ")]
    needless = 0
    for wish in named:
        try:
            draw_rotation(
                replace(asked, wishes=[other for other in named if other is not wish]), seed=seed, steps=STEPS
            )
        except DrawRefused:
            needless += 1
    return needless


def _wishes(rng: Random, here: Sequence[int]) -> tuple[DrawWish, ...]:
    if rng.random() < 0.25:
        return ()
    tables = len(here) // 4
    wishes = []
    for _ in range(rng.randint(1, 1 + len(here) // 6)):
        kind = rng.choice(("always", "never", "never", "once", "apart", "apart", "apart", "stay", "host"))
        hard = rng.random() < 0.7
        if kind in ("stay", "host"):
            table = rng.randint(1, tables) if kind == "host" or rng.random() < 0.7 else None
            seat = rng.randint(1, 4) if table is not None and rng.random() < 0.3 else None
            wishes.append(DrawWish(kind, (rng.choice(here),), hard, table, seat))
        else:
            a, b = rng.sample(here, 2)
            wishes.append(DrawWish(kind, (a, b), hard))
    return tuple(wishes)


def _come_and_go(rng: Random, here: list[int], *, gone: list[int]) -> tuple[list[int], list[int]]:
    """Some leave, some of those who had left return, some come late; four stay at least."""
    leave = rng.sample(here, rng.randint(0, min(4, len(here) - FEWEST)))
    back = rng.sample(gone, rng.randint(0, len(gone)))
    newest = max([*here, *gone])
    late = list(range(newest + 1, newest + 1 + rng.randint(0, 4)))
    stay = [person for person in here if person not in leave]
    return sorted([*stay, *back, *late]), sorted({*gone, *leave} - set(back))
