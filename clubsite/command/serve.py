"""From a start to a site that answers: the tables, the static files, a worker, and the web server.

One process prepares everything, because loading Django is what a start takes its time for; then it starts the worker
and becomes the web server.
"""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library
from dataclasses import dataclass
from pathlib import Path

import clubsite.sqlite  # noqa: F401  (before Django loads sqlite3)
from clubsite.places import INSTALLED

WORKERS, THREADS = 2, 4  # processes of the web, and requests that each answers at once
PANGO = "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"  # Debian's packages


@dataclass(frozen=True, slots=True)
class Listening:
    """Where the web server listens, and by which certificate, if it does so over TLS."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None


def serve(listening: Listening, *, address: str) -> None:
    """Bring everything up to date and serve until told to stop. `address`: where it is to be opened."""
    prepare()
    start_worker()
    print("Open", address, "(Ctrl-C stops, the data stays)", flush=True)
    serve_web(listening)


def prepare() -> None:
    """Make or migrate the tables, after a backup; build the static files; say what whoever starts it should know."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connections

    if INSTALLED:
        print("Data is kept in", settings.VAR_DIR, flush=True)
        if sys.platform == "linux" and not find_library("pango-1.0"):
            print(f"PDFs are off, for want of Pango: apt-get install --no-install-recommends {PANGO}", file=sys.stderr)
    call_command("backup", before_migrating=True)
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("start_code")  # says nothing but in an empty install
    connections.close_all()  # no process of the web may inherit one


def start_worker() -> None:
    """Have draws and PDFs made beside the web, by a process that ends with this one."""
    from django.conf import settings

    if settings.TASKS_APART:
        beside = ["worker", "--beside", str(os.getpid())]
        subprocess.Popen([sys.executable, "-m", "clubsite.command", "manage", *beside])  # noqa: S603  (our own)


def serve_web(listening: Listening) -> None:
    """Answer requests until told to stop."""
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces, SSLProtocols
    from granian.http import HTTP1Settings
    from granian.log import LogLevels

    Granian(
        "clubsite.wsgi:application",
        address=listening.host,
        port=listening.port,
        interface=Interfaces.WSGI,
        workers=WORKERS,
        blocking_threads=THREADS,
        http=HTTPModes.auto if listening.certificate else HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=10_000),
        websockets=False,
        log_level=LogLevels.warning,
        respawn_failed_workers=True,
        ssl_cert=listening.certificate,
        ssl_key=listening.key,
        ssl_protocol_min=SSLProtocols.tls12,  # phones that are ten years old
    ).serve()
