"""A start where nothing can be kept ends with a sentence; tables come to another version whole, or stay as they are."""

import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager
from shutil import copyfile

import pytest
from django.conf import settings
from django.db import connection

from clubsite import __version__
from clubsite.operations.ready import CannotStore, require_storage
from tests.ops.test_older_data import kept
from tests.served import manage, program

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's files")


@pytest.fixture
def place(tmp_path, settings, django_db_blocker):
    settings.VAR_DIR = tmp_path
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(tmp_path / "nine-tables.sqlite3")
    with django_db_blocker.unblock():
        yield tmp_path / "nine-tables.sqlite3"
        connection.close()
    connection.settings_dict["NAME"] = usual


@contextmanager
def little_room():
    """As on a disk that is full: no file grows beyond a megabyte."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * 1024, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def test_a_full_disk(place):
    with little_room(), pytest.raises(CannotStore, match=r"The disk is full: .* needs at least 4 MB more"):
        require_storage()
    require_storage()


def test_a_disk_that_is_full_once_the_tables_are_there(tmp_path):
    """A first start writes some megabytes more than it looked for: the static files."""
    (tmp_path / "static").touch()  # nothing can be written into it
    process = program(tmp_path, "-m", "clubsite.command", "prepare")
    assert process.returncode == 1
    assert process.stderr.startswith("Not all that a start writes could be written to")
    assert "Traceback" not in process.stderr


def test_a_database_that_is_none(place):
    place.write_bytes(b"no database" * 1000)
    with pytest.raises(CannotStore, match=r"is damaged .*\./dev restore"):
        require_storage()


def test_a_database_that_cannot_be_opened(place):
    place.mkdir()
    with pytest.raises(CannotStore, match="can't be opened and written"):
        require_storage()


def test_a_folder_that_is_none(place, settings):
    (place.parent / "file").touch()
    settings.VAR_DIR = place.parent / "file" / "var"
    with pytest.raises(CannotStore, match="Nothing can be written to"):
        require_storage()


@pytest.fixture
def older(tmp_path):
    path = tmp_path / "nine-tables.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(kept("database.sql"))
    return path


def text_of(path):
    with closing(sqlite3.connect(path)) as database:
        tables = database.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        rows = {
            name: database.execute(f'SELECT * FROM "{name}" ORDER BY rowid').fetchall()  # noqa: S608  (names of tables)
            for name, sql in tables
            if sql and sql.startswith("CREATE TABLE")
        }
    return [tables, rows]


def test_a_migration_that_fails_leaves_all_as_it_was(older):
    with closing(sqlite3.connect(older)) as database:  # somebody's own table bears the name of a later one
        database.execute("CREATE TABLE tournaments_prizeplan (mine INTEGER)")
    before = text_of(older)
    process = manage(older.parent, "ready")
    assert process.returncode == 1
    assert "Nothing was changed" in process.stderr
    assert "tournaments_prizeplan" in process.stderr
    assert "Traceback" not in process.stderr
    assert text_of(older) == before


def test_a_laptop_that_dies_in_the_middle_of_a_migration(older):
    """The tables are those of before. The next start brings them up; names that were deleted, and keys of sessions,
    leave the file."""
    name, key = "Jürgen Weiß " * 20, "k" * 32
    with closing(sqlite3.connect(older)) as database, database:
        database.execute("PRAGMA secure_delete=OFF")
        database.execute("INSERT INTO django_session VALUES (?, '', '2100-01-01')", [key])
        database.execute("CREATE TABLE notes (text TEXT)")
        database.executemany("INSERT INTO notes VALUES (?)", [[name]] * 50)
        database.commit()
        database.execute("DELETE FROM notes")
    assert [text for text in (name, key) if text.encode() not in older.read_bytes()] == []
    before = text_of(older)
    with subprocess.Popen(
        [sys.executable, "-u", "manage.py", "migrate", "--verbosity=2"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "VAR_DIR": str(older.parent)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        while not process.stdout.readline().strip().startswith("Applying tournaments."):
            assert process.poll() is None
        process.send_signal(signal.SIGKILL)
    assert text_of(older) == before
    assert manage(older.parent, "migrate", "--verbosity=0").returncode == 0
    assert text_of(older) != before
    assert [text for text in (name, key) if text.encode() in older.read_bytes()] == []


def test_data_of_a_newer_version_is_refused_at_the_start_with_both_versions_named(
    tmp_path, django_db_setup, ready_database
):
    """And there is a way back. What worker and web refuse: tests/jobs/test_secret_key_check.py."""
    ours = tmp_path / "nine-tables.sqlite3"
    copyfile(ready_database, ours)
    assert manage(tmp_path, "backup").returncode == 0
    with closing(sqlite3.connect(ours)) as database, database:  # as a version of next year leaves them
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('scoring', '9999_next', '2040-01-01')"
        )
        database.execute("INSERT INTO tasks_shared (name, value) VALUES ('version', '7.0.0')")
    refused = manage(tmp_path, "ready")
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert all(named in refused.stderr for named in (f"Nine Tables {__version__},", "7.0.0", "scoring.9999_next"))
    backup = re.search(r'/dev restore "(.+\.backup)"', refused.stderr)[1]
    for command in (["restore", "--yes", backup], ["ready"]):
        process = manage(tmp_path, *command)
        assert (process.returncode, process.stderr) == (0, "")
