"""Files made by tasks, each once for all who want it: asked for, made, kept for a while.

    key = order_file(key=..., suffix="csv", payload=..., task=make_table)   # in a request: asks for it

    @task(takes_context=True)                                                # in the worker: makes it
    def make_table(context, key, run):
        with making(key, run=run, attempt=context.attempt) as job:
            job.save(table_of(job.payload))

What the file is made from (`payload`) waits in the storage, apart from the tasks, so that any host can make it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task

from clubsite.error_pages import Trouble, trouble_of
from clubsite.tasks.models import MadeFile
from clubsite.tasks.queue import Priority, enqueue, hurry, is_on, withdraw
from clubsite.tasks.storage import made

TELL = 0.5  # seconds between two notes of the progress
KEEP_FOR = timedelta(days=settings.MADE_KEPT_FOR)
KEEP_BYTES = 200 * 1024 * 1024
PARTS_FOR = timedelta(hours=1)  # half-written files, and payloads that no task used, are kept so long
NOT_HERE = (
    "what it is made from is gone: order it again. Where several hosts serve this site, all of them need the same "
    "MADE_FOLDER, or MADE_IN=database (docs/operations.md)"
)
FULL = "the disk is full"  # a `MadeFile.problem`
State = MadeFile.State
OPEN = (State.WAITING, State.MAKING)
log = logging.getLogger("clubsite.tasks")


class NotMade(Exception):
    """The file can't be made; the text says why, in the words of the program that makes it."""


class NotWanted(NotMade):
    """The file needs no more work: nobody waits for it any more, or another run makes it."""


class NoRoom(NotMade):
    """The disk is full. It says `FULL`, for which pages have words."""

    def __init__(self) -> None:
        super().__init__(FULL)


class Unavailable(NotMade):
    """This machine lacks something that is needed; the text says what."""


@dataclass(slots=True)
class Job:
    """A file that is being made: what it is made from, and how the task reports progress and the result."""

    file: MadeFile
    payload: bytes
    attempt: int
    told: float = field(default=float("-inf"))
    saved: bool = False

    def progress(self, done: int, of: int) -> None:
        """Note that `done` of so many parts are done; written to the database at most every TELL seconds.

        Raises:
            NotWanted: the work can end here.
        """
        if monotonic() >= self.told + TELL:
            self.told = monotonic()
            if not self._mine().update(done=done, of=of):
                raise NotWanted

    def save(self, content: bytes, *, besides: dict[str, bytes] | None = None) -> None:
        """Store the file, and others of the same key (`besides`, by suffix), unless a later attempt or run has
        begun."""
        with transaction.atomic():  # locks the row, so that `forget_all` waits until it can see the file
            self.saved = bool(self._mine().update(state=State.MADE, made_at=timezone.now(), problem=""))
            if self.saved:
                for suffix, other in (besides or {}).items():
                    made().save(f"{self.file.key}.{suffix}", ContentFile(other))
                made().save(self.file.name, ContentFile(content))

    def _mine(self) -> Any:
        return _of(self.file.key, run=self.file.run).filter(state=State.MAKING, attempt=self.attempt)


def payload_name(key: str) -> str:
    """The name in the storage of what a file is made from."""
    return f"{key}.json"


def found(key: str, suffix: str) -> bytes | None:
    """The file of this key; None where it isn't made, or is gone."""
    try:
        with made().open(f"{key}.{suffix}") as file:
            content: bytes = file.read()
            return content
    except OSError:
        return None


def order_file(
    *, key: str, suffix: str, payload: bytes, task: Task[Any, Any], priority: int = Priority.ORDERED
) -> MadeFile:
    """Ask for a file, unless it is made or asked for already; one that waits with a lower priority is hurried on.

    `task` is called with the key and the number of the run. Only where tasks are left to workers.
    """
    now = timezone.now()
    with transaction.atomic():
        wanted = {"suffix": suffix, "wanted_at": now, "run": 0}
        file, _new = MadeFile.objects.select_for_update().get_or_create(key=key, defaults=wanted)
        file.wanted_at = now
        if made().exists(file.name):  # checked with the row locked, since it may just have been made
            file.state = State.MADE
            file.made_at = file.made_at or now
        elif file.run and file.state in OPEN and is_on(file.task):
            hurry(file.task, priority)
        else:
            file.state, file.run, file.attempt = State.WAITING, file.run + 1, 0
            file.done = file.of = 0
            file.problem, file.unavailable, file.made_at = "", False, None
            made().save(payload_name(key), ContentFile(payload))
            file.task = enqueue(task, key, file.run, priority=priority)
        file.save()
    return file


