"""What workers ask for again and again: the clean-up, and what rooms above add to `JOBS` as they are made ready."""

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
"""What workers ask every few seconds: each asks for its task when that is due."""


def ask_for_all() -> None:
    """Ask all of `JOBS`. A fault in one ends no worker, and hinders no other."""
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
    """Ask for a task unless somebody did within `every`, or it isn't `due`. Whether it was asked for.

    Of several workers one asks. What was asked for in a future that a clock has been put back from doesn't count.
    """
    now = now or timezone.now()
    lately = DBTaskResult.objects.filter(
        task_path=task.module_path, enqueued_at__gt=now - every, enqueued_at__lte=now + timedelta(seconds=1)
    )
    if lately.exists() or not due():  # asked without a lock: this is what it finds nearly always
        return False
    try:
        with transaction.atomic():
            if not lately.select_for_update().exists():
                enqueue(task, *arguments, priority=Priority.CLEANING)
                return True
    except OperationalError:  # the next look asks again
        pass
    return False
