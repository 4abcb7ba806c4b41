"""`manage.py start_code`: print the code with which an empty install is set up from another machine."""

from typing import Any

from django.core.management.base import BaseCommand

from clubsite.accounts.starting import is_empty
from clubsite.operations.ready import require_tables
from clubsite.operations.start_code import forget_code, new_code


class Command(BaseCommand):
    help = "Prints a one-time code for setting up an empty site from another machine; nothing when it is set up."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        require_tables()
        if not is_empty():
            forget_code()
            if options["verbosity"] > 1:
                self.stdout.write("The site is set up: no code is needed.")
            return
        self.stdout.write("Nobody has set this site up yet. Open it on this machine and do so; from another machine,")
        self.stdout.write(f"or behind a proxy, it asks for this code, which works once: {new_code()}")
