"""Measuring and taking pictures on a demo of their own, so that nobody's data is touched.

The command starts itself again with `--here` in a folder that goes away afterwards: there it finds an empty
SQLite file, loads the demo, and does its work.
"""

import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection

from clubsite.accounts.models import Club
from tournaments.demo import Demo, load

# What makes a public host isn't wanted on the scratch: it answers on loopback only.
LEFT_OUT = (
    "DATABASE_URL",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "CSRF_TRUSTED_ORIGINS",
    "HTTPS",
    "BEHIND_PROXY",
    "DEBUG",
    "TASKS_APART",
    "MADE_FOLDER",
)


def private_environment() -> dict[str, str]:
    """The environment variables, without those that say where the data of the site itself are."""
    return {name: value for name, value in os.environ.items() if name not in LEFT_OUT}


def manage(*arguments: str, environment: Mapping[str, str], **how: Any) -> subprocess.CompletedProcess[str]:
    return python("manage.py", *arguments, environment=environment, **how)


def python(*arguments: str, environment: Mapping[str, str], **how: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environment, check=False, text=True, **how)


class BenchCommand(BaseCommand):
    """A command for those who build the site. It checks nothing first, and each line is to be read at once."""

    requires_system_checks = []
    quiet = False  # only figures are wanted

    def run_from_argv(self, argv: list[str]) -> None:
        self.asked = argv[1:]
        super().run_from_argv(argv)

    def say(self, line: str) -> None:
        if not self.quiet:
            self.stdout.write(line)
            self.stdout.flush()

    def run_in_scratch(self, *, built: bool = False, database: Mapping[str, str] = {}) -> None:
        """Run this command once more with `--here`, in a scratch folder; `built`: with static files as `./dev run` has
        them; `database`: in another than an SQLite file there, as the environment names it.

        Raises:
            SystemExit: it failed; with its exit status.
        """
        with tempfile.TemporaryDirectory(prefix="nine-tables-") as folder:
            own = {"VAR_DIR": folder, "STATIC_BUILT": "on" if built else "off"}
            done = python("-m", "lab", *self.asked, "--here", environment=private_environment() | {**database, **own})
        if done.returncode:
            raise SystemExit(done.returncode)


@contextmanager
def own_database(on_server: bool) -> Iterator[Mapping[str, str]]:
    """A new database that goes away afterwards, as the environment names it; nothing where it is to be SQLite."""
    if not on_server or connection.vendor != "postgresql":
        yield {}
        return
    name = f"bench_{secrets.token_hex(6)}"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield {"DATABASE_URL": urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()}
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def load_demo() -> Demo:
    """Load the demo into this, empty, database. Raises CommandError when there is a club in it."""
    call_command("migrate", verbosity=0, skip_checks=True)
    if Club.objects.exists():
        raise CommandError("--here is for an empty database. Without it a scratch one is made.")
    return load()
