"""The entry form of partnership pinochle: bid side, bid, and each side's meld and take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.pinochle.partnership import FAMILY
from scoring.engine.pinochle.partnership_card import Ending, PartnershipDeal, PartnershipRules
from scoring.families.deal_form import Block
from scoring.families.pinochle.card import pages_with_auction
from scoring.families.pinochle.form import PinochleForm, shown_card

ENDINGS = [
    (Ending.PLAYED, gettext_lazy("Played out, or a lay-down that was right")),
    (Ending.RENEGE_BID_SIDE, gettext_lazy("The bid side reneged")),
    (Ending.RENEGE_OTHER_SIDE, gettext_lazy("The other side reneged")),
    (Ending.LAY_DOWN_BID_SIDE, gettext_lazy("The bid side laid down wrongly")),
    (Ending.LAY_DOWN_OTHER_SIDE, gettext_lazy("The other side laid down wrongly")),
    (Ending.CONCEDED, gettext_lazy("Conceded before the lead, or set without play")),
    (Ending.NO_MARRIAGE, gettext_lazy("The bidder had no marriage to name trump with")),
]


def endings(rules: PartnershipRules) -> list[tuple[Ending, Promise]]:
    """The ways in which a deal can end by these rules."""
    unknown = {Ending.CONCEDED: rules.concession is None, Ending.NO_MARRIAGE: not rules.no_marriage_is_set}
    return [(ending, words) for ending, words in ENDINGS if not unknown.get(ending)]


class PartnershipPinochleForm(PinochleForm):
    """One deal of partnership pinochle."""

    bidder = FAMILY.bid_held

    def add_fields(self) -> None:
        """Bid side, bid, meld and take, last trick, ending; melds by name; dealer and bids."""
        self.add_card_fields()
        self.fields["ending"] = forms.ChoiceField(
            label=_("How the deal ended"),
            choices=endings(self.rules),
            required=False,
            widget=forms.Select(attrs={"class": "form-select", "data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()

    def rare(self) -> Iterator[Block]:
        """A renege or a wrong lay-down; the auction."""
        yield Block("plain", "", (self["ending"],))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the deal was thrown in."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ending = Ending(cleaned.get("ending") or Ending.PLAYED)
        if ending is not Ending.NO_MARRIAGE:
            self.require_melds()
        if not ending.thrown_in:
            self.require_each("take")
        return cleaned

    def facts(self) -> PartnershipDeal:
        """The deal as it stands on the card."""
        ending = Ending(self.cleaned_data["ending"] or Ending.PLAYED)
        return PartnershipDeal(ending=ending, **self.card_facts(played=not ending.thrown_in))

    @staticmethod
    def initial_of(facts: PartnershipDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        return {"bid_side": facts.bid_side, "ending": facts.ending, **shown_card(facts, sides=2)}


PAGES = pages_with_auction(FAMILY, PartnershipPinochleForm, widths=(9.0, 9.5, 10.0, 9.0, 7.5, 13.0))
