"""Measuring and taking pictures on a demo of their own, so that nobody's data is touched.

The command starts itself again with `--here` in a folder that goes away afterwards: there it finds an empty
SQLite file, loads the demo, and does its work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence

from django.conf import settings
from django.core.management import CommandError, call_command

from clubsite.accounts.models import Club
from clubsite.ops.demo import SMALL, WHOLE, Demo, load

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


def again_in_scratch(arguments: Sequence[str], *, built: bool = False) -> int:
    """Run `manage.py ARGUMENTS --here` in a scratch folder; `built`: with static files as `./dev run` has them.

    Returns its exit status.
    """
    with tempfile.TemporaryDirectory(prefix="nine-tables-") as folder:
        environment = {name: value for name, value in os.environ.items() if name not in LEFT_OUT}
        done = subprocess.run(  # noqa: S603  (our own command)
            [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments, "--here"],
            env=environment | {"VAR_DIR": folder, "STATIC_BUILT": "on" if built else "off"},
            check=False,
        )
        return done.returncode


def demo_here(*, small: bool, say: Callable[[str], None]) -> Demo:
    """Load the demo into this, empty, database. Raises CommandError when there is a club in it."""
    call_command("migrate", verbosity=0, skip_checks=True)
    if Club.objects.exists():
        raise CommandError("--here is for an empty database. Without it a scratch one is made.")
    return load(size=SMALL if small else WHOLE, say=say)
