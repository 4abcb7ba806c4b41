"""What workers do by the clock: the clean-up, and the jobs that other packages add when Django starts."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, transaction
from django.utils import timezone
from django_tasks import task
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from clubsite.accounts import login_attempts
from clubsite.jobs import files
from clubsite.jobs.models import Worker
from clubsite.jobs.queue import Priority, enqueue

EVERY = timedelta(hours=1)
log = logging.getLogger("clubsite.jobs")
JOBS: list[Callable[[], object]] = []
"""Functions that workers call every few seconds: each enqueues its task when that is due."""

CLEAN_UPS: list[Callable[[], object]] = []
"""Functions of other packages that each clean-up calls."""


def enqueue_due() -> None:
    """Enqueue the clean-up and call all of `JOBS`. A fault in one ends no worker and stops no other."""
    for job in (enqueue_clean_up, *JOBS):
        try:
            job()
        except Exception:
            log.exception("A periodic job couldn't be asked for")


def enqueue_if_due(
    task: Task[Any, Any],
    *arguments: Any,
    every: timedelta,
    due: Callable[[], bool] = lambda: True,
    now: datetime | None = None,
) -> bool:
    """Enqueue a task unless that was done within `every`, or it isn't `due`. Returns whether it was enqueued.

    Of several workers only one does. Tasks with a time in the future, from before a clock was put back, don't count.
    """
    now = now or timezone.now()
    lately = DBTaskResult.objects.filter(
        task_path=task.module_path, enqueued_at__gt=now - every, enqueued_at__lte=now + timedelta(seconds=1)
    )
    if lately.exists() or not due():  # checked without a lock, because this is nearly always so
        return False
    try:
        with transaction.atomic():
            if not lately.select_for_update().exists():
                enqueue(task, *arguments, priority=Priority.CLEANING)
                return True
    except OperationalError:  # the database is busy: tried again at the next call
        pass
    return False


def enqueue_clean_up(now: datetime | None = None) -> bool:
    return enqueue_if_due(clean_up, every=EVERY, now=now)


@task()
def clean_up() -> None:
    call_command("prune_db_task_results", queue_name="*", min_age_days=settings.TASKS_KEPT_FOR, verbosity=0)
    files.prune()
    login_attempts.prune()
    day, now = timedelta(days=1), timezone.now()
    Worker.objects.exclude(beat_at__range=(now - day, now + day)).delete()
    call_command("clearsessions")
    for also in CLEAN_UPS:
        also()
