"""Whether the site is well: its database, the tasks, the disk, the last backup.

Cheap enough to be asked for every few seconds. If the database is away, the parts that need it are unknown.
"""

import os
import shutil
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry
from clubsite.jobs import heartbeat

OK, NOT_OK, UNKNOWN, OFF = "ok", "not ok", "unknown", "off"
PARTS = ("database", "tasks", "disk", "backup")
Health = dict[str, tuple[str, dict[str, Any]]]
"""By the name of each part: its state and, for the site's owner, the figures behind it, as plain JSON data."""


def health(only: Collection[str] = PARTS) -> Health:
    checks = {"database": _database, "tasks": _tasks, "disk": _disk, "backup": _backup}
    parts: Health = {}
    for name in PARTS:
        if name not in only:
            continue
        if name != "disk" and parts.get("database", (OK,))[0] != OK:
            parts[name] = UNKNOWN, {}
            continue
        began = perf_counter()
        try:
            state, details = checks[name]()
            parts[name] = state, {**details, "ms": round(1000 * (perf_counter() - began), 1)}
        except (DatabaseError, InterfaceError, OSError) as problem:
            parts[name] = NOT_OK, {"problem": type(problem).__name__}
    return parts


def _database() -> tuple[str, dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK, {"kind": connection.vendor}


def _tasks() -> tuple[str, dict[str, Any]]:
    if not settings.TASKS_APART:
        return OFF, {}
    workers = heartbeat.live_workers().count()
    now = timezone.now()
    oldest = DBTaskResult.objects.ready().order_by("enqueued_at").values_list("enqueued_at", flat=True).first()
    waits = max(timedelta(0), now - oldest) if oldest else timedelta(0)
    well = workers > 0 and waits < timedelta(minutes=settings.HEALTH_TASKS_WAIT)
    return OK if well else NOT_OK, {"workers": workers, "oldest_waits_seconds": round(waits.total_seconds())}


def _disk() -> tuple[str, dict[str, Any]]:
    folder = Path(settings.VAR_DIR)
    free = shutil.disk_usage(folder).free // 1024**2
    read_only = hasattr(os, "statvfs") and os.statvfs(folder).f_flag & os.ST_RDONLY
    writable = os.access(folder, os.W_OK) and not read_only
    well = writable and free >= settings.HEALTH_DISK_FREE
    return OK if well else NOT_OK, {"free_megabytes": free, "writable": writable}


def _backup() -> tuple[str, dict[str, Any]]:
    """Not well if something was done since the last backup, and that backup is older than `HEALTH_BACKUP_HOURS`."""
    if not settings.HEALTH_BACKUP_HOURS:
        return OFF, {}
    files = [file.stat().st_mtime for file in Path(settings.BACKUPS).glob("*.backup")]
    last = datetime.fromtimestamp(max(files), UTC) if files else None
    times = LogEntry.objects.values_list("at", flat=True)
    changed = times.order_by("-pk").first()
    unsaved_since = changed if last else times.order_by("pk").first()
    since = timezone.now() - timedelta(hours=settings.HEALTH_BACKUP_HOURS)
    well = unsaved_since is None or (last > since or unsaved_since <= last if last else unsaved_since > since)
    return OK if well else NOT_OK, {"last": last and last.isoformat(), "last_change": changed and changed.isoformat()}


def describe_health(parts: Health) -> list[tuple[str, str, str, str]]:
    """For the owner's page: each part's name, its state, the state in words, and details."""
    names = {"database": _("Database"), "tasks": _("Draws and PDFs"), "disk": _("Disk"), "backup": _("Backup")}
    states = {OK: _("OK"), OFF: _("not used here"), UNKNOWN: _("unknown")}
    return [
        (names[name], state, states.get(state, _("needs attention")), _describe_details(name, state, details=details))
        for name, (state, details) in parts.items()
    ]


def _describe_details(name: str, state: str, *, details: dict[str, Any]) -> str:
    if "problem" in details:
        return _("It doesn't respond. The site's log says more.")
    if state in (OFF, UNKNOWN):
        return ""
    match name:
        case "tasks" if not details["workers"]:
            return _("No worker is running.")
        case "tasks":
            count, minutes = details["workers"], details["oldest_waits_seconds"] // 60
            words = ngettext("%(n)d worker is running.", "%(n)d workers are running.", count) % {"n": count}
            late = ngettext("A task has waited for %(n)d minute.", "A task has waited for %(n)d minutes.", minutes)
            return f"{words} {late % {'n': minutes}}" if minutes else words
        case "disk" if not details["writable"]:
            return _("Nothing can be written there.")
        case "disk":
            free = filesizeformat(details["free_megabytes"] * 1024**2)
            return _("%(free)s are free where the data is.") % {"free": free}
        case "backup" if not details["last"]:
            return _("There is no backup yet.")
        case "backup":
            last = timezone.localtime(datetime.fromisoformat(details["last"]))
            return _("The last one was made %(when)s.") % {"when": date_format(last, "SHORT_DATETIME_FORMAT")}
    return ""
