"""What forms of several subjects share: figures as people type them, yes or no, the reason for an action."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.models import LONGEST_REASON

MAX_FIGURE = 1_000_000  # on any card a larger one is a slip of the finger

TOO_SMALL = gettext_lazy("This is too low for any card. Check the figure.")

_GROUPED = re.compile(r"[+-]?\d{1,3}([,.'\u2019 \u00a0\u202f]\d{3})+")


def compress_figures(figures: Iterable[int]) -> str:
    """Rising figures in short: each row of equal steps as first, last and step.

    >>> compress_figures([0, 1, 2, 3, 7, 10, 20, 30])
    '0-3 7 10-30/10'
    >>> compress_figures([-2, -1, 0, 5])
    '-2-0 5'
    """
    rows: list[list[int]] = []
    for figure in figures:
        row = rows[-1] if rows else []
        if len(row) >= 2 and figure - row[-1] == row[1] - row[0]:
            row.append(figure)
        elif len(row) == 2 and row[1] - row[0] > 1:  # two far apart are no row: the second may begin one
            rows[-1:] = [row[:1], [row[1], figure]]
        elif len(row) == 1:
            row.append(figure)
        else:
            rows.append([figure])
    return " ".join(_compress_row(row) for row in rows)


def _compress_row(row: list[int]) -> str:
    if len(row) < 3 and row[-1] - row[0] != 1:
        return " ".join(map(str, row))
    step = row[1] - row[0] if len(row) > 1 else 1
    return (f"{row[0]}-{row[-1]}" if len(row) > 1 else f"{row[0]}") + (f"/{step}" if step > 1 else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What a figure can be, so that the number pad of a phone dims keys and knows when a figure is complete.

    It refuses nothing: the engine decides whether a card is possible.
    """

    can: str = ""  # figures that some deal has, `compress_figures`; "": anything
    usual: int | None = None  # a larger one is rare, or the form asks once more: hardly another digit follows
    whole: int | None = None  # what all sides have together, from which the last side's figure follows
    steps: bool = False  # a small number of things: the pad has a plus and a minus
    rare: bool = False  # mostly none: the pad passes over it, and what is left empty is read as 0
    small: bool = False  # points that are often less than two hundred: one touch enters such a figure
    keys: int | None = None  # for a figure asked together with another: how many values, from 0, have a key

    @property
    def attrs(self) -> dict[str, str]:
        shown = {"data-can": self.can, "data-usual": self.usual, "data-whole": self.whole, "data-keys": self.keys}
        attrs = {name: str(value) for name, value in shown.items() if value not in (None, "")}
        attrs |= {f"data-{name}": "1" for name in ("steps", "rare", "small") if getattr(self, name)}
        return attrs | ({"placeholder": "0"} if self.rare else {})


class FigureField(forms.IntegerField):
    """A whole number as people type it: 1250, 1,250 or −15. `signed` figures may be below zero.

    >>> FigureField(required=False).clean(" 1,250 ")
    1250
    """

    default_error_messages = {
        "required": gettext_lazy("Fill this in; write 0 for nothing."),
        "invalid": gettext_lazy("Write a whole number in figures, such as 25."),
        "min_value": gettext_lazy("This can't be below zero."),
        "max_value": gettext_lazy("This is too high for any card. Check the figure."),
    }

    def __init__(self, *, signed: bool = False, hints: Hints | None = None, **kwargs: Any) -> None:
        """`hints` go to the number pad as attributes of the input."""
        widget: forms.Widget
        if signed:  # the numeric keypad of a phone may lack the minus
            widget = forms.NumberInput(attrs={"class": "figure", "autocomplete": "off"})
        else:
            widget = forms.TextInput(attrs={"class": "figure", "autocomplete": "off", "inputmode": "numeric"})
        widget.attrs |= hints.attrs if hints else {}
        kwargs.setdefault("min_value", -MAX_FIGURE if signed else 0)
        super().__init__(widget=widget, max_value=MAX_FIGURE, **kwargs)
        if signed:
            self.error_messages["min_value"] = TOO_SMALL

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """No limits in the browser: the server says what is wrong."""
        return {}

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str):
            value = value.strip().replace("\N{MINUS SIGN}", "-")
            if _GROUPED.fullmatch(value):
                value = re.sub(r"[^\d-]", "", value)
        number: int | None = super().to_python(value)
        return number


class NumberField(forms.IntegerField):
    """A whole number of a plan or a setting, with its limits in the browser."""

    widget = forms.NumberInput(attrs={"class": "figure"})


class YesNoField(forms.TypedChoiceField):
    """Two choices, "yes" and "no", with labels of their own; the value is a boolean."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(coerce=lambda value: value == "yes", **kwargs)

    def prepare_value(self, value: Any) -> Any:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


class ReasonForm(forms.Form):
    reason = forms.CharField(
        max_length=LONGEST_REASON,
        label=gettext_lazy("Reason"),
        error_messages={"required": gettext_lazy("Say why.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
