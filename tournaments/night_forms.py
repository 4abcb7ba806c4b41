"""Forms of a club night and its season."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.forms import in_our_days


class DrawForm(forms.Form):
    """How many rounds are planned: the more the draw knows, the fewer meetings repeat."""

    planned = forms.IntegerField(
        label=_("Rounds in all"),
        min_value=1,
        max_value=20,
        widget=forms.NumberInput(attrs={"class": "figure"}),
        help_text=_(
            "Drawn together, so that few meet twice. One round is published at a time; you can play fewer or more."
        ),
    )


class EndForm(forms.Form):
    """What becomes of games that are still open when a round is closed."""

    games = forms.ChoiceField(
        label=_("Games still open"),
        choices=[
            ("open", _("Leave them open: they are finished later, before the night is closed")),
            ("end", _("End them as they stand: the better total wins; a game without a deal isn't played")),
        ],
        widget=forms.RadioSelect,
        initial="open",
    )
    reason = forms.CharField(
        label=_("Reason"), max_length=200, required=False, help_text=_("Needed to end games. It stands on their cards.")
    )


class SeasonForm(forms.Form):
    """A season's name and days."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("For example: Winter 2026/27."))
    starts = forms.DateField(
        label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}), validators=[in_our_days]
    )
    ends = forms.DateField(
        label=_("Last day"), widget=forms.DateInput(attrs={"type": "date"}), validators=[in_our_days]
    )
