"""Who records a deal goes before those who look."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Event
from typing import Any

import pytest

from clubsite.serving.threads import Threads


def test_what_records_is_begun_before_what_looks() -> None:
    threads, gate, order = Threads(1), Event(), list[str]()
    held = threads.submit(gate.wait)
    rest: list[Future[Any]] = [threads.submit(lambda: order.append("look")) for _look in range(3)]
    rest.append(threads.submit(lambda: order.append("record"), first=True))
    gate.set()
    for future in (held, *rest):
        future.result(10)
    assert order == ["record", "look", "look", "look"]


def test_a_thread_is_left_for_what_records_however_long_others_look() -> None:
    threads, gate = Threads(2), Event()
    looks = [threads.submit(gate.wait) for _look in range(5)]
    assert threads.submit(lambda: "recorded", first=True).result(10) == "recorded"
    assert not looks[1].done()
    gate.set()
    assert all(look.result(10) for look in looks)


def test_who_waits_for_somebody_who_records_long_is_begun_as_soon_as_a_thread_may() -> None:
    threads, gate, order = Threads(4), Event(), list[str]()
    long = threads.submit(gate.wait, first=True)
    short = [threads.submit(lambda: order.append("recorded"), first=True) for _deal in range(5)]
    for future in short:
        future.result(10)
    assert not long.done()
    gate.set()
    assert long.result(10)


def test_a_thread_outlives_what_is_raised_in_it() -> None:
    def fails() -> None:
        raise KeyError("on purpose")

    threads = Threads(1)
    with pytest.raises(KeyError):
        threads.submit(fails).result(10)
    assert threads.submit(lambda: 1).result(10) == 1
