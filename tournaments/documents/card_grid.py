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
        columns = 2 if self.per_sheet == 4 or (self.per_sheet == 2 and self.across) else 1
        return columns, self.per_sheet // columns

    @property
    def card(self) -> tuple[float, float]:
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
    """The ways to put at most this many cards on a sheet, those that save paper first."""
    for per_sheet in (4, 2, 1):
        for across in (True, False):
            if per_sheet <= most:
                yield Imposition(paper, across, per_sheet)


FONT = "'Nine Tables', 'Nine Tables Latin', 'Nine Tables More Latin'"  # for the labels; names are HTML text
SVG = "http://www.w3.org/2000/svg"

HEAD = 15.0  # event, date; table and game; the double rule
NAME = 5.2  # one name's line
NAME_BY_HAND = 7.5  # where the name is still to be written
TOP_LINE = 3.6  # small print above the names: seat, points to start with
SIGN = 9.6  # the line to sign on
FOOT = 7.1  # house rules and when it was made; what its codes mean
NOTE = 3.2  # what the scorer has to remember; a line of why the game was ended
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
    starts: bool = False  # whether some side begins with points (handicap)
    name_line: float = NAME
    ended: int = 0  # lines for why a game was ended
    linked: bool = False  # whether the head has room for a QR code and what stands beside it

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
        """Whether small print stands above the names: the seat of a side of one, or points to start with."""
        return self.per_side == 1 or self.starts

    @property
    def name_lines(self) -> int:
        """Lines for a side's names: one for each player, but two for a single player in a narrow column."""
        return 2 if self.per_side == 1 and self.sides > 3 else self.per_side

    @property
    def foot(self) -> float:
        """Height of what stands below the lines to sign on."""
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
    """A grid on a sheet of paper: where every box is."""

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


def layout_of(grid: CardGrid, paper: Paper, *, most: int = 2) -> CardLayout:
    """The grid on as little paper as leaves every box large enough to write in, at most `most` on a sheet."""
    fitting = (
        way for way in impositions(paper, most) if way.card[0] >= grid.least_width and way.card[1] >= grid.least_height
    )
    return CardLayout(grid, next(fitting, Imposition(paper, True, 1)))


def drawing_of(layout: CardLayout) -> str:
    """The layout as SVG: lines, heads of columns and rows, places to sign.

    Lines of one weight are one path: a card's time goes with the number of elements."""
    lines = ruled_lines(layout)
    weights = grouped((weight, f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}") for x1, y1, x2, y2, weight in lines)
    body = f'<path d="{"".join(_shades(layout))}" fill="{FAINT}"/>'
    body += "".join(
        f'<path d="{"".join(drawn)}" stroke="{INK}" stroke-width="{weight}" fill="none"/>'
        for weight, drawn in weights.items()
    )
    return (
        f'<svg xmlns="{SVG}" width="{layout.width:.2f}mm" height="{layout.height:.2f}mm" '
        f'viewBox="0 0 {layout.width:.2f} {layout.height:.2f}">'
        f"{body}{''.join(_words(layout))}{_suits(layout.width - (QR + QR_GAP if layout.grid.linked else 0))}</svg>"
    )


def _shades(r: CardLayout) -> Iterator[str]:
    left, right = r.grid.lead_width, r.edges[-1]
    for row in r.grid.strong:
        yield _box(0, r.top + row * r.row, width=right, height=r.row)
    if r.grid.last_strong:
        for n in range(len(r.grid.columns), len(r.edges), len(r.grid.columns)):
            yield _box(r.edges[n - 1], r.top, width=r.edges[n] - r.edges[n - 1], height=r.bottom - r.top)
    yield _box(left, HEAD + r.grid.names, width=right - left, height=r.grid.heads)


def ruled_lines(r: CardLayout) -> Iterator[tuple[float, float, float, float, float]]:
    """From a point to a point, and the weight."""
    right, names = r.edges[-1], HEAD + r.grid.names
    # The double rule under the head, as on a pad.
    yield (0, HEAD - 1.9, right, HEAD - 1.9, 0.5)
    yield (0, HEAD - 1.1, right, HEAD - 1.1, HAIR)
    yield (r.grid.lead_width, names, right, names, HAIR)
    for n in range(1, len(r.grid.leads)):
        y = r.top + n * r.row
        yield (0, y, right, y, RULE if n in r.grid.strong else HAIR)
    yield (0, r.top, right, r.top, RULE)
    yield (0, r.bottom, right, r.bottom, RULE)
    yield (EDGE_LINE / 2, r.top, EDGE_LINE / 2, r.bottom, HAIR)
    for n, x in enumerate(r.edges):
        new_side = n % len(r.grid.columns) == 0
        yield (x, HEAD if new_side else names, x, r.bottom, RULE if new_side else HAIR)
    for left, end in _sign_lines(r):
        yield (left, r.bottom + SIGN - 3.0, end, r.bottom + SIGN - 3.0, HAIR)


def _words(r: CardLayout) -> Iterator[str]:
    under = any(column.under for column in r.grid.columns)
    per = len(r.grid.columns)
    for n, left in enumerate(r.edges[:-1]):
        column, middle = r.grid.columns[n % per], (left + r.edges[n + 1]) / 2
        room = r.edges[n + 1] - left
        size = _fitting(column.head, 2.75, room=room)
        yield _text(middle, HEAD + r.grid.names + 3.8, words=column.head, size=size, bold=True)
        if under:
            size = _fitting(column.under, 2.6, room=room)
            yield _text(middle, HEAD + r.grid.names + 7.3, words=column.under, size=size)
    yield _text(1, HEAD + r.grid.names + 3.8, words=r.grid.lead_head, size=2.75, anchor="start")
    figures = all(lead.isdecimal() for lead in r.grid.leads)
    for n, lead in enumerate(r.grid.leads):
        y = r.top + (n + 0.5) * r.row + 1.1
        if figures:
            yield _text(r.grid.lead_width / 2, y, words=lead, size=3.0)
        else:
            size = _fitting(lead, 3.2, room=r.grid.lead_width - 1.2)
            yield _text(1.2, y, words=lead, size=size, anchor="start", bold=n in r.grid.strong)
    for left, _right in _sign_lines(r):
        yield _text(left, r.bottom + SIGN - 0.5, words=r.grid.sign, size=2.3, anchor="start")


def _fitting(words: str, size: float, *, room: float) -> float:
    """The size of type, at most `size`, in which words fit into a width in millimetres: some languages' are longer."""
    width = sum(advances(700).get(letter, 0.7) for letter in words)
    return round(min(size, (room - 0.6) / width), 2) if width else size


def _sign_lines(r: CardLayout) -> Iterator[tuple[float, float]]:
    gap, count = 5.0, r.grid.sides
    each = (r.width + gap) / count
    for n in range(count):
        yield n * each, (n + 1) * each - gap


def _box(x: float, y: float, *, width: float, height: float) -> str:
    return f"M{x:.2f} {y:.2f}H{x + width:.2f}V{y + height:.2f}H{x:.2f}Z"


def _text(x: float, y: float, *, words: str, size: float, anchor: str = "middle", bold: bool = False) -> str:
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


def _suits(width: float) -> str:
    """The four suits in the top right corner: black ones filled, red ones in outline, as ink prints them."""
    size, step = 3.4, 4.3
    left = width - 3 * step - size
    return "".join(
        f'<path transform="translate({left + n * step:.2f} 0.40) scale({size / 32:.5f})" d="{path}" '
        f'stroke="{INK}" stroke-width="2" fill="{INK if n % 2 == 0 else "none"}"/>'
        for n, path in enumerate(suit_paths())
    )
