"""What stays as it is now when a backup is restored: rights, passwords, wishes of privacy, links on printed cards.

Each app says in `STAYING`, as it is made ready, how it reads its part of the present, as plain JSON, and puts it back
into the restored database, in the same transaction. Every backup holds these parts too, in case the database is lost.
"""

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from django.db import DatabaseError, transaction

from clubsite.accounts.models import Actor
from clubsite.jobs.secret_key_check import migrations_unknown
from clubsite.operations.ready import waits_for_migrations

Notes = dict[int, list[str]]  # sentences for those at the desk, by the club's key
STAYING: dict[str, tuple[Callable[[], Any], Callable[..., Notes]]] = {}


def read() -> dict[str, Any] | None:
    """What is to stay; None where the database has another version's tables."""
    try:
        with transaction.atomic():
            return {name: read_part() for name, (read_part, _put) in STAYING.items()}
    except (DatabaseError, sqlite3.DatabaseError):
        if waits_for_migrations() or migrations_unknown():
            return None
        raise  # else what stays would be what an older backup knew


def put(kept: Mapping[str, Any], then: Mapping[str, Any], *, by: Actor) -> Notes:
    """Put it back into a restored database, where `then` is what the backup knew. Returns what to tell those at the
    desk."""
    notes: Notes = {}
    for name, (_read, put_part) in STAYING.items():
        if name in kept:
            for club, sentences in put_part(kept[name], then.get(name, {}), by=by).items():
                notes.setdefault(club, []).extend(sentences)
    return notes
