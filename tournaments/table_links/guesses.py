"""Guessing at codes and links: limited for each address, more strictly while an event is guessed at, and told.

Who has a rightful link or code isn't locked out by others' guesses: links open whoever guesses, and a code typed right
at the first try is taken from any address that hasn't guessed itself.
"""

from __future__ import annotations

from django.db import transaction

from clubsite.accounts import login_attempts
from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from tournaments.models import Event

WINDOW = 15 * 60  # seconds; in these an address may try ...
CODES = 8  # ... so many wrong codes,
CODES_WHEN_GUESSED = 2  # or so many while somebody guesses at the event's codes,
LINKS_TRIED = 20  # and so many links that don't exist
EVENT_WINDOW = 3600
EVENT_CODES = 20  # so many wrong codes within an hour can't be slips of the finger
DAY = 24 * 3600


def spend_code(event: Event, address: str) -> None:
    """Count a try at a code from this address, before it is looked at; one that is right is given back.

    Raises:
        TooManyTries: no other code is looked at from this address for a while.
    """
    login_attempts.spend(_try_of(event, address))


def give_code_back(event: Event, address: str) -> None:
    """Take a try out of the count, since its code was right."""
    login_attempts.give_back(_try_of(event, address))


def _try_of(event: Event, address: str) -> login_attempts.Try:
    most = CODES_WHEN_GUESSED if is_guessed(event) else CODES
    return login_attempts.Try(("table-code", str(event.pk), address), most=most, window=WINDOW)


def count_wrong_code(event: Event) -> None:
    """Count that a code was typed that no table of this event has. Once that looks like guessing, it is logged."""
    login_attempts.count("table-codes-today", str(event.pk), window=DAY)
    if login_attempts.count("table-codes", str(event.pk), window=EVENT_WINDOW) == EVENT_CODES:
        by = Actor(user=None, name="Nine Tables", route="table")
        with transaction.atomic():
            club = event.club.lock()
            log(club=club, by=by, verb="links.guessed", subject=event, new={"wrong_codes": EVENT_CODES})


def is_guessed(event: Event) -> bool:
    """Whether so many wrong codes were typed within an hour that somebody must be guessing."""
    return login_attempts.tries("table-codes", str(event.pk), window=EVENT_WINDOW) >= EVENT_CODES


def wrong_codes(event: Event) -> int:
    """How many wrong codes were typed for this event today. One query."""
    return login_attempts.tries("table-codes-today", str(event.pk), window=DAY)


def count_wrong_link(address: str) -> None:
    """Count that a link was opened that doesn't exist.

    Raises:
        TooManyTries: too many were opened from this address.
    """
    login_attempts.spend(login_attempts.Try(("table-link", address), most=LINKS_TRIED, window=WINDOW))
