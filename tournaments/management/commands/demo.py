"""`manage.py demo`: load the demo and print, once, how to log in."""

import os
from argparse import ArgumentParser
from time import perf_counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubsite.accounts.models import Club
from clubsite.accounts.starting import demo_clubs, own_clubs
from clubsite.operations.ready import require_tables
from tournaments.demo import Demo, load


class Command(BaseCommand):
    """Three invented clubs with nights, results, and a competition that is on now."""

    help = "Loads the demo and prints its passwords, which are stored nowhere in the clear."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--if-empty", action="store_true", help="load only when there is no club yet")
        what.add_argument("--fresh", action="store_true", help="replace the demo that is here")
        parser.add_argument(
            "--yes-delete-everything", action="store_true", help="with --fresh: delete your own clubs too"
        )

    def handle(self, *args: Any, if_empty: bool, fresh: bool, yes_delete_everything: bool, **options: Any) -> None:
        """Load. Raises CommandError when that would delete what isn't the demo's, or there are no tables yet."""
        require_tables()
        if Club.objects.exists() and not fresh:
            if not if_empty:
                raise CommandError(
                    "There is already data here. --fresh replaces the demo, --if-empty leaves the data alone."
                )
            if options["verbosity"]:
                self.stdout.write("The data is as you left it. (./dev demo makes fresh demo data with a new password.)")
            return
        clubs = [str(club) for club in own_clubs()]
        if clubs and not yes_delete_everything:
            raise CommandError(
                f"Nothing was changed: {', '.join(clubs)} is not demo data. To delete that too, with all its results, "
                "add --yes-delete-everything; to keep it, set VAR_DIR to another folder and load the demo there."
            )
        started = perf_counter()
        self.stdout.write("Loading the demo ...")
        demo = load(instead_of=list(Club.objects.all() if clubs else demo_clubs()))
        self.stdout.write(f"Loaded in {perf_counter() - started:.0f} s.")
        self.stdout.write(_how_to_log_in(demo))


def _how_to_log_in(demo: Demo) -> str:
    address = f"http://{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}/login/"
    logins = "\n".join(f"    {login.username:12} {login.password}   ({login.role})" for login in demo.logins)
    return f"\nLog in at {address} - the passwords are shown only now:\n{logins}\n"
