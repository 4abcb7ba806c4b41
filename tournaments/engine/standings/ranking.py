"""Standings: places from results by a chain of tie-breaks. Ties that the chain doesn't break stay ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournaments.engine.standings.tie_breaks import Chain, Number, Result

Value: TypeAlias = tuple[str, Number]  # tie-break slug and the key compared, higher being better


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the standings."""

    place: int  # from 1; equal entries share one and the next numbers are left out (1, 2, 2, 4)
    entry: int
    shared: bool
    values: tuple[Value, ...]  # what was compared, in order, as far as it was needed
    separated_by: str = ""  # the tie-break that put it ahead of the next entry; "" when they share, and for the last


def rank(results: Sequence[Result], chain: Chain) -> tuple[Ranked, ...]:
    """Places of all entries, best first, entries that share a place in the order of their ids.

    The first link is applied to everybody, the next to each group still level, and so on; a link once passed
    isn't tried again. The order of `results` doesn't matter.

    Raises:
        ValueError: an entry has two results.
    """
    if len({r.entry for r in results}) < len(results):
        raise ValueError("an entry has two results")
    blocks = _split(sorted(results, key=lambda r: r.entry), chain, before=()) if results else []
    places: list[Ranked] = []
    for number, (entries, values) in enumerate(blocks):
        following = blocks[number + 1][1] if number + 1 < len(blocks) else None
        place = len(places) + 1
        for position, entry in enumerate(entries, start=1):
            last = position == len(entries) and following is not None
            by = first_difference(values[entry], following[min(following)]) if last and following else ""
            places.append(Ranked(place, entry, len(entries) > 1, values[entry], by))
    return tuple(places)


def first_difference(one: Sequence[Value], other: Sequence[Value]) -> str:
    """The slug of the first tie-break in which two lines of values differ; "" when they don't."""
    for (slug, own), (_, their) in zip(one, other, strict=False):
        if own != their:
            return slug
    return ""


_Block: TypeAlias = tuple[list[int], dict[int, tuple[Value, ...]]]  # level entries, and the values of each


def _split(level: Sequence[Result], chain: Chain, *, before: tuple[Value, ...]) -> list[_Block]:
    """Level entries as blocks in order, each block level to the end of the chain."""
    for position, link in enumerate(chain):
        if len(level) == 1 and before:
            break
        keys = link.keys(level)
        if keys is None:
            continue
        blocks: list[_Block] = []
        for key in sorted(set(keys.values()), reverse=True):
            group = [r for r in level if keys[r.entry] == key]
            blocks.extend(_split(group, chain[position + 1 :], before=(*before, (link.slug, key))))
        return blocks
    return [([r.entry for r in level], {r.entry: before for r in level})]
