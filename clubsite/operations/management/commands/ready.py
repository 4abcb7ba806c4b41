"""`manage.py ready`: what every start does first. Ends with a sentence where the data can't be kept."""

import sqlite3
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from clubsite.jobs.secret_key_check import newer_version, note_version
from clubsite.operations import maintenance
from clubsite.operations.ready import NotFit, close_to_others, require_fit


class Command(BaseCommand):
    help = "Looks whether data can be kept here, and brings the tables to this version, after a backup."
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        try:
            close_to_others()
            maintenance.forget()
            require_fit()
            if newer := newer_version():
                raise NotFit(newer)
            call_command("backup", before_migrating=True)
            call_command("migrate", verbosity=0)
            note_version()
        except (NotFit, CommandError) as refused:
            raise SystemExit(str(refused)) from refused
        except (OSError, sqlite3.Error, DatabaseError) as failed:
            raise SystemExit(
                f"The data couldn't be made ready for this version ({failed}). Nothing has been changed. Make room on "
                "the disk, then start again."
            ) from failed
