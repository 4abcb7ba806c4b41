"""A database in memory for one process of random directors, which ask it the same things over and over.

Keys begin anew with every sequence, since what the one before wrote is rolled back. So nine of ten questions have been
asked before, word for word, and making the SQL is most of what a question costs: it is remembered here. Nothing that
the database answers is. A query is the same when everything that its SQL is made of is; one with any part that isn't
known here is made afresh.
"""

from __future__ import annotations

import gc
from functools import lru_cache
from typing import Any

from django.core.management import call_command
from django.db import connections
from django.db.backends.sqlite3 import base
from django.db.backends.sqlite3.operations import DatabaseOperations
from django.db.models import Count, Max, Min, Sum, Value
from django.db.models.expressions import Col, Exists, Star
from django.db.models.lookups import Lookup
from django.db.models.sql import compiler
from django.db.models.sql.datastructures import BaseTable, Join
from django.db.models.sql.query import Query
from django.db.models.sql.where import WhereNode

from clubsite.accounts.models import Club

SQLAggregateCompiler = compiler.SQLAggregateCompiler
SQLDeleteCompiler = compiler.SQLDeleteCompiler
SQLInsertCompiler = compiler.SQLInsertCompiler
SQLUpdateCompiler = compiler.SQLUpdateCompiler

MOST_REMEMBERED = 50_000  # queries of a process, of some 4 kB each
STATEMENTS = 5_000  # that SQLite keeps prepared
YOUNG = 50_000  # new objects between garbage collections: queries leave many small circles of objects
PLAIN = (  # what else of a query its SQL is made of
    "default_cols",
    "default_ordering",
    "standard_ordering",
    "low_mark",
    "high_mark",
    "distinct",
    "distinct_fields",
    "select_for_update",
    "select_for_update_nowait",
    "select_for_update_skip_locked",
    "select_for_update_of",
    "select_for_no_key_update",
    "order_by",
    "extra_order_by",
    "values_select",
    "deferred_loading",
    "subquery",
    "alias_prefix",
    "subq_aliases",
    "max_depth",
)
NONE_OF = ("combinator", "extra", "extra_tables", "explain_info", "_filtered_relations")


class Unknown(Exception):
    """Raised for a query with a part that isn't known here: its SQL is made afresh."""


class SQLCompiler(compiler.SQLCompiler):
    """Makes the SQL of a query once."""

    _converters: dict[int, Any] | None = None

    def as_sql(self, with_limits: bool = True, with_col_aliases: bool = False) -> tuple[str, tuple[Any, ...]]:
        """The SQL of the query, and its parameters."""
        if not with_limits or with_col_aliases or self.query.subquery:
            return super().as_sql(with_limits, with_col_aliases)
        try:
            key = (self.elide_empty, key_of(self.query))  # type: ignore[attr-defined]  # its types don't know elide_empty
            known = _REMEMBERED.get(key)
        except (Unknown, TypeError):  # TypeError: a value that can't be a key
            return super().as_sql()
        if known is None:
            sql, params = super().as_sql()
            converters = self.get_converters([one[0] for one in self.select[: self.col_count]])
            if len(_REMEMBERED) >= MOST_REMEMBERED:
                _REMEMBERED.clear()
            made = (self.select, self.klass_info, self.annotation_col_map, self.col_count, self.has_extra_select)
            known = _REMEMBERED[key] = (sql, tuple(params), made, converters)
        sql, params, found, self._converters = known
        self.select, self.klass_info, self.annotation_col_map, self.col_count, self.has_extra_select = found
        return sql, params

    def get_converters(self, expressions: Any) -> dict[int, Any]:
        """What makes Python values of a row."""
        return super().get_converters(expressions) if self._converters is None else self._converters


_REMEMBERED: dict[Any, Any] = {}


