"""Backups of the SQLite database, and the way back to one.

A backup is one file: a zip of the whole database, copied by SQLite itself while the site runs, and of a manifest: when,
with which migrations, how many rows of each table, and the database's checksum. Going back writes through SQLite too,
so that a write-ahead log that still lies beside the database can't spoil it, and whoever has the site open reads the
old rows or the new ones, never some of each.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

FORMAT = 1
DATABASE, MANIFEST = "database.sqlite3", "manifest.json"  # the two files in a backup
NAMES = "nine-tables-*.backup"


class BackupRefused(Exception):
    """A backup can't be made, or can't be gone back to: the message says why, and what to do."""


class Damaged(BackupRefused):
    """SQLite finds a database damaged."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup, as its manifest says."""

    path: Path
    made_at: datetime
    migrations: frozenset[str]  # "scoring.0001_initial"
    rows: Mapping[str, int]  # of each table
    checksum: str  # SHA-256 of the database in it, in hexadecimal
    size: int  # bytes of the file


def make_backup(folder: Path, *, keep: int) -> Backup:
    """Copy the database into a file of its own in `folder`, where the newest `keep` stay.

    Raises:
        BackupRefused: the database isn't SQLite, is damaged, or nothing can be written there.
    """
    _only_sqlite()
    now = timezone.now()
    path = folder / f"nine-tables-{now:%Y%m%d-%H%M%S-%f}.backup"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder) as scratch:
            copy, whole = Path(scratch) / DATABASE, Path(scratch) / path.name
            connection.ensure_connection()
            with closing(sqlite3.connect(copy)) as target:
                connection.connection.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
                _refuse_damaged(target, "the database")
                rows = _rows_of(target)
            manifest = {
                "format": FORMAT,
                "made_at": now.isoformat(),
                "migrations": sorted(_applied()),
                "rows": rows,
                "sha256": _checksum(copy),
            }
            with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
                archive.write(copy, DATABASE)
            whole.chmod(0o600)  # it holds what the members' log-ins hold
            _to_disk(whole)
            whole.replace(path)
    except OSError as refused:
        raise BackupRefused(f"Nothing can be written to {folder}: {refused.strerror}. Make room there.") from refused
    for old in backups_in(folder)[keep:]:
        old.unlink()
    return look_into(path)


def backups_in(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    return sorted(folder.glob(NAMES), reverse=True)


def look_into(path: Path) -> Backup:
    """What a backup says of itself. Raises BackupRefused for a file that is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read(MANIFEST))
        if told["format"] != FORMAT:
            raise BackupRefused(f"{path.name} was made by a newer version of Nine Tables. Install that one first.")
        return Backup(
            path=path,
            made_at=datetime.fromisoformat(told["made_at"]),
            migrations=frozenset(told["migrations"]),
            rows=told["rows"],
            checksum=told["sha256"],
            size=path.stat().st_size,
        )
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as wrong:
        raise BackupRefused(f"{path} isn't a backup of Nine Tables, or it is damaged.") from wrong


def copy_to(folder: Path, backup: Backup) -> Path:
    """Put a backup into a second place too: a USB stick perhaps. Raises BackupRefused where nothing can be written."""
    copied = folder / backup.path.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = copied.with_suffix(".part")
        copyfile(backup.path, part)
        part.chmod(0o600)
        _to_disk(part)
        part.replace(copied)
    except OSError as refused:
        raise BackupRefused(
            f"The backup is in {backup.path.parent}, but not in {folder}: {refused.strerror}."
        ) from refused
    return copied


def changes_since(backup: Backup) -> dict[str, tuple[int, int]]:
    """What going back would change: of each table whose count differs the rows in the backup, and those there now."""
    _only_sqlite()
    connection.ensure_connection()
    now = _rows_of(connection.connection)
    tables = sorted({*now, *backup.rows})
    return {t: (backup.rows.get(t, 0), now.get(t, 0)) for t in tables if backup.rows.get(t, 0) != now.get(t, 0)}


def restore(path: Path, *, folder: Path, keep: int) -> Path:
    """Go back to a backup, whole. Where what was there before is now: in a backup of its own in `folder`.

    A backup of an earlier version is brought up to this one's tables. A database too damaged to be copied is put aside
    as it is, beside the new one; the site must not be running then.

    Raises:
        BackupRefused: it is damaged, or of a newer version; nothing has been changed then.
    """
    backup = look_into(path)
    known = {".".join(key) for key in MigrationLoader(None, ignore_no_migrations=True).disk_migrations}
    if newer := backup.migrations - known:
        raise BackupRefused(
            f"{path.name} was made by a newer version of Nine Tables ({sorted(newer)[0]}). Install that one first."
        )
    with _unpacked(backup) as source:
        try:  # one more than usual stays, so that the one gone back to isn't the one that goes
            before = make_backup(folder, keep=keep + 1).path
        except (Damaged, sqlite3.DatabaseError, DatabaseError):
            before = _put_aside()
        connection.ensure_connection()
        source.backup(connection.connection)
    call_command("migrate", verbosity=0)
    _refuse_damaged(connection.connection, "the database that was gone back to")
    return before


def _put_aside() -> Path:
    """Rename the database and what lies beside it, out of the way of a new one."""
    connection.close()
    now, name = Path(connection.settings_dict["NAME"]), f"damaged-{timezone.now():%Y%m%d-%H%M%S}"
    for part in ("", "-wal", "-shm"):
        if (lies := now.with_name(now.name + part)).exists():
            lies.rename(now.with_name(f"{name}{part}"))
    return now.with_name(name)


@contextmanager
def _unpacked(backup: Backup) -> Iterator[sqlite3.Connection]:
    """The database in a backup, held against its checksum and counts."""
    with TemporaryDirectory() as scratch:
        copy = Path(scratch) / DATABASE
        try:
            with zipfile.ZipFile(backup.path) as archive:
                archive.extract(DATABASE, scratch)
        except (OSError, zipfile.BadZipFile, KeyError) as wrong:
            raise BackupRefused(f"{backup.path.name} is damaged: its database can't be read.") from wrong
        if _checksum(copy) != backup.checksum:
            raise BackupRefused(f"{backup.path.name} is damaged: its database isn't what its checksum says.")
        with closing(sqlite3.connect(copy)) as source:
            _refuse_damaged(source, backup.path.name)
            yield source


def _only_sqlite() -> None:
    if connection.vendor != "sqlite":
        raise BackupRefused("The data is in PostgreSQL. Back it up with pg_dump: see docs/operations.md.")


def _refuse_damaged(database: Any, name: str) -> None:
    """Raises Damaged where SQLite finds a database so."""
    try:
        (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    except (sqlite3.DatabaseError, DatabaseError) as wrong:
        found = str(wrong)
    if found != "ok":
        raise Damaged(f"SQLite finds {name} damaged: {found}.")


def _rows_of(database: Any) -> dict[str, int]:
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    names = sorted(name for (name,) in tables.fetchall())
    return {name: database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0] for name in names}  # noqa: S608  (names of our own tables)


def _applied() -> set[str]:
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _to_disk(path: Path) -> None:
    """Have a file on the disk itself before anybody relies on it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
