"""Setting a second factor up, and being asked for it."""

from __future__ import annotations

from base64 import b32encode
from time import time
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_totp.models import TOTPDevice

from clubsite.accounts.entrance.devices import remember
from clubsite.accounts.factor import actions
from clubsite.accounts.invitations.codes import qr_of
from clubsite.accounts.models import Club, Role, User
from clubsite.accounts.roles import actor_of, after_log_in, user_of
from clubsite.accounts.throttle import TooManyTries

PENDING = "factor_pending"  # key in the session: whose password was right, by which backend, and when
GIVEN = "factor_given_at"  # key in the session: when the code was given, in seconds since 1970
PENDING_LASTS = 15 * 60  # seconds
OWNER_EVERY = 12 * 3600  # seconds after which the owner's pages ask again


class FactorForm(forms.Form):
    """A code, and whether this device is to be remembered."""

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
    factor = actions.factor_of(user)
    if factor is None or actions.is_excused(request, user, factor=factor):
        return None
    request.session[PENDING] = {"user": user.pk, "backend": user.backend, "at": time()}
    query = f"?{urlencode({'next': to})}" if to else ""
    return redirect(f"{reverse('login_factor')}{query}")


def ask_again(request: HttpRequest) -> HttpResponse | None:
    """On the owner's pages: send somebody with a factor to the page that asks for its code; None if it was given
    lately."""
    user = user_of(request) if request.user.is_authenticated else None
    lately = time() - float(request.session.get(GIVEN, 0)) < OWNER_EVERY
    if user is None or lately or actions.factor_of(user) is None:
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
    factor = actions.factor_of(user) if user is not None else None
    if user is None or factor is None:
        return redirect("login")
    form = FactorForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            if actions.is_right(user=user, code=form.cleaned_data["code"], request=request):
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
        remember(request, user.get_username(), mark=actions.mark_of(factor))
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
    had = actions.factor_of(user)
    if step == "begin" and had is None:
        return _set_up_page(request, actions.begin(user=user), form=form)
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
        codes = actions.confirm(user=user, code=code, request=request)
        if codes is None:
            return None
        made = actions.factor_of(user)
        request.session[GIVEN] = int(time())
        if made is not None:
            remember(request, user.get_username(), mark=actions.mark_of(made))
        return render(request, "accounts/factor/paper.html", {"codes": codes})
    if not actions.is_right(user=user, code=code, request=request):
        return None
    if step == "paper":
        return render(request, "accounts/factor/paper.html", {"codes": actions.new_paper(user=user)})
    actions.take_off(user=user)
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
        if user is not None and actions.reset(user=user, by=actor_of(request)):
            words = _("%(name)s logs in by the password alone, until a new second factor is set up.")
            messages.success(request, words % {"name": user.username})
        return redirect("owner_people")
    users = User.objects.filter(is_active=True).prefetch_related("roles__club").order_by("username")
    with_factor = set(TOTPDevice.objects.filter(confirmed=True).values_list("user", flat=True))
    rows = [{"user": user, "roles": user.roles.all(), "factor": user.pk in with_factor} for user in users]
    return render(request, "accounts/factor/owner_people.html", {"rows": rows})
