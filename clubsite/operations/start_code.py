"""The one-time code with which a first visit from another machine sets an empty install up.

It is printed when the site is started, and stored as a hash in the database, so that any host of the site knows it.
Wrong ones are counted like wrong passwords: for each address and for all together.
"""

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password

from clubsite.accounts.login_attempts import Try, give_back, spend
from clubsite.codes import normalize_code, random_code
from clubsite.jobs.models import Shared

NAME = "start-code"  # the name of its hash in `Shared`
TRIES_OF_ALL = 40  # wrong codes from all addresses together, within `LOGIN_WINDOW`


def new_code() -> str:
    """Replaces any code before it. Only its hash is stored."""
    code = random_code()
    Shared.objects.update_or_create(name=NAME, defaults={"value": make_password(normalize_code(code))})
    return code


def forget_code() -> None:
    Shared.objects.filter(name=NAME).delete()


def use_code(code: str, *, address: str) -> bool:
    """Whether this is the code, which is then used up. Raises TooManyTries after too many wrong ones, from this address
    or in all."""
    window = settings.LOGIN_WINDOW
    of_address = Try(("start", "code", address), most=settings.LOGIN_ATTEMPTS, window=window)
    tries = of_address, Try(("start", "codes"), most=TRIES_OF_ALL, window=window)
    spend(*tries)
    row = Shared.objects.filter(name=NAME).first()
    if row is None or not check_password(normalize_code(code), row.value):
        return False
    give_back(*tries)
    used, _rows = Shared.objects.filter(name=NAME, value=row.value).delete()  # if two give it at once, only one does
    return bool(used)
