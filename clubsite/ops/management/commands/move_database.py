"""`manage.py move_database`: the whole site from one database to another, row for row."""

from __future__ import annotations

from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from clubsite.ops.databases.moving import MoveRefused, move, named
from clubsite.ops.databases.server import NoServer, running

SQLITE, POSTGRES = "sqlite", "postgres"


class Command(BaseCommand):
    """Moves the whole site."""

    help = "Copies every row to another, empty database, and compares. Stop the site first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """From where to where."""
        names = f"{SQLITE!r} (the file in var), {POSTGRES!r} (that of `./dev run --postgres`), or a URL"
        parser.add_argument("--to", required=True, help=names)
        parser.add_argument("--from", dest="source", help=f"{names}; default: the site's own database")

    def handle(self, *, to: str, source: str | None, **options: Any) -> None:
        """Move. Raises CommandError when that can't be done; nothing is changed then."""
        with ExitStack() as servers:
            try:
                own = connection.settings_dict
                moved = move(source=named(_url(source, servers)) if source else own, target=_url(to, servers))
            except (MoveRefused, NoServer) as refused:
                raise CommandError(str(refused)) from refused
            except ImproperlyConfigured as wrong:  # no psycopg
                raise CommandError(f"{wrong} Install what is in requirements-postgres.lock.") from wrong
        for table, rows in moved.items():
            if rows and options["verbosity"] > 1:
                self.stdout.write(f"  {table}: {rows}")
        total, filled = sum(moved.values()), sum(1 for rows in moved.values() if rows)
        self.stdout.write(f"Moved and compared: {total} rows of {filled} tables. The old database is as it was.")
        self.stdout.write(
            "From now on start with `./dev run --postgres`."
            if to == POSTGRES
            else "From now on start with `./dev run`."
            if to == SQLITE
            else "From now on start the site and its workers with DATABASE_URL set to the new one."
        )


def _url(where: str, servers: ExitStack) -> str:
    """The URL of a database; the site's own PostgreSQL is started for the time of the move."""
    if where == SQLITE:
        return f"sqlite:///{settings.VAR_DIR / 'nine-tables.sqlite3'}"
    if where == POSTGRES:
        return servers.enter_context(running(Path(settings.VAR_DIR) / "postgres")).url
    return where
