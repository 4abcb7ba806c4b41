"""Faults of the disk, the database and the clock."""

from __future__ import annotations

from collections.abc import Callable

from clubsite.bench.crash.table import Row


class LeftOut(Exception):
    """This machine doesn't allow the fault to be caused; the text says why."""


FAULTS: dict[str, Callable[[int, Callable[[str], None]], list[Row]]] = {}
