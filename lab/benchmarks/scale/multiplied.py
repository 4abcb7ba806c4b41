"""Makes thousands of clubs out of those that a database has: the database itself copies every row so many times.

The copies of one row lie beside each other, not the rows of one club: like the rows of clubs that play on the same
evenings for years. So a club's rows are as scattered as can be, which is the worst case for reading them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db import connection, models

from clubsite.accounts.models import LogEntry

STRIDE = 1_000_000  # difference between the ids of a row and of its first copy, and between those of its copies
LEFT_OUT = ("Throttle",)  # models whose rows belong to no club
Say = Callable[[str], None]


def copied_models() -> list[type[models.Model]]:
    """The models whose rows belong to clubs, or to those who log in to them."""
    return [
        model
        for label in ("accounts", "scoring", "tournaments")
        for model in apps.get_app_config(label).get_models()
        if model._meta.managed and not model._meta.proxy and model.__name__ not in LEFT_OUT
        if isinstance(model._meta.pk, models.BigAutoField)
    ]


def multiply(copies: int, say: Say) -> None:
    """Add so many copies of every row. Indexes and constraints are taken off meanwhile and made again afterwards."""
    tables = [model._meta.db_table for model in copied_models()]
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        again = _taken_off(cursor, tables)
        for model in copied_models():
            cursor.execute(_copy(model), {"copies": copies})
            say(f"  {model._meta.db_table}: {cursor.rowcount:,} rows")
        for statement in again:
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = DEFAULT")
        say("  indexes made")


def _copy(model: type[models.Model]) -> str:
    """INSERT ... SELECT of every row, `copies` times."""
    columns = {field.column: _copied(field) for field in model._meta.local_concrete_fields}
    names = ", ".join(f'"{column}"' for column in columns)
    table = model._meta.db_table
    return (
        f'INSERT INTO "{table}" ({names}) SELECT {", ".join(columns.values())} '
        f'FROM (SELECT * FROM "{table}" ORDER BY id) row '
        "CROSS JOIN LATERAL generate_series(1, %(copies)s + 0 * row.id) copy"
    )


def _copied(field: models.Field[Any, Any]) -> str:
    """The SQL for a column of a copy."""
    column = f'row."{field.column}"'
    kept_key = field.model is LogEntry and field.name in ("event", "game")  # keys of copied rows, but no foreign keys
    if field.primary_key or kept_key or (field.is_relation and field.related_model in copied_models()):
        return f"{column} + copy * {STRIDE}"
    if field.unique:
        if isinstance(field, models.UUIDField):
            return "gen_random_uuid()"
        length = max((field.max_length or 100) - 8, 8)
        return f"left({column}, {length}) || '-' || copy"
    return column


def _taken_off(cursor: Any, tables: list[str]) -> list[str]:
    """Drop foreign keys, other constraints and indexes of these tables. Returns the statements that make them again."""
    again = []
    cursor.execute(
        "SELECT conrelid::regclass::text, conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE (conrelid::regclass::text = ANY(%(tables)s) OR confrelid::regclass::text = ANY(%(tables)s)) "
        "AND contype IN ('f', 'p', 'u') ORDER BY contype, conname",
        {"tables": tables},
    )
    constraints = cursor.fetchall()
    for table, name, kind, definition in constraints:  # foreign keys ("f") come first: they need the others
        cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        unchecked = " NOT VALID" if kind == "f" else ""  # copies refer to copies that exist
        again.append(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}{unchecked}')
    cursor.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename = ANY(%s) ORDER BY 1",
        [tables],
    )
    for name, definition in cursor.fetchall():
        cursor.execute(f'DROP INDEX "{name}"')
        again.append(definition)
    return again[::-1]
