"""`./dev cluster` (`./dev cluster`): the site on several hosts, whose parts are killed in turn."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from lab.benchmarks.cluster import bookings
from lab.benchmarks.cluster.parts import CannotRunHere, Interrupted, NotInTime, require_programs
from lab.benchmarks.cluster.trial import as_text, trial
from lab.benchmarks.scratch import BenchCommand


class Command(BenchCommand):
    """Shows what several hosts lose when one of them dies, on one machine with real parts."""

    help = "Two PostgreSQL, two web hosts, two workers and a hall; kills one after another and says what was lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--make", action="store_true", help="make what a hall sends, in this empty database")
        parser.add_argument("--count", action="store_true", help="say what this database has of it")

    def handle(self, *args: Any, make: bool, count: bool, **options: Any) -> None:
        """Try it. Exits with an error where anything was lost or doubled."""
        if make or count:
            self.stdout.write(json.dumps(bookings.made() if make else bookings.found()))
            return
        try:
            require_programs()
            outcome = trial(self.say)
        except (CannotRunHere, NotInTime) as why:
            raise CommandError(str(why)) from None
        except (KeyboardInterrupt, Interrupted):
            sys.exit("Stopped; nothing of it runs on.")
        self.stdout.write(as_text(outcome))
        if not outcome.holds:
            raise SystemExit(1)
