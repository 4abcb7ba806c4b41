"""Bars: how a whole is divided. Widths in hundredths; templates draw it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of a bar: which kind, from 1, its figure, and where it stands."""

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
    """Bars of names and the figures of their parts, nought and more; the largest sum of a bar is all of the width."""
    whole = max((sum(values) for _name, values in rows), default=0) or 1
    return Bars(tuple(kinds), tuple(Bar(name, _parts(values, whole)) for name, values in rows))


def _parts(values: Sequence[int], whole: int) -> tuple[BarPart, ...]:
    return tuple(
        BarPart(n, value, _hundredths(sum(values[: n - 1]), whole), _hundredths(value, whole))
        for n, value in enumerate(values, start=1)
    )


def _hundredths(value: int, whole: int) -> str:
    return f"{100 * value / whole:.2f}".rstrip("0").rstrip(".")
