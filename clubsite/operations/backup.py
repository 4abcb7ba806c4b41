"""Backups: one file each, a zip of the database, copied by the database's own tools, and a manifest of its contents.

`kept.json` beside them is what must stay if the database is lost and an older backup is restored
(`clubsite.operations.staying`). Files made by earlier versions lack it and some of the manifest, and can still be
restored. `secret-key` is only in the file that somebody takes along to another computer.
"""

import hashlib
import json
import re
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic, time
from typing import IO, Any

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from clubsite import __version__
from clubsite.error_pages import Trouble, find_trouble
from clubsite.operations import databases, staying
from clubsite.operations.databases import BackupRefused, Damaged, RunSql, run_sql, sync_to_disk

FORMAT = 1
MANIFEST, KEPT, KEY = "manifest.json", "kept.json", "secret-key"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}  # the database's name in the zip, by vendor
NUMBER = re.compile(r"-n(\d+)\.backup$")
ALL_FOR = timedelta(hours=24)  # every backup is kept this long; after that one a day
ABANDONED = 3600  # seconds after which a half-made backup is deleted: its process was killed
REASONS: dict[str, str | Promise] = {
    "": gettext_lazy("on request"),
    "evening": gettext_lazy("automatic, while scores came in"),
    "draw": gettext_lazy("before a draw was published"),
    "cut": gettext_lazy("before a cut was published"),
    "closing": gettext_lazy("before a round or a result was closed"),
    "migration": gettext_lazy("before a new version of the program"),
    "restore": gettext_lazy("before another backup was restored"),
}
# What reading a damaged zip raises, depending on which of its bytes went bad.
UNREADABLE = (OSError, EOFError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)
KEPT_LONG = {"migration", "restore"}  # reasons of backups that stay for a month, whatever else was made that day


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    made_at: datetime
    migrations: frozenset[str] = frozenset()  # "scoring.0001_initial"
    checksum: str = ""  # SHA-256 of the database in it, in hexadecimal
    size: int = 0  # bytes of the file
    vendor: str = "sqlite"
    reason: str = ""  # a key of `REASONS`
    seconds: float = 0.0  # how long it took to make
    version: str = ""  # of the program
    log: int = 0  # the key of the last log entry
    last: tuple[tuple[int, int, str], ...] = ()  # each club with the key and time of its last log entry
    site: str = ""  # the first log entry, which identifies a site
    keys: Mapping[str, int] = field(default_factory=dict, hash=False)  # the last that each table has given

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def number(self) -> int:
        """Its number in its folder, which gives the order whatever the clock was; 0 for one of an early version."""
        match = NUMBER.search(self.path.name)
        return int(match[1]) if match else 0

    @property
    def why(self) -> str:
        return str(REASONS.get(self.reason, self.reason))


def list_backups(folder: Path) -> list[Path]:
    paths = folder.glob("nine-tables-*.backup")
    return sorted(paths, key=lambda path: (Backup(path, datetime.min).number, path.name), reverse=True)


def readable_backups(folder: Path) -> Iterator[Backup]:
    for path in list_backups(folder):
        with suppress(BackupRefused):
            yield read_backup(path)


def newest_backup(folder: Path) -> Backup | None:
    return next(readable_backups(folder), None)


def read_backup(path: Path) -> Backup:
    """Raises BackupRefused for a file that isn't a backup."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            newer = _("%(name)s was made by a newer version of Nine Tables. Install that one first.")
            raise BackupRefused(newer % {"name": path.name})
        names = ("vendor", "reason", "seconds", "version", "log", "site", "keys")
        return Backup(
            path=path,
            made_at=_parse_time(manifest["made_at"]),
            migrations=frozenset(manifest["migrations"]),
            checksum=manifest["sha256"],
            size=path.stat().st_size,
            last=tuple(tuple(entry) for entry in manifest.get("last", ())),
            **{name: manifest[name] for name in names if name in manifest},
        )
    except (*UNREADABLE, TypeError) as wrong:
        damaged = _("%(name)s isn't a backup of Nine Tables, or it is damaged.")
        raise BackupRefused(damaged % {"name": path.name}) from wrong


def _parse_time(text: str) -> datetime:
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(text)
    return at


def read_kept(backup: Backup) -> dict[str, Any] | None:
    """What `staying.read_present` returned when the backup was made; None where it lacks that."""
    with suppress(*UNREADABLE), zipfile.ZipFile(backup.path) as archive:
        stays: dict[str, Any] | None = json.loads(archive.read(KEPT))
        return stays
    return None


def copy_with_key(backup: Backup) -> IO[bytes]:
    """A copy with the site's secret key in it, deleted once it is closed. Raises BackupRefused."""
    place = databases.data_folder()
    try:
        copy = TemporaryFile(dir=place)  # noqa: SIM115  (whoever sends it closes it)
        with backup.path.open("rb") as file:
            shutil.copyfileobj(file, copy)
        with zipfile.ZipFile(copy, "a") as archive:
            archive.writestr(KEY, settings.SECRET_KEY)
        copy.seek(0)
    except OSError as refused:
        raise _cannot_write(place, refused) from refused
    return copy


