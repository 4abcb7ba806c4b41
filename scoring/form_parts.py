"""What forms of several subjects have: figures as people type them, yes or no, the reason for what is done."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST = 1_000_000  # larger figures are slips of the finger on any card

_GROUPED = re.compile(r"[+-]?\d{1,3}([,.'\u2019 \u00a0\u202f]\d{3})+")


class Figure(forms.IntegerField):
    """A whole number as people type it: 1250, 1,250 or −15. `signed` figures may be below nought.

    >>> Figure(required=False).clean(" 1,250 ")
    1250
    """

    default_error_messages = {
        "required": gettext_lazy("Fill this in; write 0 for nothing."),
        "invalid": gettext_lazy("Write a whole number in figures, such as 25."),
        "min_value": gettext_lazy("This can't be below nought."),
        "max_value": gettext_lazy("This is more than any card holds. Check the figure."),
    }

    def __init__(self, *, signed: bool = False, **kwargs: Any) -> None:
        widget: forms.Widget
        if signed:  # the numeric keypad of a phone may lack the minus
            widget = forms.NumberInput(attrs={"class": "figure", "autocomplete": "off"})
        else:
            widget = forms.TextInput(attrs={"class": "figure", "autocomplete": "off", "inputmode": "numeric"})
        kwargs.setdefault("min_value", -MOST if signed else 0)
        super().__init__(widget=widget, max_value=MOST, **kwargs)
        if signed:
            self.error_messages["min_value"] = _("This is less than any card holds. Check the figure.")

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """No limits in the browser: the server's answer has words for them."""
        return {}

    def to_python(self, value: Any) -> int | None:
        """The number. Raises ValidationError for anything else."""
        if isinstance(value, str):
            value = value.strip().replace("\N{MINUS SIGN}", "-")
            if _GROUPED.fullmatch(value):
                value = re.sub(r"[^\d-]", "", value)
        number: int | None = super().to_python(value)
        return number


class NumberField(forms.IntegerField):
    """A whole number of a plan or a setting; the browser knows its limits too."""

    widget = forms.NumberInput(attrs={"class": "figure"})


class YesNoField(forms.TypedChoiceField):
    """One of two ways, each in words of its own; the value is whether it is "yes"."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(coerce=lambda value: value == "yes", **kwargs)


class ReasonForm(forms.Form):
    """Why a director does something that has to be explained."""

    reason = forms.CharField(
        max_length=200,
        label=gettext_lazy("Reason"),
        error_messages={"required": gettext_lazy("Say why.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
