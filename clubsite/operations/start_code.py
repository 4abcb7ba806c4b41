"""The one-time code with which a first visit from another machine sets an empty install up.

It is printed when the site is started, and kept as a hash in the database, so that any host of the site knows it.
Whoever gives it first uses it up. Wrong ones are counted as wrong passwords are: for each address and for all together.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password

from clubsite.accounts.login_attempts import Try, give_back, spend
from clubsite.codes import plain, random_code
from clubsite.jobs.models import Shared

NAME = "start-code"  # the name of its hash in `Shared`
TRIES_OF_ALL = 40  # wrong codes from all addresses together, within `LOGIN_WINDOW`


def new_code() -> str:
    """Make a code in place of any before it. The caller shows it; here only its hash is kept."""
    code = random_code()
    Shared.objects.update_or_create(name=NAME, defaults={"value": make_password(plain(code))})
    return code


def forget_code() -> None:
    """No code opens the site any more."""
    Shared.objects.filter(name=NAME).delete()


def use_code(code: str, *, address: str) -> bool:
    """Whether this is the code, which is then used up.

    Raises:
        TooManyTries: wrong codes were given too often, from this address or in all.
    """
    window = settings.LOGIN_WINDOW
    tries = (
        Try(("start", "code", address), most=settings.LOGIN_ATTEMPTS, window=window),
        Try(("start", "codes"), most=TRIES_OF_ALL, window=window),
    )
    spend(*tries)
    row = Shared.objects.filter(name=NAME).first()
    kept = row.value if row else make_password(None)  # where there is no code, none is right
    if not check_password(plain(code), kept):
        return False
    give_back(*tries)
    used, _rows = Shared.objects.filter(name=NAME, value=kept).delete()  # if two give it at once, only one deletes it
    return bool(used)
