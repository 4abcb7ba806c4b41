"""Shows what a change would do before it is done, and recognises at confirmation what a page has shown."""

from collections.abc import Callable
from hashlib import sha256
from typing import TypeVar

from django.db import transaction

Seen = TypeVar("Seen")


def preview(deed: Callable[[], object], read: Callable[[], Seen]) -> tuple[Seen, Seen]:
    """What `read` returns before and after `deed`, which is done in full and then rolled back.

    `read` asks the database anew each time it is called. For requests that may write: the deed takes its locks. An
    exception that it raises goes on to the caller, and nothing is kept then either.
    """
    with transaction.atomic():
        before = read()
        deed()
        after = read()
        transaction.set_rollback(True)
    return before, after


def fingerprint(value: object) -> str:
    """Sixteen hexadecimal digits, from the `repr` of `value`, by which it is recognised.

    A page sends it back, so that what is confirmed is what was seen. The statements of draws store some, so the digits
    of a value must never change.
    """
    return sha256(repr(value).encode()).hexdigest()[:16]
