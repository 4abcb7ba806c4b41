"""One club's pages beside thousands of others, in one run, on a PostgreSQL of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from django.test import Client

from clubsite.accounts.models import Club, User
from clubsite.ops.databases.server import running
from lab.benchmarks.crowd import client_of
from lab.benchmarks.main_pages import main_pages
from lab.benchmarks.scale import sizes
from lab.benchmarks.scale.multiplied import STRIDE, multiply
from lab.benchmarks.scale.plans import PageCost, asked, costs, done
from scoring.models import Deal
from tournaments.demo.loading import Demo

Say = Callable[[str], None]
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
    """Everything that was measured."""

    clubs: int
    deals: int
    megabytes: float
    made: float  # seconds
    alone: list[PageCost]
    beside: list[PageCost]  # the same club's pages
    copy: list[PageCost]  # those of a club in the middle
    tables: list[tuple[Any, ...]]  # as `sizes` says, as are the ways of keeping points
    ways: list[Sequence[str]]


@contextmanager
def server() -> Iterator[str]:
    """Runs PostgreSQL in a folder that is deleted afterwards: gives the address of an empty database.

    Raises:
        NoServer: it isn't installed, or doesn't start.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as by Ctrl-C, so that the server is stopped
    with TemporaryDirectory(prefix="nine-tables-scale-") as folder:
        Path(folder).chmod(0o711)  # run by root, the server runs as another user
        with running(Path(folder), settings=SETTINGS) as found:
            yield found.url


def measured(copies: int, demo: Demo, *, say: Say) -> ScaleMeasured:
    """Measure the demo of this database, multiply it, and measure it again."""
    done("VACUUM (ANALYZE)")
    say("One club's pages ...")
    alone = costs(main_pages(demo), _director(demo, 0))
    began = perf_counter()
    say(f"{copies:,} times as much ...")
    multiply(copies, say)
    done("VACUUM (ANALYZE)")
    took = perf_counter() - began
    say(f"  {took:.0f} s. The same pages ...")
    beside = costs(main_pages(demo), _director(demo, 0))
    middle = max(copies // 2, 1)
    copy = costs(main_pages(_copy_of(demo, middle)), _director(demo, middle))
    say("Points by club, in three ways ...")
    club, event = demo.parish.pk + middle * STRIDE, demo.night.pk + middle * STRIDE
    megabytes, tables = float(asked("SELECT pg_database_size(current_database()) / 1048576.0")), sizes.table_sizes()
    ways = sizes.ways_of_keeping(club=club, event=event, clubs=500, say=say)
    counted = Club.objects.count(), Deal.objects.count()
    return ScaleMeasured(*counted, megabytes, took, alone, beside, copy, tables, ways)


def _copy_of(demo: Demo, number: int) -> Demo:
    """The demo's clubs and events of one copy."""
    shift = number * STRIDE
    rows = {name: getattr(demo, name) for name in ("parish", "harbour", "county", "night", "contest")}
    return replace(demo, **{name: type(row).objects.get(pk=row.pk + shift) for name, row in rows.items()})


def _director(demo: Demo, number: int) -> Client:
    """The browser of one copy's director."""
    first = User.objects.get(username=demo.director.username)
    return client_of(User.objects.get(pk=first.pk + number * STRIDE))


def as_text(found: ScaleMeasured) -> str:
    """Tables in Markdown, as in docs/scale.md."""
    slow = sorted((page for page in found.copy if page.slowest[0] > 5), key=lambda page: page.slowest, reverse=True)
    lines = [
        f"{found.clubs:,} clubs, {found.deals:,} deals, {found.megabytes / 1024:.1f} GB; made in {found.made:.0f} s",
        "",
        *_table(
            "table | rows | MB | MB of indexes | rows a club",
            [
                (name, f"{rows:,}", f"{table:,.0f}", f"{indexes:,.0f}", f"{rows / found.clubs:,.1f}")
                for name, rows, table, indexes in found.tables[:16]
            ],
        ),
        "",
        *_table(
            "page | queries | Python: alone | beside | a copy's | PostgreSQL: alone | beside | a copy's | whole",
            map(_page, zip(found.alone, found.beside, found.copy, strict=True)),
        ),
        "",
        *(f"slowest query of {one.name}: {one.slowest[0]:.1f} ms: {one.slowest[1][:400]}" for one in slow[:5]),
        "",
        *_table("points kept | MB | made in s | a night: blocks | ms | a club: blocks | ms", found.ways),
    ]
    return "\n".join(lines) + "\n"


def faults(found: ScaleMeasured) -> list[str]:
    """Pages that can't be shown, or that read a whole table which grows with the number of clubs."""
    pages = [*found.beside, *found.copy]
    return [
        *(f"{page.name} reads {table} whole: {query}" for page in pages for table, query in page.whole.items()),
        *(f"{page.name} was answered with {page.status}" for page in found.beside if page.status != 200),
    ]


def _page(costs: tuple[PageCost, PageCost, PageCost]) -> Sequence[str]:
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
