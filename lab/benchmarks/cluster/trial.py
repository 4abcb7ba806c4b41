"""Kills each part of the cluster in turn while the hall plays on; counts what was lost, and how long nobody could
write."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic

from django_tasks_db.models import DBTaskResult

from clubsite.jobs.models import Worker
from lab.benchmarks.cluster import database as databases
from lab.benchmarks.cluster import site as sites
from lab.benchmarks.cluster.bookings import Bookings, FoundInDatabase
from lab.benchmarks.cluster.database import Database
from lab.benchmarks.cluster.hall import Hall, SentDeal
from lab.benchmarks.cluster.parts import ADDRESS, NotInTime, TrialProcess, bench, kill, rest, until
from lab.benchmarks.cluster.site import Site

QUIET = 6.0  # seconds of play before and after each fault
WHOLE_AGAIN = 75.0  # seconds within which a killed host must be standby again
WRITES = 60.0  # seconds after which writing must be possible again, whatever died


@dataclass(slots=True)
class Killed:
    """A part that died, and what the hall noticed of it."""

    name: str
    at: float = 0.0
    until: float = 0.0
    said: str = ""  # what came back, and when
    acknowledged: int = 0
    lost: int = 0
    again: int = 0  # deals that were sent again
    away: float = 0.0  # the longest time, in seconds, in which nothing was acknowledged
    longest: float = 0.0  # seconds of one deal from the first tap to its answer
    statuses: dict[int, int] = field(default_factory=dict)  # how often each error status came; 0: no answer


@dataclass(slots=True)
class ClusterOutcome:
    """What came of the whole trial."""

    faults: list[Killed] = field(default_factory=list)  # the first: a time in which nothing died
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    sums_wrong: int = 0
    unknown: int = 0  # in the database and never sent
    on_standby: int = 0  # deals acknowledged that the standby has
    prints: int = 0
    prints_same: int = 0
    refused: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether nothing was lost or doubled, and everybody was answered in the end."""
        wrong = self.lost, self.doubled, self.sums_wrong, self.unknown, self.acknowledged - self.on_standby
        return not any(wrong) and not self.refused and self.prints > 0 and self.prints == self.prints_same


def trial(say: Callable[[str], None]) -> ClusterOutcome:
    """Start everything, kill one part after another, and count.

    Raises:
        CannotRunHere: programs are missing.
        NotInTime: a part doesn't come up.
    """
    began, outcome = monotonic(), ClusterOutcome()
    with bench() as found:
        say("Two PostgreSQL under Patroni, etcd, HAProxy ...")
        database = databases.start(found, host=ADDRESS)
        say(f"  {monotonic() - began:.0f} s. Tables, games and people ...")
        site = sites.start(found, database)
        bookings: Bookings = json.loads(site.python("-m", "lab", "cluster", "--make").splitlines()[-1])
        webs = [site.start_web(number) for number in range(2)]
        workers = [site.start_worker(number) for number in range(2)]
        for number in range(2):
            site.wait_for_web(number)
        say(f"  {monotonic() - began:.0f} s. Two web hosts and two workers; the hall plays ...")
        hall = Hall(database.ports["web_port"], site.web_ports, bookings)
        asyncio.run(Played(site, database, hall, webs, workers, say).evening(outcome))
        say("Counting ...")
        until(database.whole, seconds=WHOLE_AGAIN, what="A primary and its standby were there at the end")
        counted: FoundInDatabase = json.loads(site.python("-m", "lab", "cluster", "--count").splitlines()[-1])
        _count(outcome, hall, database=database, found=counted)
    outcome.seconds = monotonic() - began
    return outcome


