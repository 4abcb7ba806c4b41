"""Where things stand in a picture: scales with round figures, and labels that don't overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps figures from `low` to `high` to positions from `start` to `end`, in ems; either end may be the larger."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The position of a figure; the middle, where `low` and `high` are the same."""
        if self.high == self.low:
            return (self.start + self.end) / 2
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)


def hundredths(value: float) -> str:
    """A figure to two digits after the point, without noughts at its end."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def ticks(low: int, high: int, *, most: int = 6) -> list[int]:
    """Round figures, evenly apart, the first at or below `low` and the last at or above `high`: at most `most` (3 and
    more), at least two.

    >>> ticks(-40, 510)
    [-200, 0, 200, 400, 600]
    >>> ticks(3, 3)
    [3, 4]
    """
    size = 1
    while True:
        for factor in STEPS:
            step = size * factor
            first, last = low // step, -(-high // step)
            if last - first < most:
                return [step * n for n in range(first, max(last, first + 1) + 1)]
        size *= 10


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Places for labels in the order given, each as near to where it is wanted as possible, no two nearer than `gap`,
    all from `low` to `high`. Where the room doesn't suffice they are spread evenly.

    >>> spread([1.0, 1.0, 9.0], gap=1.0, low=0.0, high=10.0)
    [0.5, 1.5, 9.0]
    """
    if len(wanted) > 1:
        gap = min(gap, (high - low) / (len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    blocks: list[tuple[float, int]] = []  # per block: sum of where its labels want the first, count
    for rank, n in enumerate(order):
        total, count = min(max(wanted[n], low), high) - rank * gap, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            before, many = blocks.pop()
            total, count = total + before, count + many
        blocks.append((total, count))
    starts = [total / count for total, count in blocks for _ in range(count)]
    places = [0.0] * len(wanted)
    for rank, n in enumerate(order):
        first, last = low + rank * gap, high - (len(order) - 1 - rank) * gap
        places[n] = min(max(starts[rank] + rank * gap, first), max(first, last))
    return places


def thinned(widths: Sequence[float], *, room: float, white: float = 0.8) -> set[int]:
    """The indexes of the labels to write in a row spread evenly over `room`, so that none touches the next: the last
    one, and from there back every second, third and so on. At least `white` is left between two."""
    count = len(widths)
    if count <= 1:
        return set(range(count))
    each = room / (count - 1)
    step = 1
    while step < count and max(widths) + white > step * each:
        step += 1
    return set(range(count - 1, -1, -step))
