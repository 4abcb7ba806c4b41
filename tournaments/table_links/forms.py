"""What is typed at a table: a code, and what a deal should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.cards.deals import MOST_WORDS, Objection
from scoring.form_parts import FigureField


class TableCodeForm(forms.Form):
    """The code on a table's card."""

    code = forms.CharField(
        max_length=40,
        label=gettext_lazy("The code on your card"),
        help_text=gettext_lazy("A word and a number, such as MOLE-42."),
        error_messages={"required": gettext_lazy("Type the code that stands on your card.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false", "class": "code"}
        ),
    )


class SayForm(forms.Form):
    """Which side says something of which version of a deal, sent from which page."""

    side = forms.IntegerField(min_value=0, max_value=9)
    seen = forms.IntegerField(min_value=1, max_value=10_000)
    submission = forms.UUIDField()


class DisputeForm(SayForm):
    """What a side says that a deal should be: in words, or each side's points."""

    says = forms.CharField(
        required=False,
        max_length=MOST_WORDS,
        label=gettext_lazy("What should it be?"),
        help_text=gettext_lazy("For example: our figures and theirs are the wrong way round."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, names: Sequence[str]) -> None:
        """A form for sides of these names."""
        super().__init__(data)
        self.names = tuple(names)
        for side, name in enumerate(self.names):
            self.fields[f"points_{side}"] = FigureField(signed=True, required=False, label=name)

    def figures(self) -> list[forms.BoundField]:
        """The fields for the points."""
        return [self[f"points_{side}"] for side in range(len(self.names))]

    def objection(self) -> Objection:
        """What a valid form says, with None for points where nothing was typed."""
        return Objection(
            self.cleaned_data["says"], [self.cleaned_data[f"points_{side}"] for side in range(len(self.names))]
        )

    def clean(self) -> dict[str, Any]:
        """Raises ValidationError when nothing is said."""
        cleaned = super().clean() or {}
        if not self.errors and not self.objection():
            raise forms.ValidationError(_("Say what it should be: the points of a side, or in words."))
        return cleaned
