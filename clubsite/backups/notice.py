"""Telling everybody that the site, or their club, is going back to a backup, and for a while that it has.

Whoever has read that it has can put the notice away on their own device: others, who may have deals to enter again, are
told on. The notice is in the cache and not in the database, so that it can be read while the database is being written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from clubsite.accounts.models import Club
from clubsite.backups.files import Backup

GOING, GONE = "backups:going-back-3", "backups:gone-back-3"
SEEN = "gone-back-seen"  # the cookie with the marks of the notices that somebody has put away
MARK = re.compile(r"[0-9a-f]{16}")
MOST_SEEN = 4  # hosts that don't share their cache have a mark each
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
    mark: str = field(default_factory=partial(token_hex, 8))  # tells it from one of going back there once more
    print_again: Mapping[str, list[str]] = field(default_factory=dict)  # as `Restored.print_again`


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


def end(back_at: Backup | None, club: int | None, *, print_again: Mapping[str, list[str]] | None = None) -> None:
    """Going back has ended: tell everybody which backup it went to, and those at the desk which cards to print again;
    or just stop telling, where `back_at` is None."""
    if back_at is not None:
        cache.set(GONE, Notice(back_at.made_at, club, done=True, print_again=print_again or {}), timeout=TOLD_FOR)
    cache.delete(GOING)


def end_here(
    backup: Backup, club: int | None, *, done: bool, print_again: Mapping[str, list[str]] | None = None
) -> None:
    """`end` for a host whose cache the worker doesn't share; does nothing unless its notice is of this backup and
    club."""
    going: Notice | None = cache.get(GOING)
    if going is not None and (going.then, going.club) == (backup.made_at, club):
        end(backup if done else None, club, print_again=print_again)


def notice(request: HttpRequest) -> dict[str, Any]:
    """For templates: what this visitor is told about going back, if anything. No query."""
    club: Club | None = getattr(request, "club", None)
    for key in (GOING, GONE):
        found: Notice | None = cache.get(key)
        if not found or (found.done and found.mark in _seen(request)):
            continue
        if found.club is None or (club is not None and found.club == club.pk):
            return {"gone_back": found, "print_again": found.print_again.get(str(club.pk)) if club else None}
    return {"gone_back": None}


def is_any() -> bool:
    """Whether anybody at all is told of going back. No query."""
    return any(cache.get_many((GOING, GONE)).values())


def put_away(request: HttpRequest, response: HttpResponse) -> None:
    """Keep on a visitor's device that they have read the notice whose mark they send, for as long as it could be
    shown."""
    mark = request.POST.get("mark", "")
    if not MARK.fullmatch(mark):
        return
    marks = [*(one for one in _seen(request) if one != mark), mark][-MOST_SEEN:]
    response.set_cookie(
        SEEN, ".".join(marks), max_age=TOLD_FOR, httponly=True, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
    )


def _seen(request: HttpRequest) -> list[str]:
    """The marks of the notices that a visitor has put away."""
    return MARK.findall(request.COOKIES.get(SEEN, ""))
