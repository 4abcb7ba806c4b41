"""Write docs/permissions.md: who may do what, from the table."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lab.tools.permissions import as_markdown


class Command(BaseCommand):
    """Write docs/permissions.md from the table of permissions."""

    help = "Write docs/permissions.md from the table of permissions."

    def handle(self, *args: Any, **options: Any) -> None:
        page = settings.BASE_DIR / "docs" / "permissions.md"
        page.write_text(as_markdown())
        self.stdout.write(f"{page.relative_to(settings.BASE_DIR)} is written.")
