"""How games that are open are ended, alone or with a night's round."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import LONGEST_REASON


class ReasonForm(forms.Form):
    """The reason for which games are ended."""

    reason = forms.CharField(
        label=_("Reason"), max_length=LONGEST_REASON, help_text=_("It is printed on the cards of these games.")
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
        label=_("Reason"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=_("Needed to end games. It stands on their cards."),
    )
