"""Files made by tasks: once for all who want them, kept for a while."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest
from django.core.files.base import ContentFile
from django.db import connections
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from clubsite.jobs import files
from clubsite.jobs.files import NotMade
from clubsite.jobs.models import MadeFile
from clubsite.jobs.queue import Priority
from clubsite.pdf import documents
from clubsite.pdf.documents import Pages, make_pdf, render_now
from tests.jobs.workers import until, work, worker_process

pytestmark = pytest.mark.django_db

ONE = Pages(("<p>one</p>",))


def ordered(pages, priority=Priority.ORDERED):
    return files.order_file(
        key=documents.pages_key(pages), suffix="pdf", payload=pages.payload(), task=make_pdf, priority=priority
    )


def asked():
    return DBTaskResult.objects.filter(task_path=make_pdf.module_path).count()


def test_a_file_asked_for_by_many_is_made_once(apart, tmp_path):
    assert {ordered(ONE).pk for _time in range(5)} == {MadeFile.objects.get().pk}
    assert asked() == 1
    work()
    assert ordered(ONE).state == MadeFile.State.MADE
    assert asked() == 1
    assert sorted(file.suffix for file in (tmp_path / "documents").iterdir()) == [".pdf", ".png"]
    assert MadeFile.objects.get().payload == ""


@pytest.mark.django_db(transaction=True)
def test_eight_who_ask_at_the_same_moment_have_it_made_once(apart):
    def ask():
        try:
            barrier.wait()
            return ordered(ONE).pk
        finally:
            connections.close_all()

    barrier = Barrier(8)
    with ThreadPoolExecutor(8) as pool:
        got = {one.result() for one in [pool.submit(ask) for _n in range(8)]}
    assert (len(got), asked()) == (1, 1)


def test_what_was_to_be_forgotten_while_it_was_made_is_not_kept(apart, tmp_path):
    file = ordered(ONE)
    with files.making_file(file.key, run=1, attempt=1) as job:
        assert job
        files.delete_all()
        job.save(b"with a name", picture=b"of a name")
    assert list((tmp_path / "documents").iterdir()) == []


def test_what_a_killed_worker_leaves_goes_with_all_made_files_or_when_it_is_old(apart, tmp_path, monkeypatch):
    left = tmp_path / "documents"

    def die_in_the_middle(job, _said, *, folder):
        target = Path(json.loads(job)["target"])
        assert (target.parent, target.parent.parent) == (Path(folder), left)
        shutil.copytree(target.parent, target.parent.with_name(f"{target.parent.name}-copy"))
        (target.parent.with_name(f"{target.parent.name}-copy") / "pages.pdf").write_bytes(b"with a name")
        raise NotMade

    monkeypatch.setattr(documents, "_run", die_in_the_middle)
    for clean, stays in (
        (files.prune, 1),
        (lambda: files.prune(timezone.now() + 2 * files.STRAY_FOR), 0),
        (files.delete_all, 0),
    ):
        with pytest.raises(NotMade):
            render_now(ONE)
        assert [path.read_bytes() for path in left.rglob("*.pdf")] == [b"with a name"]
        clean()
        assert len(list(left.iterdir())) == stays
        files.delete_all()


def test_a_file_whose_task_failed_without_a_signal_or_is_gone_fails_with_the_next_clean_up(apart):
    file = ordered(ONE)
    files.prune()
    file.refresh_from_db()
    assert file.state == MadeFile.State.WAITING
    DBTaskResult.objects.update(task_path="clubsite.pdf.of_an_older_version.make_pdf")
    work()  # the clean-up too
    file.refresh_from_db()
    assert (file.state, file.problem) == (
        MadeFile.State.FAILED,
        "ModuleNotFoundError: No module named 'clubsite.pdf.of_an_older_version'",
    )
    ordered(ONE)
    DBTaskResult.objects.all().delete()
    files.prune()
    file.refresh_from_db()
    assert (file.state, file.run) == (MadeFile.State.FAILED, 2)


def test_a_file_that_is_gone_is_made_again(apart, tmp_path):
    file = ordered(ONE)
    work()
    (tmp_path / "documents" / str(file)).unlink()
    assert ordered(ONE).state == MadeFile.State.WAITING
    work()
    file.refresh_from_db()
    assert file.content()


def test_what_somebody_waits_for_goes_before_what_was_ordered_ahead(apart):
    pages = [Pages((f"<p>{n}</p>",)) for n in range(3)]
    for one in pages:
        ordered(one, Priority.AHEAD)
    ordered(pages[2])
    first = DBTaskResult.objects.ready().first()
    assert first.args_kwargs["args"][0] == documents.pages_key(pages[2])


def test_a_page_that_cannot_be_printed_fails_with_its_reason_and_may_be_asked_for_again(apart):
    wrong = Pages(('<img src="file:///etc/passwd">',))
    file = ordered(wrong)
    work()
    file.refresh_from_db()
    assert (file.state, file.unavailable) == (MadeFile.State.FAILED, False)
    assert "not one of the project's own files" in file.problem
    assert (ordered(wrong).run, asked()) == (2, 2)


def test_of_two_attempts_only_the_later_says_how_far_it_is_and_that_it_is_made(apart):
    file = ordered(ONE)
    with files.making_file(file.key, run=1, attempt=1) as slow:
        assert slow
        with files.making_file(file.key, run=1, attempt=1) as same:
            assert same is None
        with files.making_file(file.key, run=1, attempt=2) as later:
            assert later
            with pytest.raises(files.NotWanted):  # its work can end
                slow.progress(5, 9)
            later.progress(1, 9)
            file.refresh_from_db()
            assert (file.done, file.of) == (1, 9)
            assert not slow.save(b"the same")
            file.refresh_from_db()
            assert file.state == MadeFile.State.MAKING
            assert later.save(b"the same")
    file.refresh_from_db()
    assert (file.state, file.content()) == (MadeFile.State.MADE, b"the same")


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_a_pdf_whose_worker_is_killed_is_made_by_another(apart):
    pages = Pages(tuple(f"<p>{n}</p>" * 60 for n in range(12)))
    ordered(pages)
    with worker_process() as first:
        until(lambda: MadeFile.objects.get().done)
        first.kill()
        first.wait()
    assert MadeFile.objects.get().state == MadeFile.State.MAKING
    with worker_process():
        until(lambda: MadeFile.objects.get().state == MadeFile.State.MADE)
    content = MadeFile.objects.get().content()
    assert content.startswith(b"%PDF")
    assert (asked(), MadeFile.objects.get().attempt) == (1, 2)


def test_old_files_are_deleted_and_then_the_oldest_until_the_rest_fits(apart, monkeypatch, tmp_path):
    now = timezone.now()
    for name, age in (("new", 0), ("middle", 10), ("older", 20), ("stale", files.KEEP_FOR.total_seconds() + 1)):
        at = now - timedelta(seconds=age)
        file = MadeFile(key=name, suffix="pdf", state=MadeFile.State.MADE, wanted_at=at)
        file.file.save(f"{name}.pdf", ContentFile(b"x" * 100))
    files.prune(now)
    assert {file.stem for file in (tmp_path / "documents").iterdir()} == {"new", "middle", "older"}
    monkeypatch.setattr(files, "KEEP_BYTES", 250)
    files.prune(now)
    assert {file.stem for file in (tmp_path / "documents").iterdir()} == {"new", "middle"}
    assert MadeFile.objects.count() == 2


def test_waiting_files_stay_and_what_no_row_names_goes(apart, tmp_path):
    waiting = ordered(ONE)
    (tmp_path / "documents").mkdir()
    left = tmp_path / "documents" / f"{'a' * 64}.pdf"
    left.write_bytes(b"half")
    (tmp_path / "documents" / "of somebody else.txt").write_bytes(b"")
    files.prune()
    assert left.exists(), "it may be one that is just being saved"
    files.prune(timezone.now() + 2 * files.KEEP_FOR)
    assert [file.name for file in (tmp_path / "documents").iterdir()] == ["of somebody else.txt"]
    assert MadeFile.objects.get() == waiting
    MadeFile.objects.update(state=MadeFile.State.FAILED)
    files.prune(timezone.now() + 2 * files.KEEP_FOR)
    assert not MadeFile.objects.exists()
