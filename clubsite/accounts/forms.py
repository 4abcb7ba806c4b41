"""Forms of the accounts app."""

from __future__ import annotations

import zoneinfo
from functools import cache
from itertools import groupby
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.invitations import AcceptForm
from clubsite.accounts.login_attempts import PAUSE, TooManyTries, Try, forget, give_back, spend, tries_of
from clubsite.accounts.models import Club, Role
from clubsite.accounts.starting import username_like

AREAS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def zones(*, beside: str) -> list[Any]:
    """Time zones under the names of their continents, as a select shows them; any other, such as UTC, comes first."""
    known = _known_zones()
    others = sorted({"UTC", beside} - set(known))
    grouped = [
        (area, [(name, name.partition("/")[2].replace("_", " ").replace("/", ", ")) for name in names])
        for area, names in groupby(known, key=lambda name: name.partition("/")[0])
    ]
    return [*((name, name) for name in others), *grouped]


@cache
def _known_zones() -> list[str]:
    """The zones of the continents, in order; the system's files are looked through once."""
    return sorted(name for name in zoneinfo.available_timezones() if name.partition("/")[0] in AREAS)


class LoginForm(AuthenticationForm):
    """Name and password, with limits on wrong tries: see `clubsite.accounts.login_attempts`."""

    error_messages = {
        "invalid_login": _("That name and password don't belong together. Capital letters count in both."),
        "inactive": _("This account is switched off. Ask a director of your club."),
        "throttled": _("Too many wrong passwords. Wait %(minutes)d minutes, then try again."),
        "slowed": _("Somebody may be guessing this password. Wait %(seconds)d seconds, then try again."),
    }

    def clean_username(self) -> str:
        """The log-in name. One with a space is a person's name, from which theirs was made: no log-in name has any."""
        name = str(self.cleaned_data["username"]).strip()
        return username_like(name) if " " in name else name

    def clean(self) -> dict[str, Any]:
        """Check name and password. Raises ValidationError after too many wrong tries, whatever the password."""
        own, shared = tries_of(self.request, self.cleaned_data.get("username", ""))
        try:
            spend(own, *shared)
        except TooManyTries as late:
            code = "throttled" if late.wait > PAUSE else "slowed"
            params = {"minutes": late.minutes, "seconds": late.wait}
            raise ValidationError(self.error_messages[code], code=code, params=params) from None
        cleaned = super().clean()
        forget(own)
        give_back(*shared)
        return cleaned


class OwnPasswordForm(PasswordChangeForm):
    """The old password and twice the new one, with a limit on wrong old ones: a phone may lie open on a table."""

    error_messages = {
        **PasswordChangeForm.error_messages,
        "throttled": LoginForm.error_messages["throttled"],
    }

    def __init__(self, *args: Any, network: str = "", **kwargs: Any) -> None:
        """`network` is where the request comes from."""
        super().__init__(*args, **kwargs)
        parts = ("password", str(self.user.pk), network)
        self.tried = Try(parts, most=settings.LOGIN_ATTEMPTS, window=settings.LOGIN_WINDOW)

    def clean_old_password(self) -> str:
        """The password as it is now. Raises ValidationError for another one, and after too many."""
        try:
            spend(self.tried)
        except TooManyTries as late:
            params = {"minutes": late.minutes}
            raise ValidationError(self.error_messages["throttled"], code="throttled", params=params) from None
        old: str = super().clean_old_password()
        forget(self.tried)
        return old


class NewPersonForm(AcceptForm):
    full_name = forms.CharField(
        label=_("Name"), max_length=140, help_text=_("As it should stand beside what they record.")
    )
    kind = forms.ChoiceField(
        label=_("Role"),
        choices=[(value, label) for value, label in Role.Kind.choices if value != Role.Kind.MEMBER],
        initial=Role.Kind.SCOREKEEPER,
        help_text=_("A member is invited, so that it is known whose page is theirs."),
    )
    password = forms.CharField(
        label=_("First password"),
        widget=forms.PasswordInput,
        help_text=_("At least ten characters. They can change it after logging in."),
    )
    email = None  # type: ignore[assignment]  # Django: no such field. They say it themselves, since it opens the log-in
    field_order = ("username", "full_name", "kind", "password")


class ClubForm(forms.ModelForm):
    class Meta:
        model = Club
        fields = [
            "name",
            "language",
            "time_zone",
            "date_place",
            "paper",
            "correction_minutes",
            "agreement",
            "link_hours",
            "currency",
            "second_factor",
        ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        zone.widget = forms.Select(choices=zones(beside=self.instance.time_zone))
        zone.help_text = _("The nearest large city. Nights already planned keep their moment, so their hour changes.")

    def clean_currency(self) -> str:
        """Keep the currency once an amount is written down: in another it would mean something else. Raises
        ValidationError."""
        wanted: str = self.cleaned_data["currency"]
        if self.instance.currency_stands and wanted != self.instance.currency:
            raise ValidationError(
                _("Amounts are written in this currency already: it stays %(currency)s."),
                params={"currency": self.instance.get_currency_display()},
            )
        return wanted
