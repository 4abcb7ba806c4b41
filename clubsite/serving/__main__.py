"""Serve the site from a checkout, everything made ready: what `./dev run` starts.

One process for all of it, because loading Django is what a start takes its time for.
"""

from __future__ import annotations

import os
import sys

import clubsite.sqlite  # noqa: F401  (before Django loads sqlite3)
from clubsite.serving.beside import Beside
from clubsite.serving.web import CannotServe, Place, address_of, place_from, serve


def main() -> int:
    """Migrate, build static files, start the worker, serve. Returns the exit status."""
    try:
        place = place_from(os.environ)
        address_of(place)  # before anything is changed
        _made_ready()
        stopped = _served(place)
    except CannotServe as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    if not stopped:
        sys.stderr.write(
            "The web server ended by itself, again and again, so everything was stopped. The data is safe; what stands "
            "above says why. Start it again.\n"
        )
    return 0 if stopped else 1


def _made_ready() -> None:
    import django
    from django.core.management import call_command
    from django.db import connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clubsite.settings")
    django.setup()
    call_command("ready")
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("start_code")  # says nothing but in an empty install
    connections.close_all()  # no process of the web may inherit one


def _served(place: Place) -> bool:
    """Serve, with a worker beside it where draws and PDFs are made apart from the web."""
    from django.conf import settings

    worker = None
    if settings.TASKS_APART:
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--beside", str(os.getpid())]
        worker = Beside(command, say=lambda sentence: sys.stderr.write(f"{sentence}\n"))
        worker.start()
    sys.stdout.write(f"Open {place.url} (Ctrl-C stops, the data stays)\n")
    sys.stdout.flush()
    try:
        return serve(place)
    finally:
        if worker is not None:
            worker.stop()


if __name__ == "__main__":
    sys.exit(main())
