"""How many cards go on a sheet of paper, and where. Lengths in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clubsite.pdf.documents import Paper

EDGE = 8.0  # white at the edge of a sheet: what office printers can't reach, and a little more
CUT = 6.0  # white on either side of the line where a sheet is cut into two cards


def place_style(left: float, top: float, *, width: float, height: float) -> str:
    """A place on a sheet or a card as CSS."""
    return f"left:{left:.2f}mm;top:{top:.2f}mm;width:{width:.2f}mm;height:{height:.2f}mm"


@dataclass(frozen=True, slots=True)
class Imposition:
    """A sheet, upright or across, and the cards on it: one, or two or four with lines to cut along between them."""

    paper: Paper
    across: bool
    per_sheet: int

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the sheet as it is read."""
        upright = (self.paper.width, self.paper.height)
        return upright[::-1] if self.across else upright

    @property
    def grid(self) -> tuple[int, int]:
        """Columns and rows of cards."""
        columns = 2 if self.per_sheet == 4 or (self.per_sheet == 2 and self.across) else 1
        return columns, self.per_sheet // columns

    @property
    def card(self) -> tuple[float, float]:
        """Width and height that one card has."""
        width, height = (
            size - 2 * EDGE if cards == 1 else size / 2 - EDGE - CUT
            for size, cards in zip(self.sheet, self.grid, strict=True)
        )
        return width, height

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """Where the cards stand: the left and top edge of each."""
        (width, height), (columns, rows) = self.sheet, self.grid
        lefts, tops = (EDGE, width / 2 + CUT)[:columns], (EDGE, height / 2 + CUT)[:rows]
        return tuple((left, top) for top in tops for left in lefts)


def impositions(paper: Paper, most: int = 2) -> Iterator[Imposition]:
    """The ways to put at most so many cards on a sheet, those that save paper first."""
    for per_sheet in (4, 2, 1):
        for across in (True, False):
            if per_sheet <= most:
                yield Imposition(paper, across, per_sheet)
