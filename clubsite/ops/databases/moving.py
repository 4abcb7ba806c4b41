"""Moving a whole site from one database to another, row for row: SQLite to PostgreSQL, and back.

The target's tables are made first. The rows are then copied in one transaction on each side: they are all of one moment
of the source, and the target gets all of them or none. They are read again there and compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, zip_longest
from typing import Any
from urllib.parse import urlsplit

import environ
from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from django.db.utils import ConnectionHandler

from clubsite.backups.databases import migrated_apart
from clubsite.ops.migrated import waits_for_migrations

AT_ONCE = 500  # rows
FROM, TO = "moving-from", "moving-to"
SCHEMES = {"sqlite", "postgres", "postgresql"}
MADE_BY_MIGRATING = {"django_content_type", "auth_permission", "django_migrations"}


class MoveRefused(Exception):
    """The rows can't be moved, and none was: the message says why, and what to do."""


def named(url: str) -> dict[str, Any]:
    """Django's settings for the database at a URL. Raises MoveRefused for a URL that names no database."""
    if urlsplit(url).scheme not in SCHEMES:
        raise MoveRefused(f"{url} is no address of a database: sqlite:////path/to/file or postgres://user@host/name.")
    told: dict[str, Any] = environ.Env.db_url_config(url)
    if told["ENGINE"] == "django.db.backends.sqlite3":
        told["OPTIONS"] = settings.SQLITE_OPTIONS
    return told


def move(*, source: Mapping[str, Any], target: str) -> dict[str, int]:
    """Copy every row of one database, given as Django's settings, to that of a URL: its tables are made or empty.
    Returns how many rows of each table were moved.

    Nobody may write to the source meanwhile, or what they write stays behind: stop the site first.

    Raises:
        MoveRefused: the target isn't empty, the source is of an older version, or the target refuses a row.
    """
    with _connected(FROM, source) as read, _connected(TO, named(target)) as written:
        _refuse_same(read, written)
        if waits_for_migrations(read):
            raise MoveRefused("What is to be moved is of an older version. Start the site with it once first.")
        _refuse_rows(written)
        if waits_for_migrations(written):
            _make_tables(target)
        with transaction.atomic(using=FROM), transaction.atomic(using=TO):
            _one_moment(read)
            models = _models(read)
            _make_room(models)
            counts = {model._meta.db_table: _copy(model) for model in models}
            _count_on(models, read=read, written=written)
            try:
                written.check_constraints()
            except DatabaseError as wrong:
                raise MoveRefused(f"Some rows name others that aren't there: {wrong}") from wrong
            for model in models:
                _compare(model)
    return counts


