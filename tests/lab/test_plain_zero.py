"""The shipped typeface draws its zeros without a slash, on screen and on paper."""

from __future__ import annotations

from pathlib import Path
from shutil import copy

import pytest
from fontTools.ttLib import TTFont

from lab.commands.plain_zero import FONTS, FONTS_OF_PAPER, make_plain, outlines, unpack

FILES = sorted(FONTS.glob("atkinson-hyperlegible-next-latin-[47]00-*.woff2"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("zero", ["zero", "zero.tf"])
def test_a_zero_has_one_hollow(path: Path, zero: str) -> None:
    outer, hollow = outlines(TTFont(path), zero)
    inside, outside = ([point for _step, points in line for point in points] for line in (hollow, outer))
    for axis in (0, 1):
        assert min(p[axis] for p in outside) < min(p[axis] for p in inside)
        assert max(p[axis] for p in inside) < max(p[axis] for p in outside)


def test_there_are_upright_bold_and_italic_letters_and_none_is_changed_twice(tmp_path: Path) -> None:
    assert len(FILES) == 3
    for path in FILES:
        copy(path, tmp_path)
    assert make_plain(tmp_path) == []


def test_the_typefaces_of_paper_are_those_of_the_screen_unpacked(tmp_path: Path) -> None:
    assert unpack(FONTS, FONTS_OF_PAPER) == []
    made = unpack(FONTS, tmp_path)
    assert made == sorted(path.name for path in FONTS_OF_PAPER.iterdir()) != []
