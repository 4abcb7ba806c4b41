"""What a director says to be told which formats fit, and what a new event's form takes over from the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.advice import FEWEST_PEOPLE, MOST_PEOPLE, MOST_ROUNDS, Wanted, rounds_in

SHORTEST, LONGEST = 5, 240  # minutes of a game
MOST_MINUTES = 24 * 60
PRESET = ("rounds", "legs", "consolation", "third", "places", "games")  # fields of a new event that a link may fill
LONGEST_PRESET = 3  # characters


def _figure() -> forms.NumberInput:
    return forms.NumberInput(attrs={"class": "figure"})


class AdviceForm(forms.Form):
    """People, time and tables."""

    people = forms.IntegerField(
        label=_("People"), min_value=FEWEST_PEOPLE, max_value=MOST_PEOPLE, initial=24, widget=_figure()
    )
    minutes = forms.IntegerField(
        label=_("Time to play, in minutes"),
        min_value=SHORTEST,
        max_value=MOST_MINUTES,
        initial=180,
        widget=_figure(),
        help_text=_("Three hours are 180."),
    )
    per_game = forms.IntegerField(
        label=_("One game takes, in minutes"), min_value=SHORTEST, max_value=LONGEST, initial=30, widget=_figure()
    )
    fours = forms.IntegerField(
        label=_("Tables for four"),
        min_value=0,
        max_value=MOST_PEOPLE,
        required=False,
        widget=_figure(),
        help_text=_("Empty when there are enough."),
    )
    sixes = forms.IntegerField(
        label=_("Tables for six"),
        min_value=0,
        max_value=MOST_PEOPLE,
        required=False,
        widget=_figure(),
        help_text=_("Empty when there are enough."),
    )
    partners = forms.ChoiceField(
        label=_("Partners"),
        required=False,
        choices=[
            ("", _("either way")),
            ("change", _("change, or everybody plays alone")),
            ("stay", _("stay together")),
        ],
    )

    def wanted(self) -> Wanted:
        """The question, when the form is valid."""
        said = self.cleaned_data
        return Wanted(
            people=said["people"],
            rounds=min(MOST_ROUNDS, rounds_in(said["minutes"], said["per_game"])),
            fours=said["fours"],
            sixes=said["sixes"],
            fixed={"change": False, "stay": True}.get(said["partners"]),
        )


def preset(query: Mapping[str, str]) -> dict[str, Any]:
    """What a link to a new event's form fills in.

    >>> preset({"format": "swiss", "rounds": "5", "name": "Spring"})
    {'rounds': '5'}
    """
    return {name: value for name in PRESET if (value := query.get(name, "")) and len(value) <= LONGEST_PRESET}
