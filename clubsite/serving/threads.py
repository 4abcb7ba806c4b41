"""The threads in which requests are answered: those that record something go first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any


class Threads:
    """A pool of threads that live as long as the process, so that each keeps its connection to the database.

    Work submitted with `first` begins before everything else that waits. Each of the two kinds may use half of the
    threads at once. So a deal is recorded however many people look at pages; and few recordings at once are done sooner
    than many, because only one thread of a process computes at a time, and only one connection to SQLite writes.
    """

    def __init__(self, count: int) -> None:
        """`count`: the number of threads, at least 1. With one thread, the two kinds wait for each other."""
        self.most = max(1, count // 2)
        self._waiting: dict[bool, deque[tuple[Future[Any], Callable[[], Any]]]] = {True: deque(), False: deque()}
        self._at_work = {True: 0, False: 0}
        self._told = Condition()
        for number in range(count):
            Thread(target=self._work, name=f"web-{number + 1}", daemon=True).start()

    def submit(self, deed: Callable[[], Any], *, first: bool = False) -> Future[Any]:
        """Call `deed` in one of the threads; the future gets what it returns or raises."""
        future: Future[Any] = Future()
        with self._told:
            self._waiting[first].append((future, deed))
            self._told.notify()
        return future

    def _next(self) -> bool | None:
        """The kind of work (the value of `first`) that may begin now, or None."""
        return next((kind for kind in (True, False) if self._waiting[kind] and self._at_work[kind] < self.most), None)

    def _work(self) -> None:
        while True:
            with self._told:
                while (kind := self._next()) is None:
                    self._told.wait()
                future, deed = self._waiting[kind].popleft()
                self._at_work[kind] += 1
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(deed())
                except BaseException as problem:  # noqa: BLE001  (the thread lives on; whoever waits is told)
                    future.set_exception(problem)
            del future, deed
            with self._told:
                self._at_work[kind] -= 1
                self._told.notify()
