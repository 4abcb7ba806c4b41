"""Databases of earlier versions, each the demo as it was then, show the same standings and games after a migration.

`older/VERSION` was made by that version's own code: its demo without passwords and sessions, and what it said of it
(`told_of_database.py --no-paper`). A version is named by its day and its commit.
"""

import json
import lzma
import sqlite3
from contextlib import closing

import pytest
from django.db import connection

from tests.ops.test_older_data import OLDER, as_then, left_out, run, without_boards

VERSIONS = sorted(path.name for path in OLDER.iterdir() if path.is_dir())

pytestmark = [pytest.mark.skipif(connection.vendor != "sqlite", reason="files of SQLite"), pytest.mark.proof]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_released_versions_database_says_the_same(version, tmp_path):
    with closing(sqlite3.connect(tmp_path / "nine-tables.sqlite3")) as database:
        database.executescript(lzma.decompress((OLDER / version / "database.sql.xz").read_bytes()).decode())
    run(tmp_path, "manage.py", "ready")
    told = json.loads(run(tmp_path, "tests/ops/told_of_database.py", "--no-paper"))
    expected = json.loads(lzma.decompress((OLDER / version / "told.json.xz").read_bytes()))
    assert told.keys() == expected.keys()
    assert told["rows"] == expected["rows"]
    assert told["files"].keys() == expected["files"].keys()
    for name, said in expected["files"].items():
        assert as_then(json.loads(told["files"][name]), json.loads(said)) == json.loads(said)
    for name, pages in expected["cells"].items():
        for where, cells in without_boards(pages).items():
            assert left_out(cells, told["cells"][name][where]) == [], f"{name}: {where}"
    with closing(sqlite3.connect(tmp_path / "nine-tables.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
