"""Two at once, so that it comes out the same every time: while one deed is in the middle, another is tried.

What is right with turns (`Club.lock`) must be wrong with the turns taken away (`no_turns`), or a test shows nothing.
"""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection, connections

from clubsite.accounts.models import Club
from tests import racing
from tests.scoring.cards.test_race import elsewhere

PATIENCE = 0.4  # seconds for which the first waits in the middle for the second, which waits for it in its turn


@dataclass(slots=True)
class Both:
    """What came of the two: what each returned, or its error; and whether the second was done within the first."""

    first: Any = None
    second: Any = None
    slipped_in: bool = False


def tried(work):
    try:
        return work()
    except Exception as error:  # noqa: BLE001  (the test says which one is right)
        return error


def in_the_middle(monkeypatch, where, *, first, second):
    """Do `first`; when it has come through the function `where` ("module.name") for the first time, start `second`."""
    came, pool = Both(), ThreadPoolExecutor(2)
    module, _dot, name = where.rpartition(".")
    target = pytest.importorskip(module)
    usual, begun = getattr(target, name), []

    def wedged(*args, **kwargs):
        found = usual(*args, **kwargs)
        if not begun:
            begun.append(pool.submit(elsewhere(lambda: tried(second))))
            came.slipped_in = not wait(begun, timeout=PATIENCE).not_done
        return found

    with monkeypatch.context() as patched, pool:
        patched.setattr(target, name, wedged)
        came.first = pool.submit(elsewhere(lambda: tried(first))).result()
        assert begun, f"the first never came through {where}"
        came.second = begun[0].result()
    return came


def no_turns(monkeypatch):
    """Take the lock away: on PostgreSQL nobody waits for a club's row, on SQLite a transaction begins by reading."""
    monkeypatch.setattr(Club, "_waited_for", Club.objects.all)
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connections.settings["default"]["OPTIONS"], "transaction_mode", None)
        monkeypatch.setitem(connections.settings["default"]["OPTIONS"], "timeout", 0.2)
    monkeypatch.setattr(racing, "PATIENCE", 10.0)  # nobody waits for anybody: the second is soon done
