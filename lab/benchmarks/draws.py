"""What `./dev bench draws` measures: the repeats of draws of all sizes, with wishes and without.

The single cases for which figures were set (tables of six, finals, draws made again, couples) are tests of the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tournaments.engine.draws.rotation import STEPS, Afternoon, draw_rotation
from tournaments.engine.rounds import DrawWish
from tournaments.engine.verify import find_faults, make_statement, wish_outcomes

KINDS = ("partners", "opponents", "table-mates")
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
class DrawCase:
    what: str
    repeats: tuple[int, ...]  # by kind
    sound: bool  # nobody is left out or twice in a round, sit-outs are fair, every wish is met

    def __str__(self) -> str:
        return f"  {self.what:60} {'/'.join(map(str, self.repeats))}{'' if self.sound else '  NOT SOUND'}"


def sweep(steps: int = STEPS) -> Iterator[tuple[DrawCase, ...]]:
    """16 to 64 people, 3 to 8 rounds, with sit-outs, and where it helps with one table of three against three: each
    with as many wishes as `WISHED` says."""
    for people in range(16, 65):
        for odd in ("sit-out", "six") if people % 4 >= 2 else ("sit-out",):
            for rounds in range(3, 9):
                plain, what = Afternoon(range(people), rounds, odd=odd), f"{people} people, {rounds} rounds, {odd}"
                yield tuple(
                    _draw(f"{what}, {count} wishes", replace(plain, wishes=WISHES[:count]), steps) for count in WISHED
                )


def _draw(what: str, afternoon: Afternoon, steps: int) -> DrawCase:
    rounds, people = draw_rotation(afternoon, seed=1, steps=steps).rounds, afternoon.people
    found = make_statement(rounds, people)
    sit_outs = [
        sum(person in one.sit_outs for one in rounds)
        for person in people
        if not any(wish.kind == "host" and person in wish.people for wish in afternoon.wishes)
    ]
    sound = (
        not find_faults(rounds, people, or_sides=[(3, 3)] if afternoon.odd == "six" else (), everyone=True)
        and all(outcome.met for outcome in wish_outcomes(rounds, afternoon.wishes))
        and max(sit_outs) - min(sit_outs) <= 1
        and not found.sit_outs.back_to_back
    )
    return DrawCase(what, (found.partner.repeats, found.opponent.repeats, found.table_mate.repeats), sound)
