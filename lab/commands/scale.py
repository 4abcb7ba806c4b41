"""`./dev scale`: a club's pages beside thousands of other clubs, on a PostgreSQL of its own."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import connection

from lab.benchmarks import scale
from lab.benchmarks.scratch import BenchCommand, load_demo
from lab.postgres_server import NoServer

COPIES = 1666  # of the demo's three clubs: 5,000


class Command(BenchCommand):
    help = "Makes thousands of clubs of the demo's in a PostgreSQL of its own, and measures pages, plans and tables."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--copies", type=int, default=COPIES, help="how often the demo's three clubs are copied")
        parser.add_argument("--here", action="store_true", help="do it in this, empty, PostgreSQL database")
        parser.add_argument("--out", type=Path, help="write the tables to this file, too")

    def handle(self, *args: Any, copies: int, here: bool, out: Path | None, **options: Any) -> None:
        if not here:
            os.nice(19)
            try:
                with scale.run_server() as address:
                    self.run_in_scratch(database={"DATABASE_URL": address})
            except NoServer as why:
                raise CommandError(str(why)) from None
            except KeyboardInterrupt:
                sys.exit("Stopped; nothing of it runs on.")
            return
        if connection.vendor != "postgresql":
            raise CommandError("--here is for an empty PostgreSQL database.")
        self.say("Loading a demo ...")
        found = scale.measure_scale(copies, load_demo(), say=self.say)
        text = scale.as_text(found)
        self.stdout.write(text)
        if out:
            out.write_text(text, encoding="utf-8")
        if wrong := scale.find_faults(found):
            raise CommandError("\n".join(wrong))
