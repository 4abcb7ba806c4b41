"""Kills each part of the cluster in turn while people write; counts what was lost, and how long nobody could write."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from threading import Thread
from time import monotonic

from django_tasks_db.models import DBTaskResult

from clubsite.jobs.models import Worker
from lab.benchmarks.cluster import database as databases, site as sites
from lab.benchmarks.cluster.database import Database
from lab.benchmarks.cluster.parts import ADDRESS, NotInTime, TrialProcess, kill, open_trial_folder, pause, wait_until
from lab.benchmarks.cluster.site import Site
from lab.benchmarks.crash.contest import CrashContest
from lab.benchmarks.crash.people import Ledger, People

QUIET = 6.0  # seconds of play before and after each fault
WHOLE_AGAIN = 75.0  # seconds within which a killed host must be standby again
WRITES = 60.0  # seconds after which writing must be possible again, whatever died
PRINT_EVERY = 3.0


@dataclass(slots=True)
class Killed:
    """A part that died, and what people noticed of it."""

    name: str
    at: float = 0.0
    until: float = 0.0
    said: str = ""  # what came back, and when
    acknowledged: int = 0
    away: float = 0.0  # the longest time, in seconds, in which nothing was acknowledged
    longest: float = 0.0  # seconds of one deal from the first tap to its answer
    statuses: dict[int, int] = field(default_factory=dict)  # how often each error status came; 0: no answer


@dataclass(slots=True)
class ClusterOutcome:
    faults: list[Killed] = field(default_factory=list)  # the first: a time in which nothing died
    acknowledged: int = 0
    wrong: list[str] = field(default_factory=list)  # what an audit finds lost, doubled or half
    on_standby: int = 0  # deals acknowledged that the standby has
    deals: int = 0
    prints: int = 0
    refused: list[str] = field(default_factory=list)  # answers after which no phone would try again
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        return not self.wrong and not self.refused and self.on_standby == self.deals > 0 and self.prints > 0


def run_trial(say: Callable[[str], None]) -> ClusterOutcome:
    """Start everything, kill one part after another, and count.

    Raises:
        NotInTime: a part doesn't come up.
    """
    began, outcome = monotonic(), ClusterOutcome()
    with open_trial_folder() as found:
        say("Two PostgreSQL under Patroni, etcd, HAProxy ...")
        database = databases.start(found, host=ADDRESS)
        say(f"  {monotonic() - began:.0f} s. Tables, games and people ...")
        site = sites.start(found, database)
        contest = CrashContest.read(site.python("-m", "lab", "cluster", "--make").splitlines()[-1])
        webs = [site.start_web(number) for number in range(2)]
        workers = [site.start_worker(number) for number in range(2)]
        for number in range(2):
            site.wait_for_web(number)
        say(f"  {monotonic() - began:.0f} s. Two web hosts and two workers; people play ...")
        ledger = Ledger()
        with People(contest, database.ports["web_port"], ledger, scorers=9, pause=0.5) as people:
            played = ClusterTrial(site, database, people, webs, workers, say)
            printing = Thread(target=played.print_on, daemon=True)
            printing.start()
            played.one_after_another(outcome)
        printing.join(30)
        say("Counting ...")
        wait_until(database.is_whole, seconds=WHOLE_AGAIN, what="A primary and its standby were there at the end")
        count_costs(outcome, ledger)
        outcome.prints = played.prints
        sent = found.folder / "ledger.json"
        sent.write_text(json.dumps(ledger.as_data()))
        outcome.wrong = json.loads(site.python("-m", "lab", "cluster", "--count", str(sent)).splitlines()[-1])
        standby = next(node for node in database.nodes if node is not database.primary())
        there = set(database.query("SELECT submission FROM scoring_dealversion", port=standby.port))
        outcome.on_standby, outcome.deals = len(ledger.deals.keys() & there), len(ledger.deals)
    outcome.seconds = monotonic() - began
    return outcome


@dataclass(slots=True)
class ClusterTrial:
    """The parts, and the faults that they have one after another."""

    site: Site
    database: Database
    people: People
    webs: list[TrialProcess]
    workers: list[TrialProcess]
    say: Callable[[str], None]
    prints: int = 0

    def print_on(self) -> None:
        copies = 0
        while not self.people.ended.wait(PRINT_EVERY):
            copies += 1
            address = f"{self.people.contest.blank}?copies={1 + copies % 60}&paper={('A4', 'Letter')[copies // 60 % 2]}"
            self.people.ask(address, "order=1")
            while not self.people.ended.wait(0.5):
                if self.people.ask(address, None).status == 200:
                    self.prints += 1
                    break

    def one_after_another(self, outcome: ClusterOutcome) -> None:
        deeds: tuple[tuple[str, Callable[[], str]], ...] = (
            ("nothing", self._nothing_dies),
            ("a worker, at work", self._worker_dies),
            ("a web host", self._web_dies),
            ("the proxy (HAProxy)", self._proxy_restarts),
            ("the primary's PostgreSQL", partial(self._loses_primary, alone=True)),
            ("the primary's host", partial(self._loses_primary, alone=False)),
        )
        for name, deed in deeds:
            fault = Killed(name, monotonic())
            outcome.faults.append(fault)
            fault.said = deed()
            self._wait_for_writes(fault.at, what=f"After {name} died, writing came back")
            pause(QUIET)
            fault.until = monotonic()
            if fault.said:
                self.say(f"  {name}: killed; {fault.said}")

    def _wait_for_writes(self, since: float, *, what: str) -> None:
        taken = self.people.ledger.taken
        wait_until(lambda: any(began > since for began, _at in list(taken)), seconds=WRITES, what=what)

    def _nothing_dies(self) -> str:
        pause(QUIET)
        return ""

    def _worker_dies(self) -> str:
        began = monotonic()
        row: list[str] = []

        def at_work() -> bool:
            row[:] = self.database.query(AT_WORK)
            return bool(row)

        wait_until(at_work, seconds=WRITES, what="A worker was at a task")
        task, pid = row[0].split("|")
        killed = monotonic()
        index = next(n for n, one in enumerate(self.workers) if one.process.pid == int(pid))
        self.workers[index].kill()
        done = f"SELECT 1 FROM {TASKS} WHERE id = '{task}' AND status = 'SUCCESSFUL'"
        took = wait_until(lambda: self.database.query(done), seconds=WRITES, what="The other worker did its task")
        self.workers[index] = self.site.start_worker(index)
        return f"waited {killed - began:.0f} s for one at a task; that was done by the other after {took:.0f} s"

    def _web_dies(self) -> str:
        self.webs[0].kill()
        pause(QUIET)
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
        wait_until(self.database.is_whole, seconds=WHOLE_AGAIN, what="A primary and its standby were there before")
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

        pause(0.5)
        took = wait_until(another, seconds=WRITES, what="The standby became the primary") + 0.5
        self._wait_for_writes(began + took, what="Writing came back")
        if not alone:
            pause(2)
            self.database.start_node(node)
        back = wait_until(self.database.is_whole, seconds=WHOLE_AGAIN, what="The old primary stood by again")
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


def count_costs(outcome: ClusterOutcome, ledger: Ledger) -> None:
    """What each fault cost: how long nothing was acknowledged, and how people were answered."""
    outcome.acknowledged = ledger.acknowledged
    outcome.refused = [answer for answer in ledger.wrong if not answer.startswith("5")]
    for fault in outcome.faults:
        mine = [(began, at) for began, at in ledger.taken if fault.at <= at < fault.until]
        fault.acknowledged = len(mine)
        moments = [fault.at, *sorted(at for _began, at in mine)]
        fault.away = max((later - earlier for earlier, later in pairwise(moments)), default=0.0)
        fault.longest = max((at - began for began, at in mine), default=0.0)
        answers = Counter(status for at, status in ledger.answers if fault.at <= at < fault.until)
        fault.statuses = {status: n for status, n in sorted(answers.items()) if status == 0 or status >= 500}


def as_text(outcome: ClusterOutcome) -> str:
    lines = [
        "",
        "killed                     acknowledged   nobody wrote for  longest wait of a deal  answers",
        *(_line(fault) for fault in outcome.faults),
        "",
        *(f"{fault.name}: {fault.said}." for fault in outcome.faults if fault.said),
        "",
        f"{outcome.acknowledged} deals and steps acknowledged, {len(outcome.wrong)} lost, doubled or half; of "
        f"{outcome.deals} deals {outcome.on_standby} are on the standby, too; {outcome.prints} files printed",
        *(f"! {wrong}" for wrong in outcome.wrong[:10]),
        *(f"Refused: {refused}" for refused in outcome.refused[:5]),
        f"{outcome.seconds:.0f} s in all. " + ("It holds." if outcome.holds else "It does NOT hold."),
    ]
    return "\n".join(lines) + "\n"


def _line(fault: Killed) -> str:
    answers = ", ".join(f"{n} x {status or 'none'}" for status, n in fault.statuses.items()) or "all as asked"
    return f"{fault.name:26} {fault.acknowledged:12}   {fault.away:14.1f} s  {fault.longest:20.1f} s  {answers}"
