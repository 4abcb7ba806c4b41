"""`manage.py backup`: copy the whole database into one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.template.defaultfilters import filesizeformat

from clubsite.operations.backup import make_backup
from clubsite.operations.databases import BackupRefused, NoProgram
from clubsite.operations.ready import needs_migration
from clubsite.operations.schedule import fill_second_place, second_place


class Command(BaseCommand):
    help = "Copies the database into one file while the site runs; `restore` brings it back."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, default=settings.BACKUPS, help="folder (default %(default)s)")
        parser.add_argument(
            "--keep",
            type=int,
            default=settings.BACKUPS_KEPT,
            help="days to keep the last backup of each day (%(default)s); those of the last 24 hours are all kept",
        )
        parser.add_argument(
            "--before-migrating", action="store_true", help="only where a new version is about to change the tables"
        )

    def handle(self, *, to: Path, keep: int, before_migrating: bool, **options: Any) -> None:
        if before_migrating and not (connection.introspection.table_names() and needs_migration()):
            return
        try:
            backup = make_backup(to, days=max(keep, 1), reason="migration" if before_migrating else "")
            self.stdout.write(f"{backup.path} ({filesizeformat(backup.size)})")
            if to == settings.BACKUPS and (place := second_place()):
                fill_second_place()
                self.stdout.write(str(place / backup.name))
        except NoProgram as missing:
            if not before_migrating:
                raise CommandError(str(missing)) from missing
            self.stderr.write(str(missing))  # the site must start where PostgreSQL runs elsewhere
        except BackupRefused as refused:
            raise CommandError(str(refused)) from refused
