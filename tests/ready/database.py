"""The tables of the tests on SQLite: the first process of a run that needs them makes them, the others take a copy.

All migrations together take some seconds of a core, and each process has a database of its own.
"""

import fcntl
from contextlib import contextmanager
from shutil import copyfile

from django.db import connection


@contextmanager
def migrated_once(ready, database):
    """Within it a database is made ready, by one process of those that share a file at a time.

    It begins from what the first of them has made; the migrations are asked for nevertheless, and find nothing to do.
    """
    unfinished = ready.with_name("unfinished.sqlite3")
    with ready.with_name("migrating").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if ready.exists():
            copyfile(ready, database)
        yield
        if not ready.exists():
            unfinished.unlink(missing_ok=True)  # of a process that was killed
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(unfinished)])
            unfinished.rename(ready)
