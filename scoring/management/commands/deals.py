"""`manage.py deals`: export a club's games to a file, and import them (docs/deal-files.md)."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from clubsite.accounts.models import Actor, Club
from scoring.deal_files.export import to_csv, to_json
from scoring.deal_files.importer import BadFile, import_games, import_message, known_rules, plan_import, read_file

BAD = 2  # exit status


class Command(BaseCommand):
    help = (
        "`deals export CLUB FILE` writes all games of a club, with every version of every deal as JSON, or as they "
        "are now if FILE ends in .csv. `deals import CLUB FILE` imports the JSON, all or nothing, and skips what is "
        "already here. Exit status 2: the file is bad; every bad row is named."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        commands = parser.add_subparsers(dest="what", required=True)
        out = commands.add_parser("export", help="all games of a club to a file")
        into = commands.add_parser("import", help="the games of a file into a club")
        for command in (out, into):
            command.add_argument("club", metavar="CLUB", help="the club's part of the page address")
            command.add_argument("file", metavar="FILE", help='"-" is standard output or input')
        out.add_argument("--csv", action="store_true", help="a table, whatever the file is called")
        into.add_argument("--look", action="store_true", help="say what would be imported; change nothing")
        into.add_argument("--ruling", default="", help="why deals that the rules refuse are accepted")

    def handle(self, *args: Any, what: str, club: str, file: str, **options: Any) -> None:
        the_club = Club.objects.filter(slug=club).first()
        if the_club is None:
            raise CommandError(_("There is no club %(slug)s here.") % {"slug": club})
        if what == "export":
            self._export(the_club, file, csv=options["csv"] or file.endswith(".csv"))
        else:
            self._import(the_club, file, look=options["look"], ruling=options["ruling"])

    def _export(self, club: Club, file: str, *, csv: bool) -> None:
        text = to_csv(club) if csv else "".join(to_json(club))
        if file == "-":
            self.stdout.write(text, ending="")
            return
        try:
            Path(file).write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error

    def _import(self, club: Club, file: str, *, look: bool, ruling: str) -> None:
        try:
            raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        try:
            games = read_file(raw, known_rules(club))
            if look:
                plan = plan_import(club, games, ruling=ruling)
            else:
                by = Actor(user=None, name="manage.py")
                plan = import_games(club=club, file=games, by=by, name=Path(file).name, ruling=ruling)
        except BadFile as error:
            for row in error.bad:
                self.stderr.write(f"{row.place}: {row.words}" if row.place else row.words)
            raise SystemExit(BAD) from error
        self.stdout.write(import_message(plan, look=look))
