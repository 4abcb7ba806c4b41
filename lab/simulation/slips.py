"""What the checks find of one slip: a true card with one figure written down wrong, as people write figures wrong.

Which check finds a slip that no other finds says what that check is worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import combinations, permutations
from random import Random
from typing import Any, Protocol, TypeAlias, TypeVar

from lab.simulation.deals import Deals, both_depths
from scoring.engine.core.ruleset import RuleSet, shipped
from scoring.engine.families import family_of

T = TypeVar("T")
Json: TypeAlias = Any
Place: TypeAlias = tuple[Any, Any]  # what holds a value, and its key or place there
Sides: TypeAlias = list[dict[str, Place]]  # the columns of each side, by name

NO_COLUMNS = ("bids", "score_before")  # bids aren't in the order of sides; the score isn't of this deal
TRIES = 100  # how often a slip that changes nothing is made again


@dataclass(slots=True)
class SlipsFound:
    """Of so many cards with one slip each, how many were refused, and how many by one code `alone`."""

    slips: int = 0
    refused: int = 0
    alone: Counter[str] = field(default_factory=Counter)


def find_slips(slug: str, *, count: int, seed: int) -> dict[str, SlipsFound]:
    """Make one slip on each of so many true cards of a shipped rule set; what was found, by the depth of the card."""
    rule_set = shipped()[slug]
    return {
        depth: _found(rule_set, deals, rng=Random(f"{seed}/{slug}/{depth}"))
        for depth, deals in both_depths(rule_set, count, what=f"slips/{seed}").items()
    }


def _found(rule_set: RuleSet, deals: Deals, *, rng: Random) -> SlipsFound:
    family, found, last = family_of(rule_set), SlipsFound(), dict[Any, Json]()
    written = [(rules, family.write(facts)) for rules, facts in deals]
    used = {name for _rules, true in written for side in _sides(true) for name, (of, key) in side.items() if of[key]}
    for rules, true in written:
        card = with_slip(true, last.get(rules, true), used=used, rng=rng)
        last[rules] = true
        if card is None:
            continue
        codes = {problem.code for problem in family.check(family.read(card), rules) if problem.severity.stops}
        found.slips += 1
        found.refused += bool(codes)
        if len(codes) == 1:
            found.alone.update(codes)
    return found


def with_slip(true: Json, last: Json, *, used: Collection[str], rng: Random) -> Json | None:
    """A card with one slip in the columns that are `used`; `last` is the card of the deal before.

    None for a card with nothing on it that could be written wrong, such as that of a bid set without play.

    >>> with_slip({"points": [8, 5]}, {"points": [8, 6]}, used={"points"}, rng=Random(0))
    {'points': [5, 8]}
    """
    before = _used(last, used)
    for _try in range(TRIES):
        card = deepcopy(true)
        rng.choice(SLIPS)(_used(card, used), before, rng=rng)
        if card != true:
            return card
    return None


def _used(card: Json, used: Collection[str]) -> Sides:
    return [{name: side[name] for name in sorted(side.keys() & used)} for side in _sides(card)]


def _digit_off(sides: Sides, last: Sides, *, rng: Random) -> None:
    """Make one digit a step too high or too low."""
    for holder, key in _one_of(_figures(sides), rng):
        digits = list(str(abs(holder[key])))
        place = rng.randrange(len(digits))
        digits[place] = str(min(9, max(0, int(digits[place]) + rng.choice((-1, 1)))))
        holder[key] = int("".join(digits)) * (-1 if holder[key] < 0 else 1)


def _digits_swapped(sides: Sides, last: Sides, *, rng: Random) -> None:
    """Swap two neighbouring digits."""
    for holder, key in _one_of(_figures(sides), rng):
        digits = str(abs(holder[key]))
        place = rng.randrange(len(digits))
        swapped = digits[:place] + digits[place : place + 2][::-1] + digits[place + 2 :]
        holder[key] = int(swapped) * (-1 if holder[key] < 0 else 1)


def _sides_swapped(sides: Sides, last: Sides, *, rng: Random) -> None:
    """Swap what two sides have in one column."""
    for name in _one_of(sorted(set().union(*sides)), rng):
        places = [side[name] for side in sides if name in side]
        for (one, at), (other, there) in _one_of(list(combinations(places, 2)), rng):
            one[at], other[there] = other[there], one[at]


def _wrong_column(sides: Sides, last: Sides, *, rng: Random) -> None:
    """Write a figure, or a name, in a place where another of the same side belongs."""
    kind = rng.choice((int, str))
    for side in _one_of(sides, rng):
        places = [place for column in side.values() for place in _values(column, kind)]
        for (holder, key), (other, there) in _one_of(list(permutations(places, 2)), rng):
            if kind is int or (holder is other if isinstance(holder, list) else key == there):  # names: like for like
                holder[key] = other[there]


def _left_at_last(sides: Sides, last: Sides, *, rng: Random) -> None:
    """Leave a figure as it was in the deal before."""
    for (holder, key), (before, there) in _one_of(list(zip(_figures(sides), _figures(last), strict=False)), rng):
        holder[key] = before[there]


class SlipMaker(Protocol):
    """Changes a card's figures as somebody does who writes one of them wrong; `last`: those of the deal before."""

    def __call__(self, sides: Sides, last: Sides, /, *, rng: Random) -> None: ...


SLIPS: tuple[SlipMaker, ...] = (_digit_off, _digits_swapped, _sides_swapped, _wrong_column, _left_at_last)


def _one_of(choices: Sequence[T], rng: Random) -> Sequence[T]:
    """One of these at random; none where there are none."""
    return [rng.choice(choices)] if choices else []


def _sides(card: Json) -> Sides:
    """Each side's columns: the fields of its own card, or its place in every list of the card."""
    if "sides" in card:
        return [{name: (side, name) for name in side if name not in NO_COLUMNS} for side in card["sides"]]
    lists = {name: column for name, column in card.items() if isinstance(column, list) and name not in NO_COLUMNS}
    most = max(map(len, lists.values()), default=0)
    return [{name: (column, n) for name, column in lists.items() if n < len(column)} for n in range(most)]


def _figures(sides: Sides) -> list[Place]:
    return [place for side in sides for column in side.values() for place in _values(column, int)]


def _values(place: Place, kind: type) -> Iterator[Place]:
    """Where values of that type stand in a column."""
    holder, key = place
    value = holder[key]
    if type(value) is kind:
        yield place
    elif isinstance(value, dict | list):
        for each in value if isinstance(value, dict) else range(len(value)):
            yield from _values((value, each), kind)
