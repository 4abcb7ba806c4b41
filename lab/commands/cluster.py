"""`./dev cluster`: the site on several hosts, whose parts are killed in turn."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from lab.benchmarks.cluster.parts import CannotRunHere, Interrupted, NotInTime, require_programs
from lab.benchmarks.cluster.trial import as_text, run_trial
from lab.benchmarks.crash.audit import audit
from lab.benchmarks.crash.contest import make_contest
from lab.benchmarks.crash.people import Ledger
from lab.benchmarks.scratch import BenchCommand


class Command(BenchCommand):
    help = "Two PostgreSQL, two web hosts, two workers and people; kills one after another and says what was lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--make", action="store_true", help="make what people play, in this empty database")
        parser.add_argument("--count", type=Path, metavar="LEDGER", help="say what this database lacks of a ledger")

    def handle(self, *args: Any, make: bool, count: Path | None, **options: Any) -> None:
        if make:
            self.stdout.write(json.dumps(asdict(make_contest(cards=60))))
            return
        if count:
            self.stdout.write(json.dumps(audit(Ledger.read(json.loads(count.read_text()))).faults))
            return
        try:
            require_programs()
            outcome = run_trial(self.say)
        except (CannotRunHere, NotInTime) as why:
            raise CommandError(str(why)) from None
        except (KeyboardInterrupt, Interrupted):
            sys.exit("Stopped; nothing of it runs on.")
        self.stdout.write(as_text(outcome))
        if not outcome.holds:
            raise SystemExit(1)
