"""Forms around a game: starting one, marking a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.core.ruleset import Shape
from scoring.models import LONGEST_REASON, DealVersion


class NewGameForm(forms.Form):
    """Who sits at a game outside events."""

    token = forms.UUIDField(widget=forms.HiddenInput)
    title = forms.CharField(
        label=gettext_lazy("What to call it"),
        max_length=160,
        help_text=gettext_lazy("For example: Table by the window."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, shape: Shape, handicap: bool = False, **kwargs: Any
    ) -> None:
        """One name for each seat of the shape; whether to start with a `handicap`, where the rules have one."""
        super().__init__(data, **kwargs)
        self.shape = shape
        for side in range(shape.sides):
            for seat in range(shape.per_side):
                self.fields[f"name_{side}_{seat}"] = forms.CharField(
                    label=_("Player %(n)d") % {"n": seat + 1} if shape.per_side > 1 else _("Name"),
                    max_length=80,
                    error_messages={"required": _("Write a name.")},
                    widget=forms.TextInput(attrs={"autocomplete": "off", "list": "members"}),
                )
        if handicap:
            self.fields["handicap"] = forms.BooleanField(
                required=False,
                initial=True,
                label=_("Start with the handicap between the two"),
                help_text=_("What their games before have made it. Without a game before, both start with nothing."),
            )

    def sides(self) -> list[list[str]]:
        """The names of a valid form, by side."""
        return [
            [self.cleaned_data[f"name_{side}_{seat}"] for seat in range(self.shape.per_side)]
            for side in range(self.shape.sides)
        ]

    def blocks(self) -> list[tuple[str, list[forms.BoundField]]]:
        """A title and the fields of each side."""
        alone = self.shape.per_side == 1
        return [
            (
                (_("Player %(n)d") if alone else _("Side %(n)d")) % {"n": side + 1},
                [self[f"name_{side}_{seat}"] for seat in range(self.shape.per_side)],
            )
            for side in range(self.shape.sides)
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse a name that sits on two seats."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for name in (name for name in self.fields if name.startswith("name_")):
            who = (cleaned.get(name) or "").casefold()
            if who and who in seen:
                self.add_error(name, _("This name is here twice. Add an initial to one of them."))
            seen.add(who)
        return cleaned


class MarkForm(forms.Form):
    """Marks a deal agreed, disputed or void. Its page shows the box of the reason for the last; the verb wants that."""

    seen = forms.IntegerField(min_value=1)
    submission = forms.UUIDField()
    reason = forms.CharField(
        label=gettext_lazy("Reason for making it void"),
        max_length=LONGEST_REASON,
        required=False,
        help_text=gettext_lazy("The deal comes back when its figures are saved again, with a reason."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "required": True}),
    )

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, states: Sequence[DealVersion.State] = tuple(DealVersion.State)
    ) -> None:
        """`states` are those that this user may set."""
        super().__init__(data, auto_id="void_%s")
        self.fields["state"] = forms.ChoiceField(choices=[(state.value, state.label) for state in states])
