"""Forms of a game outside events: who sits where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubsite.names import NO_ADDRESS, is_address
from scoring.engine.core.ruleset import Shape


class NamesForm(forms.Form):
    """One name for each seat of a shape."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, shape: Shape, **kwargs: Any) -> None:
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

    @staticmethod
    def filled(sides: Sequence[Sequence[str]]) -> dict[str, str]:
        """What the form begins with where these names, by side, are there already."""
        return {f"name_{s}_{n}": name for s, names in enumerate(sides) for n, name in enumerate(names)}

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
        """Refuse an e-mail address, and a name that sits on two seats."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        seen: set[str] = set()
        for name in (name for name in self.fields if name.startswith("name_")):
            who = (cleaned.get(name) or "").casefold()
            if who and who in seen:
                self.add_error(name, _("This name is here twice. Add an initial to one of them."))
            if is_address(who):
                self.add_error(name, NO_ADDRESS)
            seen.add(who)
        return cleaned


class NewGameForm(NamesForm):
    """Who sits at a game outside events, and what it is called."""

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
        """Whether to start with a `handicap`, where the rules have one, is asked besides."""
        super().__init__(data, shape=shape, **kwargs)
        if handicap:
            self.fields["handicap"] = forms.BooleanField(
                required=False,
                initial=True,
                label=_("Start with the handicap between the two"),
                help_text=_("What their games before have made it. Without a game before, both start with nothing."),
            )
