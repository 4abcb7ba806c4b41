"""What takes long to make is made once by each process of the tests, and its rows put back for later tests."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management.color import no_style
from django.db import connection
from django.db.models import DateTimeField, Model

T = TypeVar("T")
Row = tuple[Any, ...]
Rows = dict[type[Model], list[Row]]  # with a value for each of the model's columns


@dataclass(frozen=True, slots=True)
class Made:
    """What a builder returned, and the rows that it added."""

    result: Any
    added: Rows


_MADE: dict[tuple[str, int], Made] = {}


def made_once(name: str, build: Callable[[], T]) -> T:
    """What `build` returns, with its rows in the database; the next time the rows are put back without it.

    It is built again for a database that holds anything else than the first time, but for times and passwords, and
    always if it changes a row that was there. What comes back is a copy: a test may change it.
    """
    before = all_rows()
    key = name, hash(_steady(before))
    if key in _MADE:
        _put_back(_MADE[key].added)
        return deepcopy(_MADE[key].result)
    result = build()
    after = all_rows()
    if all(set(rows) <= set(after[model]) for model, rows in before.items()):
        there = {model: set(rows) for model, rows in before.items()}
        added = {model: [row for row in rows if row not in there[model]] for model, rows in after.items()}
        _MADE[key] = Made(deepcopy(result), added)
    return result


def _models() -> list[type[Model]]:
    """All models but those whose rows Django makes by itself."""
    own = {"contenttypes", "auth"}
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label not in own]


def _columns(model: type[Model]) -> str:
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in model._meta.local_concrete_fields)


def all_rows() -> Rows:
    rows: Rows = {}
    with connection.cursor() as cursor:
        for model in _models():
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT {_columns(model)} FROM {table} ORDER BY 1")  # noqa: S608  (a table of our own)
            rows[model] = cursor.fetchall()
    return rows


def _steady(rows: Rows) -> tuple[tuple[str, tuple[Row, ...]], ...]:
    """Rows without what is another at every time."""
    kept = []
    for model, found in rows.items():
        fields = model._meta.local_concrete_fields
        varies = [
            isinstance(field, DateTimeField) or (issubclass(model, AbstractBaseUser) and field.name == "password")
            for field in fields
        ]
        told = (tuple(v for v, changes in zip(row, varies, strict=True) if not changes) for row in found)
        kept.append((model._meta.db_table, tuple(told)))
    return tuple(kept)


def _put_back(added: Rows) -> None:
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for model, rows in added.items():
            if rows:
                table, places = connection.ops.quote_name(model._meta.db_table), ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {table} ({_columns(model)}) VALUES ({places})", rows)  # noqa: S608  (as above)
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
