"""One club's pages beside thousands of others, in one run, on a PostgreSQL of its own."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from django.db import connection
from django.test import Client

from clubsite.accounts.models import Club, User
from clubsite.bench.main_pages import main_pages
from clubsite.bench.scale import sizes
from clubsite.bench.scale.multiplied import STRIDE, multiply
from clubsite.bench.scale.plans import HOST, PageCost, asked, costs
from clubsite.ops.databases.server import running
from clubsite.ops.demo import Demo
from scoring.models import Deal

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
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
    say("One club's pages ...")
    alone = costs(main_pages(demo), _director(demo, 0))
    began = perf_counter()
    say(f"{copies:,} times as much ...")
    multiply(copies, say)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")
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
    director = Client(SERVER_NAME=HOST)
    first = User.objects.get(username=demo.director.username)
    director.force_login(User.objects.get(pk=first.pk + number * STRIDE))
    return director
