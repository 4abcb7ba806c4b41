"""Limits on tries: few enough to stop guessing, but a guesser can't shut the right person out.

Tries are counted in the database, so that all web processes and hosts count together. A try is counted before it is
checked (`spend`), in a transaction that locks the counts; one that was right is taken out of the counts.

For log-ins (`login_tries`):
- At one name from one address: a few tries.
- From one address at all names together: a limited number, since guessers try one password with many names.
- At one name from all addresses together: never refused altogether, but while there are many wrong tries, each
  address has fewer, some seconds apart.
- A device that logged in by this name before has tries of its own, and none of the above counts for it. So has one
  that scanned the QR code of such a device, such as a new phone in a hall where somebody is guessing.
"""

import hashlib
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
from clubsite.accounts.sessions import introduction_key, read_device
from clubsite.addresses import client_network

KEPT_FOR = timedelta(days=1)  # no window is longer
PAUSE = 20  # seconds between two tries from an address while a name is guessed at
WHEN_GUESSED = 2  # tries from an address while a name is guessed at


@dataclass(frozen=True, slots=True)
class Try:
    """One try at what `parts` name: `most` are allowed within `window` seconds of the first, `pause` seconds apart.

    Without `most` tries are only counted.
    """

    parts: tuple[str, ...]
    most: int | None
    window: int
    pause: int = 0

    @property
    def key(self) -> str:
        """The key it is counted under: a hash, so that the table has no names."""
        return hashlib.sha256("\0".join(self.parts).encode()).hexdigest()


class TooManyTries(Exception):
    """No further try is checked for `wait` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(wait)
        self.wait = wait

    @property
    def minutes(self) -> int:
        return max(1, ceil(self.wait / 60))

    @property
    def code_message(self) -> str:
        return _("Too many wrong codes. Wait %(minutes)d minutes, then try again.") % {"minutes": self.minutes}

    @property
    def letter_message(self) -> str:
        words = _("Too many e-mails were requested. Wait %(minutes)d minutes, then try again.")
        return words % {"minutes": self.minutes}


def spend(*tries: Try) -> None:
    """Count one try under each of these keys. Raises TooManyTries, and counts none, where one has no tries left."""
    now, counts, waits = timezone.now(), [], []
    with transaction.atomic():
        for attempt in sorted(tries, key=lambda attempt: attempt.key):  # all lock in the same order
            defaults = {"count": 0, "since": now, "last": now}
            count, _new = Throttle.objects.select_for_update().get_or_create(pk=attempt.key, defaults=defaults)
            if count.since <= now - timedelta(seconds=attempt.window):
                count.count, count.since = 0, now
            count.since, count.last = min(count.since, now), min(count.last, now)  # the clock may have been set back
            counts.append(count)
            waits.append(_seconds_to_wait(attempt, count, now=now))
        if (wait := max(waits, default=0)) > 0:
            raise TooManyTries(ceil(wait))
        for count in counts:
            count.count += 1
            count.last = now
            count.save()


def _seconds_to_wait(attempt: Try, count: Throttle, *, now: datetime) -> float:
    if attempt.most is not None and count.count >= attempt.most:
        return attempt.window - (now - count.since).total_seconds()
    return attempt.pause - (now - count.last).total_seconds() if attempt.pause and count.count else 0


def give_back(*tries: Try) -> None:
    """Take these tries out of the counts, because what was tried was right."""
    for key in sorted(attempt.key for attempt in tries):
        Throttle.objects.filter(pk=key, count__gt=0).update(count=F("count") - 1)


def clear_tries(*tries: Try) -> None:
    Throttle.objects.filter(pk__in=[attempt.key for attempt in tries]).delete()


def tries_made(*parts: str, window: int) -> int:
    """Tries counted under these parts within the last `window` seconds. One query, which takes no lock."""
    since, key = timezone.now() - timedelta(seconds=window), Try(parts, most=None, window=window).key
    return Throttle.objects.filter(pk=key, since__gt=since).values_list("count", flat=True).first() or 0


def count_try(*parts: str, window: int) -> int:
    """Count one try and return how many there were within `window` seconds of the first of them."""
    with transaction.atomic():
        spend(Try(parts, most=None, window=window))
        return tries_made(*parts, window=window)


def prune() -> None:
    """Delete counts that are older than every window."""
    old = Throttle.objects.filter(since__lt=timezone.now() - KEPT_FOR)
    for key in list(old.values_list("pk", flat=True)):  # one by one, so that no two wait for each other
        old.filter(pk=key).delete()


def login_tries(request: HttpRequest | None, username: str) -> tuple[Try, tuple[Try, ...]]:
    """The tries that a log-in by this name uses: its own, which a right password clears, and those that it shares with
    others."""
    name, window = username.lower(), settings.LOGIN_WINDOW
    address, device_key = "", ""
    if request:
        address, device = client_network(request), read_device(request)
        device_key = device.key if device.is_known_for(name) else introduction_key(request, name)
    if device_key:
        return Try(("login-device", name, device_key), most=settings.LOGIN_ATTEMPTS, window=window), ()
    everywhere = Try(("login-name", name), most=None, window=window)
    guessed = tries_made(*everywhere.parts, window=window) >= settings.LOGIN_ATTEMPTS_AT_NAME
    most = WHEN_GUESSED if guessed else settings.LOGIN_ATTEMPTS
    mine = Try(("login", name, address), most=most, window=window, pause=PAUSE if guessed else 0)
    of_address = Try(("login-address", address), most=settings.LOGIN_ATTEMPTS_FROM_ADDRESS, window=window)
    return mine, (everywhere, of_address)
