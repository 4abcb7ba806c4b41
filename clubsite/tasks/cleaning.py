"""Clean-up: finished tasks, files nobody wants any more, sessions that have ended. Itself a task, once an hour."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.core.management import call_command
from django.db import OperationalError, transaction
from django.utils import timezone
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from clubsite.accounts import throttle
from clubsite.tasks import files
from clubsite.tasks.models import Worker
from clubsite.tasks.queue import Priority, enqueue

EVERY = timedelta(hours=1)


def ask_when_due(now: datetime | None = None) -> bool:
    """Ask for the clean-up unless somebody did within the hour. Whether it was asked for."""
    now = now or timezone.now()
    # What was asked for in the future was so before the clock was put back; it must not put the next off for years.
    around = (now - EVERY, now + EVERY)
    lately = DBTaskResult.objects.filter(task_path=clean_up.module_path, enqueued_at__range=around)
    if lately.exists():  # asked without a lock: this is what it finds nearly always
        return False
    try:
        with transaction.atomic():
            if not lately.select_for_update().exists():
                enqueue(clean_up, priority=Priority.CLEANING)
                return True
    except OperationalError:  # the next look asks again
        pass
    return False


@task()
def clean_up() -> None:
    """Remove finished tasks after `TASKS_KEPT_FOR` days, files that weren't wanted for long, ended sessions."""
    call_command("prune_db_task_results", queue_name="*", min_age_days=settings.TASKS_KEPT_FOR, verbosity=0)
    files.prune()
    throttle.prune()
    day, now = timedelta(days=1), timezone.now()
    Worker.objects.exclude(beat_at__range=(now - day, now + day)).delete()
    call_command("clearsessions")
