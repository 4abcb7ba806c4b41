"""Telling everybody that the site, or their club, is going back to a backup, and for a while that it has.

The notice is in the cache and not in the database, so that it can be read while the database is being written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from clubsite.accounts.models import Club
from clubsite.backups.files import Backup

GOING, GONE = "backups:going-back", "backups:gone-back"
LONGEST = 15 * 60  # seconds that going back may take: afterwards one that died is forgotten
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
def begun(backup: Backup, club: int | None) -> Iterator[Callable[[], None]]:
    """Tell everybody that going back is going on, until `end` or the end of the block. If the block calls the function
    it is given, the notice outlasts it.

    Raises:
        GoingOn: somebody else is at it.
    """
    if not cache.add(GOING, Notice(backup.made_at, club, done=False), timeout=LONGEST):
        raise GoingOn
    kept: list[bool] = []
    try:
        yield lambda: kept.append(True)
    finally:
        if not kept:
            cache.delete(GOING)


def end(back_at: Backup | None, club: int | None) -> None:
    """Going back has ended: tell everybody which backup it went to, or just stop telling, where `back_at` is None."""
    if back_at is not None:
        cache.set(GONE, Notice(back_at.made_at, club, done=True), timeout=TOLD_FOR)
    cache.delete(GOING)


def end_here(backup: Backup, club: int | None, *, done: bool) -> None:
    """`end` for a host whose cache the worker doesn't share; does nothing unless its notice is of this backup and
    club."""
    going: Notice | None = cache.get(GOING)
    if going is not None and (going.then, going.club) == (backup.made_at, club):
        end(backup if done else None, club)


def notice(request: HttpRequest) -> dict[str, Any]:
    """For templates: what this visitor is told about going back, if anything. No query."""
    club: Club | None = getattr(request, "club", None)
    for key in (GOING, GONE):
        found: Notice | None = cache.get(key)
        if found and (found.club is None or (club is not None and found.club == club.pk)):
            return {"gone_back": found}
    return {}
