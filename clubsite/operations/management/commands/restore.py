"""`manage.py restore`: restore a backup, after seeing what would be lost."""

import os
import sqlite3
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils import timezone

from clubsite.accounts.audit_log import describe_entry
from clubsite.accounts.models import LogEntry
from clubsite.operations.backup import KEY, Backup, is_own_past, list_backups, read_backup, read_secret_key
from clubsite.operations.databases import BackupRefused, sync_to_disk
from clubsite.operations.restore import count_entries_since, restore, rights_gained
from clubsite.operations.schedule import second_place
from clubsite.paths import COMMAND

SHOWN = 20  # entries of the log since a backup


class Command(BaseCommand):
    help = "Restores a backup, the newest unless one is named, after showing what would be lost."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("backup", type=Path, nargs="?", help="file (default: the newest)")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *, backup: Path | None, yes: bool, **options: Any) -> None:
        places = [place for place in (settings.BACKUPS, second_place()) if place]
        path = backup or next((path for place in places for path in list_backups(place)), None)
        if path is None:
            raise CommandError(f"There is no backup in {settings.BACKUPS}. Name one: {COMMAND} restore FILE")
        try:
            chosen = read_backup(path)
            self._show(chosen)
            if not yes and input('Type "restore" to do it: ').strip().lower() != "restore":
                self.stdout.write("Nothing has been changed.")
                return
            done = restore(path, folder=settings.BACKUPS)
            about_key = store_key(read_secret_key(chosen), put_aside=bool(done.before))
        except BackupRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"Done. What was there before is in {done.before}." if done.before else "Done.")
        if about_key:
            self.stdout.write(about_key)
        for notes in done.notes.values():
            self.stdout.write("\n".join(notes))

    def _show(self, backup: Backup) -> None:
        self.stdout.write(f"{backup.name} of {timezone.localtime(backup.made_at):%d %B %Y, %H:%M:%S %Z}")
        try:
            if not connection.introspection.table_names():
                self.stdout.write("There is no data here yet: all of the backup comes in.")
            elif not is_own_past(backup):
                self.stdout.write("It isn't of this site's past: it replaces all that is here.")
            else:
                entries = ", ".join(f"{kind} {number}" for kind, number in count_entries_since(backup))
                self.stdout.write(f"Done since then: {entries or 'nothing'}")
                for entry in LogEntry.objects.filter(pk__gt=backup.log).select_related("club")[:SHOWN]:
                    self.stdout.write(f"  {timezone.localtime(entry.at):%H:%M} {describe_entry(entry)}")
            rights = rights_gained(backup, settings.BACKUPS)
        except (DatabaseError, sqlite3.DatabaseError) as damaged:
            self.stdout.write(f"What is there now can't be read ({damaged}): stop the site before restoring.")
            connection.close()
            rights = []
        if rights:
            self.stdout.write("It brings in log-ins with rights, with the passwords of then:")
            for log_in in rights:
                self.stdout.write(f"  {log_in}")


def store_key(key: str, *, put_aside: bool) -> str:
    """Use the secret key that came with the backup, and put the present one aside. Returns what to say about it."""
    if not key or key == settings.SECRET_KEY:
        return ""
    if os.environ.get("SECRET_KEY"):
        return "SECRET_KEY is set here, and isn't the key in this file: table links work again once it is."
    place = Path(settings.VAR_DIR) / KEY
    if put_aside:
        place.replace(place.with_name(f"{KEY}-before-{timezone.now():%Y%m%d-%H%M%S}"))
    part = place.with_name(f"{KEY}.new")
    part.write_text(key, encoding="utf-8")
    sync_to_disk(part)
    part.replace(place)
    return "The secret key came along. If the site is running, stop it and start it again."
