"""How many cards go on a sheet of paper, and their boxes, drawn once as a picture that all cards of a kind share.

Lengths in millimetres, a card's from its top left corner. A table of 400 cells for every card would take a hundred
times as long to lay out as one picture behind columns of text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

from django.conf import settings
from django.utils.html import escape

from clubsite.pdf.documents import Paper
from clubsite.pdf.typeface import advances
from scoring.families.family_pages import Boxes
from tournaments.engine.rounds import grouped

EDGE = 8.0  # white at the edge of a sheet: what office printers can't reach, and a little more
CUT = 6.0  # white on either side of the line where a sheet is cut into two cards


def box_style(left: float, top: float, *, width: float, height: float) -> str:
    return f"left:{left:.2f}mm;top:{top:.2f}mm;width:{width:.2f}mm;height:{height:.2f}mm"


@dataclass(frozen=True, slots=True)
class Imposition:
    """A sheet with one, two or four cards on it, and lines to cut along between them."""

    paper: Paper
    landscape: bool
    per_sheet: int

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the sheet as it is read."""
        upright = (self.paper.width, self.paper.height)
        return upright[::-1] if self.landscape else upright

    @property
    def grid(self) -> tuple[int, int]:
        columns = 2 if self.per_sheet == 4 or (self.per_sheet == 2 and self.landscape) else 1
        return columns, self.per_sheet // columns

    @property
    def card(self) -> tuple[float, float]:
        width, height = (
            size - 2 * EDGE if cards == 1 else size / 2 - EDGE - CUT
            for size, cards in zip(self.sheet, self.grid, strict=True)
        )
        return width, height

    @property
    def positions(self) -> tuple[tuple[float, float], ...]:
        """The left and top edge of each card."""
        (width, height), (columns, rows) = self.sheet, self.grid
        lefts, tops = (EDGE, width / 2 + CUT)[:columns], (EDGE, height / 2 + CUT)[:rows]
        return tuple((left, top) for top in tops for left in lefts)


def impositions(paper: Paper, most: int = 2) -> Iterator[Imposition]:
    """The ways to put at most this many cards on a sheet, the most cards first."""
    for per_sheet in (4, 2, 1):
        for landscape in (True, False):
            if per_sheet <= most:
                yield Imposition(paper, landscape, per_sheet)


FONT = "'Nine Tables', 'Nine Tables Latin', 'Nine Tables More Latin'"  # for the labels; names are HTML text
SVG = "http://www.w3.org/2000/svg"

HEAD = 15.0  # event, date; table and game; the double rule
NAME = 5.2  # one name's line
NAME_BY_HAND = 7.5  # where the name is still to be written
TOP_LINE = 3.6  # small print above the names: seat, points to start with
SIGN = 9.6  # the line to sign on
FOOT = 7.1  # house rules and when it was made; what its codes mean
NOTE = 3.2  # what the scorer has to remember; a line of the reason why the game was ended
QR = 11.6  # a QR code in the head: 29 modules of 0.4, with the white around it that phones need
QR_GAP = 2.2  # white beside it
LEAST_ROW = 7.5  # for the handwriting of people over seventy
MOST_ROW = 14.0
LEAST_SIDE = 56.0  # for the names of partners, with their seats
EDGE_LINE = 0.2  # kept inside the picture, so that lines at its edge are whole

INK, FAINT = "#111", "#f1f1f1"
HAIR, RULE = 0.15, 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGrid(Boxes):
    starts: bool = False  # whether a side starts with points (handicap)
    name_line: float = NAME
    ended: int = 0  # lines for the reason why a game was ended
    linked: bool = False  # whether the head has room for a QR code and the text beside it

    @property
    def least_width(self) -> float:
        side = max(sum(column.least for column in self.columns), LEAST_SIDE if self.per_side > 1 else 0)
        return self.lead_width + self.sides * side

    @property
    def heads(self) -> float:
        return 8.5 if any(column.under for column in self.columns) else 5.5

    @property
    def names(self) -> float:
        return self.name_line * self.name_lines + 1.6 + (TOP_LINE if self.top_line else 0)

    @property
    def top_line(self) -> bool:
        """Whether small print above the names says the seat of a side of one, or the points to start with."""
        return self.per_side == 1 or self.starts

    @property
    def name_lines(self) -> int:
        """One for each player, but two for a single player in a narrow column."""
        return 2 if self.per_side == 1 and self.sides > 3 else self.per_side

    @property
    def foot(self) -> float:
        """Height of the print below the lines to sign on."""
        return FOOT + NOTE * (self.ended + bool(self.note))

    @property
    def fixed(self) -> float:
        """Height of everything but the rows."""
        return HEAD + self.names + self.heads + SIGN + self.foot

    @property
    def least_height(self) -> float:
        return self.fixed + LEAST_ROW * len(self.leads)


