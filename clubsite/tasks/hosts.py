"""All hosts of a site must have the same secret key, besides the database: its fingerprint is compared here. And none
serves a database that a newer version of the program has made its own.

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
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.crypto import constant_time_compare, salted_hmac

from clubsite import __version__
from clubsite.paths import COMMAND
from clubsite.tasks.models import Shared

NAME = "secret-key"
VERSION = "version"  # the name under which a database keeps the version of the program that it was made ready for
AWAY = (DatabaseError, InterfaceError)  # raised without a database or tables: the key can't be compared yet
log = logging.getLogger("clubsite.tasks")

Site = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class CannotServe(Exception):
    """This host can't serve its database; the text says why, and what to do."""


class OtherKey(CannotServe):
    """This host's SECRET_KEY isn't that of the hosts that serve this database; the text says what to do."""

    def __init__(self) -> None:
        super().__init__(
            "This host's SECRET_KEY is another than that of the hosts that have served this database, so it doesn't "
            "serve it. Give all of them the same SECRET_KEY (docs/operations.md). If the old key is lost: "
            "`manage.py shared_key --adopt` takes this one in its place; all tables' links end and everybody logs in "
            "again."
        )


class NewerVersion(CannotServe):
    """The database's tables are those of a newer version of the program; the text names both versions."""

    def __init__(self, version: str, migration: str) -> None:
        super().__init__(
            f"This is Nine Tables {__version__}, and the data is that of a newer version, {version} (it has {migration}"
            "). Nothing has been changed. Start that version; or go back to a backup made before it, without what was "
            f"recorded since: {COMMAND} manage restore FILE"
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


def migrations_unknown() -> list[str]:
    """The migrations of the site's database that this version doesn't know, as a newer one has done them."""
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations() if key not in known)


def refuse_newer() -> None:
    """Raises NewerVersion where the database's tables are those of a newer version."""
    if unknown := migrations_unknown():
        version = Shared.objects.filter(name=VERSION).values_list("value", flat=True).first()
        raise NewerVersion(version or "not named", unknown[-1])


def note_version() -> None:
    """Note in the database that it was made ready for this version."""
    Shared.objects.update_or_create(name=VERSION, defaults={"value": __version__})


def has_same_key() -> bool:
    """Whether this host surely fits its database: not while the database is away, which is logged.

    Raises:
        CannotServe: its key is another, or its version is older.
    """
    try:
        refuse_newer()
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

    Keys and versions are compared as the site is loaded; if they differ, the process ends with a sentence. If the
    database is away then, they are compared before the first answer, which is 503 while they differ.
    """

    def __init__(self, site: Site) -> None:
        self.site = site
        try:
            self.known = has_same_key()
        except CannotServe as other:
            raise SystemExit(str(other)) from None
        finally:
            let_go()  # no forked process may inherit a connection

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request."""
        try:
            self.known = self.known or has_same_key()
        except CannotServe as other:
            log.error("%s", other)
            start_response("503 Service Unavailable", [("Content-Type", "text/plain"), ("Retry-After", "60")])
            return [b"This host isn't set up as the others are. Its log says how to mend it.\n"]
        return self.site(environ, start_response)
