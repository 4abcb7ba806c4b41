"""Writers on SQLite wait in a queue: whoever came first writes next.

SQLite lets one connection write at a time; the others try again and again, after ever longer sleeps. So in a burst
somebody who came just now may go first, while somebody else waits for seconds and is told in the end that the database
is locked. Here only the first of those who wait tries; the others wait for their turn in this process, and this process
for its turn among those of the machine. The turn is only that of trying: it is passed on as soon as the transaction has
begun, so nothing can wait for it for ever.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from time import monotonic, sleep
from typing import Any

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

PATIENCE = 15.0  # seconds after which a writer tries without its turn; then SQLite's own timeout counts
LOOK = 0.0005  # seconds between two tries
BEGIN = "BEGIN IMMEDIATE"


class Queue:
    """The queue for one SQLite file; `turn` is the path of the lock file by which processes take turns."""

    def __init__(self, turn: Path) -> None:
        """Where the lock file can't be made, only the writers of this process queue."""
        self.first = Lock()
        self.turn: int | None = None  # the lock file, open as long as the process lives
        with suppress(OSError):
            self.turn = os.open(turn, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)

    def __call__(  # noqa: PLR0917  (Django's)
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]
    ) -> Any:
        """Django's wrapper around each statement: the one that begins a write waits for its turn."""
        if sql != BEGIN:
            return execute(sql, params, many, context)
        until = monotonic() + PATIENCE
        mine = self.first.acquire(timeout=PATIENCE)
        try:
            with _turn_of_process(self.turn if mine else None, until):
                return _begun(partial(execute, sql, params, many, context), context.get("connection"), until=until)
        finally:
            if mine:
                self.first.release()


def _begun(begin: Callable[[], Any], connection: BaseDatabaseWrapper | None, *, until: float) -> Any:
    """Begin as soon as the file is free: by itself SQLite would try ever less often, down to ten times a second."""
    if connection is None or connection.connection is None:
        return begin()
    sqlite, unwell = connection.connection, connection.errors_occurred
    sqlite.execute("PRAGMA busy_timeout = 0")
    try:
        while monotonic() < until:
            try:
                return begin()
            except OperationalError as busy:
                if "locked" not in str(busy):
                    raise
                connection.errors_occurred = unwell  # a failed try does the connection no harm
                sleep(LOOK)
    finally:
        sqlite.execute(f"PRAGMA busy_timeout = {round(connection.settings_dict['OPTIONS'].get('timeout', 5) * 1000)}")
    return begin()


@contextmanager
def _turn_of_process(turn: int | None, until: float) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # this system has no such locks: its processes don't queue
        turn = None
    if turn is None:
        yield
        return
    while monotonic() < until:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            sleep(LOOK)
        except OSError:  # a file system without such locks
            break
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.flock(turn, fcntl.LOCK_UN)


_queues: dict[str, Queue] = {}
_guard = Lock()


def take_turns() -> None:
    """Make this process's writers on SQLite queue from now on. Call it after the process was forked."""
    connection_created.connect(_queue_for, dispatch_uid="clubsite.serving.writers")


def _queue_for(connection: BaseDatabaseWrapper, **_sent: object) -> None:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or ":memory:" in name or "mode=memory" in name:
        return
    with _guard:
        if name not in _queues:
            _queues[name] = Queue(Path(f"{name}-turn"))
    if _queues[name] not in connection.execute_wrappers:
        connection.execute_wrappers.append(_queues[name])