@dataclass(frozen=True, slots=True)
class CardLayout:
    grid: CardGrid
    imposition: Imposition

    @property
    def width(self) -> float:
        return self.imposition.card[0]

    @property
    def height(self) -> float:
        return self.imposition.card[1]

    @property
    def row(self) -> float:
        return min((self.height - self.grid.fixed) / len(self.grid.leads), MOST_ROW)

    @property
    def top(self) -> float:
        return HEAD + self.grid.names + self.grid.heads

    @property
    def bottom(self) -> float:
        return self.top + self.row * len(self.grid.leads)

    @property
    def edges(self) -> tuple[float, ...]:
        """Left edges of all columns of all sides, and the right edge of the last."""
        least = [column.least for column in self.grid.columns] * self.grid.sides
        stretch = (self.width - EDGE_LINE - self.grid.lead_width) / sum(least)
        widths = [width * stretch for width in least]
        return tuple(accumulate(widths, initial=self.grid.lead_width))

    @property
    def side_edges(self) -> tuple[float, ...]:
        """Left edges of the sides, and the right edge of the last."""
        return self.edges[:: len(self.grid.columns)]


def fit_layout(grid: CardGrid, paper: Paper, *, most: int = 2) -> CardLayout:
    """The layout with the most cards on a sheet, up to `most`, whose boxes are large enough to write in."""
    fitting = (
        way for way in impositions(paper, most) if way.card[0] >= grid.least_width and way.card[1] >= grid.least_height
    )
    return CardLayout(grid, next(fitting, Imposition(paper, True, 1)))


