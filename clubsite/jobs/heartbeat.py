"""Signs of life of workers, and restarting the tasks of one that died.

A worker writes every few seconds that it is alive. One that is silent for long counts as dead, and its task goes back
into the queue. So do this host's other workers when a site starts a worker beside it, as the last one ended with its
site. A worker that counts as dead may still be at its task, so attempts are numbered: see `MadeFile.attempt`,
`DrawJob.attempt`.
"""

import logging
import os
import socket
from contextlib import suppress
from datetime import timedelta

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.db.models import QuerySet
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.signals import task_finished
from django_tasks_db.models import DBTaskResult

from clubsite.jobs.models import Worker

BEAT = 5.0  # seconds between two signs of life
SILENT = timedelta(seconds=30)  # without one, a worker counts as dead
ATTEMPTS = 4  # how often a task is begun at most: it may be what kills its workers

log = logging.getLogger("clubsite.jobs")


class WorkerDied(Exception):
    """Every worker that had the task died."""


def beat(name: str) -> None:
    defaults = {"host": socket.gethostname(), "pid": os.getpid(), "beat_at": timezone.now()}
    Worker.objects.update_or_create(name=name, defaults=defaults)


def live_workers() -> QuerySet[Worker]:
    """A sign of life from the future, before the clock was put back, doesn't count."""
    now = timezone.now()
    return Worker.objects.filter(beat_at__gt=now - SILENT, beat_at__lt=now + SILENT)


def forget_other_workers(name: str) -> None:
    """Treat all workers of this host as dead, except this one."""
    Worker.objects.filter(host=socket.gethostname()).exclude(pk=name).delete()


def is_worker_missing() -> bool:
    return settings.TASKS_APART and not live_workers().exists()


def requeue_tasks() -> int:
    """Put the tasks of dead workers back into the queue, or fail those that were begun too often. Returns how many were
    put back. Several workers may do this at once: each task is put back once."""
    taken = 0
    for result in DBTaskResult.objects.running().filter(backend_name="default"):
        if result.worker_ids and live_workers().filter(pk=result.worker_ids[-1]).exists():
            continue
        mine = DBTaskResult.objects.running().filter(pk=result.pk, started_at=result.started_at)
        if len(result.worker_ids) < ATTEMPTS:
            taken += mine.update(status=TaskResultStatus.READY)
            log.warning("Task id=%s is taken up again: its worker died", result.pk)
        elif mine.exists():
            result.set_failed(WorkerDied(f"begun {len(result.worker_ids)} times, and each time its worker died"))
            with suppress(ImportError, SuspiciousOperation):  # of an older version: `files.prune` marks its file
                task_finished.send(sender=type(result.task.get_backend()), task_result=result.task_result)
    return taken
