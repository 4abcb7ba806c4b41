"""`./dev shots`: screenshots of the main pages."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command

from lab.benchmarks.main_pages import main_pages
from lab.benchmarks.scratch import BenchCommand, load_demo
from lab.tools.shots import HEIGHTS, find_chromium, take_guide, take_shots


class Command(BenchCommand):
    help = "Takes screenshots of the main pages on a demo of its own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, help="folder of the files; docs/shots, or docs/pictures of the guides")
        parser.add_argument("--guide", action="store_true", help="only the pictures of the directors' guides")
        parser.add_argument("--widths", type=int, nargs="*", default=list(HEIGHTS), metavar="PX")
        parser.add_argument("--here", action="store_true", help="load the demo into this, empty, database")

    def handle(self, *args: Any, widths: list[int], here: bool, **options: Any) -> None:
        guide: bool = options["guide"]
        out: Path = options["out"] or settings.BASE_DIR / "docs" / ("pictures" if guide else "shots")
        find_chromium()  # or say at once that it is missing
        if not here:
            self.run_in_scratch()
            return
        if guide:
            call_command("migrate", verbosity=0, skip_checks=True)
            taken = take_guide(lambda: load_demo(), folder=out)
        else:
            self.say("Loading a demo to take pictures of ...")
            demo = load_demo()
            taken = take_shots(demo, main_pages(demo), folder=out, widths=widths, say=self.say)
        self.say(f"{len(taken)} pictures in {out}")
