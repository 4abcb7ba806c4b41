"""The threads in which requests are answered: those that record something go first."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import Condition, Thread
from typing import Any

log = logging.getLogger("clubsite.serving")


class Threads:
    """So many threads, which live as long as the process, so that each keeps its connection to the database.

    What is asked for `first` is begun before everything else that waits, and one thread is left free for it: however
    many look at pages meanwhile, and however long that takes, a deal is recorded.
    """

    def __init__(self, count: int) -> None:
        """`count`: at least 1. With one thread alone none is left free."""
        self.count = count
        self.others = max(1, count - 1)  # that may do at once what isn't first
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._first: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._at_others = 0
        self._told = Condition()
        for number in range(count):
            Thread(target=self._work, name=f"web-{number + 1}", daemon=True).start()

    def submit(self, deed: Callable[[], Any], *, first: bool = False) -> Future[Any]:
        """Have a deed done; what it returns or raises is the future's."""
        future: Future[Any] = Future()
        with self._told:
            (self._first if first else self._waiting).append((future, deed))
            self._told.notify()
        return future

    def _work(self) -> None:
        while True:
            with self._told:
                while not self._first and not (self._waiting and self._at_others < self.others):
                    self._told.wait()
                first = bool(self._first)
                future, deed = (self._first if first else self._waiting).popleft()
                self._at_others += not first
            try:
                if future.set_running_or_notify_cancel():
                    _do(future, deed)
            finally:
                del future, deed
                with self._told:
                    self._at_others -= not first
                    if not first:
                        self._told.notify()


def _do(future: Future[Any], deed: Callable[[], Any]) -> None:
    try:
        result = deed()
    except BaseException as problem:  # noqa: BLE001  (the thread lives on; whoever waits is told)
        future.set_exception(problem)
    else:
        future.set_result(result)
