"""Forms of the book."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.models import Club
from tournaments.models import MoneyLine
from tournaments.prizes.views import AmountField


class FeeForm(forms.Form):
    """What one entry of an event pays."""

    def __init__(self, sent: Any = None, *, club: Club, fee: int) -> None:
        super().__init__(sent, initial={"fee": fee})
        label, words = _("Fee of one entry"), _("Empty: there is none.")
        self.fields["fee"] = AmountField(label=label, currency=club.money, help_text=words)


class LineForm(forms.Form):
    """Another amount that came in or went out."""

    side = forms.ChoiceField(
        label=_("Did it come in or go out?"),
        choices=[("income", _("It came in")), ("cost", _("It went out"))],
        widget=forms.RadioSelect,
    )
    words = forms.CharField(label=_("What for"), max_length=120, help_text=_("For example: rent of the hall."))
    submission = forms.UUIDField(widget=forms.HiddenInput, required=False)

    field_order = ("side", "words", "amount")

    def __init__(self, sent: Any = None, *, club: Club) -> None:
        super().__init__(sent, initial={"submission": uuid4()})
        self.fields["amount"] = AmountField(label=_("Amount"), currency=club.money)

    def clean_amount(self) -> int:
        """Raises ValidationError where there is none."""
        amount: int = self.cleaned_data["amount"]
        if not amount:
            raise ValidationError(_("Write an amount of money, for example 12.50."))
        return amount

    def line(self) -> MoneyLine:
        """The valid form, as the verb `write_line` takes it."""
        data = self.cleaned_data
        sign = -1 if data["side"] == MoneyLine.Kind.COST else 1
        return MoneyLine(kind=data["side"], amount=sign * data["amount"], words=data["words"])
