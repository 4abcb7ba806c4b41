"""When a backup is asked for: before something that changes much, every so often in an evening, and on the page. A
worker makes it.

Before a draw or a cut is published, or something closed, SQLite's database is copied in the request itself (10 to 40 ms
with 5 MB, 0.3 to 0.5 s with 90 MB, and nobody else waits), so that the copy is surely of the moment before; a worker
makes a backup of it then. A PostgreSQL database isn't copied so fast: there a draft of a draw already asks for a dump,
and a cut or a closing asks for one to begin at once.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django_tasks import task

from clubsite.accounts.models import LogEntry
from clubsite.backups.files import Backup, BackupRefused, newest
from clubsite.backups.keeping import fill_second_place, trouble, words_of
from clubsite.backups.making import copy_at_once, finish_copies, make_backup
from clubsite.jobs.periodic import ask_once
from clubsite.jobs.queue import Priority, enqueue

LONG = 5.0  # seconds; a backup that took longer is made less often, so that copying takes no more than ...
SHARE = 20  # ... one in so many seconds
DRAFTS = {"draw.make", "draw.by-hand"}  # verbs of the log after which a director reads a draft before publishing it
LATE = timedelta(hours=1)  # when something recorded has been without a backup for so long, directors are told
log = logging.getLogger("clubsite.backups")


@task()
def back_up(reason: str) -> None:
    """Make a backup of each copy that waits, and one of now where something was logged since the last, or the `reason`
    is "" or "migration"; then fill the second place. A fault there is told on the desk, and doesn't fail the task.

    Raises:
        BackupRefused: none could be made.
    """
    finish_copies(settings.BACKUPS)
    if reason in ("", "migration") or logged_since(newest(settings.BACKUPS)):
        make_backup(settings.BACKUPS, reason=reason)
    try:
        fill_second_place()
    except BackupRefused as refused:
        log.warning("%s", refused)


def before(reason: str) -> None:
    """Ask for a backup before something that changes much, named by `reason`: "draw", "cut" or "closing".

    Call it before the transaction of the change. It never stops that: what goes wrong here is logged.
    """
    if not settings.BACKUPS_EVERY:
        return
    try:
        last = newest(settings.BACKUPS)
        if logged_since(last) and (copy_at_once(reason) or not _too_soon(last)):
            enqueue(back_up, reason, priority=Priority.SEARCH)
    except Exception:
        log.exception("No backup could be asked for before the %s", reason)


def ask_after_draft(sender: Any, instance: LogEntry, *, created: bool, **more: Any) -> None:
    """On PostgreSQL, which isn't copied in a moment: have it dumped while the director reads the draft."""
    if created and instance.verb in DRAFTS and instance.route == "desk" and connection.vendor != "sqlite":
        transaction.on_commit(lambda: before("draw"), robust=True)


def ask_when_due() -> bool:
    """Ask for a backup every `BACKUPS_EVERY` minutes, where something was logged since the last one. Returns whether it
    did.

    It also asks where the second place is in trouble, so that a stick put in again is filled. Workers call this every
    few seconds: mostly it is one query.
    """
    if not settings.BACKUPS_EVERY:
        return False
    rhythm = timedelta(minutes=settings.BACKUPS_EVERY)

    def due() -> bool:
        last = newest(settings.BACKUPS)
        return (logged_since(last) and not _too_soon(last)) or bool(trouble())

    return ask_once(back_up, "evening", every=rhythm, due=due)


def logged_since(last: Backup | None) -> bool:
    """Whether anything was logged since a backup: told by the entries' keys, not by the clock. One query."""
    entry = LogEntry.objects.order_by("-pk").values_list("pk", flat=True).first()
    return entry is not None and (last is None or entry != last.log)


def late_since(last: Backup | None) -> bool:
    """Whether what was recorded more than an hour ago is in no backup. At most one query."""
    if not settings.BACKUPS_EVERY:
        return False
    return LogEntry.objects.filter(pk__gt=last.log if last else 0, at__lt=timezone.now() - LATE).exists()


def wrong() -> str:
    """What is wrong with the backups, in a sentence for directors; "" where nothing is. At most one query."""
    if code := trouble():
        return words_of(code)
    if not settings.BACKUPS_EVERY:
        return ""
    last = newest(settings.BACKUPS)
    if not late_since(last):
        return ""
    if last is None:
        return _(
            "There is no backup yet of what was recorded. Look whether a worker runs, and whether the disk is full."
        )
    return _("The last backup is of %(when)s. Look whether a worker runs, and whether the disk is full.") % {
        "when": date_format(timezone.localtime(last.made_at), "DATETIME_FORMAT")
    }


def _too_soon(last: Backup | None) -> bool:
    """Whether this database takes long to copy, and was copied lately."""
    if last is None or last.seconds < LONG:
        return False
    age = (timezone.now() - last.made_at).total_seconds()
    return 0 <= age < last.seconds * SHARE
