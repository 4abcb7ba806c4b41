"""The entry form of partnership pinochle: bid side, bid, and each side's meld and take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.partnership_pinochle import Ending, PartnershipDeal
from scoring.forms.base import Block, DealForm, Figure

ENDINGS = [
    (Ending.PLAYED, gettext_lazy("Played out, or a lay-down that was right")),
    (Ending.RENEGE_BID_SIDE, gettext_lazy("The bid side reneged")),
    (Ending.RENEGE_OTHER_SIDE, gettext_lazy("The other side reneged")),
    (Ending.LAY_DOWN_BID_SIDE, gettext_lazy("The bid side laid down wrongly")),
    (Ending.LAY_DOWN_OTHER_SIDE, gettext_lazy("The other side laid down wrongly")),
]


class PartnershipPinochleForm(DealForm):
    """One deal of partnership pinochle."""

    def add_fields(self) -> None:
        """Bid side, bid, meld and take, last trick, ending."""
        self.pick("bid_side", _("Who holds the bid?"), self.side_choices())
        self.fields["bid"] = Figure(label=_("Bid"))
        self.figure("meld", _("Meld"))
        self.figure("take", _("Take"), required=False)
        self.pick(
            "last_trick",
            _("Who won the last trick?"),
            [*self.side_choices(), ("", _("Not noted"))],
            required=False,
        )
        self.fields["ending"] = forms.ChoiceField(
            label=_("How the deal ended"),
            choices=ENDINGS,
            required=False,
            widget=forms.Select(attrs={"class": "form-select"}),
        )

    def blocks(self) -> Iterator[Block]:
        """As the card reads: the bid, then each side's figures, then the last trick."""
        yield Block("choice", "", (self["bid_side"],))
        yield Block("plain", "", (self["bid"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, (self[f"meld_{side}"], self[f"take_{side}"]))
        yield Block("choice", "", (self["last_trick"],))

    def rare(self) -> Iterator[Block]:
        """A renege or a wrong lay-down."""
        yield Block("plain", "", (self["ending"],))

    def clean(self) -> dict[str, Any]:
        """The take is needed unless the deal was thrown in."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ending = Ending(cleaned.get("ending") or Ending.PLAYED)
        if not ending.renege:
            self.require_each("take")
        return cleaned

    def facts(self) -> PartnershipDeal:
        """The deal as it stands on the card."""
        ending = Ending(self.cleaned_data["ending"] or Ending.PLAYED)
        return PartnershipDeal(
            bid_side=self.cleaned_data["bid_side"],
            bid=self.cleaned_data["bid"],
            meld=self.per_side("meld"),
            take=() if ending.renege else self.per_side("take"),
            last_trick=None if ending.renege else self.cleaned_data["last_trick"],
            ending=ending,
        )

    @staticmethod
    def initial_of(facts: PartnershipDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        shown: dict[str, Any] = {
            "bid_side": facts.bid_side,
            "bid": facts.bid,
            "last_trick": "" if facts.last_trick is None else facts.last_trick,
            "ending": facts.ending,
        }
        shown |= {f"meld_{side}": points for side, points in enumerate(facts.meld)}
        shown |= {f"take_{side}": points for side, points in enumerate(facts.take)}
        return shown
