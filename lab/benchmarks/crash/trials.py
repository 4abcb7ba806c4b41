"""Kills at random moments, a full disk, a clock that jumps: caused while people write, and taken away again."""

import os
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from django.conf import settings
from django.db import connections

from lab.benchmarks.crash.audit import FaultRow, audit
from lab.benchmarks.crash.contest import PEOPLE, make_contest
from lab.benchmarks.crash.house import House
from lab.benchmarks.crash.people import Ledger, People
from lab.benchmarks.scratch import manage

LASTS = 8.0  # seconds that a fault lasts
STUCK = 120.0  # seconds within which writing must go on afterwards
HOUR = 3600
KINDS = ("everything", "web", "worker")
FEW = 18  # people, with neither worker nor backups: to see quickly whether the trial itself works
LONGEST = 1.5  # seconds between a start and the kill are at most these
SIZE = 48  # megabytes of the small disk


class LeftOut(Exception):
    """This machine doesn't allow the fault to be caused; the text says why."""


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small disk at this folder within the block. Raises LeftOut where that isn't allowed."""
    mount, umount = shutil.which("mount"), shutil.which("umount")
    if os.geteuid() or not mount or not umount:
        raise LeftOut("a small disk can be mounted by root only; see “quota” for the same without")
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={SIZE}m,mode=755", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        raise LeftOut(f"no small disk can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run([umount, "--lazy", str(folder)], check=False)


def fill_disk(filler: Path) -> None:
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        for size in (1 << 20, 1 << 12):
            with suppress(OSError):
                while file.write(bytes(size)):
                    pass


@dataclass(slots=True)
class CrashEvening:
    house: House
    people: People
    ledger: Ledger

    def try_fault(
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
        row.said = list_titles(self.ledger.said - said, most=3)
        if row.on == "NO":
            row.faults.append("it didn't go on")


def list_titles(said: Counter[str], *, most: int) -> str:
    return ", ".join(f"“{title}” x {n}" for title, n in said.most_common(most))


@contextmanager
def crash_evening(
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


def command_output(command: str) -> str:
    """The last line that a command of the site prints, without the word that Django puts before a refusal."""
    own = os.environ | {"VAR_DIR": str(settings.VAR_DIR)}
    done = manage(command, environment=own, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.strip().splitlines()
    return lines[-1].removeprefix("CommandError: ") if lines else f"status {done.returncode}"


def fill_whole_disk(_count: int) -> list[FaultRow]:
    """The disk with all data is full while people post, print, back up, and start the site."""
    rows = [FaultRow("disk full: posting")]
    filler = settings.VAR_DIR / "filler"
    with crash_evening(rows) as tonight:
        beside: dict[str, str] = {}

        def cause() -> None:
            fill_disk(filler)
            if len(beside) < 3 and tonight.ledger.said:
                name = ("printing", "backing up", "a start")[len(beside)]
                beside[name] = _order_print(tonight) if name == "printing" else ""
                beside[name] = beside[name] or command_output("backup" if name == "backing up" else "ready")

        tonight.try_fault(rows[0], cause=cause, cure=filler.unlink, lasts=3 * LASTS)
        for name, said in beside.items():
            wrong = [said] if "Error" in said or "Traceback" in said else []
            rows.insert(-1, FaultRow(f"disk full: {name}", tries=1, said=said, faults=wrong))
        printed = FaultRow("printing after it", tries=1, said=_wait_for_print(tonight))
        rows.insert(-1, printed)
    return rows


def _order_print(tonight: CrashEvening) -> str:
    answer = tonight.people.ask(tonight.people.contest.printed, urlencode({"order": "1"}))
    return answer.title or f"status {answer.status}"


def _wait_for_print(tonight: CrashEvening, within: float = 120) -> str:
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


def move_clock(_count: int) -> list[FaultRow]:
    rows: list[FaultRow] = []
    file = settings.VAR_DIR / "clock"
    environment = {"DJANGO_SETTINGS_MODULE": "lab.benchmarks.crash.shifted", "CLOCK": str(file)}
    with crash_evening(rows, environment=environment) as tonight:
        for hours in (1, -1, 0):
            row = FaultRow(f"clock {hours:+} h" if hours else "clock right again")
            rows.append(row)
            tonight.try_fault(row, cause=partial(_set_clock, file, hours), cure=lambda: None)
            row.on += "; a PDF " + _wait_for_print(tonight) if hours else ""
    return rows


def _set_clock(file: Path, hours: int) -> None:
    part = file.with_suffix(".part")
    part.write_text(str(hours * HOUR))
    part.replace(file)


def kill_processes(number: int, *, seed: int, minutes: float, say: Callable[[str], None]) -> list[FaultRow]:
    """Kill one kind of process after the other, so many times or for so many minutes; audit the database after each
    kill."""
    random = Random(seed)
    small = number < len(KINDS)
    running = ("web",) if small else ("web", "worker", "backups")
    rows, last = {kind: FaultRow(f"kill -9: {kind}") for kind in KINDS}, FaultRow("after the last kill")
    people = FEW if small else PEOPLE
    with crash_evening([last], *running, cards=12 + number // 6, people=people, seed=seed) as tonight:
        began, ledger = time.monotonic(), tonight.ledger
        for done in range(number):
            if time.monotonic() - began > 60 * minutes:
                say(f"The time is up after {done} kills")
                break
            kind = KINDS[done % len(KINDS)]
            row, before = rows[kind], ledger.acknowledged
            if not tonight.people.wait_for(1, within=STUCK):
                row.faults.append(f"nothing was acknowledged for {STUCK:.0f} s before kill {done + 1}")
                break
            time.sleep(random.uniform(0, LONGEST))
            tonight.house.kill(*(("web", "worker", "backups") if kind == "everything" else (kind,)))
            row.add(audit(ledger))
            row.tries += 1
            tonight.house.start(*running)
            row.acknowledged += ledger.acknowledged - before
            if done % 20 == 19:
                say(f"{done + 1} kills, {ledger.acknowledged} acknowledged, {time.monotonic() - began:.0f} s")
        went_on = tonight.people.wait_for(10, within=STUCK)
    last.on = "yes" if went_on else "NO"
    last.acknowledged = ledger.acknowledged
    last.said = list_titles(ledger.said, most=4)
    for row in rows.values():
        row.on = "yes" if row.tries and went_on else "-"
    return [*(row for row in rows.values() if row.tries), last]


FAULTS: dict[str, Callable[[int], list[FaultRow]]] = {
    "full-disk": fill_whole_disk,
    "clock": move_clock,
}
