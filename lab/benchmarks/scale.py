"""`./dev scale`: what the pages of one club cost beside thousands of others, in one run, on a PostgreSQL of its own.

The database itself makes thousands of clubs of the demo's. Copies of one row lie beside each other, not the rows of one
club, like those of clubs that play on the same evenings for years: as scattered as can be. Then the main pages are
opened, and PostgreSQL explains each of their queries.
"""

import json
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.test.utils import override_settings

from clubsite import live
from clubsite.accounts.models import Club, LogEntry, User
from lab.benchmarks.main_pages import Page, main_pages
from lab.benchmarks.served import HOST, logged_in_client, measure_cost
from lab.postgres_server import running
from scoring.models import Deal
from tournaments.demo import Demo

Say = Callable[[str], None]

# --- Clubs by the thousand --------------------------------------------------------------------------------------

STRIDE = 1_000_000  # difference between the ids of a row and of its first copy, and between those of its copies
LEFT_OUT = ("Throttle",)  # models whose rows belong to no club


def copied_models() -> list[type[models.Model]]:
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
        again = _drop_constraints(cursor, tables)
        for model in copied_models():
            cursor.execute(_copy_statement(model), {"copies": copies})
            say(f"  {model._meta.db_table}: {cursor.rowcount:,} rows")
        for statement in again:
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = DEFAULT")
        say("  indexes made")


def _copy_statement(model: type[models.Model]) -> str:
    columns = {field.column: _copied_value(field) for field in model._meta.local_concrete_fields}
    names = ", ".join(f'"{column}"' for column in columns)
    table = model._meta.db_table
    return (
        f'INSERT INTO "{table}" ({names}) SELECT {", ".join(columns.values())} '
        f'FROM (SELECT * FROM "{table}" ORDER BY id) row '
        "CROSS JOIN LATERAL generate_series(1, %(copies)s + 0 * row.id) copy"
    )


def _copied_value(field: models.Field[Any, Any]) -> str:
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


def _drop_constraints(cursor: Any, tables: list[str]) -> list[str]:
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


# --- Pages and plans --------------------------------------------------------------------------------------------

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


def measure_pages(pages: Iterable[Page], director: Client) -> list[PageCost]:
    """Open each page, as a director or as a visitor: once to warm it, once to see its queries, and several times for
    its time."""
    visitor = Client(SERVER_NAME=HOST)
    return [_measure_page(page, director if page.director else visitor) for page in pages]


def _measure_page(page: Page, client: Client) -> PageCost:
    with override_settings(LIVE_PAUSE=0):
        status = _open(client, page)
        queries, runs = measure_cost(lambda: _open(client, page), TIMES)
    cost = PageCost(page.name, status, len(queries), median(runs), 0.0)
    for query in queries:
        if not query.startswith(("SELECT", "WITH")):
            continue
        plan = explain_query(query)
        cost.in_database += plan["Execution Time"]
        for table in tables_read_whole(plan["Plan"], count_rows):
            cost.whole[table] = query
        cost.slowest = max(cost.slowest, (plan["Execution Time"], query))
    return cost


def _open(client: Client, page: Page) -> int:
    live.forget_bodies()  # else the page would come from memory
    return client.get(page.address).status_code


def explain_query(query: str, *, buffers: bool = False) -> dict[str, Any]:
    """The plan of a query, with the times that it took this time, and the blocks that it read."""
    found = fetch_value(f"EXPLAIN (ANALYZE, BUFFERS {'on' if buffers else 'off'}, FORMAT JSON) {query}")
    plan: dict[str, Any] = (json.loads(found) if isinstance(found, str) else found)[0]
    return plan


def tables_read_whole(plan: dict[str, Any], rows_of: Callable[[str], int]) -> Iterator[str]:
    """Tables of more than SMALL rows that a plan reads whole, or of which it reads more than SMALL rows by an index
    without a condition on it."""
    table, kind = plan.get("Relation Name", ""), plan["Node Type"]
    if table and table not in LISTED and rows_of(table) > SMALL:
        read = plan.get("Actual Rows", 0) + plan.get("Rows Removed by Filter", 0)
        if kind == "Seq Scan" or (kind.startswith("Index") and "Index Cond" not in plan and read > SMALL):
            yield table
    for below in plan.get("Plans", ()):
        yield from tables_read_whole(below, rows_of)


def count_rows(table: str) -> int:
    return int(fetch_value("SELECT reltuples::bigint FROM pg_class WHERE oid = %s::regclass", [table]))


def fetch_value(query: str, values: Sequence[str] | None = None) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        (value,) = cursor.fetchone()
    return value


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


