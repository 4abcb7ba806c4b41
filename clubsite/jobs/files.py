"""Files made by tasks, each once for everybody who wants it: ordered, made, kept for a while.

file = order_file(key=..., suffix="csv", payload=..., task=make_table)   # in a request: asks for it

@task(takes_context=True)                                                # in the worker: makes it
def make_table(context, key, run):
    with making_file(key, run=run, attempt=context.attempt) as job:
        job.save(table_of(job.payload))
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task

from clubsite.error_pages import Trouble, find_trouble
from clubsite.jobs.models import MadeFile
from clubsite.jobs.queue import Priority, enqueue, find_task, find_waiting, is_active

NOTE_EVERY = 0.5  # seconds between two notes of the progress
KEEP_FOR = timedelta(days=settings.MADE_KEPT_FOR)
KEEP_BYTES = 200 * 1024 * 1024
STORED = re.compile(r"[0-9a-f]{64}[._]")  # how names of made files begin: others may lie in the same folder
UNFINISHED = "nine-tables-unfinished-"  # how the folders of files that are just being made begin
STRAY_FOR = timedelta(hours=1)  # what no row names may be just being made or saved
FULL = "the disk is full"  # a `MadeFile.problem`
State = MadeFile.State
OPEN = (State.WAITING, State.MAKING)


class NotMade(Exception):
    """The file can't be made; the text says why, in the words of the program that makes it."""


class NotWanted(NotMade):
    """The file needs no more work: nobody is waiting for it, or another run makes it."""


class Unavailable(NotMade):
    """This machine lacks something that is needed; the text says what."""


class Job:
    def __init__(self, file: MadeFile) -> None:
        self.file, self.payload, self.noted = file, file.payload, float("-inf")

    def progress(self, done: int, of: int) -> None:
        """Store that `done` parts of `of` are done, at most every NOTE_EVERY seconds. Raises NotWanted where the work
        can end here."""
        if monotonic() >= self.noted + NOTE_EVERY:
            self.noted = monotonic()
            if not self.own_row().update(done=done, of=of):
                raise NotWanted

    def save(self, content: bytes, *, picture: bytes = b"") -> bool:
        """Store the file and its picture, unless a later attempt or run has begun. Returns whether they are stored."""
        file = self.file
        file.file.save(str(file), ContentFile(content), save=False)
        if picture:
            file.picture.save(f"{file.key}.png", ContentFile(picture), save=False)
        names = {"file": file.file.name, "picture": file.picture.name}
        if self.own_row().update(**names, state=State.MADE, made_at=timezone.now(), problem="", payload=""):
            return True
        file.delete_files()
        return False

    def own_row(self) -> QuerySet[MadeFile]:
        file = self.file
        return MadeFile.objects.filter(key=file.key, run=file.run, attempt=file.attempt, state=State.MAKING)


def order_file(
    *, key: str, suffix: str, payload: str, task: Task[Any, Any], priority: int = Priority.ORDERED
) -> MadeFile:
    """Ask for a file, unless it is made or asked for already; one waiting with a lower priority moves up.

    `task` is called with the key and the number of the run. Only where tasks are left to workers.
    """
    new = {"suffix": suffix, "wanted_at": timezone.now(), "run": 0}
    with transaction.atomic():
        file, _new = MadeFile.objects.select_for_update().get_or_create(key=key, defaults=new)
        if file.run and file.state in OPEN and is_active(file.task):
            find_waiting(file.task).filter(priority__lt=priority).update(priority=priority)
        elif file.state != State.MADE or not default_storage.exists(str(file.file)):
            file = MadeFile(pk=file.pk, key=key, suffix=file.suffix, run=file.run + 1, payload=payload)
            file.wanted_at = timezone.now()
            file.save()
            file.task = enqueue(task, key, file.run, priority=priority)
        file.wanted_at = timezone.now()
        file.save(update_fields=["wanted_at", "task"])
    return file


