"""The letters of Atkinson Hyperlegible Next, in which everything is printed, and their widths: read from its files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.conf import settings


@cache
def advances(weight: int) -> Mapping[str, float]:
    """The letters of a weight (400 or 700), each with its advance in ems."""
    from fontTools.ttLib import TTFont  # a tenth of a second, once something is printed

    found: dict[str, float] = {}
    for part in ("latin-ext", "latin"):
        name = f"atkinson-hyperlegible-next-{part}-{weight}-normal.woff2"
        font = TTFont(settings.BASE_DIR / "static" / "vendor" / "fonts" / name)
        found |= {
            chr(code): font["hmtx"][glyph][0] / font["head"].unitsPerEm for code, glyph in font.getBestCmap().items()
        }
    return found
