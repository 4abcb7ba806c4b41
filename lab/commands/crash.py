"""`./dev crash`: a contest on real processes that are killed, on a disk that is full, by a clock that jumps."""

import json
import subprocess
import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandError

from lab.benchmarks.crash.audit import FaultRow, as_text
from lab.benchmarks.crash.trials import FAULTS, LeftOut, kill_processes, small_disk
from lab.benchmarks.scratch import BenchCommand, private_environment, python


class Command(BenchCommand):
    help = "Kills the site's processes at random moments, lets disk, database and clock fail; prints what came of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=300, help="kills (%(default)s)")
        parser.add_argument("--seed", type=int, default=1, help="of the moments (%(default)s)")
        parser.add_argument("--minutes", type=float, default=60, help="kill for no longer (%(default)s)")
        parser.add_argument("--only", nargs="+", choices=["kills", *FAULTS], help="only these")
        parser.add_argument("--here", help="one part, in this, empty, folder: for the command itself")

    def handle(self, *, only: list[str] | None, here: str | None, **options: Any) -> None:
        how = {name: options[name] for name in ("count", "seed", "minutes")}
        if here:
            self._part(here, **how)
            return
        rows: list[FaultRow] = []
        for part in only or ["kills", *FAULTS]:
            self.say(f"== {part}")
            rows += self._apart(part, how)
        self.stdout.write(as_text(rows))
        if any(row.faults for row in rows):
            raise CommandError("Something is wrong: see above.")

    def _part(self, part: str, *, count: int, seed: int, minutes: float) -> None:
        call_command("migrate", verbosity=0, skip_checks=True)
        try:
            if part == "kills":
                rows = kill_processes(count, seed=seed, minutes=minutes, say=self.stderr.write)
            else:
                rows = FAULTS[part](count)
        except LeftOut as why:
            rows = [FaultRow(f"{part}: left out", said=str(why))]
        self.stdout.write(json.dumps([asdict(row) for row in rows]))

    def _apart(self, part: str, how: Mapping[str, float]) -> list[FaultRow]:
        environment = private_environment()
        with tempfile.TemporaryDirectory(prefix="nine-tables-crash-") as folder, ExitStack() as mounted:
            data = Path(folder) / "var"
            disk = Path(folder) / "disk"
            data.mkdir()
            disk.mkdir()
            if part == "full-disk":
                try:
                    mounted.enter_context(small_disk(disk))
                except LeftOut as why:
                    return [FaultRow(f"{part}: left out", said=str(why))]
            if part == "full-disk":
                data = disk
            environment["DATABASE_URL"] = f"sqlite:///{disk}/nine-tables.sqlite3"
            environment |= {"VAR_DIR": str(data), "STATIC_BUILT": "off"}
            asked = ["--here", part, *(f"--{name}={value}" for name, value in how.items())]
            done = python("-m", "lab", "crash", *asked, environment=environment, stdout=subprocess.PIPE)
        if done.returncode:
            return [FaultRow(part, faults=[f"ended with status {done.returncode}: {done.stdout[-300:]}"])]
        return [FaultRow(**row) for row in json.loads(done.stdout.strip().splitlines()[-1])]
