"""`manage.py shared_key`: whether this host has the secret key of the others; `--adopt` takes it in place of theirs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubsite.jobs.secret_key_check import OTHER_KEY, adopt_key, has_same_key


class Command(BaseCommand):
    """Compares this host's SECRET_KEY with that of the database's hosts."""

    help = "Says whether this host has the SECRET_KEY of the others that serve this database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether to take the key over."""
        parser.add_argument(
            "--adopt",
            action="store_true",
            help="take this host's key in place of the others': all tables' links end, everybody logs in again",
        )

    def handle(self, *args: Any, adopt: bool, **options: Any) -> None:
        """Compare, or take over."""
        if adopt:
            adopt_key()
            self.stdout.write("This host's SECRET_KEY is the site's now. Give it to the others, and start them again.")
            return
        if not has_same_key():
            raise CommandError(OTHER_KEY)
        self.stdout.write("This host has the SECRET_KEY of this database.")
