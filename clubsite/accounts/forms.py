"""Forms of the accounts app."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubsite.accounts import throttle
from clubsite.accounts.models import Club, Role, User


class LoginForm(AuthenticationForm):
    """Name and password, with a limit on wrong tries per name and address."""

    error_messages = {
        "invalid_login": _("That name and password don't belong together. Capital letters count in both."),
        "inactive": _("This account is switched off. Ask a director of your club."),
        "throttled": _("Too many wrong passwords. Wait %(minutes)d minutes, then try again."),
    }

    def clean(self) -> dict[str, Any]:
        """Check name and password. Raises ValidationError after too many wrong tries, whatever the password."""
        address = throttle.address_of(self.request) if self.request else ""
        key = ("login", self.cleaned_data.get("username", "").lower(), address)
        window = settings.LOGIN_WINDOW
        if throttle.tries(*key, window=window) >= settings.LOGIN_ATTEMPTS:
            raise ValidationError(self.error_messages["throttled"], code="throttled", params={"minutes": window // 60})
        try:
            cleaned = super().clean()
        except ValidationError:
            throttle.count(*key, window=window)
            raise
        throttle.forget(*key)
        return cleaned


class NewPersonForm(forms.Form):
    """Someone who will log in to a club."""

    username = forms.CharField(
        label=_("Log-in name"),
        max_length=150,
        validators=User._meta.get_field("username").validators,
        help_text=_("Letters, digits and . _ - only, for example ann.abel."),
    )
    full_name = forms.CharField(
        label=_("Name"), max_length=140, help_text=_("As it should stand beside what they record.")
    )
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices)
    password = forms.CharField(
        label=_("First password"),
        widget=forms.PasswordInput,
        help_text=_("At least ten characters. They can change it after logging in."),
    )

    def clean_password(self) -> str:
        """A password by the site's rules. Raises ValidationError otherwise."""
        password: str = self.cleaned_data["password"]
        validate_password(password, User(username=self.cleaned_data.get("username", "")))
        return password


class ClubForm(forms.ModelForm):
    """What a director may change about the club."""

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
        ]
