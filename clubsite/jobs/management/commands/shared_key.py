"""`manage.py shared_key`: whether this host has the secret key of the others; `--adopt` makes its key theirs."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubsite.jobs.secret_key_check import OTHER_KEY, adopt_key, has_same_key


class Command(BaseCommand):
    help = "Says whether this host has the same SECRET_KEY as the others that serve this database."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--adopt",
            action="store_true",
            help="use this host's key from now on: all table links end, and everybody logs in again",
        )

    def handle(self, *args: Any, adopt: bool, **options: Any) -> None:
        if adopt:
            adopt_key()
            self.stdout.write("The site uses this host's SECRET_KEY now. Give it to the others, and restart them.")
            return
        if not has_same_key():
            raise CommandError(OTHER_KEY)
        self.stdout.write("This host has the SECRET_KEY of this database.")
