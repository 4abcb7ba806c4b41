"""The shipped typeface draws its zeros without a slash, on screen and on paper."""

from io import BytesIO

import pytest
from django.conf import settings
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.woff2 import decompress

FONTS = settings.BASE_DIR / "static" / "vendor" / "fonts"


@pytest.mark.parametrize("style", ["400-normal", "400-italic", "700-normal"])
@pytest.mark.parametrize("zero", ["zero", "zero.tf"])
def test_a_zero_has_one_hollow(style, zero):
    letters = TTFont(FONTS / f"atkinson-hyperlegible-next-latin-{style}.woff2").getGlyphSet()
    pen = DecomposingRecordingPen(letters)
    letters[zero].draw(pen)
    outlines = []
    for step, points in pen.value:
        if step == "moveTo":
            outlines.append([])
        outlines[-1] += points
    outside, inside = outlines
    for axis in (0, 1):
        assert min(p[axis] for p in outside) < min(p[axis] for p in inside)
        assert max(p[axis] for p in inside) < max(p[axis] for p in outside)


def test_the_typefaces_of_paper_are_those_of_the_screen_unpacked():
    unpacked = {path.stem: path.read_bytes() for path in (FONTS / "unpacked").iterdir()}
    assert unpacked.keys() == {path.stem for path in FONTS.glob("*.woff2")}
    for name, font in unpacked.items():
        decompress(FONTS / f"{name}.woff2", out := BytesIO())
        assert font == out.getvalue()
