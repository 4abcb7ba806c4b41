"""Writers on SQLite go in the order in which they came, whatever process they are of."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

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
