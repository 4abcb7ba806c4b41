"""A database in memory for one process of random directors."""

from __future__ import annotations

import gc

from django.core.management import call_command
from django.db import connections
from django.db.backends.sqlite3.base import DatabaseWrapper

from clubsite.accounts.models import Club

STATEMENTS = 5_000  # that SQLite keeps prepared
YOUNG = 50_000  # new objects between garbage collections: queries leave many small circles of objects


def own_database() -> None:
    """Give this process an empty database in memory: nobody's data is touched.

    Garbage is looked for seldom from now on, and what is there already is left out of the search.
    """
    connections["default"].close()
    own = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:", "OPTIONS": {"cached_statements": STATEMENTS}}
    connections["default"] = DatabaseWrapper(connections["default"].settings_dict | own, "default")
    call_command("migrate", verbosity=0, skip_checks=True)
    Club.objects.create(name="A club", slug="club", time_zone="UTC")
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 100)
