"""The worker: django-tasks-db's own, beside a thread that gives signs of life and looks after what is due.

When it is stopped it just ends, even in the middle of a task, which is taken up again as that of a worker that died.
"""

import logging
import os
import signal
import socket
from threading import Thread
from time import sleep
from uuid import uuid4

from django.db import Error, connection, connections
from django_tasks_db.management.commands.db_worker import Worker as DatabaseWorker

from clubsite.jobs import heartbeat, periodic

log = logging.getLogger("clubsite.jobs")


def make_worker(name: str, *, interval: float = 0.5, batch: bool = False) -> DatabaseWorker:
    return DatabaseWorker(
        queue_names=["*"],
        interval=interval,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=name,
        excluded_queue_names=[],
    )


def requeue_and_enqueue() -> None:
    heartbeat.requeue_tasks()
    periodic.enqueue_due()


def run(*, interval: float = 0.5, batch: bool = False, beside: bool = False) -> None:
    """Run tasks until the process ends, or in a `batch` until none waits. `beside` the site that started it, this
    process ends when its standard input does, which that site's process holds open as long as it lives."""
    worker = make_worker(_new_name(), interval=interval, batch=batch)
    if batch:
        requeue_and_enqueue()
        worker.run()
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else an interrupted task would be marked as failed
    Thread(target=_beat_for_ever, args=(worker, beside), daemon=True).start()
    if beside:
        Thread(target=_end_with_input, daemon=True).start()
    while True:
        try:
            heartbeat.beat(worker.worker_id)  # before it has a task, which another would take up again
            worker.run()
        except Error as away:
            log.warning("The database didn't answer: %s", away)
            worker.worker_id = _new_name()  # a task may be left under the old one: it is taken up again
            connection.close()  # a connection opened while the file was read-only would stay so
            sleep(interval)


def _new_name() -> str:
    return f"{socket.gethostname()[:40]}-{os.getpid()}-{uuid4().hex[:8]}"


def _beat_for_ever(worker: DatabaseWorker, only_one: bool) -> None:
    while True:
        try:
            if only_one:
                heartbeat.forget_other_workers(worker.worker_id)
                only_one = False
            heartbeat.beat(worker.worker_id)
            requeue_and_enqueue()
        except Error as away:  # further signs of life follow, for when it answers again
            log.warning("The database took no sign of life: %s", away)
            connections.close_all()
        sleep(heartbeat.BEAT)


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(0)
