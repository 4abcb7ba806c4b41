"""Limits on tries: few enough to stop guessing, but a guesser can't shut the right person out.

Tries are counted in the database, so that all web processes and hosts count together. A try is counted before it is
looked at (`spend`), in a transaction that locks the counts; one that was right is taken out of the counts.

Of log-ins (`tries_of`):
- At one name from one address: a few tries.
- From one address at all names together: a limited number, since guessers try one password with many names.
- At one name from all addresses together: never refused altogether, but while there are many wrong tries, each
  address has fewer, some seconds apart.
- A device that logged in by this name before has tries of its own, and none of the above counts for it. So has one
  that scanned the QR code of such a device, such as a new phone in a hall where somebody is guessing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.models import Throttle
from clubsite.accounts.sessions import device_of, introduced_by
from clubsite.addresses import network_of

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


PAUSE = 20  # seconds between two tries from an address while a name is guessed at
WHEN_GUESSED = 2  # tries from an address while a name is guessed at


def tries_of(request: HttpRequest | None, username: str) -> tuple[Try, tuple[Try, ...]]:
    """The tries that a request to log in by a name takes up: its own, which a right password has forgotten, and those
    that it shares with others."""
    name, window = username.lower(), settings.LOGIN_WINDOW
    address = network_of(request) if request else ""
    device = device_of(request) if request else None
    own = introduced_by(request, name) if request else ""
    if device is not None and device.known_for(name):
        own = device.key
    if own:
        return Try(("login-device", name, own), most=settings.LOGIN_ATTEMPTS, window=window), ()
    everywhere = Try(("login-name", name), most=None, window=window)
    guessed = tries(*everywhere.parts, window=window) >= settings.LOGIN_ATTEMPTS_AT_NAME
    most = WHEN_GUESSED if guessed else settings.LOGIN_ATTEMPTS
    mine = Try(("login", name, address), most=most, window=window, pause=PAUSE if guessed else 0)
    of_address = Try(("login-address", address), most=settings.LOGIN_ATTEMPTS_FROM_ADDRESS, window=window)
    return mine, (everywhere, of_address)
