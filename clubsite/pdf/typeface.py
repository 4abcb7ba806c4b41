"""Which letters can be printed, and how wide those of Atkinson Hyperlegible Next are: read from the fonts' files."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

OTHER, OTHER_CAPITAL = 0.68, 0.8  # ems of a letter in Noto Sans (Greek, Cyrillic), and of a capital
MM_PER_POINT = 25.4 / 72


@cache
def advances(weight: int) -> Mapping[str, float]:
    """The letters of a weight (400 or 700), each with its advance in ems."""
    widths: dict[str, float] = {}
    for part in ("latin-ext", "latin"):
        font = _font(f"atkinson-hyperlegible-next-{part}-{weight}-normal.ttf")
        widths |= {
            chr(code): font["hmtx"][glyph][0] / font["head"].unitsPerEm for code, glyph in font.getBestCmap().items()
        }
    return widths


def width_in_ems(text: str) -> float:
    """How wide a text is in bold type, in ems; a little more rather than less. Accents have no width.

    >>> width_in_ems("Wł") > width_in_ems("il"), width_in_ems("é") == width_in_ems("e")
    (True, True)
    """
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return 1.03 * sum(advances(700).get(c, OTHER_CAPITAL if c.isupper() else OTHER) for c in letters)


def unprintable_letters(text: str) -> list[str]:
    """The letters of a text that no typeface of ours has, each once: a machine without fonts of its own prints boxes.

    >>> unprintable_letters("Łukasz Δημήτρης"), unprintable_letters("李 Lee 李")
    ([], ['李'])
    """
    lacking = [c for c in dict.fromkeys(text) if c.isprintable() and c not in advances(400)]
    return [c for c in lacking if c not in _fallback_letters()] if lacking else []


@cache
def _fallback_letters() -> frozenset[str]:
    parts = ("latin-ext", "vietnamese", "greek", "cyrillic", "cyrillic-ext")
    return frozenset().union(*(font_letters(f"noto-sans-{part}-400-normal.ttf") for part in parts))


@cache
def font_letters(file: str) -> frozenset[str]:
    return frozenset(map(chr, _font(file).getBestCmap()))


def _font(name: str) -> TTFont:
    from fontTools.ttLib import TTFont  # a tenth of a second, once something is printed

    return TTFont(settings.BASE_DIR / "static" / "vendor" / "fonts" / "unpacked" / name)
