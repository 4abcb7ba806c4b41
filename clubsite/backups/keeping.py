"""Which backups stay, the second place for them, and what is wrong with either."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copyfile
from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.backups.files import Backup, BackupRefused, backups_in, readable_in, to_disk
from clubsite.backups.words import STAY_LONG

ALL_FOR = timedelta(hours=24)  # every backup stays so long; after that one a day
STATE = "state.json"  # file in the folder of backups that says how the last copying to the second place went


def staying(backups: Sequence[Backup], *, now: datetime, days: int, most: int) -> list[Backup]:
    """Which of these backups, given from the newest to the oldest, stay: all of the last day; for `days` the last of
    each day, and those made before a restore or a new version; together no more than `most` bytes.

    The newest always stays. One dated in the future counts as new.
    """
    stay, seen, size = [], set(), 0
    for n, backup in enumerate(backups):
        age, day = now - backup.made_at, timezone.localdate(backup.made_at)
        wanted = age < ALL_FOR or (age < timedelta(days=days) and (day not in seen or backup.reason in STAY_LONG))
        seen.add(day)
        if n and (not wanted or size + backup.size > most):
            continue
        stay.append(backup)
        size += backup.size
    return stay


def thin(folder: Path, *, days: int | None = None, spare: Path | None = None) -> None:
    """Delete the backups of a folder that needn't stay, except `spare`. Other files are left alone."""
    found = list(readable_in(folder))
    days = settings.BACKUPS_KEPT if days is None else days
    stay = staying(found, now=timezone.now(), days=days, most=settings.BACKUPS_MEGABYTES * 1_000_000)
    keep = {backup.path for backup in stay}
    for backup in found:
        if backup.path not in keep and backup.path != spare:
            backup.path.unlink(missing_ok=True)


def copy_to(folder: Path, path: Path) -> None:
    """Copy a backup to a second place, perhaps a USB stick.

    The folder must exist: if it were made here while the stick is out, it would lie on the laptop's own disk.

    Raises:
        BackupRefused: it isn't there, or nothing can be written to it.
    """
    if not folder.is_dir():
        raise BackupRefused(_("%(folder)s isn't there: is the stick in?") % {"folder": folder})
    part = folder / f"{path.stem}.part"
    try:
        copyfile(path, part)
        part.chmod(0o600)
        to_disk(part)
        part.replace(folder / path.name)
    except OSError as refused:
        part.unlink(missing_ok=True)
        raise BackupRefused(
            _("The backup is in %(one)s, but not in %(folder)s: %(why)s.")
            % {"one": path.parent, "folder": folder, "why": refused.strerror}
        ) from refused


def second_place() -> Path | None:
    """The second place for backups, where one is set."""
    return Path(settings.BACKUPS_ALSO_TO) if settings.BACKUPS_ALSO_TO else None


def fill_second_place() -> None:
    """Copy to the second place the backups it lacks, the newest first, thin it, and note how that went.

    Room is made first: on a full stick today's backup replaces the oldest. Raises BackupRefused as `copy_to`.
    """
    place = second_place()
    if place is None:
        return
    try:
        if place.is_dir():
            thin(place)
            there = {path.name for path in backups_in(place)}
            for path in backups_in(settings.BACKUPS):
                if path.name not in there:
                    _make_room_and_copy(place, path)
            thin(place)
        elif settings.BACKUPS.is_dir():
            raise BackupRefused(_("%(folder)s isn't there: is the stick in?") % {"folder": place})
    except BackupRefused as refused:
        _tell("missing" if not place.is_dir() else "full", refused)
        raise
    _tell("")


def _make_room_and_copy(place: Path, path: Path) -> None:
    try:
        copy_to(place, path)
    except BackupRefused:
        older = [old for old in backups_in(place) if old.name < path.name]
        if len(older) < 2:
            raise
        older[-1].unlink(missing_ok=True)
        copy_to(place, path)


def _tell(code: str, refused: Exception | None = None) -> None:
    told = {"code": code, "folder": str(second_place()), "at": timezone.now().isoformat(), "said": str(refused or "")}
    with suppress(OSError):  # if nothing can be written, no backup is made either, and directors are told that
        (settings.BACKUPS / STATE).write_text(json.dumps(told))


def trouble() -> str:
    """What is wrong with the second place, as it was found the last time: "missing" or "full"; "" for nothing. No
    query."""
    place = second_place()
    if place is None:
        return ""
    try:
        told: dict[str, Any] = json.loads((settings.BACKUPS / STATE).read_text())
        return str(told["code"]) if told["folder"] == str(place) else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def words_of(code: str) -> str:
    """What is wrong, and what to do."""
    words = _("The second place for backups, %(folder)s, takes no more. Make room on it, or take another stick.")
    if code == "missing":
        words = _("The second place for backups, %(folder)s, isn't there. Put the stick in again.")
    return words % {"folder": second_place()}
