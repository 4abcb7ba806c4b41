"""A search with real workers: saved once, taken up again when its worker is killed, given back by one that stops."""

import signal

import pytest
from django.db.models import F
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry
from clubsite.jobs import heartbeat
from clubsite.jobs.models import Worker
from tests.jobs.workers import until, worker_process
from tests.tournaments.draws.test_jobs import HARD, hard_to_draw
from tests.tournaments.nights import begun
from tournaments.draws import making, rotation
from tournaments.models import Draw, DrawJob

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(event, actor, apart):
    hard_to_draw(event, actor, 18)
    return event


@pytest.fixture
def endless(monkeypatch):
    monkeypatch.setattr(rotation, "EFFORTS", {"normal": 2_000_000_000})


def is_searched():
    """Whether a worker is well in the middle of it."""
    return DrawJob.objects.get().steps > 0


def status():
    return DBTaskResult.objects.get(task_path=making.search.module_path).status


def test_a_worker_searches_and_saves(event, actor, monkeypatch):
    monkeypatch.setattr(rotation, "EFFORTS", {"normal": 60_000})
    assert isinstance(begun(event, actor, **HARD), DrawJob)
    with worker_process():
        until(Draw.objects.exists)
        until(lambda: status() == "SUCCESSFUL")
    assert Draw.objects.get().made_by == actor.user
    assert making.search_view(event) is None


@pytest.mark.proof
def test_a_search_whose_worker_is_killed_is_taken_up_again_and_one_draft_is_saved(event, actor, endless):
    job = begun(event, actor, **HARD)
    assert isinstance(job, DrawJob)
    with worker_process() as first:
        until(is_searched)
        first.send_signal(signal.SIGKILL)
        first.wait()
    assert status() == "RUNNING"  # nobody has told that it died
    assert not Draw.objects.exists()
    DrawJob.objects.update(asked={**job.asked, "steps": 60_000})  # what is taken up again shall end
    with worker_process(), worker_process():
        until(Draw.objects.exists)
        until(lambda: status() == "SUCCESSFUL")
    assert DrawJob.objects.get().attempt == 2
    assert Draw.objects.count() == LogEntry.objects.filter(verb="draw.make").count() == 1


@pytest.mark.proof
def test_a_worker_that_is_told_to_stop_ends_and_another_takes_its_search_up(event, actor, endless):
    begun(event, actor, **HARD)
    with worker_process() as worker:
        until(is_searched)
        worker.send_signal(signal.SIGTERM)
        worker.wait(timeout=30)
    Worker.objects.update(beat_at=F("beat_at") - heartbeat.SILENT)
    assert heartbeat.requeue_tasks() == 1
    assert status() == "READY"
