"""A check of the database before a host serves it: whether the SECRET_KEY fits, and no newer version changed it.

A host with another key would log everybody out, and accept no table's link. So the first host that serves a database
writes the fingerprint of its key into it. With SQLite, whose file belongs to one machine (`settings.MANY_HOSTS`), no
keys are compared: the machine may have a new one when a backup is restored on it.
"""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, run_checks
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.crypto import constant_time_compare, salted_hmac

from clubsite import __version__
from clubsite.accounts.models import Actor
from clubsite.jobs.models import Shared
from clubsite.paths import COMMAND

KEY, VERSION = "secret-key", "version"  # names in `Shared`
OTHER_KEY = (
    "This host's SECRET_KEY isn't the one that the database's other hosts use, so the site doesn't start. Give all "
    "hosts the same SECRET_KEY (docs/hosting.md). If the old key is lost, `manage.py shared_key --adopt` uses this "
    "one instead; then all table links end, and everybody logs in again."
)


def check_database(*, databases: Sequence[str] | None = None, **_more: Any) -> list[CheckMessage]:
    """One of Django's checks. A database that is away is a warning: it may come back."""
    if not databases:
        return []
    try:
        newer = newer_version_message()
        messages: list[CheckMessage] = [Error(newer, id="tasks.E001")] if newer else []
        if settings.MANY_HOSTS and not has_same_key():
            messages.append(Error(OTHER_KEY, id="tasks.E002"))
        return messages
    except (DatabaseError, InterfaceError) as away:
        if not connection.in_atomic_block:
            connection.close()
        return [Warning(f"The database can't be checked yet: {away}", id="tasks.W001")]


def refuse_other_database() -> None:
    """Raises SystemExit with a sentence where this host can't serve its database."""
    messages = run_checks(tags=[Tags.database], databases=["default"])
    if problems := [message.msg for message in messages if message.is_serious()]:
        raise SystemExit("\n".join(problems))


def has_same_key() -> bool:
    """Whether this host's key is that of the database, which gets its fingerprint if it has none."""
    shared, _new = Shared.objects.get_or_create(name=KEY, defaults={"value": _fingerprint()})
    return constant_time_compare(shared.value, _fingerprint())


def adopt_key() -> None:
    """Replace the database's fingerprint by this host's; hosts with another key refuse their next start."""
    Shared.objects.update_or_create(name=KEY, defaults={"value": _fingerprint()})


def read_key() -> str:
    """The database's fingerprint, for `operations.staying`: "" where it has none."""
    return Shared.objects.filter(name=KEY).values_list("value", flat=True).first() or ""


def restore_key(fingerprint: str, then: Any, *, by: Actor) -> dict[int, list[str]]:
    """After a backup was restored: another key may have been adopted since it was made."""
    if fingerprint:
        Shared.objects.update_or_create(name=KEY, defaults={"value": fingerprint})
    return {}


def _fingerprint() -> str:
    return salted_hmac("clubsite.jobs.hosts", "fingerprint", algorithm="sha256").hexdigest()


def unknown_migrations() -> list[str]:
    """The migrations of the site's database that this version doesn't know: a newer one has made them."""
    on_disk = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return sorted(".".join(key) for key in MigrationRecorder(connection).applied_migrations() if key not in on_disk)


def newer_version_message(backup: str = "FILE") -> str:
    """The sentence for a database whose tables a newer version of the program has changed, else "". `backup`: one that
    this version can restore."""
    if not (unknown := unknown_migrations()):
        return ""
    version = Shared.objects.filter(name=VERSION).values_list("value", flat=True).first() or "unknown"
    return (
        f"This is Nine Tables {__version__}, and a newer version, {version}, has changed the data (by {unknown[-1]}). "
        "Nothing has been changed now. Start the newer version; or restore a backup made before it, and lose what was "
        f"recorded since: {COMMAND} restore {backup}"
    )


def note_version() -> None:
    Shared.objects.update_or_create(name=VERSION, defaults={"value": __version__})
