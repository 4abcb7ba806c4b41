"""kill -9 at random moments."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from random import Random

from django.conf import settings
from django.db import connections

from clubsite.bench.crash.audit import audit
from clubsite.bench.crash.contest import PEOPLE, make_contest
from clubsite.bench.crash.house import House
from clubsite.bench.crash.people import Ledger, People
from clubsite.bench.crash.table import FaultRow

KINDS = ("everything", "web", "one process of the web", "worker")
FEW = 18  # people, with neither worker nor backups: to see quickly whether the trial itself works
LONGEST = 1.5  # seconds between a start and the kill are at most these
STUCK = 120.0  # seconds within which something must be acknowledged after a start


def kills(number: int, *, seed: int, minutes: float, say: Callable[[str], None]) -> list[FaultRow]:
    """Kill one kind of process after the other, so many times or for so many minutes; audit the database after each
    kill."""
    random = Random(seed)
    small = number < len(KINDS)
    contest = make_contest(cards=12 + number // 6, people=FEW if small else PEOPLE)
    running = ("web",) if small else ("web", "worker", "backups")
    connections.close_all()  # what is served has its own
    rows = {kind: FaultRow(f"kill -9: {kind}") for kind in KINDS}
    house, ledger = House(settings.VAR_DIR / "said.log"), Ledger()
    began = time.monotonic()
    try:
        house.start(*running)
        with People(contest, house.port, ledger, seed=seed) as people:
            for done in range(number):
                if time.monotonic() - began > 60 * minutes:
                    say(f"The time is up after {done} kills")
                    break
                kind = KINDS[done % len(KINDS)]
                row, before = rows[kind], ledger.acknowledged
                if not people.wait_for(1, within=STUCK):
                    row.faults.append(f"nothing was acknowledged for {STUCK:.0f} s before kill {done + 1}")
                    break
                time.sleep(random.uniform(0, LONGEST))
                _kill(house, kind, random=random)
                row.add(audit(ledger))
                row.tries += 1
                house.start(*running)
                row.acknowledged += ledger.acknowledged - before
                if done % 20 == 19:
                    say(f"{done + 1} kills, {ledger.acknowledged} acknowledged, {time.monotonic() - began:.0f} s")
            went_on = people.wait_for(10, within=STUCK)
        last = FaultRow("after the last kill", on="yes" if went_on else "NO")
        last.add(audit(ledger))
    finally:
        house.close()
    last.acknowledged = ledger.acknowledged
    last.faults += [f"answered with {one}" for one in ledger.wrong[:5]]
    last.said = _told(ledger.said)
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


def _told(said: Counter[str]) -> str:
    return ", ".join(f"“{title}” x {n}" for title, n in said.most_common(4))
