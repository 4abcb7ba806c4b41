"""A clock put back or forward by an hour: the dead aren't taken for living, and no work is put off for long."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from clubsite.jobs import heartbeat, periodic
from clubsite.jobs.models import Worker
from tests.jobs.test_life import claimed

HOUR = timedelta(hours=1)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("apart")]


def of_before(name):
    """A worker of another host that said that it lives, just before the clock was put back."""
    Worker.objects.create(name=name, host="another", pid=1, beat_at=timezone.now() + HOUR)


def test_a_worker_that_died_before_the_clock_went_back_is_dead():
    result = claimed("one")
    of_before("one")
    assert heartbeat.is_worker_missing()
    assert heartbeat.requeue_tasks() == 1
    result.refresh_from_db()
    assert result.status == TaskResultStatus.READY


def test_one_that_lives_says_so_by_the_new_clock():
    of_before("one")
    heartbeat.beat("one")
    assert not heartbeat.is_worker_missing()


def test_the_clean_up_is_not_put_off_until_the_old_clock_is_reached_again():
    assert periodic.enqueue_clean_up()
    DBTaskResult.objects.update(enqueued_at=timezone.now() + timedelta(days=365))
    assert periodic.enqueue_clean_up()
    assert not periodic.enqueue_clean_up()


def test_a_dead_workers_row_goes_whichever_way_the_clock_went(settings):
    settings.TASKS_APART = False
    Worker.objects.create(name="ahead", host="another", pid=1, beat_at=timezone.now() + timedelta(days=365))
    Worker.objects.create(name="behind", host="another", pid=1, beat_at=timezone.now() - timedelta(days=365))
    periodic.clean_up.call()
    assert not Worker.objects.exists()
