"""The question how many people play for how long."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.form_parts import NumberField
from tournaments.advice.offers import FEWEST_PEOPLE, MOST_PEOPLE, MOST_ROUNDS, AdviceRequest, rounds_in

SHORTEST, LONGEST = 5, 240  # minutes of a game
MOST_MINUTES = 24 * 60


def _tables(label: Any) -> forms.IntegerField:
    enough = _("Empty when there are enough.")
    return NumberField(label=label, min_value=0, max_value=MOST_PEOPLE, required=False, help_text=enough)


class AdviceForm(forms.Form):
    """People, time and tables."""

    people = NumberField(label=_("People"), min_value=FEWEST_PEOPLE, max_value=MOST_PEOPLE, initial=24)
    minutes = NumberField(
        label=_("Time to play, in minutes"),
        min_value=SHORTEST,
        max_value=MOST_MINUTES,
        initial=180,
        help_text=_("Three hours are 180."),
    )
    per_game = NumberField(label=_("One game takes, in minutes"), min_value=SHORTEST, max_value=LONGEST, initial=30)
    fours = _tables(_("Tables for four"))
    sixes = _tables(_("Tables for six"))
    partners = forms.ChoiceField(
        label=_("Partners"),
        required=False,
        choices=[
            ("", _("either way")),
            ("change", _("change, or everybody plays alone")),
            ("stay", _("stay together")),
        ],
    )

    def wanted(self) -> AdviceRequest:
        """The question, when the form is valid."""
        said = self.cleaned_data
        return AdviceRequest(
            people=said["people"],
            rounds=min(MOST_ROUNDS, rounds_in(said["minutes"], said["per_game"])),
            fours=said["fours"],
            sixes=said["sixes"],
            fixed={"change": False, "stay": True}.get(said["partners"]),
        )
