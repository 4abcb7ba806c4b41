"""Opens the main pages, and has PostgreSQL explain how it answers each of their queries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import override_settings

from clubsite import live
from lab.benchmarks.crowd import HOST, cost_of
from lab.benchmarks.main_pages import Page

TIMES = 5
SMALL = 1_000  # rows; a table with fewer may be read whole, as it doesn't grow with the number of clubs
LISTED = ("accounts_club",)  # tables that may be read whole: the front page counts the clubs


@dataclass(slots=True)
class PageCost:
    """A page: its queries, what it costs Python and PostgreSQL, and which tables it reads whole.

    Python's milliseconds are processor time (the median of several runs), which is the same on a busy machine.
    """

    name: str
    status: int
    queries: int
    milliseconds: float  # in Python
    in_database: float  # milliseconds of all queries together, as PostgreSQL says
    whole: dict[str, str] = field(default_factory=dict)  # by name of a table that is read whole and grows: the query
    slowest: tuple[float, str] = (0.0, "")  # milliseconds and text of the slowest query


def costs(pages: Iterable[Page], director: Client) -> list[PageCost]:
    """Open each page, as a director or as a visitor: once to warm it, once to see its queries, and several times for
    its time."""
    visitor = Client(SERVER_NAME=HOST)
    return [_cost(page, director if page.director else visitor) for page in pages]


def _cost(page: Page, client: Client) -> PageCost:
    with override_settings(LIVE_PAUSE=0):
        status = _open(client, page)
        queries, runs = cost_of(lambda: _open(client, page), TIMES)
    cost = PageCost(page.name, status, len(queries), median(runs), 0.0)
    for query in queries:
        if not query.startswith(("SELECT", "WITH")):
            continue
        plan = explained(query)
        cost.in_database += plan["Execution Time"]
        for table in scanned_whole(plan["Plan"], rows_of):
            cost.whole[table] = query
        cost.slowest = max(cost.slowest, (plan["Execution Time"], query))
    return cost


def _open(client: Client, page: Page) -> int:
    live.forget()  # else the page would come from memory
    return client.get(page.address).status_code


def explained(query: str, *, buffers: bool = False) -> dict[str, Any]:
    """The plan of a query, with the times that it took this time, and the blocks that it read."""
    found = asked(f"EXPLAIN (ANALYZE, BUFFERS {'on' if buffers else 'off'}, FORMAT JSON) {query}")
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]
    return plan


def scanned_whole(plan: dict[str, Any], rows_of: Callable[[str], int]) -> Iterator[str]:
    """Tables of more than SMALL rows that a plan reads whole, or of which it reads more than SMALL rows by an index
    without a condition on it."""
    table, kind = plan.get("Relation Name", ""), plan["Node Type"]
    if table and table not in LISTED and rows_of(table) > SMALL:
        read = plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)
        if kind == "Seq Scan" or (kind.startswith("Index") and "Index Cond" not in plan and read > SMALL):
            yield table
    for below in plan.get("Plans", ()):
        yield from scanned_whole(below, rows_of)


def rows_of(table: str) -> int:
    """About how many rows a table has."""
    return int(asked("SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass", [table]))


def asked(query: str, values: Sequence[str] | None = None) -> Any:
    """The one value that a query gives."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        (value,) = cursor.fetchone()
    return value


def done(*statements: str) -> None:
    """Execute statements."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