def read_secret_key(backup: Backup) -> str:
    """ "" in a backup without it."""
    with suppress(*UNREADABLE), zipfile.ZipFile(backup.path) as archive:
        return archive.read(KEY).decode()
    return ""


@contextmanager
def unpack(backup: Backup) -> Iterator[Path]:
    """Unpack the database of a backup beside the site's, and check it. Raises BackupRefused for a damaged one, or where
    there is no room."""
    place, damaged = databases.data_folder(), _("%(name)s is damaged: its database can't be read.")
    try:
        folder = TemporaryDirectory(dir=place, prefix="restoring-", ignore_cleanup_errors=True)
    except OSError as refused:
        raise _cannot_write(place, refused) from refused
    with folder as scratch:
        try:
            with zipfile.ZipFile(backup.path) as archive:
                copy = Path(archive.extract(DATABASES[backup.vendor], scratch))
        except UNREADABLE as wrong:
            if find_trouble(wrong) in (Trouble.FULL, Trouble.READ_ONLY):
                raise _cannot_write(place, wrong) from wrong
            raise BackupRefused(damaged % {"name": backup.name}) from wrong
        if _checksum(copy) != backup.checksum:
            damaged = _("%(name)s is damaged: its database isn't what its checksum says.")
            raise BackupRefused(damaged % {"name": backup.name})
        yield copy


def make_backup(folder: Path, *, days: int | None = None, reason: str = "", spare: Path | None = None) -> Backup:
    """Copy the database into a new file in `folder`, and delete old backups there.

    The copy has what is committed; a caller within a transaction must keep others from writing meanwhile. Raises
    BackupRefused where the database is damaged, nothing can be written there, or PostgreSQL's programs are missing.
    """
    began, now = monotonic(), timezone.now()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in (*folder.glob("making-*"), *databases.data_folder().glob("restoring-*")):
            with suppress(OSError):
                if abs(time() - left.stat().st_mtime) > ABANDONED:
                    shutil.rmtree(left)
        with TemporaryDirectory(dir=folder, prefix="making-", ignore_cleanup_errors=True) as scratch:
            copy = Path(scratch) / DATABASES[connection.vendor]
            facts = _copy_database(copy)
            stays = staying.read_present()
            manifest = {
                "format": FORMAT,
                "version": __version__,
                "vendor": connection.vendor,
                "made_at": now.isoformat(),
                "reason": reason,
                **facts,
                "sha256": _checksum(copy),
                "seconds": round(monotonic() - began, 3),
            }
            path = _write_backup(copy, {MANIFEST: manifest, KEPT: stays}, folder=folder, now=now)
    except (OSError, sqlite3.DatabaseError) as refused:
        if any(words in str(refused) for words in ("not a database", "malformed")):
            damaged = _("SQLite finds %(name)s damaged: %(found)s.") % {"name": "database", "found": refused}
            raise Damaged(damaged) from refused
        raise _cannot_write(folder, refused) from refused
    delete_old_backups(folder, days=days, spare=spare)
    return read_backup(path)


def _cannot_write(folder: Path, refused: Exception) -> BackupRefused:
    why = getattr(refused, "strerror", None) or refused
    words = _("Nothing can be written to %(folder)s: %(why)s. Make room there.")
    return BackupRefused(words % {"folder": folder, "why": why})


def _copy_database(copy: Path) -> dict[str, Any]:
    if connection.vendor == "sqlite":
        databases.copy_to_file(copy)
        with databases.open_copy(copy, copy.name) as of_copy:
            return _describe_copy(of_copy)
    if connection.in_atomic_block:  # the caller makes sure that nobody writes meanwhile
        databases.dump(copy)
        return _describe_copy(run_sql)
    with databases.exported_snapshot() as snapshot:
        databases.dump(copy, snapshot=snapshot)
        return _describe_copy(run_sql)


