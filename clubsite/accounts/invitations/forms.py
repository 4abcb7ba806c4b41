"""Forms of invitations and lost passwords."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import UsernameField
from django.contrib.auth.password_validation import validate_password
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club, Member, Role, User
from clubsite.accounts.names.fields import PersonField


class InviteForm(forms.Form):
    """Who is invited, and to what."""

    name = forms.CharField(label=_("Name"), max_length=140, help_text=_("As it should stand beside what they record."))
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCOREKEEPER)
    member = PersonField(
        Member.objects.none(),
        label=_("Who they are on the list of members"),
        required=False,
        empty_label=_("not on the list"),
        help_text=_("So they see their own page. For the role of a member it has to be said."),
    )
    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Left empty, you print a slip with a code for them.")
    )

    def __init__(self, *args: Any, club: Club, mail: bool, **kwargs: Any) -> None:
        """Without `mail` nobody is asked for an address."""
        super().__init__(*args, **kwargs)
        chosen = self.fields["member"]
        if isinstance(chosen, forms.ModelChoiceField):
            chosen.queryset = Member.objects.filter(club=club, erased_at=None)
        if not mail:
            del self.fields["email"]

    def clean(self) -> dict[str, Any]:
        """Refuse the role of a member without the member it is for."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == Role.Kind.MEMBER and not cleaned.get("member"):
            self.add_error("member", _("Say which member it is: their own page is all that the role opens."))
        return cleaned


class SlipCodeForm(forms.Form):
    """The code of a slip."""

    code = forms.CharField(
        label=_("Code"), max_length=40, widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"})
    )


class NewPasswordForm(forms.Form):
    """A password, chosen by whoever will use it."""

    password = forms.CharField(
        label=_("Password"),
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("At least ten characters: three words that only you put together are good."),
    )

    def __init__(self, *args: Any, user: User | None = None, **kwargs: Any) -> None:
        """`user` is whose password it is to be, where that is known."""
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """A password by the site's rules. Raises ValidationError otherwise."""
        password: str = self.cleaned_data["password"]
        validate_password(password, self.user or User(username=self.cleaned_data.get("username", "")))
        return password


class AcceptForm(NewPasswordForm):
    """A new log-in, chosen by whoever was invited."""

    username = UsernameField(
        label=_("Log-in name"),
        max_length=150,
        validators=User._meta.get_field("username").validators,
        help_text=_("Letters, digits and . _ - only, for example ann.abel."),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Your own address: if you forget your password, a link to set a new one goes there."),
    )
    field_order: tuple[str, ...] = ("username", "password", "email")


class LostForm(forms.Form):
    """Where a link to a new password goes."""

    email = forms.EmailField(
        label=_("E-mail"),
        max_length=254,  # no longer one is anybody's
        error_messages={"max_length": _("This is no address.")},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
