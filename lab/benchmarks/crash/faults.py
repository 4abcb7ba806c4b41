"""Faults of the disk, the database and the clock: caused while people write, and taken away again."""

from __future__ import annotations

import gzip
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from django.conf import settings
from django.db import connections

from lab.benchmarks.crash import disks
from lab.benchmarks.crash.audit import FaultRow, audit
from lab.benchmarks.crash.contest import PEOPLE, make_contest
from lab.benchmarks.crash.disks import LeftOut
from lab.benchmarks.crash.house import House
from lab.benchmarks.crash.people import Ledger, People
from lab.benchmarks.scratch import manage

LASTS = 8.0  # seconds that a fault lasts
STUCK = 120.0  # seconds within which writing must go on afterwards
HOUR = 3600
OLDER = "tests/ops/older/database.sql.gz"
NUMBERS = "COUNT(*)"  # all that two migrated databases share, as migrating makes rows that hold the time


@dataclass(slots=True)
class CrashEvening:
    """A house (the site's processes), the people who write to it, and the ledger of what was acknowledged."""

    house: House
    people: People
    ledger: Ledger

    def tried(
        self, row: FaultRow, *, cause: Callable[[], None], cure: Callable[[], None], lasts: float = LASTS
    ) -> None:
        """Cause a fault for some seconds, then take it away, and see whether writing goes on by itself."""
        before, asked, said = self.ledger.acknowledged, self.ledger.tries, Counter(self.ledger.said)
        until = time.monotonic() + lasts
        while time.monotonic() < until:
            cause()
            time.sleep(0.5)
        row.tries = self.ledger.tries - asked
        cure()
        began = time.monotonic()
        row.on = f"yes, after {time.monotonic() - began:.1f} s" if self.people.wait_for(3, within=STUCK) else "NO"
        row.acknowledged = self.ledger.acknowledged - before
        row.said = told(self.ledger.said - said, most=3)
        if row.on == "NO":
            row.faults.append("it didn't go on")


def told(said: Counter[str], *, most: int) -> str:
    """What people were told most often."""
    return ", ".join(f"“{title}” x {n}" for title, n in said.most_common(most))


@contextmanager
def evening(
    rows: list[FaultRow],
    *names: str,
    environment: Mapping[str, str] = {},
    cards: int = 12,
    people: int = PEOPLE,
    seed: int = 1,
) -> Iterator[CrashEvening]:
    """Has people write in a contest during the block, served by the processes of these names; afterwards an audit adds
    what is wrong to the last row.

    Raises:
        TimeoutError: nothing is acknowledged even before anything fails.
    """
    contest, ledger = make_contest(cards, people), Ledger()
    connections.close_all()  # what is served has its own
    house = House(settings.VAR_DIR.parent / f"{settings.VAR_DIR.name}.log", environment)
    try:
        house.start(*names)
        with People(contest, house.port, ledger, seed=seed) as writing:
            if not writing.wait_for(5, within=STUCK):
                raise TimeoutError(f"nothing was acknowledged: {ledger.said} {ledger.wrong[:3]}")
            yield CrashEvening(house, writing, ledger)
        rows[-1].add(audit(ledger))
        rows[-1].faults += [f"answered with {one}" for one in ledger.wrong[:5]]
    finally:
        house.close()
        house.said.unlink(missing_ok=True)


