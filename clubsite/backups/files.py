"""A backup as a file: a zip with the database, copied by its own means, and a manifest that says what it holds.

The manifest tells when and why it was made, its clubs and migrations, how many rows each table has, and the database's
checksum; so the list of backups can be shown without opening a database.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils.translation import gettext as _

FORMAT = 1
MANIFEST = "manifest.json"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.pgdump"}  # the database's name in the zip, by vendor
NAMES = "nine-tables-*.backup"
NUMBER = re.compile(r"-n(\d+)\.backup$")


class BackupRefused(Exception):
    """A backup can't be made, or can't be gone back to: the message says why, and what to do."""


class Damaged(BackupRefused):
    """SQLite finds a database damaged."""


class NoTool(BackupRefused):
    """A program of PostgreSQL's isn't on this machine."""


@dataclass(frozen=True, slots=True)
class ClubThen:
    """A club as a backup has it. `born`, its first log entry, tells it from another club that happens to have its
    key."""

    pk: int
    slug: str
    name: str
    born: str = ""


@dataclass(frozen=True, slots=True)
class MemberKey:
    """A member, by keys alone."""

    club: int
    born: str  # `ClubThen.born` of the club
    member: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What a manifest tells of a database."""

    migrations: frozenset[str]  # "scoring.0001_initial"
    rows: Mapping[str, int]  # of each table
    clubs: tuple[ClubThen, ...] = ()
    erased: tuple[MemberKey, ...] = ()
    initials: tuple[MemberKey, ...] = ()  # members who want initials on public pages
    log: int = 0  # the key of the last log entry


@dataclass(frozen=True, slots=True)
class Backup(Facts):
    """A backup, as its manifest says."""

    path: Path = Path()
    made_at: datetime = datetime.min
    checksum: str = ""  # SHA-256 of the database in it, in hexadecimal
    size: int = 0  # bytes of the file
    vendor: str = "sqlite"
    reason: str = ""  # a key of `words.REASONS`; "" where somebody asked for it
    seconds: float = 0.0  # how long it took to make

    @property
    def name(self) -> str:
        """The name of its file, by which pages know it."""
        return self.path.name

    @property
    def number(self) -> int:
        """Its number in its folder, from 1; 0 for one made by a version of the site that didn't number them."""
        return number_of(self.path)


def number_of(path: Path) -> int:
    """The number in a backup's name, which gives their order whatever the clock said."""
    found = NUMBER.search(path.name)
    return int(found[1]) if found else 0


def backups_in(folder: Path) -> list[Path]:
    """The backups in a folder, the newest first."""
    return sorted(folder.glob(NAMES), key=lambda path: (number_of(path), path.name), reverse=True)


def readable_in(folder: Path) -> Iterator[Backup]:
    """The backups of a folder that can be read, the newest first."""
    for path in backups_in(folder):
        with suppress(BackupRefused):
            yield look_into(path)


def newest(folder: Path) -> Backup | None:
    """The newest backup of a folder that can be read, or None."""
    return next(readable_in(folder), None)


def look_into(path: Path) -> Backup:
    """Read a backup's manifest. Raises BackupRefused for a file that isn't a backup."""
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(archive.read(MANIFEST))
        if told["format"] != FORMAT:
            raise BackupRefused(
                _("%(name)s was made by a newer version of Nine Tables. Install that one first.") % {"name": path.name}
            )
        return Backup(
            path=path,
            made_at=datetime.fromisoformat(told["made_at"]),
            migrations=frozenset(told["migrations"]),
            rows=told["rows"],
            checksum=told["sha256"],
            size=path.stat().st_size,
            clubs=tuple(ClubThen(**one) for one in told.get("clubs", ())),
            erased=tuple(MemberKey(*member) for member in told.get("erased", ())),
            initials=tuple(MemberKey(*member) for member in told.get("initials", ())),
            **{name: told[name] for name in ("vendor", "reason", "seconds", "log") if name in told},
        )
    except (OSError, zipfile.BadZipFile, ValueError, KeyError, TypeError) as wrong:
        raise BackupRefused(
            _("%(name)s isn't a backup of Nine Tables, or it is damaged.") % {"name": path.name}
        ) from wrong


def write(database: Path, *, folder: Path, told: Mapping[str, Any], vendor: str, scratch: Path) -> Path:
    """Zip a copied database with its manifest, `told`, into `folder`, whole or not at all. Returns the file's path.

    Raises:
        OSError: nothing can be written there.
    """
    whole = scratch / "whole.backup"
    manifest = {"format": FORMAT, "vendor": vendor, **told, "sha256": checksum_of(database)}
    squeeze = zipfile.ZIP_DEFLATED if vendor == "sqlite" else zipfile.ZIP_STORED  # pg_dump has squeezed it already
    with zipfile.ZipFile(whole, "w", squeeze) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        archive.write(database, DATABASES[vendor])
    whole.chmod(0o600)  # it holds password hashes and members' contact details
    to_disk(whole)
    made_at = datetime.fromisoformat(told["made_at"])
    number = max((number_of(path) for path in backups_in(folder)), default=0)
    while True:
        number += 1
        path = folder / f"nine-tables-{made_at:%Y%m%d-%H%M%S}-n{number:05}.backup"
        try:
            path.hardlink_to(whole)
        except FileExistsError:  # somebody else took the number
            continue
        except OSError:  # a stick's file system has no hard links
            whole.replace(path)
        return path


@contextmanager
def unpacked(backup: Backup) -> Iterator[Path]:
    """Unpacks the database of a backup, and checks it against its checksum. Raises BackupRefused for a damaged one."""
    with TemporaryDirectory() as scratch:
        name = DATABASES[backup.vendor]
        try:
            with zipfile.ZipFile(backup.path) as archive:
                archive.extract(name, scratch)
        except (OSError, zipfile.BadZipFile, KeyError) as wrong:
            raise BackupRefused(
                _("%(name)s is damaged: its database can't be read.") % {"name": backup.name}
            ) from wrong
        copy = Path(scratch) / name
        if checksum_of(copy) != backup.checksum:
            raise BackupRefused(
                _("%(name)s is damaged: its database isn't what its checksum says.") % {"name": backup.name}
            )
        yield copy


def checksum_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def to_disk(path: Path) -> None:
    """Sync a file to the disk, before anybody relies on it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
