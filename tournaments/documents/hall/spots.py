"""Sheets on which several things of one size stand, to be cut apart. Lengths in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string

from clubsite.pdf.documents import Pages, Paper
from tournaments.documents.paper import place_style

MARK, AWAY = 5.0, 1.5  # the length of a crop mark, and how far it stays from what is cut


@dataclass(frozen=True, slots=True)
class Spots:
    """Columns and rows of spots of one size in the middle of an upright sheet, edge to edge: one cut parts two."""

    paper: Paper
    columns: int
    rows: int
    width: float
    height: float

    @property
    def left(self) -> float:
        """The margin at the left."""
        return (self.paper.width - self.columns * self.width) / 2

    @property
    def top(self) -> float:
        """The margin at the top."""
        return (self.paper.height - self.rows * self.height) / 2

    @property
    def styles(self) -> tuple[str, ...]:
        """The place of each spot as CSS, row by row."""
        return tuple(
            place_style(
                self.left + column * self.width,
                self.top + row * self.height,
                width=self.width,
                height=self.height,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @property
    def crop_marks(self) -> str:
        """Where to cut, as a drawing of the sheet: marks outside of what stands on it, and crosses where four meet."""
        paths = "".join(self._marks())
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.paper.width}mm" height="{self.paper.height}mm" '
            f'viewBox="0 0 {self.paper.width} {self.paper.height}">'
            f'<path d="{paths}" stroke="#111" stroke-width="0.2" fill="none"/></svg>'
        )

    def _marks(self) -> Iterator[str]:
        right, bottom = self.paper.width - self.left, self.paper.height - self.top
        down = [self.left + n * self.width for n in range(self.columns + 1)]
        across = [self.top + n * self.height for n in range(self.rows + 1)]
        for x in down:
            yield f"M{x:.2f} {self.top - AWAY - MARK:.2f}v{MARK}M{x:.2f} {bottom + AWAY:.2f}v{MARK}"
        for y in across:
            yield f"M{self.left - AWAY - MARK:.2f} {y:.2f}h{MARK}M{right + AWAY:.2f} {y:.2f}h{MARK}"
        for x in down[1:-1]:
            for y in across[1:-1]:
                yield f"M{x - 1.5:.2f} {y:.2f}h3M{x:.2f} {y - 1.5:.2f}v3"


def spot_pages(spots: Spots, items: Sequence[Any], *, template: str, **context: Any) -> Pages:
    """The sheets, each with crop marks. The template shows one `item`; the context is what else it needs."""
    each = spots.columns * spots.rows
    sheets = [
        [{"style": style, "item": item} for style, item in zip(spots.styles, items[n : n + each], strict=False)]
        for n in range(0, len(items), each)
    ]
    context |= {
        "sheets": sheets,
        "template": template,
        "page": f"size: {spots.paper.size}",
        "size": f"width: {spots.paper.width}mm; height: {spots.paper.height}mm",
    }
    html = render_to_string("documents/hall/spots.html", context)
    return Pages((html,), {"crop-marks": spots.crop_marks})
