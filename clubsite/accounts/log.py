"""Writing the log."""

from __future__ import annotations

from typing import Any

from clubsite.accounts.models import Actor, Club, LogEntry


def log(*, club: Club, by: Actor, verb: str, subject: object, old: Any = None, new: Any = None) -> LogEntry:
    """Write down who did what. Call it inside the transaction of the deed.

    `old` and `new` are plain JSON data of what changed.
    """
    return LogEntry.objects.create(
        club=club, user=by.user, actor=by.name, route=by.route, verb=verb, subject=str(subject)[:200], old=old, new=new
    )
