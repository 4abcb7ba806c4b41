"""Zeros without a slash in the shipped typeface: people read points with it, and a struck zero reads like an eight.

Atkinson Hyperlegible Next draws its zero with a slash and has no other. The slash divides the hollow into two, each
with a straight side along the slash; without these sides, and with a curve across either gap, they are one again. The
licence (OFL, without a reserved name) allows that.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

ZERO = "zero"  # the tabular zero is made of this one

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]  # of an outline: "moveTo", "lineTo", "qCurveTo" or "closePath", and its points


def make_plain(folder: Path) -> list[str]:
    """Redraw the slashed zeros in the typeface's files in a folder. Returns the names of the files that were
    changed."""
    from fontTools.ttLib import TTFont

    changed = []
    for path in sorted(folder.glob("atkinson-hyperlegible-next-latin-[47]00-*.woff2")):
        font = TTFont(path)
        if _redraw(font):
            font.save(path)
            changed.append(path.name)
    return changed


def unpack(folder: Path, target: Path) -> list[str]:
    """Write each typeface's file of a folder into another as the PDF maker reads it: unpacked once, here, and not for
    every PDF, which would take it a tenth of a second. Returns the names of the files that were changed."""
    from fontTools.ttLib.woff2 import decompress

    changed = []
    for path in sorted(folder.glob("*.woff2")):
        unpacked, font = (target / path.name).with_suffix(".ttf"), BytesIO()
        decompress(path, font)
        if not unpacked.exists() or unpacked.read_bytes() != font.getvalue():
            unpacked.write_bytes(font.getvalue())
            changed.append(unpacked.name)
    return changed


def outlines(font: Any, name: str) -> list[list[Step]]:
    """The outlines of a letter: for a zero the outer one, then its hollow, or two with a slash between them."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    letters = font.getGlyphSet()
    pen = DecomposingRecordingPen(letters)
    letters[name].draw(pen)
    found: list[list[Step]] = []
    for step, points in pen.value:
        if step == "moveTo":
            found.append([])
        found[-1].append((step, points))
    return found


def _redraw(font: Any) -> bool:
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    outer, *hollows = outlines(font, ZERO)
    if len(hollows) == 1:
        return False
    low, high = hollows
    # The lower hollow begins at its bottom, the upper one beside the slash; `_side` is the straight one.
    bottom, to_gap, _side, to_left, to_bottom, _end = low
    _start, _side, to_right, to_top, to_other_gap, _end = high
    pen = TTGlyphPen(None)
    for step, points in [
        *outer,
        bottom,
        to_gap,
        _across(to_gap[1][-2:], (high[1][1][0], to_right[1][0])),
        to_right,
        to_top,
        to_other_gap,
        _across(to_other_gap[1][-2:], (low[2][1][0], to_left[1][0])),
        to_left,
        to_bottom,
        ("closePath", ()),
    ]:
        getattr(pen, step)(*points)
    font["glyf"][ZERO] = pen.glyph()
    return True


def _across(before: tuple[Point, ...], after: tuple[Point, Point]) -> Step:
    """A curve that closes a gap: it leaves in the direction of the line before, and arrives in that of the line
    after."""
    (ax, ay), (bx, by) = before
    (cx, cy), (dx, dy) = after
    ux, uy, vx, vy = bx - ax, by - ay, dx - cx, dy - cy
    along = ((cx - bx) * vy - (cy - by) * vx) / (ux * vy - uy * vx)
    return "qCurveTo", ((round(bx + along * ux), round(by + along * uy)), after[0])


FONTS = Path(settings.BASE_DIR) / "static" / "vendor" / "fonts"
FONTS_OF_PAPER = FONTS / "unpacked"


class Command(BaseCommand):
    """Redraws static/vendor/fonts and writes its folder `unpacked`, after the files of the first were renewed."""

    help = "Take the slash out of the zeros of the shipped typeface, and unpack it for paper, after it was renewed."

    def handle(self, **options: Any) -> None:
        for name in (*make_plain(FONTS), *unpack(FONTS, FONTS_OF_PAPER)):
            self.stdout.write(name)
