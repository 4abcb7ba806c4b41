"""Checks that the database has everything that was acknowledged exactly once, and nothing by halves; and the table of
what was found."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Sum

from clubsite.accounts.models import LogEntry
from lab.benchmarks.crash.people import Ledger
from scoring.models import Deal, DealVersion, Game, Points, Side
from tournaments.models import Cut, Draw

HEAD = ("fault", "tries", "acknowledged", "lost", "doubled", "half", "went on by itself", "what the page said")


@dataclass(slots=True)
class AuditFaults:
    """What was found wrong; all lists are empty where nothing is."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    half: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)  # what SQLite itself says

    @property
    def faults(self) -> list[str]:
        return [*self.lost, *self.doubled, *self.half, *self.damaged]


@dataclass(slots=True)
class FaultRow:
    """One fault: how often it was caused, what was acknowledged, what is wrong after it, what people saw."""

    fault: str
    tries: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    half: int = 0
    said: str = ""
    on: str = ""  # how it went on afterwards
    faults: list[str] = field(default_factory=list)

    def add(self, found: AuditFaults) -> None:
        self.lost, self.doubled = self.lost + len(found.lost), self.doubled + len(found.doubled)
        self.half += len(found.half) + len(found.damaged)
        self.faults += found.faults


def audit(ledger: Ledger) -> AuditFaults:
    """Compare the database with the ledger, in one transaction, for which others who write have to wait."""
    found = AuditFaults()
    with ledger.lock:  # what is acknowledged after this may be in the database or not
        deals, steps, in_flight = dict(ledger.deals), Counter(ledger.steps), Counter(ledger.open_steps)
    try:
        with transaction.atomic():
            with ledger.lock:
                in_flight += Counter(ledger.open_steps) + (ledger.steps - steps)
            _check_deals(found, deals)
            _check_steps(found, steps, in_flight=in_flight)
            _check_whole(found)
            _check_database(found)
    finally:
        if not connection.in_atomic_block:  # if another database replaces this one, it must be opened anew
            connection.close()
    return found


def _check_deals(found: AuditFaults, deals: dict[str, tuple[int, int, list[int]]]) -> None:
    rows = DealVersion.objects.values_list("submission", "deal__game", "deal__number", "facts__points")
    there = {str(submission): (game, number, list(points)) for submission, game, number, points in rows}
    for submission, deal in deals.items():
        if submission not in there:
            found.lost.append(f"deal {deal[:2]} was acknowledged and isn't there")
        elif there[submission] != deal:
            found.half.append(f"deal {deal} stands as {there[submission]}")
    twice = DealVersion.objects.values("deal__game", "deal__number").annotate(n=Count("pk")).filter(n__gt=1)
    found.doubled += [f"deal {row} is there twice" for row in twice]


def _check_steps(found: AuditFaults, steps: Counter[str], *, in_flight: Counter[str]) -> None:
    """Each step of the director must be in the log once; one that is under way may be there or not."""
    before = {"draw.make": 2, "draw.publish": 2}  # taken by `make_contest`
    there = dict(LogEntry.objects.values_list("verb").annotate(n=Count("pk")))
    for verb in ("cut.publish", "draw.make", "draw.publish", "draw.withdraw", "cut.withdraw"):
        number = there.get(verb, 0) - before.get(verb, 0)
        if number < steps[verb]:
            found.lost.append(f"{steps[verb]} x {verb} acknowledged, {number} in the log")
        if number > steps[verb] + in_flight[verb]:
            found.doubled.append(f"{steps[verb]} x {verb} acknowledged, {number} in the log")


def _check_whole(found: AuditFaults) -> None:
    checks: dict[str, Any] = {
        "deals without a version": Deal.objects.filter(versions=None),
        "versions without the points of all sides": DealVersion.objects.annotate(n=Count("points")).exclude(n=3),
        "cuts without lines": Cut.objects.filter(lines=None),
        "draws without tables": Draw.objects.filter(tables=None),
        "published draws without games": Draw.objects.filter(
            state=Draw.State.PUBLISHED, tables__groups__games=None, tables__groups__isnull=False
        ),
        "two published draws of a round": Draw.objects.filter(state=Draw.State.PUBLISHED)
        .values("round")
        .annotate(n=Count("pk"))
        .filter(n__gt=1),
        "games that count other deals": Game.objects.annotate(n=Count("deals")).exclude(n=F("deals_played")),
    }
    found.half += [f"{rows.count()} {what}" for what, rows in checks.items() if rows.exists()]
    found.half += [f"the total of side {side} isn't the sum of its deals" for side in wrong_totals()]
    written, versions = LogEntry.objects.filter(verb="deal.record").count(), DealVersion.objects.count()
    if written != versions:
        found.half.append(f"{versions} deals, {written} in the log")


def wrong_totals() -> list[list[int]]:
    """The sides, each as its game and its number, whose total isn't the sum of their deals."""
    sums = Points.objects.filter(version__current=True).values_list("version__deal__game", "side")
    total = {(game, side): points for game, side, points in sums.annotate(points=Sum("points"))}
    sides = Side.objects.values_list("game", "number", "total", "start")
    return [side for *side, points, start in sides if total.get((side[0], side[1]), 0) + start != points]


def _check_database(found: AuditFaults) -> None:
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        said = [row[0] for row in cursor.execute("PRAGMA integrity_check").fetchall()]
        found.damaged += [] if said == ["ok"] else said
        found.damaged += [f"no row for {row}" for row in cursor.execute("PRAGMA foreign_key_check").fetchall()]


def as_text(rows: list[FaultRow]) -> str:
    lines = ["", " | ".join(HEAD), " | ".join("---" for _name in HEAD)]
    for row in rows:
        figures = (row.tries, row.acknowledged, row.lost, row.doubled, row.half)
        lines.append(" | ".join([row.fault, *map(str, figures), row.on or "-", row.said or "-"]))
    lines += [f"! {row.fault}: {fault}" for row in rows for fault in row.faults[:10]]
    return "\n".join(lines) + "\n"
