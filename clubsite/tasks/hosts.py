"""All hosts of a site must have the same secret key, besides the database: its fingerprint is compared here.

A host with another key would log everybody out, and accept no table's link. So the first host that serves a database
writes the fingerprint of its key into it, and a host with another key refuses to serve. With SQLite, whose file belongs
to one machine (`settings.MANY_HOSTS`), nothing is compared: there the key may be new after a backup was put back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.utils.crypto import constant_time_compare, salted_hmac

from clubsite.tasks.models import Shared

NAME = "secret-key"
AWAY = (DatabaseError, InterfaceError)  # raised without a database or tables: the key can't be compared yet
log = logging.getLogger("clubsite.tasks")

Site = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class OtherKey(Exception):
    """This host's SECRET_KEY isn't that of the hosts that serve this database; the text says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "This host's SECRET_KEY is another than that of the hosts that have served this database, so it doesn't "
            "serve it. Give all of them the same SECRET_KEY (docs/operations.md). If the old key is lost: "
            "`manage.py shared_key --adopt` takes this one in its place; all tables' links end and everybody logs in "
            "again."
        )


def fingerprint() -> str:
    """A fingerprint of this host's secret key, from which the key can't be found out."""
    return salted_hmac("clubsite.tasks.hosts", "fingerprint", algorithm="sha256").hexdigest()


def check_key() -> None:
    """Compare this host's key with the fingerprint in the database, or write it there if there is none.

    Raises:
        OtherKey: they differ.
    """
    kept, _new = Shared.objects.get_or_create(name=NAME, defaults={"value": fingerprint()})
    if not constant_time_compare(kept.value, fingerprint()):
        raise OtherKey


def has_same_key() -> bool:
    """Whether this host's key is surely that of its database: not while the database is away, which is logged.

    Raises:
        OtherKey: it is another.
    """
    try:
        if settings.MANY_HOSTS:
            check_key()
    except AWAY as away:
        log.warning("The database can't say yet whether this host has its key: %s", away)
        let_go()
        return False
    return True


def adopt_key() -> None:
    """Replace the database's fingerprint by this host's; hosts with another key refuse from their next start on."""
    Shared.objects.update_or_create(name=NAME, defaults={"value": fingerprint()})


def let_go() -> None:
    """Close this thread's connection; the next query opens another."""
    if not connection.in_atomic_block:  # a test's transaction stays open
        connection.close()


class SameKey:
    """The site, as a WSGI application that answers only with the key of this database.

    The keys are compared as the site is loaded; if they differ, the process ends with a sentence. If the database is
    away then, they are compared before the first answer, which is 503 while they differ.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        try:
            self.known = has_same_key()
        except OtherKey as other:
            raise SystemExit(str(other)) from None
        finally:
            let_go()  # no forked process may inherit a connection

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        try:
            self.known = self.known or has_same_key()
        except OtherKey as other:
            log.error("%s", other)
            start_response("503 Service Unavailable", [("Content-Type", "text/plain"), ("Retry-After", "60")])
            return [b"This host isn't set up as the others are. Its log says how to mend it.\n"]
        return self.site(environ, start_response)
