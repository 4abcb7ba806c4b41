"""The entry form of three-hand pinochle: bidder, bid, and each player's meld and take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from scoring.engine.pinochle.three_hand import FAMILY, ThreeHandDeal
from scoring.families.deal_form import Block
from scoring.families.pinochle.card import pages_with_auction
from scoring.families.pinochle.form import PinochleForm, shown_card


class ThreeHandPinochleForm(PinochleForm):
    """One deal of three-hand pinochle."""

    bidder = FAMILY.bid_held

    def add_fields(self) -> None:
        """Bidder, bid, meld and take, last trick, the bidder's tricks, concession; melds by name; dealer and bids."""
        self.add_card_fields()
        self.pick(
            "bidder_scored",
            _("Did the bidder win a trick with points?"),
            choices=[(1, _("Yes")), (0, _("No"))],
            none=_("Not noted"),
            help_text=_("Only needed when all that the bidder took may come from the discard."),
        )
        self.fields["conceded"] = forms.BooleanField(
            required=False,
            label=_("The bidder conceded before the lead"),
            widget=forms.CheckboxInput(attrs={"data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()

    def rare(self) -> Iterator[Block]:
        """A concession, the note on the bidder's tricks, the auction."""
        yield Block("plain", "", (self["conceded"],))
        yield Block("choice", "", (self["bidder_scored"],))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the bidder conceded."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.require_melds()
        if not cleaned.get("conceded"):
            self.require_each("take")
        return cleaned

    def facts(self) -> ThreeHandDeal:
        """The deal as it stands on the card."""
        conceded = self.cleaned_data["conceded"]
        scored = self.cleaned_data["bidder_scored"]
        return ThreeHandDeal(
            bidder_scored=None if conceded or scored is None else bool(scored),
            conceded=conceded,
            **self.card_facts(played=not conceded),
        )

    @staticmethod
    def initial_of(facts: ThreeHandDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        return {
            "bidder": facts.bidder,
            "bidder_scored": "" if facts.bidder_scored is None else int(facts.bidder_scored),
            "conceded": facts.conceded,
            **shown_card(facts, sides=3),
        }


PAGES = pages_with_auction(FAMILY, ThreeHandPinochleForm, widths=(13.0, 14.0, 14.0, 13.0, 9.0, 17.0))
