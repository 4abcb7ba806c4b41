"""Who met whom: a square of names with a mark where two of them met. Positions are in ems; templates draw the
picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clubsite.pictures.lettering import clipped, width_of
from clubsite.pictures.scales import thinned

CELL = 1.2
NARROW = 8.0  # the square on the narrowest phone
NAME_ROOM, SHORT_ROOM = 11.0, 4.5

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One name: its number, from 1, and the middle of its row, which is also that of its column."""

    number: int
    name: str
    short: str
    at: float
    percent: str  # the same as a percentage of the square's width; "" where the column's number isn't written
    wide: bool  # whether its column's number is written only where there is room

    @property
    def low(self) -> float:
        """The baseline of its letters, which puts them in the row's middle."""
        return round(self.at + 0.35, 2)


@dataclass(frozen=True, slots=True)
class Marks:
    """Cells with one kind of mark, drawn as strokes of almost no length, which stay dots in a stretched picture."""

    kind: str
    often: bool  # whether those met more than once
    path: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """The picture. Marks stand on both sides of the diagonal. Paths count in halves of a cell, which keeps them
    short."""

    rows: tuple[MatrixRow, ...]
    marks: tuple[Marks, ...]
    diagonal: str
    bands: str  # lines between rows, every few
    left: float
    left_short: float

    @property
    def size(self) -> float:
        """Width and height of the square."""
        return round(CELL * len(self.rows), 2)

    @property
    def halves(self) -> int:
        """Width and height of the square as its paths have it."""
        return 2 * len(self.rows)

    @property
    def foot(self) -> float:
        """Where the numbers of the columns stand, below the square."""
        return round(self.size + 1.1, 2)

    @property
    def tall(self) -> float:
        """The height including these numbers."""
        return round(self.size + 1.5, 2)


def matrix_of(names: Sequence[str], met: Mapping[str, Mapping[Pair, int]]) -> Matrix:
    """The picture of who met whom. `met` has for each kind of meeting how often two met, by their places in `names`."""
    number_room = width_of(str(len(names)), weight=700) + 1.2
    long, short = ([clipped(name, room) for name in names] for room in (NAME_ROOM, SHORT_ROOM))
    heads = [width_of(str(n)) for n in range(1, len(names) + 1)]
    wide = sorted(thinned(heads, room=CELL * len(names), white=0.4))
    narrow = {wide[n] for n in thinned([heads[n] for n in wide], room=NARROW, white=0.3)}  # among the wide ones
    found: dict[tuple[str, bool], set[Pair]] = {}
    for kind, pairs in met.items():
        for (a, b), times in pairs.items():
            found.setdefault((kind, times > 1), set()).update({(a, b), (b, a)})
    return Matrix(
        rows=tuple(
            MatrixRow(
                n + 1,
                long[n],
                short[n],
                round(CELL * (n + 0.5), 2),
                f"{100 * (n + 0.5) / len(names):.2f}" if n in wide else "",
                n not in narrow,
            )
            for n in range(len(names))
        ),
        marks=tuple(Marks(kind, often, _dots(cells)) for (kind, often), cells in sorted(found.items())),
        diagonal=_dots((n, n) for n in range(len(names))),
        bands="".join(f"M0 {2 * n}H{2 * len(names)}" for n in range(3, len(names), 3)),
        left=round(max(map(width_of, long), default=0.0) + number_room, 2),
        left_short=round(max(map(width_of, short), default=0.0) + number_room, 2),
    )


def _dots(cells: Iterable[Pair]) -> str:
    return "".join(f"M{2 * b + 1} {2 * a + 1}h.1" for a, b in sorted(cells))
