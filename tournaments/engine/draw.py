"""Rotating partners for an afternoon: who plays with whom and against whom in every round.

In this order: nobody has the same partner twice, nobody the same opponent twice, nobody shares a table twice;
sit-outs (when the number isn't a multiple of four) differ by at most one and never come two running if that
can be avoided. Where all tables are alike and nothing has been played, a construction without any repeat is
used; else a local search. `tournaments.engine.verify` counts what a draw repeats, and shares no code with this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from scoring.engine.ledger import Args, named
from tournaments.engine import constructions, search
from tournaments.engine.rounds import Round, Table

FEWEST, MOST = 4, 200  # people
STEPS = 400_000  # exchanges the search may look at: under a second for an afternoon

CODES = (
    "draw.too-few",  # A draw needs at least {least} people; {people} are here.
    "draw.too-many",  # A draw can hold at most {most} people; {people} are here.
    "draw.named-twice",  # {person} is in the list of people twice.
    "draw.no-rounds",  # Draw at least one round.
)


class DrawRefused(ValueError):
    """No draw can be made of this; carries a code of CODES and its arguments."""

    def __init__(self, code: str, args: Args = ()) -> None:
        super().__init__(code, args)
        self.code = code
        self.arguments = args


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds drawn, and how: enough to draw the same again and to say what was done."""

    rounds: tuple[Round, ...]
    seed: int
    method: str  # "construction" (no meeting repeated), "extended" (a construction, then a search) or "search"
    steps: int  # exchanges the search looked at; 0 for a construction


def rotation(
    people: Sequence[int], rounds: int, *, played: Sequence[Round] = (), seed: int, steps: int = STEPS
) -> Plan:
    """Draw so many further rounds for those present, around the rounds already played.

    `people` are the ids of those present from now on, in any order: the same people, rounds, history, seed and
    steps give the same draw everywhere. Who was in no table and no sit-out of a played round missed it, and is
    credited with a fair share of its sit-outs (rounded, a half up), so that nobody who comes late is sat out at
    once to catch up, or spared.

    Raises:
        DrawRefused: fewer than 4 or more than 200 people, somebody named twice, or no rounds asked for.
    """
    _check(people, rounds)
    stream = Random(seed).random
    roster = search.shuffled(sorted(people), stream)
    clean = () if played or len(roster) % constructions.TABLE else _clean(roster, rounds)
    if len(clean) == rounds:
        return Plan(clean, seed, "construction", 0)
    found = search.search(_history(roster, played), rounds, stream, steps)
    if clean:  # the longest clean beginning with the rest searched is often better than all of it searched
        rest = search.search(_history(roster, clean), rounds - len(clean), stream, steps // 4)
        if rest.cost < found.cost:
            drawn = (*clean, *(_round([roster[i] for i in seating]) for seating in rest.seatings))
            return Plan(drawn, seed, "extended", found.steps + rest.steps)
        found = replace(found, steps=found.steps + rest.steps)
    drawn = tuple(_round([roster[i] for i in seating]) for seating in found.seatings)
    return Plan(drawn, seed, "search", found.steps)


def _clean(roster: Sequence[int], rounds: int) -> tuple[Round, ...]:
    """The construction for these rounds; failing that, the longest there is for fewer; perhaps none."""
    for fewer in range(rounds, 0, -1):
        if (seatings := constructions.without_repeats(len(roster) // constructions.TABLE, fewer)) is not None:
            return tuple(_round([roster[i] for i in seating]) for seating in seatings)
    return ()


def _check(people: Sequence[int], rounds: int) -> None:
    if len(people) < FEWEST:
        raise DrawRefused("draw.too-few", named(people=len(people), least=FEWEST))
    if len(people) > MOST:
        raise DrawRefused("draw.too-many", named(people=len(people), most=MOST))
    for person in people:
        if people.count(person) > 1:
            raise DrawRefused("draw.named-twice", named(person=person))
    if rounds < 1:
        raise DrawRefused("draw.no-rounds")


def _round(seating: list[int]) -> Round:
    """Everyone by seat, four to a table, the first two against the other two; those left over sit out."""
    seats = len(seating) - len(seating) % constructions.TABLE
    tables: list[Table] = [
        ((seating[s], seating[s + 1]), (seating[s + 2], seating[s + 3])) for s in range(0, seats, constructions.TABLE)
    ]
    return Round(tuple(tables), tuple(sorted(seating[seats:])))


def _history(roster: Sequence[int], played: Sequence[Round]) -> search.History:
    """What those present bring with them; people who have left don't count."""
    index = {person: i for i, person in enumerate(roster)}
    partners = [[0] * len(roster) for _ in roster]
    opponents = [[0] * len(roster) for _ in roster]
    sit_outs = [0 for _ in roster]
    credit = [Fraction(0) for _ in roster]
    for past in played:
        for table in past.tables:
            for side in table:
                for other in table:
                    met = partners if side is other else opponents
                    for a in side:
                        for b in other:
                            if a != b and a in index and b in index:
                                met[index[a]][index[b]] += 1
        there = {*past.seated, *past.sit_outs}
        share = Fraction(len(past.sit_outs), max(len(there), 1))
        for person, i in index.items():
            if person in past.sit_outs:
                sit_outs[i] += 1
            elif person not in there:
                credit[i] += share
    sat_last = frozenset(index[p] for p in played[-1].sit_outs if p in index) if played else frozenset()
    return search.History(
        partners=tuple(map(tuple, partners)),
        opponents=tuple(map(tuple, opponents)),
        sit_outs=tuple(own + int(missed + Fraction(1, 2)) for own, missed in zip(sit_outs, credit, strict=True)),
        sat_last=sat_last,
    )
