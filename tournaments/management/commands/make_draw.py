"""`manage.py make_draw`: the process that searches a draw. The draw page starts it."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.draws.jobs import search


class Command(BaseCommand):
    """Searches the draw that a director asked for, and saves it as a draft."""

    help = "Searches a draw that was asked for on the draw page, and saves it as a draft. The page starts this itself."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which search, and which run of it."""
        parser.add_argument("job", type=int, help="the id of the search")
        parser.add_argument("run", type=int, help="the number of its run")
        parser.add_argument("--nice", type=int, default=0, help="how far to stand back for the site itself")

    def handle(self, *args: Any, **options: Any) -> None:
        """Search. Nothing happens when somebody has given the search up, or started it again."""
        if options["nice"] and hasattr(os, "nice"):
            os.nice(options["nice"])
        search(options["job"], options["run"])
