"""Counting tries in the database, so that all web processes and hosts count together.

A try is counted before it is looked at (`spend`), in a transaction that locks the counts: of forty at once no more than
allowed are looked at. One that was right is taken out of the counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Throttle

KEPT_FOR = timedelta(days=1)  # no window is longer


@dataclass(frozen=True, slots=True)
class Try:
    """One try at what `parts` name: `most` are allowed within `window` seconds of the first, `pause` seconds apart.

    Without `most` it is only counted.
    """

    parts: tuple[str, ...]
    most: int | None
    window: int
    pause: int = 0

    @property
    def key(self) -> str:
        """The key it is counted under: a hash, so that no name stands in the table."""
        return hashlib.sha256("\0".join(self.parts).encode()).hexdigest()


class TooManyTries(Exception):
    """No further try is looked at for `wait` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait

    @property
    def minutes(self) -> int:
        """Whole minutes to wait, at least one."""
        return max(1, ceil(self.wait / 60))

    @property
    def of_codes(self) -> str:
        """What is said where codes are typed."""
        return _("Too many wrong codes. Wait %(minutes)d minutes, then try again.") % {"minutes": self.minutes}


def spend(*tries: Try) -> None:
    """Count one try under each of these keys.

    Raises:
        TooManyTries: one of them has no tries left; none is counted then.
    """
    now = timezone.now()
    with transaction.atomic():
        rows = [(one, _held(one, now)) for one in sorted(tries, key=lambda one: one.key)]
        waits = [_wait(one, row, now=now) for one, row in rows]
        if max(waits, default=0) > 0:
            raise TooManyTries(ceil(max(waits)))
        for _one, row in rows:
            row.count += 1
            row.last = now
            row.save()


def _held(one: Try, now: datetime) -> Throttle:
    """The row of the count, locked until the transaction ends. `spend` locks in the order of the keys."""
    row, _made = Throttle.objects.select_for_update().get_or_create(
        pk=one.key, defaults={"count": 0, "since": now, "last": now}
    )
    if row.since <= now - timedelta(seconds=one.window):
        row.count, row.since = 0, now
    row.since, row.last = min(row.since, now), min(row.last, now)  # the clock may have been set back
    return row


def _wait(one: Try, row: Throttle, *, now: datetime) -> float:
    """Seconds until another try is taken; 0 where one is taken now."""
    if one.most is not None and row.count >= one.most:
        return one.window - (now - row.since).total_seconds()
    if one.pause and row.count:
        return max(0.0, one.pause - (now - row.last).total_seconds())
    return 0.0


def give_back(*tries: Try) -> None:
    """Take these tries out of the counts, because what was tried was right."""
    for one in sorted(tries, key=lambda one: one.key):
        Throttle.objects.filter(pk=one.key, count__gt=0).update(count=F("count") - 1)


def forget(*tries: Try) -> None:
    """Start counting anew under these keys."""
    Throttle.objects.filter(pk__in=[one.key for one in tries]).delete()


def tries(*parts: str, window: int) -> int:
    """Tries counted under these parts within the last `window` seconds. One query, which takes no lock."""
    since, one = timezone.now() - timedelta(seconds=window), Try(parts, most=None, window=window)
    found = Throttle.objects.filter(pk=one.key, since__gt=since).first()
    return found.count if found else 0


def count(*parts: str, window: int) -> int:
    """Count one try and return how many there were within `window` seconds of the first of them."""
    with transaction.atomic():
        spend(Try(parts, most=None, window=window))
        return tries(*parts, window=window)


def prune() -> None:
    """Remove counts that no window reaches back to."""
    old: Iterable[str] = Throttle.objects.filter(since__lt=timezone.now() - KEPT_FOR).values_list("pk", flat=True)
    for key in list(old):  # one by one: two that delete rows in different orders could wait for each other
        Throttle.objects.filter(pk=key, since__lt=timezone.now() - KEPT_FOR).delete()
