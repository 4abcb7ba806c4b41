"""Whose turn it is to write in a club: one transaction at a time, on PostgreSQL as on SQLite.

`Club.lock` takes the turn, `audit_log.log` checks that the transaction has it. Only the knowledge of that is kept here;
the turn itself is the lock on the club's row, which ends with the transaction.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

from django.db import connection
from django.db.transaction import Atomic

_taken: WeakKeyDictionary[Atomic, set[int]] = WeakKeyDictionary()


def note_taken(club: int) -> None:
    """Note that this transaction has a club's row locked, until the innermost open `atomic()` block ends."""
    blocks: list[Atomic] = connection.atomic_blocks  # those open on this thread's connection, the outermost first
    if blocks:
        _taken.setdefault(blocks[-1], set()).add(club)


def is_taken(club: int) -> bool:
    """Whether this transaction has a club's row locked."""
    return any(club in _taken.get(block, ()) for block in connection.atomic_blocks)
