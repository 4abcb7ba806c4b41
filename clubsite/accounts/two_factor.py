"""Second factors: set up, asked for, excused on a known device, removed, reset by the site's owner.

django-otp keeps the key and checks the codes; `login_attempts` limits the tries.
"""

import hashlib
from base64 import b32encode
from collections.abc import Callable
from functools import partial
from time import time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.audit_log import log_about_user, log_own
from clubsite.accounts.login_attempts import TooManyTries, Try, clear_tries, spend
from clubsite.accounts.models import Actor, Club, Role, User
from clubsite.accounts.roles import logged_in_user, page_after_log_in, request_actor
from clubsite.accounts.sessions import read_device, remember_device
from clubsite.addresses import client_network
from clubsite.codes import normalize_code, qr_svg, random_code

APP, PAPER = "phone", "paper"  # django-otp's names of a user's two "devices"
PAPER_CODES, PARTS = 8, 2  # how many codes, and of how many parts each
TRIES_OF_ALL = 20  # wrong codes for one log-in from all addresses together, within `LOGIN_WINDOW`
PENDING = "factor_pending"  # key in the session: whose password was right, by which backend, and when
GIVEN = "factor_given_at"  # key in the session: when the code was given, in seconds since 1970
PENDING_LASTS = 15 * 60  # seconds
OWNER_EVERY = 12 * 3600  # seconds after which the owner's pages ask again


def find_factor(user: User) -> TOTPDevice | None:
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def factor_mark(factor: TOTPDevice) -> str:
    """Identifies this factor in the cookie of a device that isn't asked for it."""
    return salted_hmac("clubsite.accounts.factor", factor.key, algorithm="sha256").hexdigest()[:16]


def begin_set_up(*, user: User) -> TOTPDevice:
    """The factor's key counts once its first code is typed. A second tap returns the same key."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        return TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": APP})[0]


def confirm_set_up(*, user: User, code: str, request: HttpRequest) -> list[str]:
    """Set up the factor with its first code. Returns the codes for the paper, none for a wrong code. Raises
    TooManyTries without checking the code."""
    tries = _tries(user, request)
    spend(*tries)
    with transaction.atomic():
        begun = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
        if begun is None or not begun.verify_token(_digits(code)):
            return []
        TOTPDevice.objects.filter(user=user, confirmed=True).delete()
        TOTPDevice.objects.filter(pk=begun.pk).update(confirmed=True)
        codes = make_paper_codes(user=user, verb="factor.set-up")
    clear_tries(*tries)
    return codes


def make_paper_codes(*, user: User, verb: str = "factor.paper") -> list[str]:
    """Make new codes for the paper; the former ones stop working. Only their hashes are stored."""
    codes = [random_code(PARTS) for _code in range(PAPER_CODES)]
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name=PAPER)
        StaticToken.objects.bulk_create([StaticToken(device=device, token=_hash_code(code)) for code in codes])
        log_own(user=user, verb=verb)
    return codes


def is_right_code(*, user: User, code: str, request: HttpRequest) -> bool:
    """Whether a code is the app's current one, or one of those on paper, which is then used up. Raises TooManyTries
    without checking the code."""
    tries = _tries(user, request)
    spend(*tries)
    with transaction.atomic():
        factor = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
        right = bool(factor and factor.verify_token(_digits(code)))
        if factor and not right:
            paper = StaticDevice.objects.select_for_update().filter(user=user).first()
            right = bool(paper and paper.verify_token(_hash_code(code)))
    if right:
        clear_tries(*tries)
    return right


def remove_factor(*, user: User, by: Actor | None = None) -> bool:
    """Let the password alone log in. `by` is the owner, where phone and paper are lost. Returns whether there was a
    factor."""
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        had = bool(TOTPDevice.objects.filter(user=user).delete()[0])
        if had and by:
            log_about_user(user=user, by=by, verb="factor.reset")
        elif had:
            log_own(user=user, verb="factor.take-off")
    return had


def _tries(user: User, request: HttpRequest) -> tuple[Try, ...]:
    window, key = settings.LOGIN_WINDOW, str(user.pk)
    device = read_device(request)
    if device.is_known_for(user.get_username()):
        return (Try(("factor-device", key, device.key), most=settings.LOGIN_ATTEMPTS, window=window),)
    of_address = Try(("factor", key, client_network(request)), most=settings.LOGIN_ATTEMPTS, window=window)
    return (of_address, Try(("factor-all", key), most=TRIES_OF_ALL, window=window))


def _hash_code(code: str) -> str:
    return hashlib.sha256(normalize_code(code).encode()).hexdigest()[:16]


def _digits(code: str) -> str:
    """The six digits of an app's code, which the app shows in two groups; "" for any other text."""
    typed = "".join(code.split())
    return typed if typed.isascii() and typed.isdecimal() and len(typed) == 6 else ""