@dataclass(slots=True)
class Played:
    """Plays the evening: the hall in this thread's event loop, the faults in another thread."""

    site: Site
    database: Database
    hall: Hall
    webs: list[TrialProcess]
    workers: list[TrialProcess]
    say: Callable[[str], None]

    async def evening(self, outcome: ClusterOutcome) -> None:
        playing = asyncio.create_task(self.hall.evening())
        try:
            await asyncio.to_thread(self._one_after_another, outcome)
        finally:
            self.hall.closing = True
        await playing

    def _one_after_another(self, outcome: ClusterOutcome) -> None:
        deeds: tuple[tuple[str, Callable[[], str]], ...] = (
            ("nothing", self._nothing_dies),
            ("a worker, at work", self._worker_dies),
            ("a web host", self._web_dies),
            ("the proxy (HAProxy)", self._proxy_restarts),
            ("the primary's PostgreSQL", lambda: self._loses_primary(alone=True)),
            ("the primary's host", lambda: self._loses_primary(alone=False)),
        )
        for name, deed in deeds:
            fault = Killed(name, monotonic())
            outcome.faults.append(fault)
            fault.said = deed()
            self._wait_for_writes(fault.at, what=f"After {name} died, writing came back")
            rest(QUIET)
            fault.until = monotonic()
            if fault.said:
                self.say(f"  {name}: killed; {fault.said}")

    def _wait_for_writes(self, since: float, *, what: str) -> None:
        def written() -> bool:
            return any(one.acknowledged and one.began > since for one in list(self.hall.sent))

        until(written, seconds=WRITES, what=what)

    def _nothing_dies(self) -> str:
        rest(QUIET)
        return ""

    def _worker_dies(self) -> str:
        """Kill the worker that is at a task, and wait until the other has done it."""
        began = monotonic()
        row: list[str] = []

        def at_work() -> bool:
            row[:] = self.database.asked(AT_WORK)
            return bool(row)

        until(at_work, seconds=WRITES, what="A worker was at a task")
        task, pid = row[0].split("|")
        killed = monotonic()
        index = next(n for n, one in enumerate(self.workers) if one.process.pid == int(pid))
        self.workers[index].kill()
        done = f"SELECT 1 FROM {TASKS} WHERE id = '{task}' AND status = 'SUCCESSFUL'"
        took = until(lambda: self.database.asked(done), seconds=WRITES, what="The other worker did its task")
        self.workers[index] = self.site.start_worker(index)
        return f"waited {killed - began:.0f} s for one at a task; that was done by the other after {took:.0f} s"

    def _web_dies(self) -> str:
        self.webs[0].kill()
        rest(QUIET)
        began = monotonic()
        self.webs[0] = self.site.start_web(0)
        self.site.wait_for_web(0)
        return f"the other served alone for {QUIET:.0f} s; started again, it answered after {monotonic() - began:.0f} s"

    def _proxy_restarts(self) -> str:
        if self.database.proxy:
            self.database.proxy.kill()
        self.database.start_proxy()
        return "every connection broken at once, and started again"

    def _loses_primary(self, *, alone: bool) -> str:
        """kill -9 of the primary's PostgreSQL (`alone`) or of its whole host; wait for the next primary, then for both
        hosts."""
        until(self.database.whole, seconds=WHOLE_AGAIN, what="A primary and its standby were there before")
        node = self.database.primary()
        if node is None:
            raise NotInTime("There is no primary to kill.")
        began = monotonic()
        if alone:
            kill(node.postgres())
        else:
            self.database.kill_host(node)

        def another() -> bool:
            now = self.database.primary()
            return now is not None and (now.name != node.name or alone)

        rest(0.5)
        took = until(another, seconds=WRITES, what="The standby became the primary") + 0.5
        self._wait_for_writes(began + took, what="Writing came back")
        if not alone:
            rest(2)
            self.database.start_node(node)
        back = until(self.database.whole, seconds=WHOLE_AGAIN, what="The old primary stood by again")
        now = self.database.primary()
        return (
            f"“{now.name if now else '?'}” was the primary in place of “{node.name}” after {took:.0f} s; both again "
            f"{back:.0f} s after writing had come back"
        )


