"""For the site's owner: a code by which somebody sets a new password, whatever clubs their log-in opens."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from clubsite.accounts.invitations import invitation_code, make_password_code
from clubsite.accounts.models import Actor, Role


class Command(BaseCommand):
    help = "Print a code by which a log-in gets a new password, at /login/invitation/."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        role = Role.objects.select_related("user", "club").filter(user__username=options["username"]).first()
        if role is None:
            raise CommandError(f"No club has a log-in {options['username']}. Check the name.")
        invitation = make_password_code(role=role, by=Actor(user=None, name="Nine Tables", route="command"), owner=True)
        self.stdout.write(
            f"{invitation_code(invitation)}\nType it at /login/invitation/ within two days. It works once."
        )
