"""A PostgreSQL of our own around a command: it answers while the command runs, keeps its data if it should, ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import connection

from clubsite.accounts.models import Club
from lab.postgres_server import NoServer, programs, running
from tests.tooling.tree import ROOT


def _installed():
    try:
        return programs().is_dir()
    except NoServer:
        return False


pytestmark = pytest.mark.skipif(not _installed(), reason="PostgreSQL isn't installed")

MODULE = [sys.executable, "-m", "lab.postgres_server"]


@pytest.fixture
def open_folder():
    """A folder that the server's own user can enter, where the tests run as root."""
    with TemporaryDirectory() as made:
        Path(made).chmod(0o711)
        yield Path(made)


def asked(url, sql):
    psql = [str(programs() / "psql"), "-XAtq", url, "-c", sql]
    return subprocess.run(psql, capture_output=True, text=True, check=True).stdout.strip()


def answers(url):
    return subprocess.run([str(programs() / "pg_isready"), "-q", "-d", url], check=False).returncode == 0


def test_a_command_finds_it_and_nothing_is_left(open_folder):
    """Also when the command is told to end: it is, and then the server."""
    shell = 'echo "$DATABASE_URL"; read -r never'
    with subprocess.Popen(
        [*MODULE, "--for-tests", str(open_folder), "sh", "-c", shell],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as around:
        assert around.stdout is not None
        url = around.stdout.readline().strip()
        assert asked(url, "SHOW fsync") == "off"
        assert "127.0.0.1" in url
        around.send_signal(signal.SIGTERM)
        assert around.wait() == 128 + signal.SIGTERM
    assert not answers(url)
    assert list(open_folder.iterdir()) == []


def test_it_keeps_its_data_and_waits_for_the_disk(open_folder):
    folder = open_folder / "postgres"
    with running(folder) as url:
        assert asked(url, "SHOW fsync") == "on"
        asked(url, "CREATE TABLE evening (deals int); INSERT INTO evening VALUES (27)")
        with pytest.raises(NoServer, match="process"), running(folder):
            pass
    assert (folder / "password").stat().st_mode & 0o077 == 0
    with running(folder) as url:
        assert asked(url, "SELECT deals FROM evening") == "27"


def test_the_commands_code_is_the_answer_and_a_missing_server_has_a_sentence(tmp_path):
    kept = tmp_path / "data"
    kept.mkdir()
    (kept / "PG_VERSION").write_text("9\n")
    (tmp_path / "password").write_text("x")
    done = subprocess.run([*MODULE, str(tmp_path), "true"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "PostgreSQL 9" in done.stderr
    assert "Traceback" not in done.stderr
    assert os.listdir(kept) == ["PG_VERSION"]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite plans in no time")
def test_what_is_asked_for_the_third_time_has_been_planned():
    for number in range(3):
        list(Club.objects.filter(slug=f"never-{number}"))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%%accounts_club%%slug%%'")
        assert cursor.fetchone() == (1,)
