"""The one-time code with which a first visit from another machine sets an empty install up.

It is printed when the site is started, and kept as a hash in a file that only this user can read; whoever gives it
first uses it up. Wrong ones are counted as wrong passwords are: for each address, and for all together.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password

from clubsite.accounts.throttle import Try, give_back, spend

ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no letters that look alike
PARTS, LETTERS = 3, 4
TRIES_OF_ALL = 40  # wrong codes from all addresses together, within the window of log-ins


def new_code() -> str:
    """Make a code in place of any before it. The caller shows it; here only its hash is kept."""
    code = "-".join("".join(secrets.choice(ALPHABET) for _n in range(LETTERS)) for _part in range(PARTS))
    fresh = _file().with_suffix(".new")
    fresh.unlink(missing_ok=True)
    handle = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w") as out:
        out.write(make_password(_plain(code)))
    fresh.replace(_file())
    return code


def forget_code() -> None:
    """No code opens the site any more."""
    _file().unlink(missing_ok=True)


def use_code(code: str, *, address: str) -> bool:
    """Whether this is the code; then it is used up.

    Raises:
        TooManyTries: wrong codes were given too often, from this address or in all.
    """
    window = settings.LOGIN_WINDOW
    tries = (
        Try(("start", "code", address), most=settings.LOGIN_ATTEMPTS, window=window),
        Try(("start", "codes"), most=TRIES_OF_ALL, window=window),
    )
    spend(*tries)
    try:
        kept = _file().read_text()
    except FileNotFoundError:
        kept = make_password(None)  # no code is right
    if not check_password(_plain(code), kept):
        return False
    give_back(*tries)
    try:
        _file().unlink()  # of two who give it at once, one finds it
    except FileNotFoundError:
        return False
    return True


def _plain(code: str) -> str:
    """The code's letters: capitals, spaces and hyphens don't count."""
    return "".join(ch for ch in code.lower() if ch.isalnum())


def _file() -> Path:
    return Path(settings.VAR_DIR) / "start-code"