def said_by(command: str) -> str:
    """The last line that a command of the site prints, without the word that Django puts before a refusal."""
    own = os.environ | {"VAR_DIR": str(settings.VAR_DIR)}
    done = manage(command, environment=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.strip().splitlines()
    return lines[-1].removeprefix("CommandError: ") if lines else f"status {done.returncode}"


def full_disk(_count: int) -> list[FaultRow]:
    """The disk with all data is full while people post, print, back up, and start the site."""
    rows = [FaultRow("disk full: posting")]
    filler = settings.VAR_DIR / "filler"
    with evening(rows) as tonight:
        beside: dict[str, str] = {}

        def cause() -> None:
            disks.fill(filler)
            if len(beside) < 3 and tonight.ledger.said:
                name = ("printing", "backing up", "a start")[len(beside)]
                beside[name] = _printed(tonight) if name == "printing" else ""
                beside[name] = beside[name] or said_by("backup" if name == "backing up" else "ready")

        tonight.tried(rows[0], cause=cause, cure=filler.unlink, lasts=3 * LASTS)
        for name, said in beside.items():
            wrong = [said] if "Error" in said or "Traceback" in said else []
            rows.insert(-1, FaultRow(f"disk full: {name}", tries=1, said=said, faults=wrong))
        printed = FaultRow("printing after it", tries=1, said=_made(tonight))
        rows.insert(-1, printed)
    return rows


def _printed(tonight: CrashEvening) -> str:
    answer = tonight.people.ask(tonight.people.contest.printed, urlencode({"order": "1"}))
    return answer.title or f"status {answer.status}"


def _made(tonight: CrashEvening, within: float = 120) -> str:
    """Order a document, and wait until it is made."""
    began = time.monotonic()
    tonight.people.ask(tonight.people.contest.printed, urlencode({"order": "1"}))
    while time.monotonic() - began < within:
        answer = tonight.people.ask(tonight.people.contest.printed, None)
        if answer.status == 200:
            return f"made after {time.monotonic() - began:.0f} s"
        if answer.status == 503:
            return answer.title
        time.sleep(1)
    return "NOT made"


def full_var(_count: int) -> list[FaultRow]:
    """The folder of made files and caches is full; the database lies on another disk."""
    rows = [FaultRow("var/ full, the database elsewhere")]
    filler = settings.VAR_DIR / "filler"
    with evening(rows) as tonight:
        tonight.tried(rows[0], cause=lambda: disks.fill(filler), cure=filler.unlink)
    return rows


def quota(_count: int) -> list[FaultRow]:
    """The processes may write no file beyond a size, as with a quota. Unlike a full disk, it can be tried without
    root."""
    rows = [FaultRow("no file may grow (quota)")]
    with evening(rows, "web", "worker") as tonight:
        cause, cure = (partial(disks.limit_files, tonight.house, limit) for limit in (4096, None))
        tonight.tried(rows[0], cause=cause, cure=cure)
    return rows


def read_only(_count: int) -> list[FaultRow]:
    """The disk with the database is read-only when the site starts."""
    rows = [FaultRow("database read-only")]
    database = Path(settings.DATABASES["default"]["NAME"])
    with evening(rows, "web", "worker") as tonight:
        tonight.house.kill("web", "worker")
        connections.close_all()
        disks.write_protect(database.parent, protected=True)
        said = said_by("ready")
        tonight.house.start("web", "worker")
        tonight.tried(rows[0], cause=lambda: None, cure=lambda: disks.write_protect(database.parent, protected=False))
        worker = tonight.house.running["worker"].poll() is None
        rows[0].on += "; the worker lives" if worker else "; the WORKER DIED"
        rows.insert(0, FaultRow("database read-only: a start", tries=1, said=said))
    return rows


def clock(_count: int) -> list[FaultRow]:
    """The clock is put forward by an hour, then back by two, while people write."""
    rows: list[FaultRow] = []
    file = settings.VAR_DIR / "clock"
    environment = {"DJANGO_SETTINGS_MODULE": "lab.benchmarks.crash.shifted", "CLOCK": str(file)}
    with evening(rows, environment=environment) as tonight:
        for hours in (1, -1, 0):
            row = FaultRow(f"clock {hours:+} h" if hours else "clock right again")
            rows.append(row)
            tonight.tried(row, cause=partial(_set, file, hours), cure=lambda: None)
            row.on += "; a PDF " + _made(tonight) if hours else ""
    return rows


def _set(file: Path, hours: int) -> None:
    part = file.with_suffix(".part")
    part.write_text(str(hours * HOUR))
    part.replace(file)


def migration(count: int) -> list[FaultRow]:
    """kill -9 at random moments while the database of an older version is migrated."""
    dump = settings.BASE_DIR / OLDER
    if not dump.exists():
        raise LeftOut(f"{OLDER} isn't here: it comes with a checkout")
    row, random = FaultRow("interrupted migration"), Random(count)
    database = settings.VAR_DIR / "older.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{database}"}

    def laid() -> list[tuple[object, ...]]:
        for path in settings.VAR_DIR.glob("older.sqlite3*"):
            path.unlink()
        with closing(sqlite3.connect(database)) as older:
            older.executescript(gzip.decompress(dump.read_bytes()).decode())
        return _content(database)

    def begun() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "manage.py", "migrate", "--verbosity=0"], cwd=settings.BASE_DIR, env=environment
        )

    before, began = laid(), time.monotonic()
    begun().wait()
    whole, after = time.monotonic() - began, _content(database, NUMBERS)
    laid()
    for _try in range(max(3, count // 10)):
        process = begun()
        time.sleep(random.uniform(0.3, 1.2) * whole)
        process.kill()
        process.wait()
        row.tries += 1
        done = _content(database, NUMBERS) == after
        row.acknowledged += done
        row.half += not done and _content(database) != before
        if done:
            laid()
    row.on = "yes" if begun().wait() == 0 and _content(database, NUMBERS) == after else "NO"
    row.said = f"{row.acknowledged} were done, {row.tries - row.acknowledged} left as they were"
    if row.half or row.on == "NO":
        row.faults.append("tables between two versions were left")
    return [row]


def _content(database: Path, columns: str = "*") -> list[tuple[object, ...]]:
    """The tables, and these columns of all their rows."""
    with closing(sqlite3.connect(database)) as opened:
        tables = opened.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        names = [name for name, sql in tables if sql and sql.startswith("CREATE TABLE")]
        asked = (f'SELECT {columns} FROM "{name}" ORDER BY rowid' for name in names)
        return [*tables, *(row for query in asked for row in opened.execute(query))]


FAULTS: dict[str, Callable[[int], list[FaultRow]]] = {
    "full-disk": full_disk,
    "full-var": full_var,
    "quota": quota,
    "read-only": read_only,
    "clock": clock,
    "migration": migration,
}
ON_A_SMALL_DISK = ("full-disk", "full-var", "read-only")
