"""kill -9 at random moments."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from lab.benchmarks.crash.audit import FaultRow, audit
from lab.benchmarks.crash.contest import PEOPLE
from lab.benchmarks.crash.faults import STUCK, evening, told
from lab.benchmarks.crash.house import House

KINDS = ("everything", "web", "one process of the web", "worker")
FEW = 18  # people, with neither worker nor backups: to see quickly whether the trial itself works
LONGEST = 1.5  # seconds between a start and the kill are at most these


def kills(number: int, *, seed: int, minutes: float, say: Callable[[str], None]) -> list[FaultRow]:
    """Kill one kind of process after the other, so many times or for so many minutes; audit the database after each
    kill."""
    random = Random(seed)
    small = number < len(KINDS)
    running = ("web",) if small else ("web", "worker", "backups")
    rows, last = {kind: FaultRow(f"kill -9: {kind}") for kind in KINDS}, FaultRow("after the last kill")
    people = FEW if small else PEOPLE
    with evening([last], *running, cards=12 + number // 6, people=people, seed=seed) as tonight:
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
            _kill(tonight.house, kind, random=random)
            row.add(audit(ledger))
            row.tries += 1
            tonight.house.start(*running)
            row.acknowledged += ledger.acknowledged - before
            if done % 20 == 19:
                say(f"{done + 1} kills, {ledger.acknowledged} acknowledged, {time.monotonic() - began:.0f} s")
        went_on = tonight.people.wait_for(10, within=STUCK)
    last.on = "yes" if went_on else "NO"
    last.acknowledged = ledger.acknowledged
    last.said = told(ledger.said, most=4)
    for row in rows.values():
        row.on = "yes" if row.tries and went_on else "-"
    return [*(row for row in rows.values() if row.tries), last]


def _kill(house: House, kind: str, *, random: Random) -> None:
    if kind == "everything":
        house.kill("web", "worker", "backups")
    elif kind == "one process of the web":
        house.kill_one_of_web(random.choice)
    else:
        house.kill(kind)
