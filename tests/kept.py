"""What takes long to make is made once by each process of the tests, and its rows put back for later tests."""

from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.management.color import no_style
from django.db import connection
from django.db.models import DateTimeField, Model
from django.utils import timezone
from django.utils.translation import get_language

from clubsite.accounts.models import Session, Throttle

T = TypeVar("T")
Row = tuple[Any, ...]
Rows = dict[type[Model], list[Row]]  # with a value for each of the model's columns
OF_VISITS = (
    Session,
    Throttle,
)  # rows that come of a browser, with keys and times of their own: nothing is built on them


@dataclass(frozen=True, slots=True)
class Made:
    """What a builder returned, the rows that it added, and what it changed of rows that were there."""

    result: Any
    added: Rows
    changed: Rows


_MADE = {}


def made_once(name, build):
    """What `build` returns, with its rows in the database; the next time the rows are put back without it.

    It is built again in another language and for a database that holds anything else than the first time, but for when
    that was made, for passwords and for who looks; and always if it takes a row away, changes somebody's log-in, logs
    somebody in, or leaves something to be done after the commit. What comes back is a copy: a test may change it.
    """
    before, waiting = all_rows(), len(connection.run_on_commit)
    key = name, get_language(), hash(_steady(before))
    if key in _MADE:
        _put_back(_MADE[key])
        return deepcopy(_MADE[key].result)
    result = build()
    after = all_rows()
    made = _difference(before, after)
    if made is not None and len(connection.run_on_commit) == waiting:
        _MADE[key] = Made(deepcopy(result), *made)
    return result


def _difference(before, after):
    """The rows that were added, and those that were changed; None when one was taken away, or a log-in changed."""
    added, changed = Rows(), Rows()
    for model, rows in after.items():
        place = _place_of_key(model)
        there = {row[place]: row for row in before[model]}
        if not there.keys() <= {row[place] for row in rows}:
            return None
        added[model] = [row for row in rows if row[place] not in there]
        changed[model] = [row for row in rows if row != there.get(row[place], row)]
    if any(rows and issubclass(model, AbstractBaseUser) for model, rows in changed.items()):
        return None  # with another password, perhaps
    if any(added[model] or changed[model] for model in OF_VISITS):
        return None
    return added, changed


def _models():
    own = {"contenttypes", "auth"}
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.app_label not in own]


def _columns(model):
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in model._meta.local_concrete_fields)


def all_rows():
    rows = {}
    with connection.cursor() as cursor:
        for model in _models():
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT {_columns(model)} FROM {table} ORDER BY 1")  # noqa: S608  (a table of our own)
            rows[model] = cursor.fetchall()
    return rows


def _steady(rows):
    kept = []
    for model, found in rows.items():
        if model in OF_VISITS:
            continue
        varies = [_varies(model, field) for field in model._meta.local_concrete_fields]
        told = (tuple(v for v, changes in zip(row, varies, strict=True) if not changes) for row in found)
        kept.append((model._meta.db_table, tuple(told)))
    return tuple(kept)


@cache
def _varies(model, field):
    if isinstance(field, DateTimeField):
        return field.auto_now or field.auto_now_add or field.default is timezone.now
    return issubclass(model, AbstractBaseUser) and field.name == "password"


def _place_of_key(model):
    return next(n for n, field in enumerate(model._meta.local_concrete_fields) if field.primary_key)


def _put_back(made):
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for model, rows in made.added.items():
            if rows:
                table, places = connection.ops.quote_name(model._meta.db_table), ", ".join(["%s"] * len(rows[0]))
                cursor.executemany(f"INSERT INTO {table} ({_columns(model)}) VALUES ({places})", rows)  # noqa: S608  (our own)
        for model, rows in made.changed.items():
            if rows:
                table, place = connection.ops.quote_name(model._meta.db_table), _place_of_key(model)
                fields = model._meta.local_concrete_fields
                told = ", ".join(f"{connection.ops.quote_name(str(field.column))} = %s" for field in fields)
                key = connection.ops.quote_name(str(fields[place].column))
                cursor.executemany(
                    f"UPDATE {table} SET {told} WHERE {key} = %s",  # noqa: S608  (our own)
                    [(*row, row[place]) for row in rows],
                )
    count_keys_from_rows()


def count_keys_from_rows():
    """Let each table's next key follow those of its rows: PostgreSQL goes on counting after a rollback."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
