"""Telling everybody that the site, or their club, is going back to a backup, and for a while that it has.

It is in the cache and not in the database, so that it is seen while the database is being written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from clubsite.accounts.models import Club
from clubsite.backups.files import Backup

GOING, GONE = "backups:going-back", "backups:gone-back"
LONGEST = 15 * 60  # seconds that going back may take: one that died is forgotten then
TOLD_FOR = 30 * 60  # seconds for which everybody is told that it was done


class GoingOn(Exception):
    """Somebody is going back to a backup already."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What everybody is told."""

    then: datetime  # when the backup was made
    club: int | None  # the club's key; None: the whole site
    done: bool


@contextmanager
def told(backup: Backup, club: int | None) -> Iterator[None]:
    """Tell everybody while the block goes on, and that it was done after it; nothing where it failed.

    Raises:
        GoingOn: somebody else is at it.
    """
    if not cache.add(GOING, Notice(backup.made_at, club, done=False), timeout=LONGEST):
        raise GoingOn
    try:
        yield
        cache.set(GONE, Notice(backup.made_at, club, done=True), timeout=TOLD_FOR)
    finally:
        cache.delete(GOING)


def notice(request: HttpRequest) -> dict[str, Any]:
    """For templates: what this visitor is told about going back, if anything. No query."""
    club: Club | None = getattr(request, "club", None)
    for key in (GOING, GONE):
        found: Notice | None = cache.get(key)
        if found and (found.club is None or (club is not None and found.club == club.pk)):
            return {"gone_back": found}
    return {}
