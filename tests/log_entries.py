"""Entries of the log for tests that need some, written as a verb writes them."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from clubsite.accounts.audit_log import log as write
from clubsite.accounts.models import Club, LogEntry


def log(*, club: Club, **entry: Any) -> LogEntry:
    """Take the club's turn and write an entry."""
    with transaction.atomic():
        return write(club=club.lock(), **entry)
