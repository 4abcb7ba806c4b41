"""Asking for a task: it is left to a worker, or done at once where the host runs none (`settings.TASKS_APART`)."""

from enum import IntEnum
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Q, QuerySet
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult


class Priority(IntEnum):
    """Priorities of waiting tasks: the highest goes first."""

    SEARCH = 20  # a director waits for the draw, and the hall for the director
    ORDERED = 10  # somebody waits for the file
    VISITED = 5  # somebody waits for it who isn't logged in
    AHEAD = 0  # somebody will want it soon
    CLEANING = -10


def enqueue(task: Task[Any, Any], *args: Any, priority: int = Priority.ORDERED) -> str:
    """Enqueue a task with these arguments (as JSON has them) and return its id.

    With workers, a task asked for inside a transaction exists when that is committed. Without, it is done here and now:
    learn from what the task has written whether it went well.
    """
    backend = "default" if settings.TASKS_APART else "at-once"
    return str(task.using(priority=priority, backend=backend).enqueue(*args).id)


def find_task(task_id: str) -> QuerySet[DBTaskResult]:
    try:
        return DBTaskResult.objects.filter(pk=task_id)
    except ValidationError:  # no such task has an id like this
        return DBTaskResult.objects.none()


def find_waiting(task_id: str) -> QuerySet[DBTaskResult]:
    return find_task(task_id).filter(status=TaskResultStatus.READY)


def is_active(task_id: str) -> bool:
    return find_task(task_id).filter(status__in=(TaskResultStatus.READY, TaskResultStatus.RUNNING)).exists()


def count_tasks_before(task_id: str) -> int:
    """0 where the task no longer waits."""
    mine = find_waiting(task_id).first()
    if mine is None:
        return 0
    first = Q(priority__gt=mine.priority) | Q(priority=mine.priority, enqueued_at__lt=mine.enqueued_at)
    return DBTaskResult.objects.ready().filter(first).count()
