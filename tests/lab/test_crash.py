"""A few kills, and the audit itself: what is lost, doubled or half must be found."""

import subprocess
import sys
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection, transaction

from clubsite.accounts.models import LogEntry
from lab.benchmarks.crash.audit import audit
from lab.benchmarks.crash.contest import make_contest
from lab.benchmarks.crash.people import Ledger
from scoring.models import Deal, DealVersion, Game, Points, Side

pytestmark = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL's servers are killed by ./dev cluster"
)


def test_nothing_acknowledged_is_lost_by_a_kill_of_everything():
    command = [sys.executable, "-m", "lab", "crash", "--only", "kills", "--count", "1"]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    killed, after = (line.split(" | ") for line in done.stdout.splitlines() if "kill" in line and " | " in line)
    assert (killed[0], killed[1], killed[3:6]) == ("kill -9: everything", "1", ["0", "0", "0"])
    assert int(after[2]) > int(killed[2]) > 0


@pytest.fixture
def contest(db):
    return make_contest(cards=1, people=18)


def of(version):
    return version.deal.game_id, version.deal.number, version.facts["points"]


def ledger_of_now():
    versions = DealVersion.objects.select_related("deal")
    return Ledger(deals={str(version.submission): of(version) for version in versions})


def test_the_audit_finds_what_is_lost_doubled_or_half(contest):
    ledger = ledger_of_now()
    assert audit(ledger).faults == []

    ledger.deals[str(uuid4())] = (1, 1, [1, 2, 3])
    ledger.steps["cut.publish"] += 1
    found = audit(ledger)
    assert len(found.lost) == 2

    ledger = ledger_of_now()
    key, (game, number, points) = next(iter(ledger.deals.items()))
    ledger.deals[key] = (game, number, [*points[:2], points[2] + 1])
    assert "stands as" in audit(ledger).half[0]

    ledger = ledger_of_now()
    LogEntry.objects.create(
        club=Game.objects.all()[0].club, actor="x", verb="draw.publish", subject="a draw that was published twice"
    )
    assert "draw.publish" in audit(ledger).doubled[0]
    ledger.open_steps["draw.publish"] = 1
    assert audit(ledger).doubled == [], "one is on its way"
    LogEntry.objects.filter(subject="a draw that was published twice").update(verb="draw.delete")

    spoils = (
        lambda: Points.objects.all()[0].delete(),
        lambda: Side.objects.exclude(total=0).update(total=1),
        lambda: Deal.objects.create(game=Game.objects.filter(state=Game.State.OPEN)[0], number=1),
        lambda: DealVersion.objects.all()[0].delete(),
    )
    for spoil in spoils:
        with transaction.atomic():
            ledger = ledger_of_now()
            spoil()
            assert audit(ledger).half
            transaction.set_rollback(True)
    assert audit(ledger_of_now()).faults == []
