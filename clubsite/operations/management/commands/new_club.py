"""`manage.py new_club`: start a club of one's own."""

import getpass
import secrets
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from clubsite.accounts.models import Actor, Club, User
from clubsite.accounts.starting import start_club
from clubsite.names import make_slug
from clubsite.operations.ready import require_tables


class Command(BaseCommand):
    help = "Starts a club with its first director, and prints the director's password unless --ask is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help='the club, for example "St. Anne Card Club"')
        parser.add_argument("--director", required=True, metavar="USER", help="the log-in name of its director")
        parser.add_argument("--time-zone", default="UTC", help="for example America/Chicago (default %(default)s)")
        parser.add_argument("--paper", choices=Club.Paper.values, default=Club.Paper.A4, help="in the club's printer")
        parser.add_argument("--language", choices=dict(settings.LANGUAGES), default=settings.LANGUAGE_CODE)
        parser.add_argument(
            "--dates",
            choices=Club.DatePlace.values,
            default=Club.DatePlace.BRITAIN,
            help="the style of dates and times",
        )
        parser.add_argument("--address", help="the club's part of the page address (default: made from its name)")
        parser.add_argument("--ask", action="store_true", help="ask for the password instead of making one")

    def handle(self, *args: Any, name: str, director: str, ask: bool, **options: Any) -> None:
        require_tables()
        club = Club(
            name=name,
            slug=options["address"] or make_slug(name),
            time_zone=options["time_zone"],
            paper=options["paper"],
            language=options["language"],
            date_place=options["dates"],
        )
        user = User.objects.filter(username__iexact=director).first()
        password = "" if user else getpass.getpass(f"Password for {director}: ") if ask else secrets.token_urlsafe(12)
        by = Actor(user=None, name="manage.py", route="command")
        try:
            if not user:
                User._meta.get_field("username").clean(director, None)
                validate_password(password, User(username=director))
            first = user or User(username=director, first_name=director, password=make_password(password))
            start_club(club=club, director=first, by=by, left=("rules", "members", "night"))
        except ValidationError as wrong:
            raise CommandError(" ".join(wrong.messages)) from wrong
        self.stdout.write(f"{club.name} is at /{club.slug}/. Its director logs in as {director}.")
        if not user and not ask:
            self.stdout.write(f"The password, shown only now: {password}")
