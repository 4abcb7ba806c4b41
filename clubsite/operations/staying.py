"""What stays as it is now when a backup is restored: rights, passwords, privacy wishes, links on printed cards.

Each app registers in `STAYING`, when Django starts, how to read its part of the present, as plain JSON, and put it back
into the restored database, in the same transaction. Every backup holds these parts too, in case the database is lost.
"""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from django.db import DatabaseError, transaction

from clubsite.accounts.models import Actor
from clubsite.jobs.secret_key_check import unknown_migrations
from clubsite.operations.ready import needs_migration

Notes = dict[int, list[str]]  # sentences for those at the desk, by the club's key
STAYING: dict[str, tuple[Callable[[], Any], Callable[..., Notes]]] = {}


def read_present() -> dict[str, Any] | None:
    """None where the database has another version's tables."""
    try:
        with transaction.atomic():
            return {name: read_part() for name, (read_part, _put) in STAYING.items()}
    except (DatabaseError, sqlite3.DatabaseError):
        if needs_migration() or unknown_migrations():
            return None
        raise  # else what stays would be what an older backup knew


def restore_present(present: Mapping[str, Any], then: Mapping[str, Any], *, by: Actor) -> Notes:
    """Write what was `present` into a restored database; `then` is what the backup has of it."""
    notes: Notes = {}
    for name, (_read, put_part) in STAYING.items():
        if name in present:
            for club, sentences in put_part(present[name], then.get(name, {}), by=by).items():
                notes.setdefault(club, []).extend(sentences)
    return notes
