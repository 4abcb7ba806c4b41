"""Whether the site is well: its database, the tasks, the disk, the last backup.

Four queries at most and a look at two folders: cheap enough to be asked for every few seconds. If the database is away,
it isn't well, and the parts that need it are unknown.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry
from clubsite.tasks import life

OK, NOT_OK, UNKNOWN, OFF = "ok", "not ok", "unknown", "off"
PARTS = ("database", "tasks", "disk", "backup")
Details = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part of the site: its state and, for the site's owner, the figures behind it, as plain JSON data."""

    name: str
    state: str
    details: Details = field(default_factory=dict)


def health(only: Collection[str] = PARTS) -> list[PartHealth]:
    """The health of the parts with these names, in the order in which one would look for a fault. Writes nothing."""
    looks = {"database": _database, "tasks": _tasks, "disk": _disk, "backup": _backup}
    away = False
    parts = []
    for name in (name for name in PARTS if name in only):
        part = PartHealth(name, UNKNOWN) if away and name != "disk" else _part(name, looks[name])
        away = away or (name == "database" and part.state != OK)
        parts.append(part)
    return parts


def is_well(parts: list[PartHealth]) -> bool:
    """Whether every part is well or switched off; an unknown part counts as not well."""
    return all(part.state in (OK, OFF) for part in parts)


def last_backup() -> datetime | None:
    """When the newest backup in the folder of backups was written; None where there is none."""
    try:
        files = [file.stat().st_mtime for file in Path(settings.BACKUPS).glob("*.backup")]
    except OSError:
        return None
    return datetime.fromtimestamp(max(files), UTC) if files else None


def _part(name: str, look: Callable[[], tuple[str, Details]]) -> PartHealth:
    began = perf_counter()
    try:
        state, details = look()
    except (DatabaseError, InterfaceError, OSError) as problem:
        return PartHealth(name, NOT_OK, {"problem": type(problem).__name__})
    return PartHealth(name, state, {**details, "ms": round(1000 * (perf_counter() - began), 1)})


def _database() -> tuple[str, Details]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return OK, {"kind": connection.vendor}


def _tasks() -> tuple[str, Details]:
    if not settings.TASKS_APART:
        return OFF, {}
    workers = life.alive().count()
    now = timezone.now()
    oldest = DBTaskResult.objects.ready().order_by("enqueued_at").values_list("enqueued_at", flat=True).first()
    waits = max(timedelta(0), now - oldest) if oldest else timedelta(0)
    well = workers > 0 and waits < timedelta(minutes=settings.HEALTH_TASKS_WAIT)
    return OK if well else NOT_OK, {"workers": workers, "oldest_waits_seconds": round(waits.total_seconds())}


def _disk() -> tuple[str, Details]:
    folder = Path(settings.VAR_DIR)
    free = shutil.disk_usage(folder).free // 1024**2
    writable = os.access(folder, os.W_OK) and not _read_only(folder)
    well = writable and free >= settings.HEALTH_DISK_FREE
    return OK if well else NOT_OK, {"free_megabytes": free, "writable": writable}


def _read_only(folder: Path) -> bool:
    """Whether the file system of a folder is mounted so that nobody can write to it."""
    return hasattr(os, "statvfs") and bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def _backup() -> tuple[str, Details]:
    """Not well if something was done since the last backup, and that backup is older than `HEALTH_BACKUP_HOURS`."""
    if not settings.HEALTH_BACKUP_HOURS:
        return OFF, {}
    made = last_backup()
    done = LogEntry.objects.order_by("-pk").values_list("at", flat=True).first()
    since = timezone.now() - timedelta(hours=settings.HEALTH_BACKUP_HOURS)
    if made is None:
        first = LogEntry.objects.order_by("pk").values_list("at", flat=True).first()
        well = first is None or first > since
    else:
        well = made > since or done is None or done <= made
    return OK if well else NOT_OK, {"last": made and made.isoformat(), "last_change": done and done.isoformat()}
