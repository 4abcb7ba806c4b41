"""How many cards go on a sheet of paper, and where. Lengths in millimetres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clubsite.paper.sizes import Paper

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
    def card(self) -> tuple[float, float]:
        """Width and height that one card has."""
        width, height = self.sheet
        if self.per_sheet == 1:
            return width - 2 * EDGE, height - 2 * EDGE
        if self.per_sheet == 4:
            return width / 2 - EDGE - CUT, height / 2 - EDGE - CUT
        if self.across:
            return width / 2 - EDGE - CUT, height - 2 * EDGE
        return width - 2 * EDGE, height / 2 - EDGE - CUT

    @property
    def spots(self) -> tuple[tuple[float, float], ...]:
        """Where the cards stand: the left and top edge of each."""
        first = (EDGE, EDGE)
        if self.per_sheet == 1:
            return (first,)
        width, height = self.sheet
        if self.per_sheet == 4:
            right, below = width / 2 + CUT, height / 2 + CUT
            return (first, (right, EDGE), (EDGE, below), (right, below))
        return (first, (width / 2 + CUT, EDGE) if self.across else (EDGE, height / 2 + CUT))


def impositions(paper: Paper, most: int = 2) -> Iterator[Imposition]:
    """The ways to put at most so many cards on a sheet, those that save paper first."""
    for per_sheet in (4, 2, 1):
        for across in (True, False):
            if per_sheet <= most:
                yield Imposition(paper, across, per_sheet)
