"""`manage.py let_go`: what a worker does every hour, for a host without one."""

from typing import Any

from django.core.management.base import BaseCommand

from clubsite.watch.retention import purge_personal_data


class Command(BaseCommand):
    help = "Removes old names from the logs, and contact details of members who stopped playing, as the settings say."

    def handle(self, *args: Any, **options: Any) -> None:
        names, contacts = purge_personal_data()
        if options["verbosity"]:
            self.stdout.write(f"Entries of logs without a name now: {names}. Members without contact now: {contacts}.")
