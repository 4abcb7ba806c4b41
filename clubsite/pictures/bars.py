"""Bars that show how a whole is divided. Widths are percentages; templates draw the bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clubsite.pictures.scales import hundredths


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of a bar: its kind, from 1, its figure, and its start and width as percentages."""

    kind: int
    value: int
    start: str
    width: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar and what it is called."""

    name: str
    parts: tuple[BarPart, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars with parts of the same kinds. `kinds` are what these are called."""

    kinds: tuple[str, ...]
    bars: tuple[Bar, ...]


def bars_of(kinds: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Bars:
    """One bar for each row of a name and its parts' figures, which are 0 or more; the bar with the largest sum has the
    full width."""
    whole = max((sum(values) for _name, values in rows), default=0) or 1
    return Bars(tuple(kinds), tuple(Bar(name, _parts(values, whole)) for name, values in rows))


def _parts(values: Sequence[int], whole: int) -> tuple[BarPart, ...]:
    return tuple(
        BarPart(n, value, hundredths(100 * sum(values[: n - 1]) / whole), hundredths(100 * value / whole))
        for n, value in enumerate(values, start=1)
    )
