"""The worker: django-tasks-db's own, which also gives signs of life, takes up what others left, and disturbs nobody.

It looks for tasks without taking a lock, so that on SQLite an idle worker never stands in a scorer's way; the
library's own takes one every second. Told to stop, it puts its task back into the queue at once.
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic
from types import FrameType
from typing import Any, cast

from django.db import InterfaceError, OperationalError, close_old_connections, connection, connections
from django_tasks import TaskContext, TaskResultStatus
from django_tasks.signals import task_finished, task_started
from django_tasks_db.management.commands.db_worker import Worker as LibraryWorker
from django_tasks_db.models import DBTaskResult
from django_tasks_db.utils import exclusive_transaction

from clubsite.tasks import cleaning, life, standing
from clubsite.tasks.models import Worker

LOOK_AFTER = 10.0  # seconds between two looks for tasks of dead workers
AWAY = (OperationalError, InterfaceError)  # raised while a database is busy or away
log = logging.getLogger("clubsite.tasks")


class Stopped(BaseException):
    """The worker is to stop now: its task goes back into the queue."""


class ClubWorker(LibraryWorker):
    """Runs one task after another until it is told to stop, or in a batch until none waits."""

    def __init__(
        self,
        *,
        worker_id: str,
        interval: float = 0.5,
        batch: bool = False,
        beside: int | None = None,
        alone: bool = False,
    ) -> None:
        """`beside`: the id of the process with which this one ends. `alone`: it gives a sign of life only at its
        start."""
        super().__init__(
            queue_names=["*"],
            interval=interval,
            batch=batch,
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=worker_id,
            excluded_queue_names=[],
        )
        self.beside = beside
        self.alone = alone
        self.at_work = False
        self.told_to_stop = Event()
        self.looked_after = float("-inf")

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """Stop: at once, in the middle of a task too."""
        self.running = False
        self.told_to_stop.set()
        if self.at_work:
            self.at_work = False
            raise Stopped

    def run(self) -> None:
        """Run tasks. A database that is busy or away for a while doesn't end it."""
        with self._heard_of():
            while self.running:
                if not self.alone:  # alone, it may run within somebody's transaction
                    close_old_connections()
                try:
                    if (result := self._next()) is not None:
                        self.run_task(result)
                        continue
                except AWAY as away:
                    log.warning("The database didn't answer: %s", away)
                    self.looked_after = float("-inf")  # a task may be left under this worker's name
                    if not self.alone:
                        connection.close()  # a connection opened while the file was read-only would stay so
                if self.batch:
                    break
                self.told_to_stop.wait(self.interval)

    def run_task(self, db_task_result: DBTaskResult) -> None:
        """Run a task, and write how it ended; an interrupted one goes back into the queue."""
        try:
            self._run(db_task_result)
        except Stopped:
            connection.close()  # rolls back what the task was doing
            mine = DBTaskResult.objects.running().filter(pk=db_task_result.pk, started_at=db_task_result.started_at)
            mine.update(status=TaskResultStatus.READY)  # the next attempt counts, not this one
            log.warning("Task id=%s is given back: the worker stops", db_task_result.pk)

    def _run(self, result: DBTaskResult) -> None:
        task, told = result.task, result.task_result
        backend = type(task.get_backend())
        task_started.send(sender=backend, task_result=told)
        try:
            self.at_work = self.running
            if not self.running:
                raise Stopped
            context = (TaskContext(task_result=cast(Any, told)),) if task.takes_context else ()
            returned = task.call(*context, *told.args, **told.kwargs)
            self.at_work = False
        except Exception as problem:
            self.at_work = False
            log.exception("Task id=%s failed", result.pk)
            result.set_failed(problem)
        else:
            result.set_successful(returned)
        finally:
            self.at_work = False
        task_finished.send(sender=backend, task_result=result.task_result)

    def _next(self) -> DBTaskResult | None:
        """Claim the next task that waits, and return it, or None. First looks without a lock."""
        if monotonic() - self.looked_after > LOOK_AFTER:
            self.looked_after = monotonic()
            life.take_up_again(idle=self.worker_id)
            cleaning.ask_when_due()
            standing.ask_for_all()
        waiting = DBTaskResult.objects.ready().filter(backend_name=self.backend_name)
        if not waiting.exists():
            return None
        with exclusive_transaction(waiting.db):
            result = waiting.get_locked()
            if result is not None:
                result.claim(self.worker_id)
        return result

    @contextmanager
    def _heard_of(self) -> Iterator[None]:
        """Gives signs of life every few seconds within the block."""
        ended = Event()
        self._give_sign()
        thread = Thread(target=self._beat, args=(ended,), daemon=True)
        if not self.alone:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            if thread.is_alive():
                thread.join(timeout=life.BEAT)
            with suppress(*AWAY):  # else its silence tells the others
                Worker.objects.filter(pk=self.worker_id).delete()

    def _beat(self, ended: Event) -> None:
        last = monotonic()
        while not ended.wait(min(1.0, life.BEAT)):
            if self.beside is not None and os.getppid() != self.beside:
                os.kill(os.getpid(), signal.SIGTERM)
                break
            if monotonic() - last < life.BEAT:
                continue
            last = monotonic()
            self._give_sign()
        connections.close_all()

    def _give_sign(self) -> None:
        try:
            life.beat(self.worker_id)
        except AWAY as away:  # further signs of life follow, for when it answers again
            log.warning("The database took no sign of life: %s", away)
            connection.close()
