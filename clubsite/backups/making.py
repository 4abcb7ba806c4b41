"""Making a backup: the copy of the database, its facts, the file; and finishing the copies that requests left."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, astuple
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, time
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.backups.databases import ask, postgres, sqlite
from clubsite.backups.files import Backup, BackupRefused, ClubThen, Damaged, Facts, MemberKey, look_into, newest, write
from clubsite.backups.keeping import thin

PENDING = "copied-*.sqlite3"  # copies made by requests, of which a worker makes backups
AT_ONCE = 100_000_000  # bytes; a request copies no larger database. These take 0.3 to 0.5 s, 5 MB take 10 to 40 ms
LEFT = 3600  # seconds after which a half-made file in the folder is taken for abandoned
DAMAGED = ("not a database", "malformed")  # SQLite's words for it, in various classes of error
log = logging.getLogger("clubsite.backups")


def make_backup(folder: Path, *, days: int | None = None, reason: str = "", spare: Path | None = None) -> Backup:
    """Copy the database into a file of its own in `folder`, and delete there those that needn't stay (`keeping.thin`).

    It holds what is committed; a caller within a transaction must see to it that nobody writes meanwhile.

    Raises:
        BackupRefused: the database is damaged, nothing can be written there, or PostgreSQL's programs are missing.
    """
    now, began = timezone.now(), monotonic()
    try:
        with _scratch(folder) as scratch:
            copy = scratch / "database"
            if connection.vendor == "sqlite":
                sqlite.copy_to_file(copy)
                facts = _facts_of_copy(copy)
            else:
                facts = _dumped(copy)
            path = _file(copy, facts, folder=folder, now=now, reason=reason, began=began)
    except (OSError, sqlite3.OperationalError) as refused:
        raise _nothing_written(folder, refused) from refused
    thin(folder, days=days, spare=spare)
    return look_into(path)


def copy_at_once(reason: str) -> bool:
    """Copy the database as it is this moment, for `finish_copies` to make a backup of. For SQLite only, up to
    `AT_ONCE`.

    For a request that is about to change much: it takes 10 to 40 ms with 5 MB, and nobody else waits for it. Returns
    whether it was done; a full disk is logged and stops nobody.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:  # such as a preview, which is rolled back
        return False
    name = Path(connection.settings_dict["NAME"])
    part = settings.BACKUPS / f"part-{os.getpid()}-{monotonic()}"
    try:
        if name.stat().st_size > AT_ONCE:
            return False
        settings.BACKUPS.mkdir(mode=0o700, parents=True, exist_ok=True)
        sqlite.copy_to_file(part)
        part.chmod(0o600)
        now = timezone.now()
        part.rename(settings.BACKUPS / f"copied-{now:%Y%m%d-%H%M%S-%f}-{reason}.sqlite3")
    except (OSError, sqlite3.Error) as refused:
        log.warning("No copy was made before the %s: %s", reason, refused)
        part.unlink(missing_ok=True)
        return False
    return True


def finish_copies(folder: Path) -> int:
    """Make backups of the copies that requests left. Returns how many there were.

    Raises:
        BackupRefused: a copy is damaged, or nothing can be written.
    """
    done = 0
    for copy in sorted(folder.glob(PENDING)):
        began = monotonic()
        _copied, day, hour, micro, reason = copy.stem.split("-")
        now = datetime.strptime(f"{day}{hour}{micro}+0000", "%Y%m%d%H%M%S%f%z")
        try:
            with _scratch(folder) as scratch:
                mine = scratch / "database"
                copy.rename(mine)  # if two workers try, only one gets it
                facts = _facts_of_copy(mine)
                last = newest(folder)
                if last is None or last.log != facts.log or last.made_at > now:
                    _file(mine, facts, folder=folder, now=now, reason=reason, began=began)
        except FileNotFoundError:
            continue
        except (OSError, sqlite3.OperationalError) as refused:
            raise _nothing_written(folder, refused) from refused
        done += 1
    if done:
        thin(folder)
    return done


def facts_of_now() -> Facts:
    """The facts of the site's database as it is now."""
    if connection.vendor == "sqlite":
        return _facts(sqlite.tables_of(ask))
    return _facts(postgres.tables())


def changes_since(backup: Backup) -> dict[str, tuple[int, int]]:
    """For each table with another number of rows than in the backup: the number in the backup, and the number now."""
    now = facts_of_now().rows
    tables = sorted({*now, *backup.rows})
    return {t: (backup.rows.get(t, 0), now.get(t, 0)) for t in tables if backup.rows.get(t, 0) != now.get(t, 0)}