def draw_layout(layout: CardLayout) -> str:
    """The layout as SVG: lines, heads of columns and rows, places to sign.

    Lines of one weight are one path: a card's time goes with the number of elements."""
    lines = ruled_lines(layout)
    weights = grouped((weight, f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}") for x1, y1, x2, y2, weight in lines)
    body = f'<path d="{"".join(_shaded_boxes(layout))}" fill="{FAINT}"/>'
    body += "".join(
        f'<path d="{"".join(drawn)}" stroke="{INK}" stroke-width="{weight}" fill="none"/>'
        for weight, drawn in weights.items()
    )
    return (
        f'<svg xmlns="{SVG}" width="{layout.width:.2f}mm" height="{layout.height:.2f}mm" '
        f'viewBox="0 0 {layout.width:.2f} {layout.height:.2f}">'
        f"{body}{''.join(_labels(layout))}{_suits_svg(layout.width - (QR + QR_GAP if layout.grid.linked else 0))}</svg>"
    )


def _shaded_boxes(layout: CardLayout) -> Iterator[str]:
    left, right = layout.grid.lead_width, layout.edges[-1]
    for row in layout.grid.strong:
        yield _box_path(0, layout.top + row * layout.row, width=right, height=layout.row)
    if layout.grid.last_strong:
        for n in range(len(layout.grid.columns), len(layout.edges), len(layout.grid.columns)):
            start, end = layout.edges[n - 1 : n + 1]
            yield _box_path(start, layout.top, width=end - start, height=layout.bottom - layout.top)
    yield _box_path(left, HEAD + layout.grid.names, width=right - left, height=layout.grid.heads)


def ruled_lines(layout: CardLayout) -> Iterator[tuple[float, float, float, float, float]]:
    """x and y of both ends of each line, and its weight."""
    right, names = layout.edges[-1], HEAD + layout.grid.names
    # The double rule under the head, as on a pad.
    yield (0, HEAD - 1.9, right, HEAD - 1.9, 0.5)
    yield (0, HEAD - 1.1, right, HEAD - 1.1, HAIR)
    yield (layout.grid.lead_width, names, right, names, HAIR)
    for n in range(1, len(layout.grid.leads)):
        y = layout.top + n * layout.row
        yield (0, y, right, y, RULE if n in layout.grid.strong else HAIR)
    yield (0, layout.top, right, layout.top, RULE)
    yield (0, layout.bottom, right, layout.bottom, RULE)
    yield (EDGE_LINE / 2, layout.top, EDGE_LINE / 2, layout.bottom, HAIR)
    for n, x in enumerate(layout.edges):
        new_side = n % len(layout.grid.columns) == 0
        yield (x, HEAD if new_side else names, x, layout.bottom, RULE if new_side else HAIR)
    for left, end in _sign_lines(layout):
        yield (left, layout.bottom + SIGN - 3.0, end, layout.bottom + SIGN - 3.0, HAIR)


def _labels(layout: CardLayout) -> Iterator[str]:
    under = any(column.under for column in layout.grid.columns)
    per = len(layout.grid.columns)
    for n, left in enumerate(layout.edges[:-1]):
        column, middle = layout.grid.columns[n % per], (left + layout.edges[n + 1]) / 2
        room = layout.edges[n + 1] - left
        size = _fitting_size(column.head, 2.75, room=room)
        yield _text_svg(middle, HEAD + layout.grid.names + 3.8, words=column.head, size=size, bold=True)
        if under:
            size = _fitting_size(column.under, 2.6, room=room)
            yield _text_svg(middle, HEAD + layout.grid.names + 7.3, words=column.under, size=size)
    yield _text_svg(1, HEAD + layout.grid.names + 3.8, words=layout.grid.lead_head, size=2.75, anchor="start")
    figures = all(lead.isdecimal() for lead in layout.grid.leads)
    for n, lead in enumerate(layout.grid.leads):
        y = layout.top + (n + 0.5) * layout.row + 1.1
        if figures:
            yield _text_svg(layout.grid.lead_width / 2, y, words=lead, size=3.0)
        else:
            size = _fitting_size(lead, 3.2, room=layout.grid.lead_width - 1.2)
            yield _text_svg(1.2, y, words=lead, size=size, anchor="start", bold=n in layout.grid.strong)
    for left, _right in _sign_lines(layout):
        yield _text_svg(left, layout.bottom + SIGN - 0.5, words=layout.grid.sign, size=2.3, anchor="start")


def _fitting_size(words: str, size: float, *, room: float) -> float:
    """The size of type, at most `size`, in which words fit into `room` millimetres: some languages' are longer."""
    width = sum(advances(700).get(letter, 0.7) for letter in words)
    return round(min(size, (room - 0.6) / width), 2) if width else size


def _sign_lines(layout: CardLayout) -> Iterator[tuple[float, float]]:
    gap, count = 5.0, layout.grid.sides
    each = (layout.width + gap) / count
    for n in range(count):
        yield n * each, (n + 1) * each - gap


def _box_path(x: float, y: float, *, width: float, height: float) -> str:
    return f"M{x:.2f} {y:.2f}H{x + width:.2f}V{y + height:.2f}H{x:.2f}Z"


def _text_svg(x: float, y: float, *, words: str, size: float, anchor: str = "middle", bold: bool = False) -> str:
    if not words:
        return ""
    weight = 700 if bold else 400
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" font-family="{FONT}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{INK}">{escape(words)}</text>'
    )


@cache
def suit_paths() -> tuple[str, ...]:
    """Outlines of spade, heart, club and diamond from the site's own set, each 32 x 32."""
    drawn = (Path(settings.BASE_DIR) / "static" / "suits.svg").read_text(encoding="utf-8")
    outlines = dict(re.findall(r'<symbol id="(\w+)".*? d="([^"]+)"', drawn))
    return tuple(outlines[suit] for suit in ("spade", "heart", "club", "diamond"))


def _suits_svg(width: float) -> str:
    """The four suits in the top right corner: black ones filled, red ones in outline, for printers with black ink."""
    size, step = 3.4, 4.3
    left = width - 3 * step - size
    return "".join(
        f'<path transform="translate({left + n * step:.2f} 0.40) scale({size / 32:.5f})" d="{path}" '
        f'stroke="{INK}" stroke-width="2" fill="{INK if n % 2 == 0 else "none"}"/>'
        for n, path in enumerate(suit_paths())
    )
