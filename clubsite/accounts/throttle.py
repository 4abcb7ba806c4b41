"""Counting tries in the database, so that all web processes count together."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubsite.accounts.models import Throttle


def _key(parts: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def address_of(request: HttpRequest) -> str:
    """From where a request comes; behind a proxy, what the proxy says: the last address, which it wrote itself."""
    if settings.BEHIND_PROXY and (forwarded := request.META.get("HTTP_X_FORWARDED_FOR", "")):
        return str(forwarded).rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def tries(*parts: str, window: int) -> int:
    """Tries counted under these parts within the last `window` seconds."""
    found = Throttle.objects.filter(pk=_key(parts), since__gt=timezone.now() - timedelta(seconds=window)).first()
    return found.count if found else 0


def count(*parts: str, window: int) -> int:
    """Count one try and return how many there were within `window` seconds of the first of them."""
    now = timezone.now()
    with transaction.atomic():
        row, made = Throttle.objects.select_for_update().get_or_create(
            pk=_key(parts), defaults={"count": 1, "since": now}
        )
        if not made:
            if row.since <= now - timedelta(seconds=window):
                row.count, row.since = 0, now
            row.count += 1
            row.save()
        Throttle.objects.filter(since__lt=now - timedelta(days=1)).delete()
    return row.count


def forget(*parts: str) -> None:
    """Start counting anew under these parts."""
    Throttle.objects.filter(pk=_key(parts)).delete()
