"""Writers on SQLite go in the order in which they came, whatever process they are of."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from clubsite.serving import writers
from clubsite.serving.writers import BEGIN, Queue

HOLDS = """
import fcntl, sys, time
turn = open(sys.argv[1], "ab")
fcntl.flock(turn, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""


def test_only_one_of_those_who_wait_looks_and_the_others_go_after_it(tmp_path: Path) -> None:
    queue, looking, most, began = Queue(tmp_path / "turn"), [0], [0], list[int]()

    def look(sql: str, params: object, many: bool, context: object) -> int:
        looking[0] += 1
        most[0] = max(most[0], looking[0])
        time.sleep(0.01)
        looking[0] -= 1
        began.append(1)
        return 1

    people = [Thread(target=queue, args=(look, BEGIN, None, False, {})) for _one in range(12)]
    for person in people:
        person.start()
    for person in people:
        person.join(20)
    assert (most, len(began)) == ([1], 12)


def test_another_process_has_its_turn_first(tmp_path: Path) -> None:
    file = tmp_path / "turn"
    queue, began = Queue(file), list[str]()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        mine = Thread(target=queue, args=(lambda *_all: began.append("mine"), BEGIN, None, False, {}))
        mine.start()
        queue(lambda *_all: began.append("a read"), "SELECT 1", None, False, {})  # waits for nobody
        mine.join(0.3)
        assert began == ["a read"]
        other.communicate("go on\n")
        mine.join(20)
    assert began == ["a read", "mine"]


def test_nobody_waits_for_ever(tmp_path: Path) -> None:
    """A process that hangs in its turn: after a while everybody looks for themselves."""
    file = tmp_path / "turn"
    settled = writers.PATIENCE
    writers.PATIENCE = 0.2
    try:
        queue, stuck = Queue(file), Queue(file)
        stuck.first.acquire()
        assert queue(lambda *_all: "begun", BEGIN, None, False, {}) == "begun"
        assert stuck(lambda *_all: "begun", BEGIN, None, False, {}) == "begun"
    finally:
        writers.PATIENCE = settled


def test_where_no_file_can_be_made_it_goes_without(tmp_path: Path) -> None:
    assert Queue(tmp_path / "no" / "turn")(lambda *_all: "begun", BEGIN, None, False, {}) == "begun"


def opened(file: Path) -> BaseDatabaseWrapper:
    """A connection of Django's own to this file, with the queue."""
    options = {"timeout": 20, "transaction_mode": "IMMEDIATE"}
    named = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": options}
    made: BaseDatabaseWrapper = ConnectionHandler({DEFAULT_DB_ALIAS: named})[DEFAULT_DB_ALIAS]
    made.execute_wrappers.append(Queue(file.with_suffix(".turn")))
    return made


def asked(connection: BaseDatabaseWrapper, question: str) -> Any:
    """The first figure of the answer."""
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


@pytest.mark.django_db
def test_who_finds_the_file_held_looks_again_and_the_connection_stays_as_it_was(tmp_path: Path) -> None:
    file, looks = tmp_path / "site.sqlite3", list[str]()
    mine, theirs = opened(file), sqlite3.connect(file, isolation_level=None)
    theirs.execute("CREATE TABLE line (words)")
    theirs.execute("BEGIN IMMEDIATE")
    theirs.execute("INSERT INTO line VALUES ('theirs')")

    def look(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """The file becomes free after the second look."""
        try:
            found = execute(sql, params, many, context)
        except OperationalError as busy:
            looks.append(str(busy))
            if len(looks) == 2:
                theirs.execute("COMMIT")
            raise
        looks.append("free")
        return found

    patience = asked(mine, "PRAGMA busy_timeout")
    with mine.execute_wrapper(look):  # nearer to the database than the queue
        mine.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert looks == ["database is locked", "database is locked", "free"]
    assert asked(mine, "SELECT words FROM line") == "theirs"
    mine.rollback()
    mine.set_autocommit(True)
    assert not mine.errors_occurred  # or Django would close it
    assert asked(mine, "PRAGMA busy_timeout") == patience == 20_000
    mine.close()
    theirs.close()
