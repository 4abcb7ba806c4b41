"""The SQLite that the site runs on."""

import platform
import sys

import pytest
from django.db.backends.sqlite3.base import Database


@pytest.mark.skipif(
    (sys.platform, platform.machine()) != ("linux", "x86_64"), reason="pysqlite3 has wheels for this platform only"
)
def test_it_has_no_race_that_can_corrupt_the_log():
    assert Database.sqlite_version_info >= (3, 51, 3)
