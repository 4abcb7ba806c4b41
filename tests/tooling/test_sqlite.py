"""The SQLite that the site runs on."""

import platform
import sys

import pytest
from django.db.backends.sqlite3.base import Database

from clubsite.sqlite import journal


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="pysqlite3 has no wheel for each platform"
)
def test_it_has_no_race_that_can_corrupt_the_log():
    assert journal(Database.sqlite_version_info) == "WAL"


@pytest.mark.parametrize("version", ["3.51.3", "3.53.4", "3.50.7", "3.44.6", "4.0.0"])
def test_a_version_without_the_race_has_a_write_ahead_log(version):
    assert journal(tuple(map(int, version.split(".")))) == "WAL"


@pytest.mark.parametrize("version", ["3.40.1", "3.44.5", "3.45.0", "3.50.6", "3.51.0", "3.51.2"])
def test_one_with_the_race_keeps_a_rollback_journal(version):
    assert journal(tuple(map(int, version.split(".")))) == "TRUNCATE"