def key_of(query: Any) -> tuple[Any, ...]:
    """Everything that a query's SQL is made of. Raises Unknown for a query that has more."""
    if type(query) is not Query or any(getattr(query, name) for name in NONE_OF):
        raise Unknown
    plain = tuple([getattr(query, name) for name in PLAIN])
    return (
        query.model,
        plain,
        tuple([_join(alias, one, count=query.alias_refcount[alias]) for alias, one in query.alias_map.items()]),
        _where(query.where),
        tuple([_expression(one) for one in query.select]),
        tuple([_expression(one) for one in query.group_by]) if isinstance(query.group_by, tuple) else query.group_by,
        tuple([(name, _expression(one)) for name, one in query.annotations.items()]),
        None if query.annotation_select_mask is None else tuple(query.annotation_select_mask),
        None if query.selected is None else tuple(query.selected.items()),
        _nested(query.select_related),
        tuple(query.external_aliases.items()),
    )


def _join(alias: str, join: Any, *, count: int) -> tuple[Any, ...]:
    if type(join) is BaseTable:
        return (alias, join.table_name, count > 0)
    if type(join) is not Join or join.filtered_relation:
        raise Unknown
    kind = (join.table_name, join.parent_alias, join.join_type, join.nullable)
    return (alias, *kind, id(join.join_field), count > 0)  # fields live as long as the process


def _where(node: Any) -> tuple[Any, ...]:
    """The key of a tree of conditions, with their values: 1, True and 1.0 are three different ones."""
    if type(node) is WhereNode:
        return (node.connector, node.negated, *[_where(child) for child in node.children])
    if not isinstance(node, Lookup):
        return _expression(node)
    if getattr(node, "bilateral_transforms", None):
        raise Unknown
    return (type(node), _expression(node.lhs), *_value(node.rhs))


def _value(value: Any) -> tuple[Any, ...]:
    if isinstance(value, list | tuple):
        return ("all of", *[_value(one) for one in value])
    if hasattr(value, "resolve_expression"):
        return _expression(value)
    return (type(value), value)


def _expression(one: Any) -> tuple[Any, ...]:
    kind = type(one)
    if kind is Col:
        return (one.alias, id(one.target), id(one.output_field))
    if kind is Value:
        return (kind, *_value(one.value), type(one._output_field_or_none))
    if kind in (Count, Max, Min, Sum):
        return _aggregate(one)
    if kind is Star:
        return (kind,)
    if kind is Query:
        return key_of(one)
    if kind is Exists:
        return (kind, key_of(one.query))
    raise Unknown


def _aggregate(one: Any) -> tuple[Any, ...]:
    sources = one.get_source_expressions()
    if one.filter is not None or one.extra:
        raise Unknown
    field = type(one._output_field_or_none)
    return (type(one), field, one.distinct, one.is_summary, *[source and _expression(source) for source in sources])


def _nested(related: Any) -> Any:
    return tuple([(name, _nested(more)) for name, more in related.items()]) if isinstance(related, dict) else related


@lru_cache(STATEMENTS)
def _with_question_marks(sql: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")


class Cursor(base.SQLiteCursorWrapper):
    """Writes each statement as SQLite wants it once."""

    def convert_query(self, query: str, *, param_names: Any = None) -> str:
        """The statement with SQLite's places for parameters."""
        if param_names is None:
            return _with_question_marks(query)
        return super().convert_query(query, param_names=param_names)


class Operations(DatabaseOperations):
    """SQLite's operations, with the compiler that remembers."""

    compiler_module = __name__


class OwnDatabase(base.DatabaseWrapper):
    """A database in memory."""

    ops_class = Operations

    def create_cursor(self, name: str | None = None) -> Any:
        """A cursor that remembers statements."""
        return self.connection.cursor(factory=Cursor)


def own_database() -> None:
    """Give this process an empty database in memory: nobody's data is touched.

    Garbage is looked for seldom from now on, and what is there already is left out of the search.
    """
    connections["default"].close()
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {"cached_statements": STATEMENTS}}
    connections["default"] = OwnDatabase(connections["default"].settings_dict | own, "default")
    call_command("migrate", verbosity=0, skip_checks=True)
    Club.objects.create(name="A club", slug="club", time_zone="UTC")
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 100)
