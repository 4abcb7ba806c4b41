"""Entries of the log for tests that need some, written as a verb writes them."""

from django.db import transaction

from clubsite.accounts.audit_log import log as write


def log(*, club, **entry):
    """Take the club's turn and write an entry."""
    with transaction.atomic():
        return write(club=club.lock(), **entry)
