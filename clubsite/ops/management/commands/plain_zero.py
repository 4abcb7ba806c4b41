"""Take the slash out of the zeros of the shipped typeface."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from clubsite.ops.plain_zero import make_plain

FONTS = Path(settings.BASE_DIR) / "static" / "vendor" / "fonts"


class Command(BaseCommand):
    """Redraws static/vendor/fonts, after its files were renewed."""

    help = "Take the slash out of the zeros of the shipped typeface, after its files were renewed."

    def handle(self, **options: Any) -> None:
        """Say which files were changed."""
        for name in make_plain(FONTS):
            self.stdout.write(name)