def _describe_copy(run: RunSql) -> dict[str, Any]:
    tables = connection.introspection.table_names()
    migrations = run("SELECT app, name FROM django_migrations") if "django_migrations" in tables else []
    facts: dict[str, Any] = {"migrations": sorted(f"{app}.{name}" for app, name in migrations)}
    facts["keys"] = databases.last_keys(run)
    if "accounts_logentry" in tables:
        for pk, at in run("SELECT id, at FROM accounts_logentry ORDER BY id LIMIT 1"):
            facts["site"] = f"{pk} {_to_second(at)}"
        newest_of_clubs = "SELECT MAX(id) FROM accounts_logentry GROUP BY club_id"
        last = run(f"SELECT club_id, id, at FROM accounts_logentry WHERE id IN ({newest_of_clubs}) ORDER BY id")  # noqa: S608  (our own query)
        facts["last"] = [(club, pk, _to_second(at)) for club, pk, at in last]
        facts["log"] = last[-1][1] if last else 0
    return facts


def _to_second(at: object) -> str:
    return str(at)[:19]


def _write_backup(copy: Path, texts: dict[str, Any], *, folder: Path, now: datetime) -> Path:
    """Zip a copied database with these texts into `folder`, whole or not at all."""
    whole = copy.with_name("whole.backup")
    squeeze = zipfile.ZIP_DEFLATED if connection.vendor == "sqlite" else zipfile.ZIP_STORED  # pg_dump squeezes itself
    with zipfile.ZipFile(whole, "w", squeeze, compresslevel=1) as archive:
        for name, text in texts.items():
            archive.writestr(name, json.dumps(text))
        archive.write(copy, copy.name)
    whole.chmod(0o600)  # it holds password hashes and members' contact details
    sync_to_disk(whole)
    number = max((Backup(path, now).number for path in list_backups(folder)), default=0)
    while True:
        number += 1
        path = folder / f"nine-tables-{now:%Y%m%d-%H%M%S}-n{number:05}.backup"
        try:
            try:
                path.hardlink_to(whole)
            except FileExistsError:
                raise
            except OSError:  # a stick's file system has no hard links
                path.touch(0o600, exist_ok=False)  # takes the name, so that no other's file is replaced
                whole.replace(path)
        except FileExistsError:  # somebody else took the number
            continue
        sync_to_disk(folder)
        return path


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_own_past(backup: Backup) -> bool:
    """Whether a backup is of this site's own past: the present log has the last entries of its clubs. Clubs that are
    missing now went when an earlier backup was restored."""
    try:
        with transaction.atomic():
            if not backup.last:  # of an earlier version
                entry = run_sql("SELECT at FROM accounts_logentry WHERE id = %s", backup.log)
                return bool(entry) and _to_second(entry[0][0]) <= _to_second(backup.made_at.astimezone(UTC))
            clubs = {club for (club,) in run_sql("SELECT id FROM accounts_club")}
            entries = [
                (club, pk, _to_second(at))
                for club, key, _at in backup.last
                for pk, at in run_sql("SELECT id, at FROM accounts_logentry WHERE id = %s AND club_id = %s", key, club)
            ]
    except (DatabaseError, sqlite3.DatabaseError):
        return False
    return bool(entries) and entries == [entry for entry in backup.last if entry[0] in clubs]


def backups_to_keep(backups: Sequence[Backup], *, now: datetime, days: int, most: int) -> list[Backup]:
    """Which of these backups, newest first, stay: all of the last day; for `days` the last of each day, and those made
    before a restore or a new version; together at most `most` bytes. The newest always stays. One dated in the future
    counts as new."""
    stay, seen, size = [], set(), 0
    for n, backup in enumerate(backups):
        age, day = now - backup.made_at, timezone.localdate(backup.made_at)
        stays = age < ALL_FOR or (age < timedelta(days=days) and (day not in seen or backup.reason in KEPT_LONG))
        seen.add(day)
        if n and (not stays or size + backup.size > most):
            continue
        stay.append(backup)
        size += backup.size
    return stay


def delete_old_backups(folder: Path, *, days: int | None = None, spare: Path | None = None) -> None:
    """Other files of the folder, and `spare`, stay."""
    backups = list(readable_backups(folder))
    days = settings.BACKUPS_KEPT if days is None else days
    stay = backups_to_keep(backups, now=timezone.now(), days=days, most=settings.BACKUPS_MEGABYTES * 1_000_000)
    for backup in backups:
        if backup not in stay and not (spare and backup.path.resolve() == spare.resolve()):
            with suppress(PermissionError):  # on Windows: somebody is downloading it
                backup.path.unlink(missing_ok=True)
