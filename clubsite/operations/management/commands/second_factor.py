"""For the site's owner: reset a second factor that somebody has lost, or show who has one."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.models import Actor, User
from clubsite.accounts.two_factor import remove_factor


class Command(BaseCommand):
    help = "Reset the second factor of a log-in; without a name, list who has one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", nargs="?")

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["username"]
        if name is None:
            for device in TOTPDevice.objects.filter(confirmed=True).select_related("user"):
                self.stdout.write(device.user.get_username())
            return
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"There is no log-in {name}. Check the name.")
        if not remove_factor(user=user, by=Actor(user=None, name="Nine Tables", route="command")):
            raise CommandError(f"{name} has no second factor.")
        self.stdout.write(f"{name} logs in by the password alone, until a new second factor is set up.")
