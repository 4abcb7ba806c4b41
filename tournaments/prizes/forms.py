"""The list of prizes as a form: a row for each, and the rule by which they are given."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubsite.currency import amount_in, could_be, in_units
from scoring.form_parts import NumberField, YesNoField
from tournaments.models import Event, PrizePlan
from tournaments.prizes.actions import MOST_PRIZES
from tournaments.prizes.proposal import PlannedPrize, prizes_in
from tournaments.prizes.words import EXPLAINED, KINDS, key_of

USUAL = ("place:1", "place:2", "low", "door")  # offered where nothing is planned yet
FREE = 2  # empty rows after those that are filled
LONGEST = 60


class AmountField(forms.CharField):
    """An amount of money as people type it, as a whole number of the smallest unit; 0 where it is left empty."""

    def __init__(self, *, currency: str, **kwargs: Any) -> None:
        self.currency = currency
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(required=False, max_length=16, widget=widget, **kwargs)

    def clean(self, value: Any) -> Any:
        """Raises ValidationError for what is no amount, or could be two."""
        text = super().clean(value)
        if not text:
            return 0
        if either := could_be(text, self.currency):
            words = _("This can be read in two ways. Write %(cents)s or %(thousands)s.")
            raise ValidationError(words, params={"cents": either[0], "thousands": either[1]})
        amount = amount_in(text, self.currency)
        if amount is None:
            raise ValidationError(_("Write an amount of money, for example 12.50."))
        return amount

    def prepare_value(self, value: Any) -> Any:
        """An amount that is there, as it is typed; nothing for 0."""
        return (str(in_units(value, self.currency)) if value else "") if isinstance(value, int) else value


class PrizeRow(forms.Form):
    """One prize of the list. A row without a kind is no prize."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        bids = event.rules.rule_set.has_bids
        kinds = [(key, EXPLAINED.get(key, words)) for key, words in KINDS.items() if bids or not key.endswith("sets")]
        self.fields["order"] = NumberField(label=_("Order"), min_value=1, max_value=99, required=False)
        self.fields["kind"] = forms.ChoiceField(label=_("Prize"), choices=[("", _("none")), *kinds], required=False)
        self.fields["amount"] = AmountField(label=_("Money"), currency=event.club.money)
        self.fields["what"] = forms.CharField(label=_("Or what else"), max_length=LONGEST, required=False)

    def prize(self) -> PlannedPrize | None:
        """The prize of the row."""
        data = self.cleaned_data
        if not data.get("kind"):
            return None
        kind, _colon, place = data["kind"].partition(":")
        return PlannedPrize(kind, int(place or 0), data["amount"], " ".join(data["what"].split()))


class RuleForm(forms.Form):
    """How prizes are given."""

    one_each = YesNoField(
        label=_("How many prizes a person can win"),
        choices=[("yes", _("one: who has won passes a later prize on to the next")), ("no", _("any number"))],
        widget=forms.RadioSelect,
    )
    ties = forms.ChoiceField(label=_("Those who are level"), choices=PrizePlan.Ties.choices, widget=forms.RadioSelect)


class PlanForm:
    """The rows and the rule together, of a plan or as they were sent."""

    def __init__(self, event: Event, plan: PrizePlan | None, *, sent: Any = None) -> None:
        planned = [{"kind": key_of(one), "amount": one.amount, "what": one.what} for one in prizes_in(plan)] or [
            {"kind": key} for key in USUAL
        ]
        shown = min(MOST_PRIZES, len(planned) + FREE)
        if sent:
            shown = next((n for n in range(MOST_PRIZES) if f"prize-{n}-kind" not in sent), MOST_PRIZES)
        self.rows = [
            PrizeRow(
                sent,
                event=event,
                prefix=f"prize-{n}",
                initial={"order": n + 1, **(planned[n] if n < len(planned) else {})},
            )
            for n in range(shown)
        ]
        rule = {"one_each": plan is None or plan.one_each, "ties": plan.ties if plan else "share"}
        self.rule = RuleForm(sent, initial=rule)

    def is_valid(self) -> bool:
        """Whether all that was sent can be read."""
        return all([self.rule.is_valid(), *(row.is_valid() for row in self.rows)])

    def facts(self) -> dict[str, Any]:
        """The valid form, as the verb `plan_prizes` takes it: the prizes by their order, those without one last."""
        rows = [(row.cleaned_data.get("order") or 100, row.prize()) for row in self.rows]
        prizes = [prize for _order, prize in sorted(rows, key=lambda one: one[0]) if prize]
        return {"prizes": prizes, **self.rule.cleaned_data}
