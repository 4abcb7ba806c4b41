"""Workers' signs of life, and what becomes of the tasks of one that died."""

import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from clubsite.jobs import heartbeat, periodic
from clubsite.jobs.models import MadeFile, Worker
from clubsite.pdf.documents import Pages, order_ahead
from tests.jobs.workers import until, work, worker_process

pytestmark = pytest.mark.django_db

ONE = Pages(("<p>one</p>",))


def claimed(by, times=1):
    """A PDF's task that this worker has begun."""
    order_ahead(ONE)
    result = DBTaskResult.objects.get()
    for _time in range(times):
        result.claim(by)
    return result


def elsewhere(name, **silent):
    """A worker of another host that was heard of so long ago."""
    at = timezone.now() - timedelta(**silent)
    return Worker.objects.create(name=name, host="another", pid=1, beat_at=at)


def test_a_task_whose_worker_is_alive_is_left_alone(apart):
    result = claimed("one")
    elsewhere("one", seconds=1)
    assert heartbeat.requeue_tasks() == 0
    result.refresh_from_db()
    assert result.status == TaskResultStatus.RUNNING


@pytest.mark.parametrize("heard_of", [True, False])
def test_a_task_whose_worker_is_silent_or_unknown_is_taken_up_once(apart, heard_of):
    result = claimed("one")
    if heard_of:
        elsewhere("one", minutes=1)
    assert [heartbeat.requeue_tasks(), heartbeat.requeue_tasks()] == [1, 0]
    work()
    result.refresh_from_db()
    assert (result.status, len(result.worker_ids)) == (TaskResultStatus.SUCCESSFUL, 2)
    assert MadeFile.objects.get().state == MadeFile.State.MADE


def test_a_worker_beside_a_site_takes_up_at_once_what_the_last_one_left(apart):
    claimed("one")
    heartbeat.beat("one")
    elsewhere("two", seconds=1)
    assert heartbeat.requeue_tasks() == 0
    heartbeat.forget_other_workers("three")
    assert heartbeat.requeue_tasks() == 1
    assert [worker.pk for worker in heartbeat.live_workers()] == ["two"]


def test_a_task_that_kills_every_worker_is_given_up_and_its_file_says_so(apart):
    result = claimed("one", times=heartbeat.ATTEMPTS)
    assert heartbeat.requeue_tasks() == 0
    result.refresh_from_db()
    assert result.status == TaskResultStatus.FAILED
    file = MadeFile.objects.get()
    assert file.state == MadeFile.State.FAILED
    assert "its worker died" in file.problem


def test_a_task_of_an_older_version_that_is_given_up_stops_nothing(apart):
    result = claimed("one", times=heartbeat.ATTEMPTS)
    DBTaskResult.objects.update(task_path="clubsite.pdf.of_an_older_version.make_pdf")
    assert heartbeat.requeue_tasks() == 0
    result.refresh_from_db()
    assert result.status == TaskResultStatus.FAILED


def test_a_worker_is_missed_only_where_tasks_are_left_to_workers(settings):
    assert not heartbeat.is_worker_missing()
    settings.TASKS_APART = True
    assert heartbeat.is_worker_missing()
    elsewhere("one", minutes=1)
    assert heartbeat.is_worker_missing()
    elsewhere("two", seconds=1)
    assert not heartbeat.is_worker_missing()


def test_finished_tasks_are_removed_after_their_time_and_the_clean_up_is_asked_for_once_an_hour(apart, settings):
    order_ahead(ONE)
    work()
    assert not periodic.enqueue_clean_up()  # the worker has asked itself
    assert periodic.enqueue_clean_up(timezone.now() + 2 * periodic.EVERY)
    work()
    assert DBTaskResult.objects.filter(finished_at__isnull=False).count() == 3
    late = timezone.now() - timedelta(days=settings.TASKS_KEPT_FOR, hours=1)
    DBTaskResult.objects.update(enqueued_at=late, finished_at=late)
    waiting = DBTaskResult.objects.ready().count()
    work()
    assert waiting == 0
    assert [r.task_path for r in DBTaskResult.objects.all()] == [periodic.clean_up.module_path]


@pytest.mark.django_db(transaction=True)
def test_a_worker_ends_with_the_process_it_stands_beside(apart, tmp_path):
    started = tmp_path / "pid"
    beside = (
        "import subprocess, sys, pathlib; "
        f"p = subprocess.Popen([sys.executable, 'manage.py', 'worker', '--beside'], stdin=subprocess.PIPE); "
        f"pathlib.Path({str(started)!r}).write_text(str(p.pid)); p.wait()"
    )
    with worker_process() as other:  # for its environment: a worker that stays
        until(lambda: Worker.objects.count() == 1)
        with subprocess.Popen([sys.executable, "-c", beside], env=environment_of(other.pid)) as web:
            until(lambda: Worker.objects.exclude(pid=other.pid).exists())
            web.send_signal(signal.SIGKILL)
        until(lambda: not Path(f"/proc/{started.read_text()}").exists())
        assert other.poll() is None


def environment_of(pid):
    parts = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(part.decode().split("=", 1) for part in parts if b"=" in part)
