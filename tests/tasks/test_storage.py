"""Made files in the database: what one host makes, every host finds."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.utils import timezone

from clubsite.pdf.documents import Pages, key_of, make_pdf
from clubsite.tasks import files
from clubsite.tasks.models import MadeFile, StoredFile
from clubsite.tasks.storage import InDatabase, made
from tests.tasks.workers import work

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_database(settings: Any) -> None:
    """The site as MADE_IN=database has it."""
    settings.STORAGES = {**site.STORAGES, "made": {"BACKEND": site.MADE_KINDS["database"], "OPTIONS": {}}}


def test_a_pdf_that_one_host_made_is_read_on_another(
    apart: None, in_database: None, settings: Any, tmp_path: Path
) -> None:
    page = Pages(("<p>one</p>",))
    key = key_of(page)
    files.order_file(key=key, suffix="pdf", payload=page.payload(), task=make_pdf)
    settings.VAR_DIR = tmp_path / "worker"
    work()
    settings.VAR_DIR = tmp_path / "another web host"
    assert (files.found(key, "pdf") or b"").startswith(b"%PDF")
    assert (files.found(key, "png") or b"").startswith(b"\x89PNG")
    assert files.found(key, "json") is None  # what it was made from is gone
    assert MadeFile.objects.get().state == MadeFile.State.MADE
    assert not list(tmp_path.rglob("*.pdf"))


def test_hosts_with_a_folder_each_say_what_is_wrong(apart: None, settings: Any, tmp_path: Path) -> None:
    page = Pages(("<p>one</p>",))
    files.order_file(key=key_of(page), suffix="pdf", payload=page.payload(), task=make_pdf)
    settings.VAR_DIR = tmp_path / "worker"
    work()
    file = MadeFile.objects.get()
    assert file.state == MadeFile.State.FAILED
    assert "MADE_IN=database" in file.problem


def test_a_file_saved_again_takes_the_place_of_the_first(in_database: None) -> None:
    for text in (b"first", b"second"):
        assert made().save("a.pdf", ContentFile(text)) == "a.pdf"
    assert made().open("a.pdf").read() == b"second"
    assert (made().size("a.pdf"), made().listdir("")) == (6, ([], ["a.pdf"]))


def test_a_file_saved_in_a_deed_that_fails_is_not_there(in_database: None) -> None:
    with transaction.atomic():
        made().save("a.pdf", ContentFile(b"half"))
        transaction.set_rollback(True)
    assert not made().exists("a.pdf")


@pytest.mark.parametrize("ask", ["open", "size", "get_modified_time"])
def test_what_is_not_there_is_missing_as_in_a_folder(in_database: None, ask: str) -> None:
    with pytest.raises(FileNotFoundError):
        getattr(made(), ask)("gone.pdf")
    made().delete("gone.pdf")
    assert files.found("gone", "pdf") is None


def test_files_are_written_whole(in_database: None) -> None:
    with pytest.raises(ValueError, match="whole"):
        made().open("a.pdf", "wb")


def test_the_oldest_go_when_there_are_too_many_bytes(
    in_database: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "KEEP_BYTES", 25)
    now = timezone.now()
    for age, name in enumerate(("new", "middle", "old")):
        made().save(f"{name}.pdf", ContentFile(b"x" * 10))
        StoredFile.objects.filter(pk=f"{name}.pdf").update(stored_at=now - timedelta(days=age))
    made().save("for-long.pdf", ContentFile(b"x"))
    StoredFile.objects.filter(pk="for-long.pdf").update(stored_at=now - timedelta(days=31))
    files.prune(now)
    assert sorted(made().listdir("")[1]) == ["middle.pdf", "new.pdf"]


def test_what_is_to_be_forgotten_is_gone(in_database: None) -> None:
    made().save("with-a-name.pdf", ContentFile(b"Agnes"))
    files.forget_all()
    assert not StoredFile.objects.exists()


def test_the_folder_is_the_default() -> None:
    assert not isinstance(storages["made"], InDatabase)
