"""Queries that are asked at every request, and rows that every deal adds: their SQL is written once in a process.

Django writes the SQL anew each time, which takes longer than reading or adding one row. That is no matter for most
pages; a deal that 27 tables record at once waits for it in a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.signals import post_save
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row")

LARGEST = models.BigIntegerField.MAX_BIGINT
PLAIN = re.compile(r"[\w.-]*", re.ASCII)  # a text that means itself in SQL


class Given(Expression):
    """The place in a question's query of a value that is given when it is asked."""

    def __init__(self, name: str) -> None:
        super().__init__(output_field=Field())
        self.name = name

    def as_sql(self, compiler: SQLCompiler, connection: Any) -> Any:
        """A parameter: itself, to be replaced by the value."""
        return "%s", (self,)


@dataclass(frozen=True, slots=True)
class _Written(Generic[Row]):
    """A query with its SQL, for one kind of database."""

    query: QuerySet[Any, Row]
    compiler: SQLCompiler  # has noted how rows become objects
    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, Any]  # from what the database returns, by column; any connection's do


class Question(Generic[Row]):
    """A query whose SQL is written when it is asked for the first time.

    `query` makes it, with `Given("name")` in the place of each value that changes. Values are whole numbers, text or
    times. Nothing else in the query may depend on the moment or on who asks.
    """

    def __init__(self, query: Callable[[], QuerySet[Any, Row]]) -> None:
        self.query = query
        self._written: dict[str, _Written[Row]] = {}

    def ask(self, **given: int | str | datetime) -> list[Row]:
        """The rows for these values, as the query itself would return them: none for a number that no column can hold.
        Raises KeyError for a value left out."""
        if any(isinstance(value, int) and not -LARGEST <= value <= LARGEST for value in given.values()):
            return []
        here = connections[DEFAULT_DB_ALIAS]  # itself: asked through Django's `connection`, each attribute takes longer
        written = self._written.get(here.vendor) or self._write()
        values = tuple([_sent(given[part.name]) if isinstance(part, Given) else part for part in written.parameters])
        compiler = copy(written.compiler)  # it belongs to the connection of the thread that asks
        compiler.connection = here
        rows = written.query.all()
        compiler.as_sql = lambda *_how, **_ever: (written.sql, values)  # type: ignore[method-assign]
        compiler.get_converters = lambda expressions: written.converters  # type: ignore[method-assign]
        rows.query.get_compiler = lambda *_for, **_whom: compiler  # type: ignore[method-assign]
        return list(rows)

    def one(self, **given: int | str | datetime) -> Row | None:
        """The only row for these values, or None. Raises ValueError where there are more."""
        rows = self.ask(**given)
        if len(rows) > 1:
            raise ValueError(f"{len(rows)} rows for {given}")
        return rows[0] if rows else None

    def get(self, **given: int | str | datetime) -> Row:
        """The only row for these values. Raises DoesNotExist of its model where there is none."""
        found = self.one(**given)
        if found is None:
            raise self.query().model.DoesNotExist
        return found

    def _write(self) -> _Written[Row]:
        query = self.query()
        compiler = query.query.get_compiler(using=query.db)
        sql, parameters = _with_constants(*compiler.as_sql())
        columns = [column for column, *_more in compiler.select or ()]
        written = _Written(query, compiler, sql, parameters, compiler.get_converters(columns))
        self._written[connection.vendor] = written
        return written


def _sent(value: int | str | datetime) -> Any:
    """A value as the database takes it."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


def _with_constants(sql: str, parameters: Iterable[Any]) -> tuple[str, tuple[Any, ...]]:
    """SQL with the plain texts and whole numbers that always stand there, and the parameters that are left.

    Where such a text, as a parameter, could decide whether a partial index serves, SQLite plans the query anew each
    time it is asked: among ten tables that takes longer than reading them.
    """
    left: list[Any] = []
    parts = iter(parameters)

    def constant(place: re.Match[str]) -> str:
        if place[0] == "%%":  # a percent sign of the query itself
            return "%%"
        part = next(parts)
        if (isinstance(part, str) and PLAIN.fullmatch(part)) or type(part) is int:
            return f"'{part!s}'" if isinstance(part, str) else str(part)
        left.append(part)
        return "%s"

    return re.sub("%[%s]", constant, sql), tuple(left)


class Among(Generic[Row]):
    """A question about things with certain keys: its SQL is written once for one, two, four, eight of them, and so on.

    `query` makes it, with its argument in the place of the keys: `filter(draw__pk__in=keys)`.
    """

    def __init__(self, query: Callable[[list[Any]], QuerySet[Any, Row]]) -> None:
        self.query = query
        self._by_number: dict[int, Question[Row]] = {}

    def ask(self, keys: Collection[int]) -> list[Row]:
        """The rows for these keys; none, and no query, where there are none."""
        if not keys:
            return []
        own, places = [*keys], 1 << (len(keys) - 1).bit_length()
        given = {f"key{n}": own[min(n, len(own) - 1)] for n in range(places)}  # the last one in all that are left
        asked = self._by_number.setdefault(len(given), Question(lambda: self.query([Given(name) for name in given])))
        return asked.ask(**given)


def add(*rows: Model) -> None:
    """Add new rows of one model, whose keys the database gives, as `Model.save` does for each; in one statement."""
    kind = type(rows[0])
    fields, sql = _insertion(kind, len(rows), connection.vendor)
    values = [field.get_db_prep_save(field.pre_save(row, True), connection) for row in rows for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        keys = cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=True):
        row.pk, row._state.adding, row._state.db = key, False, connection.alias
        post_save.send(kind, instance=row, created=True, update_fields=None, raw=False, using=connection.alias)


@lru_cache(maxsize=64)
def _insertion(kind: type[Model], rows: int, _vendor: str) -> tuple[list[Field[Any, Any]], str]:
    """The columns that a new row sets, and the SQL that adds so many rows."""
    quoted = connection.ops.quote_name
    fields = [field for field in kind._meta.concrete_fields if not field.primary_key]
    columns = ", ".join(quoted(str(field.column)) for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    key, table = quoted(str(kind._meta.pk.column)), quoted(kind._meta.db_table)
    values = ", ".join([row] * rows)
    return fields, f"INSERT INTO {table} ({columns}) VALUES {values} RETURNING {key}"  # noqa: S608  (a model's names)


def keep_with(thing: Model, related: str, *, rows: list[Any]) -> None:
    """Let `thing.related.all()` be these rows without a query, as it is after Django's `prefetch_related_objects`."""
    found = getattr(thing, related).all()
    found._result_cache, found._prefetch_done = rows, True
    thing.__dict__.setdefault("_prefetched_objects_cache", {})[related] = found


def is_kept_with(thing: Model, related: str) -> bool:
    """Whether `thing.related.all()` costs no query."""
    return related in thing.__dict__.get("_prefetched_objects_cache", {})
