"""What the site keeps is for its own user: other users of the machine read nothing of it, however it was started."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import connection

from lab.postgres_server import NoServer, running
from tests.served import program

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite's files")


def done(folder, *command):
    """Python in the project, started as most users' shells do: others may read."""
    program(folder, *command, umask=0o022, STATIC_BUILT="on").check_returncode()


def readable(folder):
    """What of a folder, itself included, others can read or write."""
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if path.exists() and path.stat().st_mode & 0o066]


def test_what_any_start_writes_is_for_its_own_user_and_what_an_earlier_version_left_open_is_closed(tmp_path):
    var = tmp_path / "var"
    done(var, "-m", "clubsite.command", "prepare")
    assert (var / "secret-key").exists()
    assert readable(var) == []
    done(var, "manage.py", "backup")
    done(var, "-c", f"import clubsite.wsgi; open('{var}/by-a-page', 'w').close()")
    done(var, "manage.py", "worker", "--batch")
    done(var, "manage.py", "restore", "--yes")
    assert readable(var) == []
    for path in (var, *var.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    done(var, "manage.py", "ready")
    assert not var.stat().st_mode & 0o077, "whatever is deeper can't be reached"
    assert [path.name for path in var.iterdir() if path.stat().st_mode & 0o077] == []
    assert [path.name for path in (var / "backups").iterdir() if path.stat().st_mode & 0o077] == []


def test_nor_do_others_read_the_folder_of_postgresql():
    """Run by root it is another user's, who passes through."""
    with TemporaryDirectory() as place:
        Path(place).chmod(0o711)
        var = Path(place) / "var"
        var.mkdir(mode=0o700)
        (var / "secret-key").touch(mode=0o600)
        try:
            with running(var / "postgres"):
                assert readable(var) == []
        except NoServer as missing:
            pytest.skip(str(missing))
