"""Second factors: set up, asked for, excused on a device that is known, taken off, reset by the site's owner.

django-otp keeps the key and checks the codes; `login_attempts` limits the tries.
"""

from __future__ import annotations

import hashlib
from base64 import b32encode
from time import time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.audit_log import log_of, log_own
from clubsite.accounts.login_attempts import TooManyTries, Try, forget, spend
from clubsite.accounts.models import Actor, Club, Role, User
from clubsite.accounts.roles import actor_of, after_log_in, user_of
from clubsite.accounts.sessions import device_of, remember
from clubsite.addresses import network_of
from clubsite.codes import plain, qr_of, random_code

APP, PAPER = "phone", "paper"  # django-otp's names of a user's two "devices"
PAPER_CODES, PARTS = 8, 2  # how many codes, and of how many parts each
TRIES_OF_ALL = 20  # wrong codes for one log-in from all addresses together, within `LOGIN_WINDOW`


def factor_of(user: User) -> TOTPDevice | None:
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


PENDING = "factor_pending"  # key in the session: whose password was right, by which backend, and when
GIVEN = "factor_given_at"  # key in the session: when the code was given, in seconds since 1970
PENDING_LASTS = 15 * 60  # seconds
OWNER_EVERY = 12 * 3600  # seconds after which the owner's pages ask again


class FactorForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "one-time-code", "autocapitalize": "none"}),
        help_text=gettext_lazy("Six digits from your phone, or one of the codes on your paper."),
    )
    remember = forms.BooleanField(
        label=gettext_lazy("Remember this device: it isn't asked again"), required=False, initial=True
    )


def ask(request: HttpRequest, user: User, *, to: str) -> HttpResponse | None:
    """Send somebody whose password was right to the page that asks for the code; None where no code is asked for."""
    factor = factor_of(user)
    if factor is None or is_excused(request, user, factor=factor):
        return None
    request.session[PENDING] = {"user": user.pk, "backend": user.backend, "at": time()}
    query = f"?{urlencode({'next': to})}" if to else ""
    return redirect(f"{reverse('login_factor')}{query}")


def ask_again(request: HttpRequest) -> HttpResponse | None:
    """On the owner's pages: send somebody with a factor to the page that asks for its code; None if it was given
    lately."""
    user = user_of(request) if request.user.is_authenticated else None
    lately = time() - float(request.session.get(GIVEN, 0)) < OWNER_EVERY
    if user is None or lately or factor_of(user) is None:
        return None
    return redirect(f"{reverse('login_factor')}?{urlencode({'next': request.get_full_path()})}")


@never_cache
def login_factor(request: HttpRequest) -> HttpResponse:
    """Ask for the code, after the right password or again before the owner's pages."""
    pending: dict[str, Any] = request.session.get(PENDING, {})
    fresh = time() - float(pending.get("at", 0)) < PENDING_LASTS
    if fresh:
        user = User.objects.filter(pk=int(pending["user"]), is_active=True).first()
    else:
        user = user_of(request) if request.user.is_authenticated else None
    factor = factor_of(user) if user is not None else None
    if user is None or factor is None:
        return redirect("login")
    form = FactorForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if is_right(user=user, code=form.cleaned_data["code"], request=request):
                return _come_in(request, user, factor=factor, pending=pending if fresh else {}, form=form)
            form.add_error("code", _("This is not the code now. The app shows a new one every half minute."))
        except TooManyTries as late:
            form.add_error("code", late.of_codes)
    context = {"form": form, "next": request.GET.get("next", "")}
    return render(request, "accounts/factor/ask.html", context, status=422 if form.errors else 200)


def _come_in(
    request: HttpRequest, user: User, *, factor: TOTPDevice, pending: dict[str, Any], form: FactorForm
) -> HttpResponse:
    if pending:
        login(request, user, backend=pending["backend"])
        request.session.pop(PENDING, None)
    request.session[GIVEN] = int(time())
    if form.cleaned_data["remember"]:
        remember(request, user.get_username(), mark=mark_of(factor))
    to = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(to, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return redirect(to if safe else after_log_in(user))


@never_cache
@login_required
def factor(request: HttpRequest) -> HttpResponse:
    """The user's own second factor: set it up, print new codes, remove it."""
    user = user_of(request)
    step = request.POST.get("step", "") if request.method == "POST" else ""
    form = FactorForm(request.POST if step in ("confirm", "paper", "off") else None)
    form.fields.pop("remember")
    had = factor_of(user)
    if step == "begin" and had is None:
        return _set_up_page(request, begin(user=user), form=form)
    if form.is_bound and form.is_valid():
        try:
            if (answer := _done(request, user, step=step, code=form.cleaned_data["code"])) is not None:
                return answer
            form.add_error("code", _("This is not the code now. The app shows a new one every half minute."))
        except TooManyTries as late:
            form.add_error("code", late.of_codes)
    begun = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    if step == "confirm" and had is None and begun is not None:
        return _set_up_page(request, begun, form=form, status=422)
    asking = Club.objects.filter(roles__user=user, roles__kind=Role.Kind.DIRECTOR, second_factor=True)
    context = {"form": form, "factor": had, "asking": asking}
    return render(request, "accounts/factor/factor.html", context, status=422 if form.errors else 200)


def _done(request: HttpRequest, user: User, *, step: str, code: str) -> HttpResponse | None:
    """The answer to a step with a code; None where the code is wrong."""
    if step == "confirm":
        codes = confirm(user=user, code=code, request=request)
        if codes is None:
            return None
        made = factor_of(user)
        request.session[GIVEN] = int(time())
        if made is not None:
            remember(request, user.get_username(), mark=mark_of(made))
        return render(request, "accounts/factor/paper.html", {"codes": codes})
    if not is_right(user=user, code=code, request=request):
        return None
    if step == "paper":
        return render(request, "accounts/factor/paper.html", {"codes": new_paper(user=user)})
    take_off(user=user)
    messages.success(request, _("Taken off: your password alone logs you in."))
    return redirect("factor")


def _set_up_page(request: HttpRequest, begun: TOTPDevice, *, form: FactorForm, status: int = 200) -> HttpResponse:
    key = b32encode(begun.bin_key).decode()
    form.fields["code"].help_text = _("Six digits, which the app shows once it has scanned the picture.")
    context = {
        "form": form,
        "qr": qr_of(begun.config_url),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    }
    return render(request, "accounts/factor/set_up.html", context, status=status)


@never_cache
def owner_people(request: HttpRequest) -> HttpResponse:
    """For the site's owner: everybody who logs in, with their clubs; a second factor that is lost is reset here."""
    if (asked := ask_again(request)) is not None:
        return asked
    if request.method == "POST":
        pk = request.POST.get("user", "")
        user = User.objects.filter(pk=int(pk)).first() if pk.isdecimal() and len(pk) < 18 else None
        if user is not None and reset(user=user, by=actor_of(request)):
            words = _("%(name)s logs in by the password alone, until a new second factor is set up.")
            messages.success(request, words % {"name": user.username})
        return redirect("owner_people")
    users = User.objects.filter(is_active=True).prefetch_related("roles__club").order_by("username")
    with_factor = set(TOTPDevice.objects.filter(confirmed=True).values_list("user", flat=True))
    rows = [{"user": user, "roles": user.roles.all(), "factor": user.pk in with_factor} for user in users]
    return render(request, "accounts/factor/owner_people.html", {"rows": rows})