@contextmanager
def _connected(alias: str, told: Mapping[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Opens a connection under that alias within the block."""
    connections[alias] = ConnectionHandler({DEFAULT_DB_ALIAS: dict(told), alias: dict(told)})[alias]
    try:
        try:
            connections[alias].ensure_connection()
        except DatabaseError as wrong:
            raise MoveRefused(f"The database of {alias.removeprefix('moving-')} doesn't answer: {wrong}") from wrong
        yield connections[alias]
    finally:
        connections[alias].close()
        del connections[alias]


def _refuse_same(read: BaseDatabaseWrapper, written: BaseDatabaseWrapper) -> None:
    where = ("ENGINE", "HOST", "PORT", "NAME")
    if [read.settings_dict[key] for key in where] == [written.settings_dict[key] for key in where]:
        raise MoveRefused("The two are the same database.")


def _make_tables(url: str) -> None:
    """Make the tables in a process of its own, as some libraries' migrations use only the default database."""
    if said := migrated_apart(url):
        raise MoveRefused(f"The tables can't be made: {said.rpartition(chr(10))[2]}")


def _refuse_rows(written: BaseDatabaseWrapper) -> None:
    """Raises MoveRefused where the target has rows that migrating hasn't made."""
    with written.cursor() as cursor:
        for table in sorted({*written.introspection.table_names(cursor)} - MADE_BY_MIGRATING):
            cursor.execute(f"SELECT 1 FROM {written.ops.quote_name(table)} LIMIT 1")  # noqa: S608  (a table's name)
            if cursor.fetchone():
                name = written.settings_dict["NAME"]
                raise MoveRefused(f"{name} isn't empty: {table} has rows. Name another, or put that one aside first.")


def _one_moment(read: BaseDatabaseWrapper) -> None:
    """Have all reading of the source show one moment. SQLite's transaction does so anyway, and keeps others from
    writing."""
    if read.vendor == "postgresql":
        with read.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")


def _models(read: BaseDatabaseWrapper) -> list[type[Model]]:
    """Every model with a table of its own, including those of many-to-many relations and of migrations."""
    own = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return [*(model for model in own if not model._meta.proxy), MigrationRecorder(read).Migration]


def _make_room(models: Sequence[type[Model]]) -> None:
    """Delete the rows that migrating has made: the source's rows of these tables replace them, with their own keys."""
    for model in reversed(models):
        if model._meta.db_table in MADE_BY_MIGRATING:
            model._base_manager.using(TO).all()._raw_delete(TO)


def _rows(model: type[Model], alias: str) -> Iterator[tuple[Any, ...]]:
    """All rows of a table as they are stored, in the order of their keys."""
    names = [field.attname for field in model._meta.local_concrete_fields]
    found = model._base_manager.using(alias).order_by("pk").values_list(*names)
    return (tuple(_plain(value) for value in row) for row in found.iterator(AT_ONCE))


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _copy(model: type[Model]) -> int:
    """Copy a table. Returns how many rows it has."""
    fields = model._meta.local_concrete_fields
    names, rows, copied = [field.attname for field in fields], _rows(model, FROM), 0
    while some := [model.from_db(TO, names, row) for row in islice(rows, AT_ONCE)]:
        try:  # "raw": values as they are; fields such as `auto_now_add` would set them anew
            model._base_manager.get_queryset()._insert(some, fields=fields, using=TO, raw=True)  # type: ignore[attr-defined]
        except (DatabaseError, ValueError) as wrong:
            which = f"{model._meta.db_table}, rows {some[0].pk} to {some[-1].pk}"
            raise MoveRefused(f"{which}, can't stand in the new database: {wrong}") from wrong
        copied += len(some)
    return copied


def _compare(model: type[Model]) -> None:
    """Raises MoveRefused where a row differs between source and target, or is missing in one."""
    for sent, arrived in zip_longest(_rows(model, FROM), _rows(model, TO)):
        if sent != arrived:
            raise MoveRefused(f"A row of {model._meta.db_table} isn't the same any more: {sent} became {arrived}.")


def _count_on(models: Sequence[type[Model]], *, read: BaseDatabaseWrapper, written: BaseDatabaseWrapper) -> None:
    """Let new keys follow the last one that the source has given, even if that row is gone: no key is given twice."""
    for model in models:
        key = model._meta.pk
        if key is None or key.get_internal_type() not in ("AutoField", "BigAutoField", "SmallAutoField"):
            continue
        table, column = model._meta.db_table, str(key.column)
        last = _counted(read, table, column=column)
        if last is None:
            continue
        with written.cursor() as cursor:
            if written.vendor == "postgresql":
                quoted = written.ops.quote_name(table)
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [quoted, column, last])
            else:
                cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
                cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


def _counted(read: BaseDatabaseWrapper, table: str, *, column: str) -> int | None:
    """The last key that a table has given, None where it has given none."""
    with read.cursor() as cursor:
        if read.vendor == "postgresql":
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [read.ops.quote_name(table), column])
            (sequence,) = cursor.fetchone()
            cursor.execute(f"SELECT last_value FROM {sequence} WHERE is_called")  # noqa: S608  (a sequence's name)
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        found = cursor.fetchone()
    return (found and int(found[0])) or None
