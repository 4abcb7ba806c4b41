"""What a change would do, seen before it is done; and how what a page has shown is known again when it is confirmed."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from django.db import transaction

Seen = TypeVar("Seen")


def preview(deed: Callable[[], object], read: Callable[[], Seen]) -> tuple[Seen, Seen]:
    """What `read` finds before and after `deed`: the deed is done in full, looked at, and rolled back.

    `read` asks the database anew each time it is called. For requests that may write: the deed takes its locks. What
    it raises goes on to the caller, and nothing is kept then either.
    """
    with transaction.atomic():
        before = read()
        deed()
        after = read()
        transaction.set_rollback(True)
    return before, after


def fingerprint(value: object) -> str:
    """Sixteen hexadecimal digits by which `value` is known again, from its `repr`.

    A page sends it back, so that what is confirmed is what was seen. The statements of draws keep some: the digits of
    the same value stay the same for ever.
    """
    return sha256(repr(value).encode()).hexdigest()[:16]
