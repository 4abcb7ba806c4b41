"""`manage.py shots`: screenshots of the main pages."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from clubsite.bench.main_pages import main_pages
from clubsite.bench.scratch import again_in_scratch, demo_here
from clubsite.bench.shots import HEIGHTS, chromium, take, take_guide


class Command(BaseCommand):
    """Takes screenshots of the main pages on a demo of its own."""

    help = "Takes screenshots of the main pages on a demo of its own."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, how wide, and how much demo."""
        parser.add_argument("--out", type=Path, help="folder of the files; docs/shots, or docs/pictures of the guides")
        parser.add_argument("--guide", action="store_true", help="only the pictures of the directors' guides")
        parser.add_argument("--widths", type=int, nargs="+", default=list(HEIGHTS), metavar="PX")
        parser.add_argument("--small", action="store_true", help="a small demo: whether it works at all")
        parser.add_argument("--here", action="store_true", help="load the demo into this, empty, database")

    def handle(self, *args: Any, widths: list[int], small: bool, here: bool, **options: Any) -> None:
        """Take them. Exits with an error when a page can't be shown."""
        guide: bool = options["guide"]
        out: Path = options["out"] or settings.BASE_DIR / "docs" / ("pictures" if guide else "shots")
        chromium()  # or say at once that it is missing
        if not here:
            more = [*(["--small"] if small else []), *(["--guide"] if guide else [])]
            status = again_in_scratch(
                ["shots", "--out", str(out.resolve()), *more, "--widths", *(str(width) for width in widths)]
            )
            if status:
                raise SystemExit(status)
            return
        if guide:
            call_command("migrate", verbosity=0, skip_checks=True)
            taken = take_guide(lambda: demo_here(small=small, say=lambda _line: None), folder=out)
            self._say(f"{len(taken)} pictures in {out}")
            return
        self._say("Loading a demo to take pictures of ...")
        demo = demo_here(small=small, say=lambda _line: None)
        taken = take(demo, main_pages(demo), folder=out, widths=widths, say=self._say)
        self._say(f"{len(taken)} pictures in {out}")

    def _say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
