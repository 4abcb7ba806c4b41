"""Take the slash out of the zeros of the shipped typeface, and unpack all typefaces for paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lab.tools.plain_zero import make_plain, unpack

FONTS = Path(settings.BASE_DIR) / "static" / "vendor" / "fonts"
FONTS_OF_PAPER = FONTS / "unpacked"


class Command(BaseCommand):
    """Redraws static/vendor/fonts and writes its folder `unpacked`, after the files of the first were renewed."""

    help = "Take the slash out of the zeros of the shipped typeface, and unpack it for paper, after it was renewed."

    def handle(self, **options: Any) -> None:
        for name in (*make_plain(FONTS), *unpack(FONTS, FONTS_OF_PAPER)):
            self.stdout.write(name)
