"""Second factors: set up, asked for, excused on a device that is known, taken off, reset by the site's owner.

django-otp keeps the key and checks the codes; `clubsite.accounts.throttle` limits the tries.
"""

from __future__ import annotations

import hashlib

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.entrance.addresses import network_of
from clubsite.accounts.entrance.devices import device_of
from clubsite.accounts.invitations.codes import plain, random_code
from clubsite.accounts.log import log_of, log_own
from clubsite.accounts.models import Actor, User
from clubsite.accounts.throttle import Try, forget, spend

APP, PAPER = "phone", "paper"  # django-otp's names of a user's two "devices"
PAPER_CODES, PARTS = 8, 2  # how many codes, and of how many parts each
TRIES_OF_ALL = 20  # wrong codes for one log-in from all addresses together, within `LOGIN_WINDOW`


def factor_of(user: User) -> TOTPDevice | None:
    """The second factor that somebody has set up. One query."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def is_excused(request: HttpRequest, user: User, *, factor: TOTPDevice) -> bool:
    """Whether this device isn't asked for the code, because it was remembered when this factor's code was given on
    it."""
    return constant_time_compare(device_of(request).mark_for(user.get_username()), mark_of(factor))


def mark_of(factor: TOTPDevice) -> str:
    """What the cookie of a remembered device holds for this factor; it changes whenever a factor is set up anew."""
    return salted_hmac("clubsite.accounts.factor", factor.key, algorithm="sha256").hexdigest()[:16]


def begin(*, user: User) -> TOTPDevice:
    """Begin to set a factor up: its key counts once its first code was typed. A second tap returns the same key."""
    with transaction.atomic():
        held = User.objects.select_for_update().get(pk=user.pk)
        begun = TOTPDevice.objects.filter(user=held, confirmed=False).first()
        return begun or TOTPDevice.objects.create(user=held, name=APP, confirmed=False)


def confirm(*, user: User, code: str, request: HttpRequest) -> list[str] | None:
    """Set the factor up by its first code, and return the codes for the paper; None for a wrong code.

    Raises:
        TooManyTries: no code is looked at.
    """
    tries = _tries(user, request)
    spend(*tries)
    with transaction.atomic():
        begun = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
        if begun is None or not begun.verify_token(_digits(code)):
            return None
        TOTPDevice.objects.filter(user=user, confirmed=True).delete()
        TOTPDevice.objects.filter(pk=begun.pk).update(confirmed=True)
        codes = _paper(user)
        log_own(user=user, verb="factor.set-up")
    forget(*tries)
    return codes


def new_paper(*, user: User) -> list[str]:
    """Make new codes for the paper; the former ones stop working."""
    with transaction.atomic():
        codes = _paper(user)
        log_own(user=user, verb="factor.paper")
    return codes


def is_right(*, user: User, code: str, request: HttpRequest) -> bool:
    """Whether a code is the app's current one, or one of those on paper, which is then used up.

    Raises:
        TooManyTries: no code is looked at.
    """
    tries = _tries(user, request)
    spend(*tries)
    with transaction.atomic():
        factor = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
        right = bool(factor is not None and factor.verify_token(_digits(code)))
        if not right and factor is not None:
            paper = StaticDevice.objects.select_for_update().filter(user=user).first()
            right = bool(paper is not None and paper.verify_token(_hashed(code)))
    if right:
        forget(*tries)
    return right


def take_off(*, user: User) -> None:
    """Remove the factor: the password alone logs in from now on."""
    with transaction.atomic():
        if _delete(user):
            log_own(user=user, verb="factor.take-off")


def reset(*, user: User, by: Actor) -> bool:
    """Remove the factor of somebody who lost phone and paper: the password alone logs them in until they set up
    another. Returns whether there was one."""
    with transaction.atomic():
        had = _delete(user)
        if had:
            log_of(user=user, by=by, verb="factor.reset")
    return had


def _delete(user: User) -> bool:
    StaticDevice.objects.filter(user=user).delete()
    gone, _by_model = TOTPDevice.objects.filter(user=user).delete()
    return bool(gone > 0)


def _tries(user: User, request: HttpRequest) -> tuple[Try, ...]:
    window, key = settings.LOGIN_WINDOW, str(user.pk)
    device = device_of(request)
    if device.known_for(user.get_username()):
        return (Try(("factor-device", key, device.key), most=settings.LOGIN_ATTEMPTS, window=window),)
    of_address = Try(("factor", key, network_of(request)), most=settings.LOGIN_ATTEMPTS, window=window)
    return (of_address, Try(("factor-all", key), most=TRIES_OF_ALL, window=window))


def _paper(user: User) -> list[str]:
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name=PAPER)
    codes = [random_code(PARTS) for _code in range(PAPER_CODES)]
    StaticToken.objects.bulk_create([StaticToken(device=device, token=_hashed(code)) for code in codes])
    return codes


def _hashed(code: str) -> str:
    """What the database keeps in place of a code on paper."""
    return hashlib.sha256(plain(code).encode()).hexdigest()[:16]


def _digits(code: str) -> str:
    """The six digits of an app's code, which the app shows in two groups; "" for any other text."""
    typed = "".join(code.split())
    return typed if typed.isascii() and typed.isdecimal() and len(typed) == 6 else ""