# --- The trial --------------------------------------------------------------------------------------------------

SETTINGS = {  # settings of a scratch server, whose data need not survive a loss of power
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
    "shared_buffers": "2GB",
    "work_mem": "64MB",
    "maintenance_work_mem": "1GB",
    "max_parallel_maintenance_workers": "1",
    "max_parallel_workers_per_gather": "0",
    "autovacuum": "off",
}


@dataclass(frozen=True, slots=True)
class ScaleMeasured:
    clubs: int
    deals: int
    megabytes: float
    made: float  # seconds
    alone: list[PageCost]
    beside: list[PageCost]  # the same club's pages
    copy: list[PageCost]  # those of a club in the middle


@contextmanager
def run_server() -> Iterator[str]:
    """Runs PostgreSQL in a folder that is deleted afterwards: gives the address of an empty database.

    Raises:
        NoServer: it isn't installed, or doesn't start.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as by Ctrl-C, so that the server is stopped
    with TemporaryDirectory(prefix="nine-tables-scale-") as folder:
        Path(folder).chmod(0o711)  # run by root, the server runs as another user
        with running(Path(folder), settings=SETTINGS) as url:
            yield url


def measure_scale(copies: int, demo: Demo, *, say: Say) -> ScaleMeasured:
    execute("VACUUM (ANALYZE)")
    say("One club's pages ...")
    alone = measure_pages(main_pages(demo), _director(demo, 0))
    began = perf_counter()
    say(f"{copies:,} times as much ...")
    multiply(copies, say)
    execute("VACUUM (ANALYZE)")
    took = perf_counter() - began
    say(f"  {took:.0f} s. The same pages ...")
    beside = measure_pages(main_pages(demo), _director(demo, 0))
    middle = max(copies // 2, 1)
    copy = measure_pages(main_pages(_copied_demo(demo, middle)), _director(demo, middle))
    megabytes = float(fetch_value("SELECT pg_database_size(current_database()) / 1048576.0"))
    return ScaleMeasured(Club.objects.count(), Deal.objects.count(), megabytes, took, alone, beside, copy)


def _copied_demo(demo: Demo, number: int) -> Demo:
    shift = number * STRIDE
    rows = {name: getattr(demo, name) for name in ("parish", "harbour", "county", "night", "contest")}
    return replace(demo, **{name: type(row).objects.get(pk=row.pk + shift) for name, row in rows.items()})


def _director(demo: Demo, number: int) -> Client:
    first = User.objects.get(username=demo.director.username)
    return logged_in_client(User.objects.get(pk=first.pk + number * STRIDE))


def as_text(found: ScaleMeasured) -> str:
    slow = sorted((page for page in found.copy if page.slowest[0] > 5), key=lambda page: page.slowest, reverse=True)
    lines = [
        f"{found.clubs:,} clubs, {found.deals:,} deals, {found.megabytes / 1024:.1f} GB; made in {found.made:.0f} s",
        "",
        *_table(
            "page | queries | Python: alone | beside | a copy's | PostgreSQL: alone | beside | a copy's | whole",
            map(_page_row, zip(found.alone, found.beside, found.copy, strict=True)),
        ),
        "",
        *(f"slowest query of {one.name}: {one.slowest[0]:.1f} ms: {one.slowest[1][:400]}" for one in slow[:5]),
    ]
    return "\n".join(lines) + "\n"


def find_faults(found: ScaleMeasured) -> list[str]:
    """Pages that can't be shown, or that read a whole table which grows with the number of clubs."""
    pages = [*found.beside, *found.copy]
    return [
        *(f"{page.name} reads {table} whole: {query}" for page in pages for table, query in page.whole.items()),
        *(f"{page.name} was answered with {page.status}" for page in found.beside if page.status != 200),
    ]


def _page_row(costs: tuple[PageCost, PageCost, PageCost]) -> Sequence[str]:
    alone, beside, copy = costs
    return (
        alone.name,
        f"{alone.queries} / {beside.queries}",
        f"{alone.milliseconds:.0f}",
        f"{beside.milliseconds:.0f}",
        f"{copy.milliseconds:.0f}{'' if copy.status == 200 else f' ({copy.status})'}",
        *(f"{one.in_database:.1f}" for one in costs),
        ", ".join({*beside.whole, *copy.whole}) or "none",
    )


def _table(head: str, rows: Iterable[Sequence[str]]) -> list[str]:
    line = " | ".join("---" for _column in head.split(" | "))
    return [f"| {row} |" for row in (head, line, *map(" | ".join, rows))]