TASKS = DBTaskResult._meta.db_table
AT_WORK = f"""
SELECT task.id, worker.pid FROM {TASKS} task
JOIN {Worker._meta.db_table} worker ON worker.name = task.worker_ids->>-1 WHERE task.status = 'RUNNING'
"""


def _count(outcome: ClusterOutcome, hall: Hall, *, database: Database, found: FoundInDatabase) -> None:
    """Compare what the hall was told with what the database has, and with what its standby has."""
    compare(outcome, hall, found=found)
    standby = next(node for node in database.nodes if node is not database.primary())
    there = set(database.asked("SELECT submission FROM scoring_dealversion", port=standby.port))
    outcome.on_standby = sum(bool(one.acknowledged) and one.booking["submission"] in there for one in hall.sent)


def compare(outcome: ClusterOutcome, hall: Hall, *, found: FoundInDatabase) -> None:
    """Count what was lost, doubled or made up, of all that the hall sent and for each fault."""
    acknowledged = [one for one in hall.sent if one.acknowledged]
    outcome.acknowledged = len(acknowledged)
    outcome.lost = sum(not _is_there(one, found) for one in acknowledged)
    outcome.doubled, outcome.sums_wrong = found["doubled"], found["sums_wrong"]
    outcome.unknown = len(found["submissions"].keys() - {one.booking["submission"] for one in hall.sent})
    outcome.refused = hall.refused
    outcome.prints, outcome.prints_same = hall.prints, hall.prints_same
    for fault in outcome.faults:
        _tell(fault, hall, found=found)


def _is_there(one: SentDeal, found: FoundInDatabase) -> bool:
    return found["submissions"].get(one.booking["submission"]) == one.booking["points"]


def _tell(fault: Killed, hall: Hall, *, found: FoundInDatabase) -> None:
    mine = [one for one in hall.sent if one.acknowledged and fault.at <= one.acknowledged < fault.until]
    fault.acknowledged = len(mine)
    fault.again = sum(one.tries > one.taps for one in mine)
    fault.lost = sum(not _is_there(one, found) for one in mine)
    moments = [fault.at, *sorted(one.acknowledged or 0.0 for one in mine)]
    fault.away = max((later - earlier for earlier, later in pairwise(moments)), default=0.0)
    fault.longest = max(((one.acknowledged or 0.0) - one.began for one in mine), default=0.0)
    answers = Counter(status for at, status in hall.statuses if fault.at <= at < fault.until)
    fault.statuses = {status: count for status, count in sorted(answers.items()) if status == 0 or status >= 400}


def as_text(outcome: ClusterOutcome) -> str:
    """A line for each part that died, and what the database has in the end."""
    lines = [
        "",
        "killed                     acknowledged  sent again  lost   nobody wrote for  longest wait of a deal  answers",
        *(_line(fault) for fault in outcome.faults),
        "",
        *(f"{fault.name}: {fault.said}." for fault in outcome.faults if fault.said),
        "",
        f"{outcome.acknowledged} deals acknowledged: {outcome.lost} lost, {outcome.doubled} doubled, "
        f"{outcome.sums_wrong} totals that aren't the sum of their deals, {outcome.unknown} that nobody sent; "
        f"{outcome.on_standby} of them on the standby, too",
        f"{outcome.prints} files ordered and read from both web hosts, {outcome.prints_same} the same on both",
        *(f"Refused: {refused}" for refused in outcome.refused[:5]),
        f"{outcome.seconds:.0f} s in all. " + ("It holds." if outcome.holds else "It does NOT hold."),
    ]
    return "\n".join(lines) + "\n"


def _line(fault: Killed) -> str:
    answers = ", ".join(f"{count} x {status or 'none'}" for status, count in fault.statuses.items()) or "all as asked"
    return (
        f"{fault.name:26} {fault.acknowledged:12}  {fault.again:10}  {fault.lost:4}   {fault.away:14.1f} s  "
        f"{fault.longest:20.1f} s  {answers}"
    )
