"""A backup holds every row; going back brings every row back, whatever lies beside the database."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django_tasks_db.models import DBTaskResult

from clubsite.accounts.models import LogEntry, Member, Session
from clubsite.backups.files import DATABASES, MANIFEST, Backup, BackupRefused, backups_in, look_into
from clubsite.backups.going import go_back
from clubsite.backups.making import make_backup
from clubsite.backups.restoring import GO_BACK, restore
from clubsite.jobs.queue import Priority, enqueue
from scoring.models import Game
from tests.kept import all_rows
from tests.scoring.cards.test_race import alone, new_game, recording

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("real_database"),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has its own: pg_dump"),
]


@pytest.fixture
def game() -> Game:
    """A game of three deals."""
    played = alone(new_game)
    for number in (1, 2, 3):
        alone(recording(played, number, "Sam"))
    return played


def recorded() -> Any:
    """Every row but those of the log, which goes on."""
    rows = all_rows()
    rows.pop(LogEntry)
    return rows


def database_file() -> Path:
    return Path(connection.settings_dict["NAME"])


def done(work: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """On the database of the test, with a connection of its own."""
    return alone(lambda: work(*args, **options))


def test_going_back_brings_every_row_back_and_keeps_what_was_there(game: Game, tmp_path: Path) -> None:
    before = done(recorded)
    backup = done(make_backup, tmp_path / "backups")
    alone(recording(game, 4, "Sue"))
    after = done(recorded)
    assert after != before
    back = done(restore, backup.path, folder=tmp_path / "backups")
    assert back.deals == 1
    assert done(recorded) == before
    done(restore, back.before, folder=tmp_path / "backups")
    assert done(recorded) == after, "the way back of the way back"
    told = done(lambda: list(LogEntry.objects.values_list("verb", flat=True)[:3]))
    assert told == ["backup.restore", "backup.restore", "deal.record"], "the log is never cut short"


def test_a_log_that_still_lies_beside_the_database_spoils_nothing(game: Game, tmp_path: Path) -> None:
    """As it is while the site runs: somebody has the database open, with deals that are in its log only."""
    before = done(recorded)
    backup = done(make_backup, tmp_path / "backups")
    with closing(sqlite3.connect(database_file())) as reader:
        reader.execute("SELECT COUNT(*) FROM scoring_deal").fetchone()
        alone(recording(game, 4, "Sue"))
        assert database_file().with_name(database_file().name + "-wal").stat().st_size > 0
        done(restore, backup.path, folder=tmp_path / "backups")
        assert reader.execute("SELECT COUNT(*) FROM scoring_deal").fetchone() == (3,)
        assert reader.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert done(recorded) == before


def test_a_damaged_database_is_put_aside(game: Game, tmp_path: Path) -> None:
    before = done(recorded)
    backup = done(make_backup, tmp_path / "backups")
    whole = database_file().read_bytes()
    database_file().write_bytes(b"\0" * 4096 + whole[4096:])
    aside = done(restore, backup.path, folder=tmp_path / "backups").before
    assert aside.name.startswith("damaged-")
    assert aside.stat().st_size == len(whole)
    assert done(recorded) == before


def test_who_wants_initials_has_them_though_the_database_that_knew_it_is_damaged(game: Game, tmp_path: Path) -> None:
    """The last backup knows it, by keys alone."""
    ann = done(lambda: Member.objects.create(club=game.club, name="Ann"))
    backup = done(make_backup, tmp_path / "backups")
    done(lambda: Member.objects.filter(pk=ann.pk).update(initials_only=True))
    alone(recording(game, 4, "Sue"))
    done(make_backup, tmp_path / "backups")
    database_file().write_bytes(b"\0" * 4096 + database_file().read_bytes()[4096:])
    done(restore, backup.path, folder=tmp_path / "backups")
    assert done(lambda: Member.objects.get(pk=ann.pk).initials_only)


def test_a_database_put_in_place_whole_lets_nobody_in_again_and_goes_back_once(
    game: Game, tmp_path: Path, settings: Any
) -> None:
    """It holds the sessions of then, and perhaps the task that was just going back."""
    settings.TASKS_APART = True

    def then() -> Backup:
        Session.objects.create(session_key="stolen", session_data="", expire_date="2100-01-01T00:00Z")
        enqueue(go_back, "nine-tables-x.backup", None, "", None, [], "en", priority=Priority.SEARCH)
        return make_backup(tmp_path / "backups")

    backup = done(then)
    assert done(lambda: DBTaskResult.objects.filter(task_path=GO_BACK).exists())
    database_file().write_bytes(b"\0" * 4096 + database_file().read_bytes()[4096:])
    done(restore, backup.path, folder=tmp_path / "backups")
    assert not done(lambda: Session.objects.exists() or DBTaskResult.objects.filter(task_path=GO_BACK).exists())


def test_a_backup_holds_no_more_than_its_owner_may_read(game: Game, tmp_path: Path) -> None:
    assert done(make_backup, tmp_path).path.stat().st_mode & 0o077 == 0
    assert [file.suffix for file in tmp_path.iterdir() if file.is_file() and "race" not in file.name] == [".backup"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_bytes(b"not a zip"), "isn't a backup"),
        (lambda path: path.write_bytes(path.read_bytes()[:-200]), "isn't a backup"),
        (lambda path: rewritten(path, sha256="0" * 64), "checksum"),
        (lambda path: rewritten(path, format=2), "newer version"),
        (lambda path: rewritten(path, migrations=["scoring.9999_of_next_year"]), "9999_of_next_year"),
    ],
)
def test_a_file_that_cannot_be_gone_back_to_changes_nothing(
    game: Game, tmp_path: Path, spoil: Callable[[Path], Any], words: str
) -> None:
    before = done(recorded)
    backup = done(make_backup, tmp_path / "backups")
    spoil(backup.path)
    with pytest.raises(BackupRefused, match=words):
        done(restore, backup.path, folder=tmp_path / "backups")
    assert done(recorded) == before


def rewritten(path: Path, **changed: Any) -> None:
    """The same backup with another manifest."""
    with zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read(MANIFEST))
        inside = DATABASES[told["vendor"]]
        database = archive.read(inside)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, json.dumps(told | changed))
        archive.writestr(inside, database)


def test_the_commands_show_what_would_be_lost_and_ask(
    game: Game, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUPS, settings.BACKUPS_ALSO_TO = tmp_path / "backups", str(tmp_path / "stick")
    (tmp_path / "stick").mkdir()
    done(call_command, "backup", stdout=StringIO())
    (backup,) = backups_in(settings.BACKUPS)
    assert look_into(tmp_path / "stick" / backup.name).rows == look_into(backup).rows
    alone(recording(game, 4, "Sue"))
    answers = iter(["no", "Go back"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    told = StringIO()
    done(call_command, "restore", stdout=told)
    assert "scoring_deal: 4 rows now, 3 then" in told.getvalue()
    assert "Sue wrote down a deal: Table 1 · Deal 4." in told.getvalue()
    assert "Nothing has been changed." in told.getvalue()
    assert done(lambda: game.deals.count()) == 4
    done(call_command, "restore", stdout=told)
    assert done(lambda: game.deals.count()) == 3


def test_without_a_backup_the_command_says_so(settings: Any, tmp_path: Path) -> None:
    settings.BACKUPS = tmp_path / "none"
    with pytest.raises(CommandError, match="There is no backup"):
        done(call_command, "restore")


def test_before_migrating_a_backup_is_made_only_where_tables_would_change(
    game: Game, settings: Any, tmp_path: Path
) -> None:
    settings.BACKUPS = tmp_path / "backups"
    done(call_command, "backup", before_migrating=True)
    assert backups_in(settings.BACKUPS) == []
    done(call_command, "migrate", "tournaments", "0013", verbosity=0)
    done(call_command, "backup", before_migrating=True, stdout=StringIO())
    (older,) = backups_in(settings.BACKUPS)
    done(call_command, "migrate", verbosity=0)
    rows = done(recorded)
    done(restore, older, folder=settings.BACKUPS)
    assert done(recorded) == rows, "a backup of an earlier version is brought up to this one"
