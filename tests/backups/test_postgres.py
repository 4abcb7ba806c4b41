"""PostgreSQL's own programs: a dump that is put in place whole, and a machine that hasn't got them."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from clubsite.accounts.models import LogEntry
from clubsite.backups.databases import postgres
from clubsite.backups.making import make_backup
from clubsite.backups.restoring import restore
from tests.backups.conftest import rows_of
from tests.backups.test_drill import DORA, evenings, play_on
from tests.backups.test_files import rewritten
from tests.kept import all_rows
from tests.scoring.cards.test_race import alone

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite copies itself"),
]


def test_a_dump_of_another_version_is_put_in_the_place_of_the_whole(folder: Path) -> None:
    """By pg_restore into the emptied database, as on a new server."""
    here, there = evenings()
    before = alone(all_rows)
    backup = alone(lambda: make_backup(folder))
    assert backup.vendor == "postgresql"
    alone(lambda: play_on(here))
    after = alone(all_rows)
    rewritten(backup.path, migrations=sorted(backup.migrations)[:-1])
    done = alone(lambda: restore(backup.path, folder=folder))
    assert rows_of(alone(all_rows), LogEntry) == rows_of(before, LogEntry)
    alone(lambda: restore(done.before, folder=folder, by=DORA))
    assert rows_of(alone(all_rows), LogEntry) == rows_of(after, LogEntry), "the way back"
    alone(lambda: play_on(there))


def test_without_pg_dump_there_is_a_sentence_and_the_site_starts(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "DEBIAN", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="pg_dump isn't on this machine"):
        alone(lambda: call_command("backup"))
    told = StringIO()
    alone(lambda: call_command("migrate", "tournaments", "0013", verbosity=0))
    try:
        alone(lambda: call_command("backup", before_migrating=True, stderr=told))
        assert "pg_dump isn't on this machine" in told.getvalue()
    finally:
        alone(lambda: call_command("migrate", verbosity=0))
