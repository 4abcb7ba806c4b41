"""Checks before a start that data can be stored here: otherwise every page would fail, each in its own way."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.core.management import CommandError
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

from clubsite.error_pages import Trouble, find_trouble
from clubsite.paths import COMMAND

ROOM = 4 * 1024 * 1024  # bytes that must fit on the disk before a start: an evening's deals take less


def needs_migration() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def require_tables() -> None:
    """Raises CommandError, with what to do, while tables are missing or are those of an earlier version."""
    if needs_migration():
        raise CommandError(
            f"The database isn't ready for this version. Run `manage.py migrate` first (`{COMMAND} manage migrate`)."
        )


class CannotStore(Exception):
    """Nothing can be stored: the message says why and what to do."""


def require_storage() -> None:
    """Raises CannotStore where the folder of data or the database can't be written, or the database doesn't answer."""
    folders = {Path(settings.VAR_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).absolute().parent)
    for folder in sorted(folders):
        _require_room(folder)
    try:
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":  # tries the lock for writing, which tells more than reading
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("ROLLBACK")
            else:
                cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as refused:
        connection.close()
        raise CannotStore(_explain(refused)) from refused


def restrict_access() -> None:
    """Let no other user of this machine read the folders of data and backups, as an earlier version did."""
    data = Path(settings.VAR_DIR)
    places = {data, Path(settings.BACKUPS)}
    places |= {path for folder in places if folder.is_dir() for path in folder.iterdir()}
    if connection.vendor == "sqlite":
        name = Path(connection.settings_dict["NAME"]).absolute()
        places |= {name.with_name(name.name + part) for part in ("", "-wal", "-shm", "-journal")}
    postgres = data / "postgres"
    for path in places:
        # The PostgreSQL that root starts is another user's, who passes through to its data.
        passed = path in (data, postgres) and postgres.exists()
        with suppress(OSError):  # another user's, or a file system without rights
            if not path.is_symlink():
                path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o077 | (0o011 if passed else 0))


def _require_room(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(ROOM))
            file.flush()
            os.fsync(file.fileno())
    except OSError as refused:
        if find_trouble(refused) is Trouble.FULL:
            raise CannotStore(
                f"The disk is full: {folder} needs at least {ROOM // 1024 // 1024} MB more. Delete or move files there "
                "that nobody needs, old backups for instance, then start again."
            ) from refused
        raise CannotStore(
            f"Nothing can be written to {folder} ({refused.strerror}). See that the disk isn't write-protected and "
            "that the folder belongs to this user, then start again."
        ) from refused


def _explain(refused: Exception) -> str:
    if connection.vendor != "sqlite":
        host = connection.settings_dict.get("HOST") or "this machine"
        return f"PostgreSQL on {host} doesn't answer ({str(refused).strip()}). See that it runs, then start again."
    name = connection.settings_dict["NAME"]
    match find_trouble(refused):
        case Trouble.DAMAGED:
            return f"The database {name} is damaged ({refused}). Go back to the newest backup: {COMMAND} restore"
        case Trouble.BUSY:
            return f"Another program holds the database {name}. End it, then start again."
        case Trouble.FULL | Trouble.FAILING:
            return f"The disk of the database {name} is full or failing ({refused}). Make room there, then start again."
        case _:
            return (
                f"The database {name} can't be opened and written ({refused}). See that it and its folder belong to "
                "this user, then start again."
            )
