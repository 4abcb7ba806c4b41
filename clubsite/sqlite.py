"""Use the SQLite that `pysqlite3` bundles, where it is installed.

Debian 12's SQLite 3.40.1 can corrupt a write-ahead log in a rare race (fixed upstream in 3.51.3).
Importing this module before Django puts the bundled, newer one in its place.
"""

import sys

try:
    import pysqlite3
except ImportError:  # not on this platform: Python's own sqlite3 serves
    pass
else:
    sys.modules["sqlite3"] = pysqlite3
    sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2
