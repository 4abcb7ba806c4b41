"""SQLite's side of backups: copies by SQLite's online backup, so that they hold what is still in the write-ahead
log."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from django.db import DatabaseError, OperationalError, connection
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.backups.files import Damaged

THEN = "backup_then"  # the name under which a backup's database is attached

Ask = Callable[[str], list[Any]]


def copy_to_file(copy: Path) -> None:
    """Copy what is committed in the database now. Nobody waits for it, and it waits for nobody."""
    here = Path(connection.settings_dict["NAME"]).resolve().as_uri()
    # A connection of its own: SQLite can't copy from one that is writing.
    with closing(sqlite3.connect(f"{here}?mode=rw", uri=True)) as source, closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA synchronous=OFF")  # the finished backup is synced to the disk later
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it


def refuse_damaged(ask: Ask, name: str) -> None:
    """Raises Damaged where SQLite's check finds the database damaged."""
    try:
        ((found,),) = ask("PRAGMA integrity_check(1)")
    except (sqlite3.DatabaseError, DatabaseError) as wrong:
        found = str(wrong)
    if found != "ok":
        raise Damaged(_("SQLite finds %(name)s damaged: %(found)s.") % {"name": name, "found": found})


@contextmanager
def opened(copy: Path) -> Iterator[Ask]:
    """Opens a database file that isn't the site's, and gives a function that returns a query's rows."""
    with closing(sqlite3.connect(copy)) as database:
        yield lambda sql: database.execute(sql).fetchall()


def tables_of(ask: Ask) -> list[str]:
    """The names of all tables."""
    return sorted(
        name for (name,) in ask("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    )


def rewrite() -> None:
    """Write the database's file anew, without what was deleted: neither its free pages nor its write-ahead log hold
    anything of that then. Where somebody writes all the time, or the disk has no room for it, it stays as it is."""
    with connection.cursor() as cursor:
        for step in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            with suppress(OperationalError):
                cursor.execute(step)


def file_holds(texts: Collection[bytes]) -> bool:
    """Whether the database's file or its write-ahead log holds any of these texts, in small letters as far as they are
    ASCII."""
    file, longest = Path(connection.settings_dict["NAME"]), max(map(len, texts), default=0)
    for part in (file, file.with_name(f"{file.name}-wal")):
        before = b""
        with part.open("rb") if part.exists() else BytesIO() as opened_part:
            while read := opened_part.read(1 << 20):
                block = before + read.lower()
                if any(text in block for text in texts):
                    return True
                before = block[-longest:]
    return False


def rows_hold(texts: Collection[bytes]) -> bool:
    """Whether any column of any row holds one of these texts, as `file_holds` looks for them."""
    for table in connection.introspection.table_names():
        with connection.cursor() as cursor:
            columns = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            for column in columns:
                held = f'lower(CAST("{column}" AS TEXT))'  # SQLite's lower() knows the capitals of ASCII alone
                looked = " OR ".join([f"instr({held}, %s)"] * len(texts))
                cursor.execute(f'SELECT 1 FROM "{table}" WHERE {looked} LIMIT 1', [text.decode() for text in texts])  # noqa: S608 - our own tables
                if cursor.fetchone():
                    return True
    return False


def replace_file(source: Path) -> None:
    """Write a whole database over the site's: for one that has no tables, or another version's."""
    connection.ensure_connection()
    with closing(sqlite3.connect(source)) as database:
        database.backup(connection.connection)


def put_aside() -> Path:
    """Rename the database with its write-ahead log, out of the way of a new one. Returns its new path."""
    connection.close()
    now, name = Path(connection.settings_dict["NAME"]), f"damaged-{timezone.now():%Y%m%d-%H%M%S}"
    for part in ("", "-wal", "-shm"):
        if (lies := now.with_name(now.name + part)).exists():
            lies.rename(now.with_name(f"{name}{part}"))
    return now.with_name(name)
