"""What SQLite and PostgreSQL each do in their own way: copying the database, and putting a copy's tables in place.

`replace_tables` replaces every table in the one transaction of `exclusive_lock`. So whatever happens, a power cut too,
the database has what was there before, or all of the copy.
"""

import os
import re
import shutil
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

RunSql = Callable[[str], list[Any]]
PATIENCE = 20  # seconds to wait for those who write, as SQLite does by its setting
COPY = re.compile(rb"^COPY .* FROM stdin;\n$")
# Lines of pg_restore's script that are for psql, or set up a session: ours is set up already.
FOR_PSQL = (b"\\", b"--", b"SET ", b"SELECT pg_catalog.set_config(")
DEBIAN = "/usr/lib/postgresql"


class BackupRefused(Exception):
    """A backup can't be made or restored: the message says why, and what to do."""


class Damaged(BackupRefused):
    """SQLite finds a database damaged."""


class NoProgram(BackupRefused):
    """A program of PostgreSQL's isn't on this machine."""


def data_folder() -> Path:
    """The folder of the site's data: there is room for a copy, or ought to be, and nobody else reads it."""
    return Path(connection.settings_dict["NAME"]).parent if connection.vendor == "sqlite" else Path(settings.VAR_DIR)


def run_sql(sql: str, *values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
        return list(cursor.fetchall()) if cursor.description else []


@contextmanager
def exclusive_lock(source: Path) -> Iterator[None]:
    """A transaction in which nobody else writes, for `replace_tables(source)`. PostgreSQL still answers readers."""
    if connection.vendor == "sqlite":
        run_sql("ATTACH DATABASE %s AS backup", str(source))
        try:
            with connection.constraint_checks_disabled(), transaction.atomic():  # IMMEDIATE: it holds the lock
                yield
        finally:
            with suppress(DatabaseError):
                run_sql("DETACH DATABASE backup")
        return
    with transaction.atomic():
        run_sql(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
        # Verbs lock their club first, so a verb that has begun ends, and no other begins.
        tables = sorted(connection.introspection.table_names(), key=lambda name: (name != "accounts_club", name))
        if tables:
            run_sql(f"LOCK TABLE {', '.join(map(connection.ops.quote_name, tables))} IN EXCLUSIVE MODE")
        yield


def replace_tables(source: Path, keys_given: Mapping[str, int]) -> None:
    """Replace every table by the copy's. No key is given twice: new ones follow the last that either has given, or that
    `keys_given` names (as `last_keys` does)."""
    before = Counter(last_keys(run_sql)) | Counter(keys_given)  # the larger of each
    if connection.vendor == "sqlite":
        _copy_attached_tables()
    else:
        ours = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"  # not temporary ones
        for (name,) in run_sql(ours):
            run_sql(f"DROP TABLE {connection.ops.quote_name(name)} CASCADE")
        _run_script(source)
        # else a migration can't change a table in which rows wait to be checked
        run_sql("SET CONSTRAINTS ALL IMMEDIATE")
    after = last_keys(run_sql)
    for name, last in before.items():
        if connection.vendor == "sqlite":
            run_sql("DELETE FROM main.sqlite_sequence WHERE name = %s", name)
            run_sql("INSERT INTO main.sqlite_sequence (name, seq) VALUES (%s, %s)", name, max(last, after.get(name, 0)))
        elif last > after.get(name, last):
            run_sql("SELECT setval(%s::regclass, %s)", connection.ops.quote_name(name), last)


def last_keys(run: RunSql) -> dict[str, int]:
    if connection.vendor == "sqlite":
        has_keys = run("SELECT 1 FROM main.sqlite_master WHERE name = 'sqlite_sequence'")
        return dict(run("SELECT name, seq FROM main.sqlite_sequence")) if has_keys else {}
    return dict(
        run("SELECT sequencename, COALESCE(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema()")
    )


def _copy_attached_tables() -> None:
    ours = "name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    for kind, name in run_sql(f"SELECT type, name FROM main.sqlite_master WHERE type IN ('view', 'table') AND {ours}"):  # noqa: S608  (as next)
        run_sql(f'DROP {kind} main."{name}"')
    parts = run_sql(f"SELECT type, name, sql FROM backup.sqlite_master WHERE sql IS NOT NULL AND {ours}")  # noqa: S608  (`ours` is above)
    for kind in ("table", "index"):  # we have no triggers or views: another's could give rights later
        for of_kind, name, sql in parts:
            if of_kind == kind:
                run_sql(sql)
                if kind == "table":
                    run_sql(f'INSERT INTO main."{name}" SELECT * FROM backup."{name}"')  # noqa: S608  (a table's name)


def _run_script(source: Path) -> None:
    """Run what pg_restore would do in this connection's own transaction: statements, and rows after each COPY."""
    raw: Any = connection.connection
    command = [find_program("pg_restore"), "--no-owner", "--no-privileges", "--file=-", str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603  (PostgreSQL's own)
        lines: Any = process.stdout
        statements: list[bytes] = []
        for line in lines:
            if COPY.match(line):
                raw.execute(b"".join(statements), prepare=False)
                statements = []
                with raw.cursor() as cursor, cursor.copy(line) as copy:
                    for row in iter(lines.readline, b"\\.\n"):
                        copy.write(row)
            elif not line.startswith(FOR_PSQL):
                statements.append(line)
        raw.execute(b"".join(statements), prepare=False)
        errors: Any = process.stderr
        message = errors.read().decode(errors="replace")
    _refuse_failure(process.returncode, program="pg_restore", message=message)


def find_program(name: str) -> str:
    """The path of one of PostgreSQL's programs; Debian has a folder for each version. Raises NoProgram."""
    versions = sorted(Path(DEBIAN).glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    path = str(versions[-1]) if versions else shutil.which(name)
    if path is None:
        words = _(
            "%(program)s isn't on this machine, so PostgreSQL can't be backed up from here. Install it (apt-get "
            "install postgresql-client), or back it up where the database is."
        )
        raise NoProgram(words % {"program": name})
    return path


@contextmanager
def exported_snapshot() -> Iterator[str]:
    """PostgreSQL: gives a snapshot's name. Queries in the block see the same moment as a dump with this name."""
    with transaction.atomic():
        run_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield run_sql("SELECT pg_export_snapshot()")[0][0]


def dump(to: Path, *, snapshot: str = "") -> None:
    params = connection.get_connection_params()
    environment = {**os.environ, "PGPASSWORD": str(params.get("password", ""))}
    options = {"host": "host", "port": "port", "username": "user", "dbname": "dbname"}
    where = [f"--{option}={params[name]}" for option, name in options.items() if params.get(name)]
    command = [find_program("pg_dump"), "--no-password", *where, "--format=custom", "--no-owner", "--no-privileges"]
    command += [f"--file={to}", *([f"--snapshot={snapshot}"] if snapshot else [])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  (as above)
    _refuse_failure(done.returncode, program="pg_dump", message=done.stderr)


def _refuse_failure(code: int, *, program: str, message: str) -> None:
    if code:
        words = _("%(program)s failed: %(said)s")
        raise BackupRefused(words % {"program": program, "said": message.strip()[-300:] or code})


def copy_to_file(copy: Path) -> None:
    """Copy what is committed in SQLite's database now. Nobody waits for it, and it waits for nobody."""
    address = Path(connection.settings_dict["NAME"]).resolve().as_uri()
    # A connection of its own: SQLite can't copy from one that is writing.
    with closing(sqlite3.connect(f"{address}?mode=rw", uri=True)) as source, closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA synchronous=OFF")  # the finished backup is synced to the disk later
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it


@contextmanager
def open_copy(copy: Path, name: str) -> Iterator[RunSql]:
    """Open a SQLite file that isn't the site's, and give a function that returns a query's rows. Raises Damaged."""
    with closing(sqlite3.connect(copy)) as database:
        try:
            problem = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        except sqlite3.DatabaseError as wrong:
            problem = str(wrong)
        if problem != "ok":
            raise Damaged(_("SQLite finds %(name)s damaged: %(found)s.") % {"name": name, "found": problem})
        yield lambda sql: database.execute(sql).fetchall()


@contextmanager
def use_file(path: Path) -> Iterator[None]:
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(path)
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual


def replace_file(fresh: Path) -> Path:
    """Replace SQLite's damaged database by a file. Returns where the damaged one is now.

    Raises BackupRefused while others have it open, since some damage lets them go on writing to it.
    """
    connection.close()
    now = Path(connection.settings_dict["NAME"])
    with closing(sqlite3.connect(now, timeout=0)) as database:
        try:
            database.execute("PRAGMA journal_mode=DELETE")  # only the last who has it open may close its log
        except sqlite3.DatabaseError as refused:
            if "locked" in str(refused):
                raise BackupRefused(_("The site is still running. Stop it, then restore the backup.")) from refused
    aside = now.with_name(f"damaged-{timezone.now():%Y%m%d-%H%M%S}")
    for part in ("-wal", "-shm", "-journal"):  # first: the fresh file must not get the log of another
        if (beside := now.with_name(now.name + part)).exists():
            beside.rename(aside.with_name(aside.name + part))
    try:
        aside.hardlink_to(now)  # so at no moment there is no database
    except OSError:
        now.rename(aside)
    sync_to_disk(fresh)
    fresh.replace(now)
    sync_to_disk(now.parent)
    return aside


def sync_to_disk(path: Path) -> None:
    """Sync a file, or a folder's list of files, to the disk. Windows can't sync a folder, and needn't."""
    with suppress(PermissionError):
        number = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def rewrite_file() -> None:
    """Rewrite SQLite's file, so that neither free pages nor the write-ahead log hold what was deleted. Where somebody
    writes all the time, or the disk has no room for it, it stays as it is."""
    with connection.cursor() as cursor:
        for step in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            with suppress(OperationalError):
                cursor.execute(step)


def file_contains(texts: Collection[bytes]) -> bool:
    """Whether SQLite's file or its write-ahead log has any of these texts; ASCII letters in them are small ones."""
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


def rows_contain(texts: Collection[bytes]) -> bool:
    """Whether any column of any row has one of these texts, as for `file_contains`."""
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
