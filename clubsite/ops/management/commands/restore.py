"""`manage.py restore`: go back to a backup, after seeing what would be lost."""

from __future__ import annotations

import sqlite3
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from clubsite.accounts.audit_log import sentence_of
from clubsite.accounts.models import LogEntry
from clubsite.backups.files import Backup, BackupRefused, backups_in, look_into
from clubsite.backups.keeping import second_place
from clubsite.backups.making import changes_since
from clubsite.backups.restoring import restore, rights_brought

SHOWN = 20  # deeds since a backup


class Command(BaseCommand):
    """Goes back to a backup."""

    help = "Goes back to a backup, the newest unless one is named, after showing what would be lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one."""
        parser.add_argument("backup", type=Path, nargs="?", help="file (default: the newest)")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *, backup: Path | None, yes: bool, **options: Any) -> None:
        """Show, ask, go back. Raises CommandError when that can't be done; nothing is changed then."""
        places = [place for place in (settings.BACKUPS, second_place()) if place]
        path = backup or next((found for place in places for found in backups_in(place)), None)
        if path is None:
            raise CommandError(f"There is no backup in {settings.BACKUPS}. Name one: `manage.py restore FILE`.")
        try:
            self._show(look_into(path))
            if not yes and input('Type "go back" to do it: ').strip().lower() != "go back":
                self.stdout.write("Nothing has been changed.")
                return
            done = restore(path, folder=settings.BACKUPS)
        except BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Done. What was there before is in {done.before}." if done.before else "Done.")
        for cards in done.print_again.values():
            self.stdout.write(f"Cards to print again: {'; '.join(cards)}")
        if done.erased:
            self.stdout.write(f"Persons who had been erased since, and were erased again: {done.erased}")

    def _show(self, backup: Backup) -> None:
        self.stdout.write(f"{backup.path.name} of {timezone.localtime(backup.made_at):%d %B %Y, %H:%M:%S %Z}")
        try:
            if connection.introspection.table_names():
                self._show_lost(backup)
            else:
                self.stdout.write("There is no data here yet: all of the backup comes in.")
        except (DatabaseError, sqlite3.DatabaseError) as damaged:
            self.stdout.write(f"What is there now can't be read ({damaged}): stop the site before going back.")
        if rights := rights_brought(backup):
            self.stdout.write("It brings in log-ins with rights, with the passwords of then:")
            for log_in in rights:
                self.stdout.write(f"  {log_in}")

    def _show_lost(self, backup: Backup) -> None:
        changed = changes_since(backup)
        if not changed:
            self.stdout.write("No table has more or fewer rows than then.")
        for table, (then, now) in changed.items():
            self.stdout.write(f"  {table}: {now} rows now, {then} then")
        since = LogEntry.objects.filter(at__gt=backup.made_at)
        if count := since.count():
            self.stdout.write(f"Done since then, and lost by going back: {count}")
            for entry in since[:SHOWN]:
                self.stdout.write(f"  {timezone.localtime(entry.at):%H:%M} {sentence_of(entry)}")
