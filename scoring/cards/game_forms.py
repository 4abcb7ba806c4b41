"""The form that marks a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from scoring.models import LONGEST_REASON, DealVersion


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