def give_up(file: MadeFile) -> None:
    """Stop making a file that nobody has ordered any more. It can be ordered again."""
    with transaction.atomic():
        held = MadeFile.objects.select_for_update().get(pk=file.pk)
        if held.state not in OPEN or held.orders.exists():
            return
        withdraw(held.task)
        held.state, held.run = State.FAILED, held.run + 1  # the task that makes it finds its run over
        held.save()


@contextmanager
def making(key: str, *, run: int, attempt: int) -> Iterator[Job | None]:
    """Begins a task's attempt at a file: gives the job, or None where that run is over or the file is made.

    `NotMade` raised in the block, or a full disk, marks the file as failed, and goes no further.
    """
    if not _of(key, run=run).filter(attempt__lt=attempt).update(state=State.MAKING, attempt=attempt):
        yield None
        return
    file = MadeFile.objects.get(key=key)
    payload = found(key, "json")
    job = Job(file, payload or b"", attempt)
    try:
        if payload is None:
            raise NotMade(NOT_HERE)
        yield job
    except NotMade as why:
        unavailable = isinstance(why, Unavailable)
        job._mine().update(state=State.FAILED, problem=str(why)[:2000], unavailable=unavailable)
    except OSError as why:
        if trouble_of(why) is not Trouble.FULL:
            raise
        job._mine().update(state=State.FAILED, problem=FULL)
    if job.saved:
        with suppress(OSError):
            made().delete(payload_name(key))


def note_failure(sender: object, *, task_result: Any, **rest: object) -> None:
    """Mark the file of a task that failed for another reason than `NotMade`: a fault, or its worker died too often."""
    if task_result.status == TaskResultStatus.FAILED:
        problem = task_result.errors[-1].traceback.strip().splitlines()[-1] if task_result.errors else ""
        open_ = MadeFile.objects.filter(task=task_result.id, state__in=OPEN)
        open_.update(state=State.FAILED, problem=problem[:2000])


def prune(now: datetime | None = None) -> None:
    """Prune the storage (`prune_storage`), and delete the rows of files that nobody wanted for KEEP_FOR."""
    now = now or timezone.now()
    unfinished = set(MadeFile.objects.filter(state__in=OPEN).values_list("key", flat=True))
    prune_storage(now, wanted=dict(MadeFile.objects.values_list("key", "wanted_at")), unfinished=unfinished)
    MadeFile.objects.filter(wanted_at__lt=now - KEEP_FOR).exclude(key__in=unfinished).delete()


def forget_all() -> None:
    """Delete every made file, and what files are to be made from; one that is just being made isn't saved.

    Needed when somebody's name must disappear everywhere. A file that is asked for again is made anew.
    """
    MadeFile.objects.filter(state__in=OPEN).update(state=MadeFile.State.FAILED, run=F("run") + 1)
    storage = made()
    with suppress(FileNotFoundError):
        for name in storage.listdir("")[1]:
            storage.delete(name)


def prune_storage(
    now: datetime, *, wanted: Mapping[str, datetime] | None = None, unfinished: Collection[str] = ()
) -> None:
    """Delete files that nobody wanted for KEEP_FOR, then the oldest until KEEP_BYTES are left.

    `wanted` says by key when a file was last wanted. What the `unfinished` files are to be made from is kept.
    """
    storage, kept = made(), 0
    try:
        names = storage.listdir("")[1]
    except FileNotFoundError:
        return
    aged = []
    for name in names:
        with suppress(OSError):
            made_at = storage.get_modified_time(name)
            aged.append((max(made_at, (wanted or {}).get(name.partition(".")[0], made_at)), name))
    for last, name in sorted(aged, reverse=True):
        if name.endswith(".json") and name.partition(".")[0] in unfinished:
            continue
        with suppress(OSError):
            size = storage.size(name)
            kept += size
            left_over = name.endswith((".part", ".json")) and now - last > PARTS_FOR
            if left_over or now - last > KEEP_FOR or (kept > KEEP_BYTES and kept > size):
                storage.delete(name)


def _of(key: str, *, run: int) -> Any:
    """A query for the file, empty once this run is over or the file is made."""
    return MadeFile.objects.filter(key=key, run=run, state__in=OPEN)
