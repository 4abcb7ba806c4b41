"""PostgreSQL's side of backups: pg_dump, pg_restore, and a dump's rows in temporary tables beside those of now."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from clubsite.backups.databases import ask
from clubsite.backups.files import BackupRefused, NoTool

THEN = "backup_then_"  # what the names of temporary tables with a backup's rows begin with
COPY = re.compile(rb'^COPY (?:\w+\.)?"?(\w+)"? (\(.*\)) FROM stdin;\n$')
DEBIAN = "/usr/lib/postgresql"


def tool(name: str) -> str:
    """The path of one of PostgreSQL's programs; Debian has a folder for each version. Raises NoTool where there is
    none."""
    beside = sorted(Path(DEBIAN).glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]), reverse=True)
    found = next((str(path) for path in beside), None) or shutil.which(name)
    if found is None:
        raise NoTool(
            _(
                "%(program)s isn't on this machine, so PostgreSQL can't be backed up from here. Install it (apt-get "
                "install postgresql-client), or back it up where the database is."
            )
            % {"program": name}
        )
    return found


def _run(name: str, *arguments: str) -> None:
    """Run one of these programs against the site's database. If it fails, raises BackupRefused with what it said."""
    given = connection.get_connection_params()
    environment = {**os.environ, "PGPASSWORD": str(given.get("password", ""))}
    options = {"host": "host", "port": "port", "username": "user", "dbname": "dbname"}
    where = [f"--{option}={given[of]}" for option, of in options.items() if given.get(of)]
    command = [tool(name), "--no-password", *where, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  (PostgreSQL's own)
    if done.returncode:
        raise BackupRefused(_failed(name, done.stderr, code=done.returncode))


def _failed(name: str, said: str, *, code: int) -> str:
    return _("%(program)s failed: %(said)s") % {"program": name, "said": said.strip()[-300:] or code}


@contextmanager
def as_of_now() -> Iterator[str]:
    """Gives a snapshot's name: queries within the block and a dump by this name show the same moment."""
    with transaction.atomic():
        ask("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield ask("SELECT pg_export_snapshot()")[0][0]


def dump(to: Path, *, snapshot: str = "") -> None:
    """Dump the database into a file in PostgreSQL's custom format."""
    of = [f"--snapshot={snapshot}"] if snapshot else []
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={to}", *of)


def tables() -> list[str]:
    """The names of all tables."""
    return sorted(name for (name,) in ask("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"))


def replace_whole(source: Path) -> None:
    """Empty the database and fill it from a dump, in one transaction of pg_restore. The site must not be running."""
    connection.close()  # pg_restore has to lock every table
    with transaction.atomic():
        for name in tables():
            ask(f'DROP TABLE "{name}" CASCADE')
    connection.close()
    _run("pg_restore", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", str(source))


def let_nobody_start() -> None:
    """Let nobody start a club or get a log-in until the transaction ends."""
    ask("LOCK TABLE accounts_club, accounts_user IN SHARE ROW EXCLUSIVE MODE")


def stage(source: Path, names: Collection[str]) -> None:
    """Put a dump's rows of these tables into temporary tables, which are dropped when the transaction ends.

    pg_restore writes the dump as text, in which each table's rows follow a COPY: these rows are passed on unchanged.

    Raises:
        BackupRefused: the dump can't be read.
    """
    connection.ensure_connection()
    raw: Any = connection.connection
    for name in names:
        raw.execute(f'CREATE TEMPORARY TABLE "{THEN}{name}" (LIKE "{name}") ON COMMIT DROP')
    command = [tool("pg_restore"), "--data-only", "--no-owner", "--file=-", str(source)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603  (as above)
        lines: Any = process.stdout
        for line in lines:
            if begins := COPY.match(line):
                _rows(raw, lines, begins=begins, names=names)
        errors: Any = process.stderr
        said = errors.read().decode(errors="replace").strip()
    if process.returncode:
        raise BackupRefused(_failed("pg_restore", said, code=process.returncode))


def _rows(raw: Any, lines: Any, *, begins: re.Match[bytes], names: Collection[str]) -> None:
    table, columns = begins[1].decode(), begins[2].decode()
    rows = iter(lines.readline, b"\\.\n")
    if table not in names:
        for _row in rows:
            pass
        return
    with raw.cursor() as cursor, cursor.copy(f'COPY "{THEN}{table}" {columns} FROM STDIN') as copy:
        for row in rows:
            copy.write(row)


def raise_sequences(columns: Collection[tuple[str, str]]) -> None:
    """Have new keys come after all that there are, so that none is given out twice."""
    for table, column in columns:
        ((sequence,),) = ask("SELECT pg_get_serial_sequence(%s, %s)", f'"{table}"', column)
        if sequence:
            last = f'(SELECT COALESCE(MAX("{column}"), 1) FROM "{table}")'  # noqa: S608 - our own table
            ask(f"SELECT setval(%s, GREATEST(nextval(%s), {last}))", sequence, sequence)