def cancel_file(file: MadeFile) -> None:
    with transaction.atomic():
        held = MadeFile.objects.select_for_update().get(pk=file.pk)
        if held.state not in OPEN or held.orders.exists():
            return
        find_waiting(held.task).delete()
        held.state, held.run = State.FAILED, held.run + 1  # the task that makes it finds its run over
        held.save()


@contextmanager
def making_file(key: str, *, run: int, attempt: int) -> Iterator[Job | None]:
    """Begin a task's attempt at a file: gives the job, or None where that run is over or the file is made.

    `NotMade` raised in the block, or a full disk, marks the file as failed and isn't raised on.
    """
    mine = MadeFile.objects.filter(key=key, run=run, state__in=OPEN, attempt__lt=attempt)
    if not mine.update(state=State.MAKING, attempt=attempt):
        yield None
        return
    job = Job(MadeFile.objects.get(key=key))
    try:
        yield job
    except NotMade as why:
        job.own_row().update(state=State.FAILED, problem=str(why)[:2000], unavailable=isinstance(why, Unavailable))
    except OSError as why:
        if find_trouble(why) is not Trouble.FULL:
            raise
        job.own_row().update(state=State.FAILED, problem=FULL)


def note_failure(sender: object, *, task_result: Any, **_signal: object) -> None:
    """Mark the file of a task that failed otherwise than by `NotMade`: a fault, or its worker died too often."""
    if task_result.status == TaskResultStatus.FAILED:
        _mark_failed(task_result.id, task_result.errors[-1].traceback if task_result.errors else "")


def _mark_failed(task_id: str, trace: str) -> None:
    problem = trace.strip().rpartition("\n")[2][:2000]
    MadeFile.objects.filter(task=task_id, state__in=OPEN).update(state=State.FAILED, problem=problem)


def unfinished_folder() -> TemporaryDirectory[str]:
    """A folder for a file while it is made, where `delete_all` finds it if its worker is killed."""
    root = Path(settings.MEDIA_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    return TemporaryDirectory(prefix=UNFINISHED, dir=root, ignore_cleanup_errors=True)


def prune(now: datetime | None = None) -> None:
    """Delete files that nobody wanted for KEEP_FOR, those wanted longest ago until KEEP_BYTES are left, stored files
    that no row names, and old unfinished folders.

    First marks files as failed whose task ended without a signal, because an update removed its module.
    """
    now, size, named = now or timezone.now(), 0, set()
    for task_id in MadeFile.objects.filter(state__in=OPEN).values_list("task", flat=True):
        if not is_active(task_id):
            task = find_task(task_id).first()
            _mark_failed(task_id, task.traceback if task else "Its task is gone.")
    for file in MadeFile.objects.exclude(state__in=OPEN).defer("payload").order_by("-wanted_at"):
        with suppress(OSError, ValueError):  # gone, or never made
            size += file.file.size
        if file.wanted_at < now - KEEP_FOR or size > KEEP_BYTES:
            file.delete_files()
            file.delete()
        named |= {str(file.file), str(file.picture)}
    for name in set(_stored_names()) - named:
        with suppress(OSError):
            if default_storage.get_modified_time(name) < now - STRAY_FOR:
                default_storage.delete(name)
    _delete_unfinished(before=now - STRAY_FOR)


def delete_all() -> None:
    """Delete every made file and payload; files being made now aren't saved. They can be ordered again.

    Needed when somebody's name must disappear everywhere.
    """
    MadeFile.objects.filter(state__in=OPEN).update(state=State.FAILED, run=F("run") + 1)
    MadeFile.objects.exclude(payload="").update(payload="")
    for name in _stored_names():
        default_storage.delete(name)
    _delete_unfinished()


def _delete_unfinished(before: datetime | None = None) -> None:
    for folder in Path(settings.MEDIA_ROOT).glob(f"{UNFINISHED}*"):
        with suppress(FileNotFoundError, PermissionError):  # finished meanwhile; on Windows: being written
            if before is None or datetime.fromtimestamp(folder.stat().st_mtime, UTC) < before:
                shutil.rmtree(folder)


def _stored_names() -> list[str]:
    try:
        return [name for name in default_storage.listdir("")[1] if STORED.match(name)]
    except FileNotFoundError:
        return []
