"""Which SQLite the site runs on: the one that `pysqlite3` bundles, where it has a wheel, else Python's own.

SQLite can corrupt a write-ahead log in a rare race. That is fixed in 3.51.3, and in the older lines from 3.50.7 and
3.44.6 (sqlite.org/wal.html#walresetbug). An older one, such as Debian's, keeps a rollback journal: a little slower, and
as safe.

Importing this module before Django puts the bundled one in the place of Python's own.
"""

import sys

try:
    import pysqlite3
except ImportError:
    import sqlite3
else:
    sqlite3 = sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

VERSION: tuple[int, ...] = sqlite3.sqlite_version_info


def journal(version: tuple[int, ...]) -> str:
    """The `journal_mode` for a version of SQLite. TRUNCATE syncs the end of each transaction, which DELETE doesn't."""
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    return "WAL" if fixed else "TRUNCATE"


JOURNAL = journal(VERSION)
