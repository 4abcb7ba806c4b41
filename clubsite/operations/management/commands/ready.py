"""`manage.py ready`: what every start does first. Ends with a sentence where the data can't be kept."""

import logging
import sqlite3
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from clubsite.jobs.secret_key_check import newer_version_message, note_version
from clubsite.operations import maintenance
from clubsite.operations.ready import CannotStore, require_storage, restrict_access
from clubsite.operations.restore import newest_restorable
from clubsite.sqlite import JOURNAL, VERSION

log = logging.getLogger("clubsite")
OLD_SQLITE = (
    "SQLite %s can damage a write-ahead log in a rare race, so a rollback journal is used: a little slower, as safe. "
    "Nothing needs to be done; a newer Python may bring a newer SQLite."
)


class Command(BaseCommand):
    help = "Checks that data can be stored here, makes a backup, and updates the tables to this version."
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        try:
            restrict_access()
            maintenance.end_restoring()
            require_storage()
            if newer_version_message():
                backup = newest_restorable(settings.BACKUPS)
                raise CannotStore(newer_version_message(f'"{backup.path}"' if backup else "FILE"))
            call_command("backup", before_migrating=True)
            call_command("migrate", verbosity=0)
            note_version()
            if connection.vendor == "sqlite" and JOURNAL != "WAL":
                log.info(OLD_SQLITE, ".".join(map(str, VERSION)))
        except (CannotStore, CommandError) as refused:
            raise SystemExit(str(refused)) from refused
        except (OSError, sqlite3.Error, DatabaseError) as failed:
            raise SystemExit(
                f"The data couldn't be made ready for this version ({failed}). Nothing has been changed. Make room on "
                "the disk, then start again."
            ) from failed
