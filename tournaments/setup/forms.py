"""What the guided start offers and asks: rule sets for a newcomer, its forms, and guesses where a club is."""

import zoneinfo
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms
from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.http import HttpRequest
from django.utils.translation import get_language, gettext_lazy as _, pgettext_lazy

from clubsite.accounts.languages import preferred_place, preferred_region
from clubsite.accounts.models import Club, Member, User
from clubsite.accounts.views import time_zone_choices
from clubsite.names import PeopleField
from scoring.form_parts import NumberField
from scoring.templatetags.rule_texts import translated
from tournaments.draws.words import LEFT_OVER, odd_options
from tournaments.entries.forms import ListForm
from tournaments.events.actions import GameChoice
from tournaments.events.forms import LongAgoForm, MomentField
from tournaments.setup.night import NightPlan


class StartCodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("It is in the window where the site was started, and works once."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class StartClubForm(forms.ModelForm):
    class Meta:
        model = Club
        fields = ["name", "time_zone", "language", "date_place", "paper"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zone = self.fields["time_zone"]
        zone.label = _("Time zone: the nearest large city")
        zone.widget = forms.Select(
            choices=time_zone_choices(beside=self.initial["time_zone"]),
            attrs={"data-guess-zone": "", "autocomplete": "off"},  # start.js fills in the browser's
        )
        self.fields["name"].label = _("Name of the club")
        self.fields["name"].help_text = _("For example: St. Anne Card Club.")
        self.fields["name"].widget.attrs |= {"autofocus": True, "autocomplete": "organization"}


class DirectorForm(forms.Form):
    """The club's director. `hashed` is the hash of a password typed on an earlier visit, so that it may be left out."""

    full_name = forms.CharField(
        label=_("Your name"),
        max_length=140,
        help_text=_("It is shown with what you record. Your log-in name is made from it."),
        widget=forms.TextInput(attrs={"autofocus": True, "autocomplete": "name"}),
    )
    password = forms.CharField(
        label=_("A password"),
        strip=False,
        max_length=200,
        help_text=_("At least ten characters. Three unrelated words work well."),
        # The password is filled in again when something else is wrong; no browser or proxy keeps this page.
        widget=forms.PasswordInput(render_value=True, attrs={"autocomplete": "new-password", "data-can-show": ""}),
    )

    def __init__(self, *args: Any, hashed: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hashed = hashed
        if hashed:
            self.fields["password"].required = False
            self.fields["password"].help_text = _("The password that you typed is saved. Type another to change it.")

    def clean_password(self) -> str:
        """The hash of the password. Raises ValidationError: the site's rules forbid it."""
        password: str = self.cleaned_data["password"]
        if not password:
            return self.hashed
        validate_password(password, User(username=self.cleaned_data.get("full_name", "")))
        return make_password(password)


class FurtherDirectorForm(DirectorForm):
    """The director of another club: the person who starts it, or somebody who gets a log-in."""

    ME, OTHER = "me", "other"
    who = forms.ChoiceField(
        label=_("Who directs it?"),
        choices=[(ME, _("I do")), (OTHER, _("somebody else, who gets a log-in:"))],
        initial=ME,
        widget=forms.RadioSelect,
    )
    field_order = ("who", "full_name", "password")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["full_name"].label = _("Their name")
        self.fields["full_name"].help_text = _("Their log-in name is made from it.")
        self.fields["password"].label = _("A first password for them")
        del self.fields["full_name"].widget.attrs["autofocus"]
        if self.data.get("who") != self.OTHER:
            self.fields["full_name"].required = self.fields["password"].required = False


class MembersForm(ListForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = self.fields["names"]
        names.label = _("Names, one in each row")
        names.help_text = _(
            "Type them, or paste a list from an e-mail or a spreadsheet. “Abel, Ann” becomes “Ann Abel”."
        )
        names.widget.attrs |= {"rows": 14, "autofocus": True}


class NightForm(LongAgoForm):
    """The first night. At first all members are ticked. DEPENDENT_FIELDS depend on the game and the people, by the
    `plan`."""

    DEPENDENT_FIELDS = ("odd", "rounds")

    name = forms.CharField(label=_("Name"), max_length=80)
    game = forms.ChoiceField(label=_("Game"))
    starts_at = MomentField(label=_("Starts"))
    place = forms.CharField(
        label=pgettext_lazy("hall", "Where"),
        max_length=80,
        required=False,
        help_text=_("For example: Parish hall."),
    )
    odd = forms.ChoiceField(label=LEFT_OVER, required=False, widget=forms.RadioSelect)
    rounds = NumberField(label=_("Rounds"), min_value=1, max_value=12)
    people = PeopleField(
        label=_("Who plays"),
        queryset=Member.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Tick who is going to play.")},
    )

    def __init__(
        self, data: Any, *, initial: dict[str, Any], club: Club, games: Sequence[GameChoice], plan: NightPlan
    ) -> None:
        super().__init__(data, initial=initial)
        if plan.contest:
            self.fields["rounds"].label = _("Games in a set, at most")
        self.fields["odd"].choices = odd_options(plan.offered)  # type: ignore[attr-defined]  # it has choices
        if len(plan.offered) < 2:
            del self.fields["odd"]
        self.fields["game"].choices = [  # type: ignore[attr-defined]  # it has choices
            (game.slug, translated(game.rule_set.title)) for game in games
        ]
        people = Member.objects.filter(club=club, active=True)
        self.fields["people"].queryset = people  # type: ignore[attr-defined]  # it has choices

    def main_fields(self) -> list[forms.BoundField]:
        """The fields that depend on nothing else. The question about a day long ago is shown with its error."""
        return [field for field in self if field.name not in (*self.DEPENDENT_FIELDS, "people", "long_ago")]


# Regions where paper is US Letter (CLDR's paper sizes); 419 is Latin America as a whole
LETTER = {"us", "ca", "mx", "ph", "pr", "cl", "co", "cr", "do", "gt", "ni", "pa", "sv", "ve", "bz", "419"}
LOCALTIME = Path("/etc/localtime")  # a symbolic link to the file of the machine's time zone


def guess_club(request: HttpRequest) -> Club:
    """A club without a name: the machine's time zone, and the rest by the browser's languages."""
    language = (get_language() or "en").partition("-")[0]
    accepted = request.headers.get("Accept-Language", "")
    return Club(
        time_zone=_machine_time_zone(),
        paper=Club.Paper.LETTER if preferred_region(accepted) in LETTER else Club.Paper.A4,
        language=language,
        date_place=preferred_place(accepted),
    )


def _machine_time_zone() -> str:
    """The machine's time zone if one is set, else UTC: a hall's laptop is where its club is."""
    try:
        parts = LOCALTIME.readlink().parts
    except OSError:
        return "UTC"
    name = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    return name if name in zoneinfo.available_timezones() and name != "Etc/UTC" else "UTC"
