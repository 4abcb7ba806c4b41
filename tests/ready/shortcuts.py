"""What nearly every test pays for in Django, made once for all tests of a process; what comes out is the same."""

import gc
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.management.commands import flush
from django.db import connection
from whitenoise.middleware import WhiteNoiseMiddleware

LEFT = ("django_content_type", "auth_permission")  # rows that Django makes itself, the same after every emptying


@contextmanager
def shortcuts():
    """Empty tables without making anew what Django makes itself; look for static files once, not for every client."""
    sql_flush, found = flush.sql_flush, dict[str, Any]()

    def sql_but_for_djangos_own(*args, **kwargs):
        return [sql for sql in sql_flush(*args, **kwargs) if not any(f'"{table}"' in sql for table in LEFT)]

    def add_files(self):
        if not found:
            look_for_files(self)
            found.update(self.files)
        self.files.update(found)

    look_for_files = WhiteNoiseMiddleware.add_files_from_finders
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add_files)
        if connection.vendor == "sqlite":  # PostgreSQL empties all tables by one statement
            patched.setattr(flush, "sql_flush", sql_but_for_djangos_own)
            patched.setattr(flush, "emit_post_migrate_signal", lambda *_args, **_kwargs: None)
        yield


def collected():
    """All tests and modules are there and stay: searches for garbage go past them from now on, and are seldom."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