def applied() -> set[str]:
    """The migrations of the site's database."""
    return {f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations()}


def born_of(table: str, ask: sqlite.Ask = ask) -> dict[int, tuple[int, str]]:
    """The key and time of each club's first entry in this log table, by the club's key: they tell apart two clubs with
    the same key."""
    first = f"SELECT MIN(id) FROM {table} GROUP BY club_id"  # noqa: S608 - our own table
    found = ask(f"SELECT club_id, id, at FROM {table} WHERE id IN ({first})")  # noqa: S608 - as above
    return {club: (pk, str(at)) for club, pk, at in found}


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _sweep(folder)
    with TemporaryDirectory(dir=folder, prefix="making-") as scratch:
        yield Path(scratch)


def _sweep(folder: Path) -> None:
    """Remove what was left by processes that were killed while making a backup."""
    for left in [*folder.glob("making-*"), *folder.glob("part-*")]:
        with suppress(OSError):
            if abs(time() - left.stat().st_mtime) > LEFT:
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def _dumped(copy: Path) -> Facts:
    if connection.in_atomic_block:  # the caller sees to it that nobody writes meanwhile
        postgres.dump(copy)
        return facts_of_now()
    with postgres.as_of_now() as snapshot:
        postgres.dump(copy, snapshot=snapshot)
        return facts_of_now()


def _file(copy: Path, facts: Facts, *, folder: Path, now: datetime, reason: str, began: float) -> Path:
    told: dict[str, Any] = {
        "made_at": now.isoformat(),
        "reason": reason,
        "seconds": round(monotonic() - began, 3),
        "migrations": sorted(facts.migrations),
        "rows": dict(facts.rows),
        "clubs": [asdict(club) for club in facts.clubs],
        "erased": [astuple(member) for member in facts.erased],
        "initials": [astuple(member) for member in facts.initials],
        "log": facts.log,
    }
    return write(copy, folder=folder, told=told, vendor=connection.vendor, scratch=copy.parent)


def _nothing_written(folder: Path, refused: Exception) -> BackupRefused:
    if isinstance(refused, sqlite3.Error) and any(words in str(refused) for words in DAMAGED):
        return Damaged(_("SQLite finds %(name)s damaged: %(found)s.") % {"name": "database", "found": refused})
    said = _("Nothing can be written to %(folder)s: %(why)s. Make room there.")
    return BackupRefused(said % {"folder": folder, "why": getattr(refused, "strerror", None) or refused})


def _facts_of_copy(copy: Path) -> Facts:
    with sqlite.opened(copy) as of_copy:
        sqlite.refuse_damaged(of_copy, copy.name)
        return _facts(sqlite.tables_of(of_copy), of_copy)


def _facts(tables: list[str], ask: sqlite.Ask = ask) -> Facts:
    """The facts of a database, read by `ask`; an earlier version's may lack some of these tables."""
    rows = {name: ask(f'SELECT COUNT(*) FROM "{name}"')[0][0] for name in tables}  # noqa: S608  (our own tables)
    done = ask("SELECT app, name FROM django_migrations") if "django_migrations" in tables else []
    migrations = frozenset(f"{app}.{name}" for app, name in done)
    born: dict[int, str] = {}
    last = 0
    if "accounts_logentry" in tables:
        born = {club: f"{pk} {at[:19]}" for club, (pk, at) in born_of("accounts_logentry", ask).items()}
        last = ask("SELECT COALESCE(MAX(id), 0) FROM accounts_logentry")[0][0]
    clubs = ask("SELECT id, slug, name FROM accounts_club ORDER BY name") if "accounts_club" in tables else []
    erased, initials = [], []
    if "accounts.0006_members" in migrations:
        of_members = "SELECT club_id, id FROM accounts_member"
        erased = ask(f"{of_members} WHERE erased_at IS NOT NULL ORDER BY id")
        initials = ask(f"{of_members} WHERE initials_only ORDER BY id")
    return Facts(
        migrations=migrations,
        rows=rows,
        clubs=tuple(ClubThen(pk, slug, name, born.get(pk, "")) for pk, slug, name in clubs),
        erased=tuple(MemberKey(club, born.get(club, ""), pk) for club, pk in erased),
        initials=tuple(MemberKey(club, born.get(club, ""), pk) for club, pk in initials),
        log=last,
    )
