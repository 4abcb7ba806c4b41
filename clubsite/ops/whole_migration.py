"""Bringing a SQLite database to another version's tables: all of it, or none.

Each of Django's migrations is a transaction of its own, and some are recorded as done only afterwards: a failure, or a
laptop that dies midway, would leave tables between two versions, with which neither runs. So a copy is migrated, which
then replaces the database in one SQLite transaction.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.db import DatabaseError, connection

SCRATCH = "migrating-"
PATIENCE = 20  # seconds to wait for somebody who holds the database


class NotMigrated(Exception):
    """The tables couldn't be brought to this version, and are as they were; the message says why and what to do."""


def all_or_none(migrate: Callable[[], object]) -> None:
    """Have `migrate` work on a copy of the database, then put that in its place.

    Raises:
        NotMigrated: it failed, or somebody wrote meanwhile; nothing has been changed.
    """
    name = Path(connection.settings_dict["NAME"])
    for left in name.parent.glob(f"{SCRATCH}*"):  # left by a start that was ended midway
        shutil.rmtree(left, ignore_errors=True)
    try:
        with (
            TemporaryDirectory(dir=name.parent, prefix=SCRATCH) as scratch,
            closing(sqlite3.connect(name, timeout=PATIENCE)) as live,
        ):
            copy = Path(scratch) / name.name
            seen = _version(live)
            with closing(sqlite3.connect(copy)) as target:
                live.backup(target)
            with _in_place(copy):
                migrate()
            with closing(sqlite3.connect(copy)) as made:
                _refuse_unsound(made)
                made.execute("VACUUM")  # without what was deleted before deleting overwrote it
                if _version(live) != seen:
                    raise NotMigrated(
                        "Somebody wrote to the database while its tables were brought to this version, so nothing has "
                        "been changed. Stop every other program that serves the site, then start again."
                    )
                made.backup(live)
    except (OSError, sqlite3.Error, DatabaseError) as failed:
        raise NotMigrated(
            f"The tables couldn't be brought to this version ({failed}). Nothing has been changed: the data is as "
            f"it was, and the version before runs with it. There must be room in {name.parent} for three times "
            f"{name.name}."
        ) from failed
    except NotMigrated:
        raise
    except Exception as fault:
        fault.add_note("The tables were not brought to this version. Nothing has been changed: the data is as it was.")
        raise


def _version(database: sqlite3.Connection) -> int:
    """SQLite's number that changes when another connection commits."""
    return int(database.execute("PRAGMA data_version").fetchone()[0])


@contextmanager
def _in_place(copy: Path) -> Iterator[None]:
    """Points Django's connection at the copy within the block."""
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(copy)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
        connection.ensure_connection()  # open, as it was before


def _refuse_unsound(database: sqlite3.Connection) -> None:
    """Raises NotMigrated where SQLite finds faults in the migrated copy."""
    (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if found == "ok" and (missing := database.execute("PRAGMA foreign_key_check").fetchone()):
        found = f"a row of {missing[0]} names one of {missing[2]} that isn't there"
    if found != "ok":
        raise NotMigrated(
            f"What the migrations made of the database has a fault: {found}. Nothing has been changed; the version "
            "before runs with it."
        )
