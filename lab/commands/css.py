"""`./dev css`: cut Bootstrap to what the site uses."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from lab.tools.bootstrap import CUT, WHOLE, cut_bootstrap


class Command(BaseCommand):
    """Writes the part of Bootstrap that the site uses."""

    help = "Cuts Bootstrap to what templates, widgets and scripts use. Run it when one of them takes a new class."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        CUT.write_text(cut_bootstrap())
        self.stdout.write(f"{CUT.name}: {CUT.stat().st_size:,} bytes of {WHOLE.stat().st_size:,}")
