"""The lock by which one transaction at a time writes in a club, on PostgreSQL as on SQLite.

`Club.lock` takes it: it is the lock on the club's row, which ends with the transaction. This module only remembers
which transaction holds which club's lock; `audit_log.log` checks that.
"""

from weakref import WeakKeyDictionary

from django.db import connection
from django.db.transaction import Atomic

_held: WeakKeyDictionary[Atomic, set[int]] = WeakKeyDictionary()


def note_lock(club: int) -> None:
    """Remember, until the innermost open `atomic()` block ends, that this transaction has locked the club's row."""
    blocks: list[Atomic] = connection.atomic_blocks  # those open on this thread's connection, the outermost first
    if blocks:
        _held.setdefault(blocks[-1], set()).add(club)


def is_held(club: int) -> bool:
    return any(club in _held.get(block, ()) for block in connection.atomic_blocks)
