"""The trial of several hosts: what it counts, what its files say, that it leaves nothing behind."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template
from uuid import uuid4

import pytest
from django.conf import settings as site
from django.db import transaction
from django.test import Client

from clubsite.ops.databases.server import free_ports
from lab.benchmarks.cluster import bookings
from lab.benchmarks.cluster.database import DEPLOY
from lab.benchmarks.cluster.hall import Hall, SentDeal
from lab.benchmarks.cluster.parts import (
    POSTGRES,
    CannotRunHere,
    NotInTime,
    bench,
    require_programs,
    runs,
    until,
)
from lab.benchmarks.cluster.trial import ClusterOutcome, Killed, as_text, compare
from lab.benchmarks.served import TOKEN
from scoring.models import DealVersion, Side

FOLDER = Path(site.BASE_DIR) / DEPLOY


@pytest.mark.django_db
def test_what_is_lost_doubled_or_made_up_is_counted() -> None:
    hall = play_two_tables()
    whole = counted(hall)
    assert (whole.acknowledged, whole.lost, whole.doubled, whole.sums_wrong, whole.unknown) == (4, 0, 0, 0, 0)
    fault = whole.faults[0]
    assert (fault.acknowledged, fault.again, fault.lost, fault.longest) == (4, 0, 0, 1.0)
    with undone():
        DealVersion.objects.get(submission=hall.sent[1].booking["submission"]).deal.delete()
        gone = counted(hall)
    assert (gone.lost, gone.faults[0].lost, gone.sums_wrong) == (1, 1, 2)  # the sums of both sides
    assert "does NOT hold" in as_text(gone)
    with undone():
        side = Side.objects.filter(game__club__slug=bookings.SITE, total__gt=0)[0]
        Side.objects.filter(pk=side.pk).update(total=2 * side.total)
        assert counted(hall).sums_wrong == 1
    with undone():
        version = DealVersion.objects.get(submission=hall.sent[1].booking["submission"])
        DealVersion.objects.create(
            deal=version.deal, number=2, current=False, facts={}, submission=uuid4(), actor="", route=""
        )
        assert (counted(hall).doubled, counted(hall).unknown) == (1, 1)


def play_two_tables() -> Hall:
    """Two tables that send two deals each, every one twice, and are told that they are recorded."""
    sent = bookings.made(tables=2, games=1)
    client = Client(SERVER_NAME="127.0.0.1")
    cookies = sent["scorer"].splitlines()[0].removeprefix("Cookie: ")
    hall = Hall(0, (0, 0), sent)
    for table in sent["tables"]:
        for booking in table[:2]:
            for _tap in range(2):
                answer = client.post(
                    booking["address"],
                    booking["body"],
                    content_type="application/x-www-form-urlencoded",
                    headers={"Cookie": cookies, "X-CSRFToken": TOKEN},
                )
                assert answer.status_code == 302
            hall.sent.append(SentDeal(booking, 1.0, taps=2, tries=2, acknowledged=2.0))
    return hall


def counted(hall: Hall) -> ClusterOutcome:
    """What the trial makes of a hall, as the database is now."""
    outcome = ClusterOutcome(faults=[Killed("a web host", 0.0, 9.0)])
    compare(outcome, hall, found=bookings.found())
    return outcome


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is done in the block isn't."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_missing_programs_are_named_with_the_command_that_installs_them() -> None:
    with pytest.raises(CannotRunHere) as missing:
        require_programs({Path("/no/such/patroni"): "patroni", Path(sys.executable): "python3"})
    assert "apt-get install --no-install-recommends patroni\n" in str(missing.value)
    assert "python3" not in str(missing.value)


def test_what_was_started_is_gone_when_the_trial_ends_or_is_interrupted(tmp_path: Path) -> None:
    inner = "import subprocess, sys; print(subprocess.Popen(['sleep', '600']).pid, flush=True); sys.stdin.read()"

    def play() -> None:
        with bench() as found:
            folders.append(found.folder)
            part = found.start("sleeper", [sys.executable, "-c", f"{inner}; import time; time.sleep(600)"])
            until(lambda: len(part.pids) > 1, seconds=20, what="It started another")
            pids.extend(part.pids)
            os.kill(os.getpid(), signal.SIGTERM)  # as Ctrl-C, or a machine that is shut down

    pids: list[int] = []
    folders: list[Path] = []
    with pytest.raises(KeyboardInterrupt):
        play()
    assert len(pids) > 1
    assert not [pid for pid in pids if runs(pid)]
    assert not folders[0].exists()


def test_what_does_not_come_up_is_told_with_what_it_wrote() -> None:
    def wait() -> None:
        with bench() as found:
            part = found.start("broken", [sys.executable, "-c", "print('no room on the disk')"])
            part.process.wait(20)
            until(lambda: False, seconds=0.2, what="A part answered")

    with pytest.raises(NotInTime, match=r"(?s)A part answered not within.*broken wrote:\nno room on the disk"):
        wait()


def test_ports_are_all_different() -> None:
    assert len(set(free_ports(9))) == 9


@pytest.mark.parametrize("name", ["etcd.conf.yml", "patroni.yml", "haproxy.cfg", "environment"])
def test_every_blank_of_a_template_is_explained(name: str) -> None:
    """What a public host has to fill in stands in docs/operations.md."""
    blanks = set(Template((FOLDER / name).read_text(encoding="utf-8")).get_identifiers())
    explained = (Path(site.BASE_DIR) / "docs" / "operations.md").read_text(encoding="utf-8")
    assert {blank for blank in blanks if f"`${blank}`" not in explained} == set()


@pytest.mark.skipif(not (POSTGRES / "postgres").exists(), reason="needs Debian's postgresql-15")
def test_the_version_of_postgresql_is_the_one_that_is_named() -> None:
    assert str(POSTGRES).split("/")[4] in (FOLDER / "patroni.yml").read_text(encoding="utf-8")
