"""Clean-up: finished tasks, files nobody wants any more, sessions that have ended. Itself a task, once an hour."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from django_tasks import task

from clubsite.accounts import login_attempts
from clubsite.tasks import files
from clubsite.tasks.models import Worker
from clubsite.tasks.standing import ask_once

EVERY = timedelta(hours=1)
ALSO: list[Callable[[], object]] = []
"""Functions that each clean-up calls, by which other packages clean up too."""


def ask_when_due(now: datetime | None = None) -> bool:
    """Ask for the clean-up unless somebody did within the hour. Returns whether it was asked for."""
    return ask_once(clean_up, every=EVERY, now=now)


@task()
def clean_up() -> None:
    """Remove finished tasks after `TASKS_KEPT_FOR` days, files that weren't wanted for long, ended sessions."""
    call_command("prune_db_task_results", queue_name="*", min_age_days=settings.TASKS_KEPT_FOR, verbosity=0)
    files.prune()
    login_attempts.prune()
    day, now = timedelta(days=1), timezone.now()
    Worker.objects.exclude(beat_at__range=(now - day, now + day)).delete()
    call_command("clearsessions")
    for also in ALSO:
        also()