class FactorForm(forms.Form):
    code = forms.CharField(
        label=gettext_lazy("Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "text", "autocomplete": "one-time-code", "autocapitalize": "none"}),
        help_text=gettext_lazy("Six digits from your phone, or one of your printed codes."),
    )
    remember = forms.BooleanField(
        label=gettext_lazy("Remember this device: it isn't asked again"), required=False, initial=True
    )

    def __init__(self, *args: Any, check: Callable[..., Any], **kwargs: Any) -> None:
        """`check` is a function such as `is_right_code`; `checked` is then what it returned."""
        super().__init__(*args, **kwargs)
        self.check, self.checked = check, None

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        try:
            self.checked = self.check(code=code)
        except TooManyTries as late:
            raise ValidationError(late.code_message) from None
        if not self.checked:
            raise ValidationError(_("That isn't the current code. The app shows a new one every half minute."))
        return code


def ask_for_code(request: HttpRequest, user: User, *, to: str) -> HttpResponse | None:
    """Redirect somebody whose password was right to the page that asks for the code; None where they have no factor, or
    this device was remembered."""
    factor = find_factor(user)
    if factor is None or constant_time_compare(read_device(request).mark_for(user.get_username()), factor_mark(factor)):
        return None
    request.session[PENDING] = {"user": user.pk, "backend": user.backend, "at": time()}
    query = f"?{urlencode({'next': to})}" if to else ""
    return redirect(f"{reverse('login_factor')}{query}")


def ask_owner_again(request: HttpRequest) -> HttpResponse | None:
    """On the owner's pages: redirect somebody with a factor to the page that asks for its code; None if it was given
    lately."""
    user = logged_in_user(request) if request.user.is_authenticated else None
    lately = time() - float(request.session.get(GIVEN, 0)) < OWNER_EVERY
    if user is None or lately or find_factor(user) is None:
        return None
    return redirect(f"{reverse('login_factor')}?{urlencode({'next': request.get_full_path()})}")


@never_cache
def login_factor(request: HttpRequest) -> HttpResponse:
    pending: dict[str, Any] = request.session.get(PENDING, {})
    if time() - float(pending.get("at", 0)) >= PENDING_LASTS:
        pending = {}
    if pending:
        user = User.objects.filter(pk=int(pending["user"]), is_active=True).first()
    else:
        user = logged_in_user(request) if request.user.is_authenticated else None
    factor = find_factor(user) if user is not None else None
    if user is None or factor is None:
        return redirect("login")
    form = FactorForm(request.POST or None, check=partial(is_right_code, user=user, request=request))
    if not form.is_valid():
        return render(request, "accounts/two_factor/ask.html", {"form": form}, status=422 if form.errors else 200)
    if pending:
        login(request, user, backend=pending["backend"])
        request.session.pop(PENDING, None)
    request.session[GIVEN] = int(time())
    if form.cleaned_data["remember"]:
        remember_device(request, user.get_username(), mark=factor_mark(factor))
    to = request.GET.get("next", "")
    safe = url_has_allowed_host_and_scheme(to, allowed_hosts={request.get_host()}, require_https=request.is_secure())
    return redirect(to if safe else page_after_log_in(user))


@never_cache
@login_required
def factor(request: HttpRequest) -> HttpResponse:
    user, step = logged_in_user(request), request.POST.get("step", "")
    check = partial(confirm_set_up if step == "confirm" else is_right_code, user=user, request=request)
    form = FactorForm(request.POST if step in ("confirm", "paper", "off") else None, check=check)
    del form.fields["remember"]
    had = find_factor(user)
    if step == "begin" and had is None:
        return _set_up_page(request, begin_set_up(user=user), form=form)
    if form.is_valid() and step == "off":
        remove_factor(user=user)
        messages.success(request, _("Second factor removed: you log in with just your password."))
        return redirect("factor")
    if form.is_valid():
        codes = form.checked if step == "confirm" else make_paper_codes(user=user)
        if step == "confirm" and (factor := find_factor(user)):
            request.session[GIVEN] = int(time())
            remember_device(request, user.get_username(), mark=factor_mark(factor))
        return render(request, "accounts/two_factor/paper.html", {"codes": codes})
    begun = TOTPDevice.objects.filter(user=user, confirmed=False).first()
    if step == "confirm" and had is None and begun is not None:
        return _set_up_page(request, begun, form=form, status=422)
    asking = Club.objects.filter(roles__user=user, roles__kind=Role.Kind.DIRECTOR, second_factor=True)
    context = {"form": form, "factor": had, "asking": asking}
    return render(request, "accounts/two_factor/two_factor.html", context, status=422 if form.errors else 200)


def _set_up_page(request: HttpRequest, begun: TOTPDevice, *, form: FactorForm, status: int = 200) -> HttpResponse:
    key = b32encode(begun.bin_key).decode()
    form.fields["code"].help_text = _("The six digits that the app shows after you scan the picture.")
    context = {
        "form": form,
        "qr": qr_svg(begun.config_url),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
    }
    return render(request, "accounts/two_factor/set_up.html", context, status=status)


@never_cache
def owner_people(request: HttpRequest) -> HttpResponse:
    """For the site's owner: everybody who logs in, with their clubs; lost second factors are reset here."""
    if (response := ask_owner_again(request)) is not None:
        return response
    if request.method == "POST":
        pk = request.POST.get("user", "")
        user = User.objects.filter(pk=int(pk)).first() if pk.isdecimal() and len(pk) < 18 else None
        if user is not None and remove_factor(user=user, by=request_actor(request)):
            words = _("%(name)s logs in with just the password until they set up a new second factor.")
            messages.success(request, words % {"name": user.username})
        return redirect("owner_people")
    users = User.objects.filter(is_active=True).prefetch_related("roles__club").order_by("username")
    with_factor = set(TOTPDevice.objects.filter(confirmed=True).values_list("user", flat=True))
    rows = [{"user": user, "roles": user.roles.all(), "factor": user.pk in with_factor} for user in users]
    return render(request, "accounts/two_factor/owner_people.html", {"rows": rows})
