"""Files made by tasks: once for all who want them, kept for a while."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.files.base import File
from django.db import connections
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.pdf import documents
from clubsite.pdf.documents import Pages, make_pdf
from clubsite.tasks import files
from clubsite.tasks.models import MadeFile
from clubsite.tasks.queue import Priority
from clubsite.tasks.storage import WholeFiles
from tests.tasks.workers import until, work, worker_process

ONE = Pages(("<p>one</p>",))


def ordered(pages: Pages, priority: int = Priority.ORDERED) -> MadeFile:
    """The file of these pages, asked for."""
    return files.order_file(
        key=documents.key_of(pages), suffix="pdf", payload=pages.payload(), task=make_pdf, priority=priority
    )


def asked() -> int:
    """How many tasks there are for PDFs."""
    return DBTaskResult.objects.filter(task_path=make_pdf.module_path).count()


@pytest.mark.django_db
def test_a_file_asked_for_by_many_is_made_once(apart: None, tmp_path: Path) -> None:
    assert {ordered(ONE).pk for _time in range(5)} == {MadeFile.objects.get().pk}
    assert asked() == 1
    work()
    assert ordered(ONE).state == MadeFile.State.MADE
    assert asked() == 1
    kept = sorted(file.suffix for file in (tmp_path / "documents").iterdir())
    assert kept == [".pdf", ".png"]  # what it was made from is gone


@pytest.mark.django_db(transaction=True)
def test_eight_who_ask_at_the_same_moment_have_it_made_once(apart: None) -> None:
    def ask() -> int:
        try:
            barrier.wait()
            return ordered(ONE).pk
        finally:
            connections.close_all()

    barrier = Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        got = {one.result() for one in [pool.submit(ask) for _n in range(8)]}
    assert (len(got), asked()) == (1, 1)


@pytest.mark.django_db
def test_a_file_that_is_made_while_it_is_asked_for_again_is_made_once(
    apart: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save_and_see_it_made(storage: WholeFiles, name: str, content: File) -> str:
        saved = save(storage, name, content)
        if name.endswith(".json"):
            monkeypatch.setattr(WholeFiles, "_save", save)
            work()
        return saved

    save = WholeFiles._save
    ordered(ONE)
    monkeypatch.setattr(WholeFiles, "_save", save_and_see_it_made)
    ordered(ONE)
    work()
    assert (MadeFile.objects.get().state, asked()) == (MadeFile.State.MADE, 1)


@pytest.mark.django_db
def test_what_was_to_be_forgotten_while_it_was_made_is_not_kept(apart: None, tmp_path: Path) -> None:
    file = ordered(ONE)
    with files.making(file.key, run=1, attempt=1) as job:
        assert job
        files.forget_all()
        job.save(b"with a name", besides={"png": b"of a name"})
    assert list((tmp_path / "documents").iterdir()) == []


@pytest.mark.django_db
def test_a_file_that_is_gone_is_made_again(apart: None, tmp_path: Path) -> None:
    file = ordered(ONE)
    work()
    (tmp_path / "documents" / file.name).unlink()
    assert ordered(ONE).state == MadeFile.State.WAITING
    work()
    assert files.found(file.key, "pdf")


@pytest.mark.django_db
def test_what_somebody_waits_for_goes_before_what_was_ordered_ahead(apart: None) -> None:
    pages = [Pages((f"<p>{n}</p>",)) for n in range(3)]
    for one in pages:
        ordered(one, Priority.AHEAD)
    ordered(pages[2])
    first = DBTaskResult.objects.ready().first()
    assert first
    assert first.args_kwargs["args"][0] == documents.key_of(pages[2])


@pytest.mark.django_db
def test_a_page_that_cannot_be_printed_fails_with_its_reason_and_may_be_asked_for_again(apart: None) -> None:
    wrong = Pages(('<img src="file:///etc/passwd">',))
    file = ordered(wrong)
    work()
    file.refresh_from_db()
    assert (file.state, file.unavailable) == (MadeFile.State.FAILED, False)
    assert "not one of the project's own files" in file.problem
    assert (ordered(wrong).run, asked()) == (2, 2)


@pytest.mark.django_db
def test_of_two_attempts_only_the_later_says_how_far_it_is_and_that_it_is_made(apart: None) -> None:
    file = ordered(ONE)
    with files.making(file.key, run=1, attempt=1) as slow:
        assert slow
        with files.making(file.key, run=1, attempt=1) as same:
            assert same is None
        with files.making(file.key, run=1, attempt=2) as later:
            assert later
            with pytest.raises(files.NotWanted):  # its work can end
                slow.progress(5, 9)
            later.progress(1, 9)
            file.refresh_from_db()
            assert (file.done, file.of) == (1, 9)
            slow.save(b"the same")
            file.refresh_from_db()
            assert (file.state, slow.saved) == (MadeFile.State.MAKING, False)
            later.save(b"the same")
    file.refresh_from_db()
    assert (file.state, later.saved) == (MadeFile.State.MADE, True)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_pdf_whose_worker_is_killed_is_made_by_another(apart: None) -> None:
    pages = Pages(tuple(f"<p>{n}</p>" * 200 for n in range(12)))
    file = ordered(pages)
    with worker_process() as first:
        until(lambda: MadeFile.objects.get().done)
        first.kill()
        first.wait()
    assert MadeFile.objects.get().state == MadeFile.State.MAKING
    with worker_process():
        until(lambda: MadeFile.objects.get().state == MadeFile.State.MADE)
    content = files.found(file.key, "pdf")
    assert content
    assert content.startswith(b"%PDF")
    assert (asked(), MadeFile.objects.get().attempt) == (1, 2)


def test_old_files_are_deleted_and_then_the_oldest_until_the_rest_fits(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    folder, now = tmp_path / "documents", datetime.fromtimestamp(1e9, UTC)
    folder.mkdir()
    stale = files.KEEP_FOR.total_seconds() + 1
    for name, age in (("new", 0), ("middle", 10), ("older", 20), ("stale", stale)):
        (folder / f"{name}.pdf").write_bytes(b"x" * 100)
        os.utime(folder / f"{name}.pdf", (1e9 - age, 1e9 - age))
    files.prune_storage(now)
    assert {file.stem for file in folder.iterdir()} == {"new", "middle", "older"}
    files.prune_storage(now, wanted={"older": now + timedelta(seconds=1)})
    monkeypatch.setattr(files, "KEEP_BYTES", 250)
    files.prune_storage(now, wanted={"older": now + timedelta(seconds=1)})
    assert {file.stem for file in folder.iterdir()} == {"new", "older"}


@pytest.mark.django_db
def test_what_waiting_files_are_made_from_stays_and_what_nobody_took_goes(apart: None, tmp_path: Path) -> None:
    waiting = ordered(ONE)
    (tmp_path / "documents" / "left.json").write_bytes(b"{}")
    files.prune(timezone.now() + 2 * files.PARTS_FOR)
    assert [file.name for file in (tmp_path / "documents").iterdir()] == [f"{waiting.key}.json"]
    files.prune(timezone.now() + 2 * files.KEEP_FOR)
    assert MadeFile.objects.get() == waiting
    MadeFile.objects.update(state=MadeFile.State.FAILED)
    files.prune(timezone.now() + 2 * files.KEEP_FOR)
    assert not MadeFile.objects.exists()
