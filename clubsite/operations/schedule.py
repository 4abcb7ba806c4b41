"""When a backup is made: before something that changes much, regularly in an evening, and on request; the second place,
a stick for instance, that gets a copy of each; and what is wrong with them."""

import json
import logging
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from shutil import copyfile
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django_tasks import task

from clubsite.accounts.models import LogEntry
from clubsite.jobs.periodic import enqueue_if_due
from clubsite.jobs.queue import Priority, enqueue
from clubsite.operations.backup import Backup, delete_old_backups, list_backups, make_backup, newest_backup
from clubsite.operations.databases import BackupRefused, sync_to_disk

LONG = 5.0  # seconds; a backup that took longer is made less often, so that copying takes no more than ...
SHARE = 20  # ... one in so many seconds
AT_ONCE = 30_000_000  # bytes of a SQLite database up to which a request makes the backup itself: 5 MB take 0.15 s
LATE = timedelta(hours=1)  # directors are warned when something recorded has been without a backup for longer
STATE = "state.json"  # file in the folder of backups that says how the last copying to the second place went
log = logging.getLogger("clubsite.backups")


@task()
def back_up(reason: str) -> None:
    """Make a backup where something was logged since the last, or somebody asked for it (""); then fill the second
    place. A failure there is shown on the desk and doesn't fail the task. Raises BackupRefused if none could be
    made."""
    if not reason or has_entries_since(newest_backup(settings.BACKUPS)):
        make_backup(settings.BACKUPS, reason=reason)
    try:
        fill_second_place()
    except BackupRefused as refused:
        log.warning("%s", refused)


def back_up_before(reason: str) -> None:
    """Make a backup before something that changes much, named by `reason`: "draw", "cut" or "closing".

    Call it before the transaction of the change. SQLite's is made here, so that it is surely of the moment before; a
    large database, or PostgreSQL's, is left to a worker. What goes wrong is logged: it never stops the change.
    """
    if not settings.BACKUPS_EVERY or connection.in_atomic_block:  # such as a preview, which is rolled back
        return
    try:
        last = newest_backup(settings.BACKUPS)
        if not has_entries_since(last) or _is_too_soon(last):
            return
        if connection.vendor == "sqlite" and Path(connection.settings_dict["NAME"]).stat().st_size <= AT_ONCE:
            make_backup(settings.BACKUPS, reason=reason)
        enqueue(back_up, reason, priority=Priority.SEARCH)
    except Exception:
        log.exception("No backup was made before the %s", reason)


def enqueue_when_due() -> bool:
    """Enqueue a backup every `BACKUPS_EVERY` minutes, where something was logged since the last one or the second place
    is in trouble, so that a stick put in again is filled. Returns whether it did. Workers call this every few seconds:
    mostly it is one query."""
    if not settings.BACKUPS_EVERY:
        return False

    def due() -> bool:
        last = newest_backup(settings.BACKUPS)
        return (has_entries_since(last) and not _is_too_soon(last)) or bool(second_place_trouble())

    return enqueue_if_due(back_up, "evening", every=timedelta(minutes=settings.BACKUPS_EVERY), due=due)


def has_entries_since(last: Backup | None) -> bool:
    """Whether anything was logged since a backup: by the entries' keys, not by the clock."""
    entry = LogEntry.objects.order_by("-pk").values_list("pk", flat=True).first()
    return entry is not None and (last is None or entry != last.log)


def is_late(last: Backup | None) -> bool:
    if not settings.BACKUPS_EVERY:
        return False
    entries = LogEntry.objects.filter(pk__gt=last.log if last else 0).order_by("pk")
    first = entries.values_list("at", flat=True).first()
    return first is not None and first < timezone.now() - LATE


def backup_warning() -> str:
    """What is wrong with the backups, in a sentence for directors; "" where nothing is."""
    if code := second_place_trouble():
        words = _("The second place for backups, %(folder)s, is full. Make room on it, or use another stick.")
        if code == "missing":
            words = _("The second place for backups, %(folder)s, isn't there. Put the stick in again.")
        return words % {"folder": second_place()}
    last = newest_backup(settings.BACKUPS)
    if not is_late(last):
        return ""
    if last is None:
        return _("What was recorded isn't backed up yet. Check that a worker is running and that the disk isn't full.")
    words = _("The last backup was made %(when)s. Check that a worker is running and that the disk isn't full.")
    return words % {"when": date_format(timezone.localtime(last.made_at), "DATETIME_FORMAT")}


def _is_too_soon(last: Backup | None) -> bool:
    """A database that takes long to copy isn't copied often."""
    if last is None or last.seconds < LONG:
        return False
    age = (timezone.now() - last.made_at).total_seconds()
    return 0 <= age < last.seconds * SHARE


def second_place() -> Path | None:
    return Path(settings.BACKUPS_ALSO_TO) if settings.BACKUPS_ALSO_TO else None


def fill_second_place() -> None:
    """Copy to the second place the backups it lacks, the newest first, delete old ones there, and note how that went.

    The folder must exist: if it were made here while the stick is out, it would be on the laptop's own disk. On a full
    stick today's backup replaces the oldest. Raises BackupRefused where it isn't there, or can't be written.
    """
    place = second_place()
    if place is None or not (place.is_dir() or settings.BACKUPS.is_dir()):
        return
    try:
        if not place.is_dir():
            raise BackupRefused(_("%(folder)s isn't there: is the stick in?") % {"folder": place})
        delete_old_backups(place)
        names = {path.name for path in list_backups(place)}
        for path in list_backups(settings.BACKUPS):
            if path.name not in names:
                try:
                    _copy_to(place, path)
                except BackupRefused:
                    older = [old for old in list_backups(place) if old.name < path.name]
                    if len(older) < 2:
                        raise
                    older[-1].unlink(missing_ok=True)
                    _copy_to(place, path)
        delete_old_backups(place)
    except BackupRefused:
        _note_state("full" if place.is_dir() else "missing")
        raise
    _note_state("")


def _copy_to(folder: Path, path: Path) -> None:
    part = folder / f"{path.stem}.part"
    try:
        copyfile(path, part)
        part.chmod(0o600)
        sync_to_disk(part)
        part.replace(folder / path.name)
    except OSError as refused:
        part.unlink(missing_ok=True)
        raise BackupRefused(
            _("The backup is in %(one)s, but not in %(folder)s: %(why)s.")
            % {"one": path.parent, "folder": folder, "why": refused.strerror}
        ) from refused


def _note_state(code: str) -> None:
    with suppress(OSError):  # if nothing can be written, no backup is made either, and directors read that
        (settings.BACKUPS / STATE).write_text(json.dumps({"code": code, "folder": str(second_place())}), "utf-8")


def second_place_trouble() -> str:
    """How the last copying to the second place failed: "missing" or "full"; "" if it didn't. No query."""
    place = second_place()
    if place is None:
        return ""
    try:
        state: dict[str, Any] = json.loads((settings.BACKUPS / STATE).read_text("utf-8"))
        return str(state["code"]) if state["folder"] == str(place) else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""
