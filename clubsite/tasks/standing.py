"""Tasks that workers ask for again and again: those that other packages add to `JOBS` when Django starts."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError, transaction
from django.utils import timezone
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from clubsite.tasks.queue import Priority, enqueue

log = logging.getLogger("clubsite.tasks")
JOBS: list[Callable[[], object]] = []
"""Functions that workers call every few seconds: each asks for its task when that is due."""


def ask_for_all() -> None:
    """Call all of `JOBS`. A fault in one ends no worker and stops no other."""
    for job in JOBS:
        try:
            job()
        except Exception:
            log.exception("A standing job couldn't be asked for")


def ask_once(
    task: Task[Any, Any],
    *arguments: Any,
    every: timedelta,
    due: Callable[[], bool] = lambda: True,
    now: datetime | None = None,
) -> bool:
    """Ask for a task unless somebody did within `every`, or it isn't `due`. Returns whether it was asked for.

    Of several workers only one asks. Tasks with a time in the future, from before a clock was put back, don't count.
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
