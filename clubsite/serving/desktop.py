"""A start without a terminal: the browser opens, a file takes what a console would show, and a fault is a page."""

import os
import sys
import tempfile
import webbrowser
from collections.abc import Callable
from html import escape
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from traceback import print_exc
from typing import TextIO
from urllib.request import ProxyHandler, build_opener

from clubsite.serving.web import CannotServe, Place

LOG = "nine-tables.log"  # in the folder of data
RUNNING = "site/running/"  # the page that says that the site runs, and stops it
PROOF = "Nine-Tables"  # the header by which that page proves whose data it shows
ANSWERS_WITHIN = 60  # seconds: a program that has just been started brings its tables up to date first


def has_display() -> bool:
    """Whether the person who starts the site sits at this computer's screen."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in {"win32", "darwin"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_browser(address: str) -> None:
    """Open the browser and don't wait for it: some systems' browsers hold up the program that opened them."""
    Thread(target=webbrowser.open, args=[address], daemon=True).start()


def proof() -> str:
    """Only a site with the same data and secret key can answer this."""
    from django.conf import settings
    from django.utils.crypto import salted_hmac

    return salted_hmac("nine-tables.running", str(settings.VAR_DIR)).hexdigest()


def is_running_at(place: Place) -> bool:
    """Whether the program at a place is this site, with the same data, as its page proves."""
    try:
        answer = build_opener(ProxyHandler({})).open(f"{place.url}{RUNNING}", timeout=ANSWERS_WITHIN)
        with answer:
            return bool(answer.headers.get(PROOF) == proof())
    except (OSError, HTTPException):
        return False


def run_without_window(serving: Callable[[TextIO], None], folder: Path) -> int:
    """Run `serving` with a file in the folder of data in place of a console. Returns the exit status; where the site
    can't be served, a page in the browser says why."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = (folder / LOG).open("a", encoding="utf-8", buffering=1)
        sys.stdout = sys.stderr = log
        serving(log)
    except (CannotServe, OSError) as problem:
        return _show_problem(str(problem))
    except SystemExit as end:
        return _show_problem(end.code) if isinstance(end.code, str) else int(end.code or 0)
    except Exception:  # noqa: BLE001  (nobody would see it)
        print_exc()
        return _show_problem(f"The program failed. Send the file {folder / LOG} to the people who maintain it.")
    return 0


def _show_problem(sentence: str) -> int:
    page = Path(tempfile.mkdtemp()) / "nine-tables.html"
    page.write_text(
        '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Nine Tables</title>'
        f"<h1>Nine Tables can't start</h1><p>{escape(sentence)}</p>",
        encoding="utf-8",
    )
    webbrowser.open(page.as_uri())
    return 1
