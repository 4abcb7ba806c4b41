"""The entry form of three-hand pinochle: bidder, bid, and each player's meld and take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.engine.pinochle.three_hand import FAMILY, ThreeHandDeal, ThreeHandRules
from scoring.families.boxes import Boxes, Column, row_per_deal
from scoring.families.deal_form import Block
from scoring.families.family_pages import FamilyPages
from scoring.families.pinochle.card import columns_of_auction, set_note
from scoring.families.pinochle.form import (
    PinochleForm,
    bid_hints,
    meld_hints,
    shown_auction,
    shown_melds,
    take_hints,
)
from scoring.families.pinochle.words import KIND, WORDS
from scoring.form_parts import FigureField


class ThreeHandPinochleForm(PinochleForm):
    """One deal of three-hand pinochle."""

    def add_fields(self) -> None:
        """Bidder, bid, meld and take, last trick, the bidder's tricks, concession; melds by name; dealer and bids."""
        self.pick("bidder", _("Who holds the bid?"), choices=self.side_choices())
        self.fields["bid"] = FigureField(label=_("Bid"), hints=bid_hints(self.rules))
        self.figure("meld", _("Meld"), required=False, hints=meld_hints(self.rules, partners=False))
        self.figure("take", _("Take"), required=False, hints=take_hints(self.rules))
        self.pick(
            "last_trick",
            _("Who won the last trick?"),
            choices=[*self.side_choices(), ("", _("Not noted"))],
            required=False,
        )
        self.pick(
            "bidder_scored",
            _("Did the bidder win a trick with points?"),
            choices=[(1, _("Yes")), (0, _("No")), ("", _("Not noted"))],
            required=False,
            help_text=_("Only needed when all that the bidder took may come from the discard."),
        )
        self.fields["conceded"] = forms.BooleanField(
            required=False,
            label=_("The bidder conceded before the lead"),
            widget=forms.CheckboxInput(attrs={"data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()

    def blocks(self) -> Iterator[Block]:
        """As the card reads: the bid, then each player's figures, then the last trick."""
        yield Block("choice", "", (self["bidder"],))
        yield Block("plain", "", (self["bid"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, (self[f"meld_{side}"], self[f"take_{side}"]))
        yield Block("choice", "", (self["last_trick"],))

    def rare(self) -> Iterator[Block]:
        """A concession, the note on the bidder's tricks, the auction."""
        yield Block("plain", "", (self["conceded"],))
        yield Block("choice", "", (self["bidder_scored"],))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the bidder conceded."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        self.require_melds(cleaned)
        if not cleaned.get("conceded"):
            self.require_each("take")
        return cleaned

    def facts(self) -> ThreeHandDeal:
        """The deal as it stands on the card."""
        conceded = self.cleaned_data["conceded"]
        scored = self.cleaned_data["bidder_scored"]
        return ThreeHandDeal(
            bidder=self.cleaned_data["bidder"],
            bid=self.cleaned_data["bid"],
            meld=self.melds(),
            take=() if conceded else self.per_side("take"),
            last_trick=None if conceded else self.cleaned_data["last_trick"],
            bidder_scored=None if conceded or scored is None else bool(scored),
            conceded=conceded,
            trump=self.cleaned_data["trump"],
            counted=self.counted(),
            dealer=self.cleaned_data["dealer"],
            bids=self.cleaned_data["bids"],
        )

    @staticmethod
    def initial_of(facts: ThreeHandDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        shown: dict[str, Any] = {
            "bidder": facts.bidder,
            "bid": facts.bid,
            "last_trick": "" if facts.last_trick is None else facts.last_trick,
            "bidder_scored": "" if facts.bidder_scored is None else int(facts.bidder_scored),
            "conceded": facts.conceded,
        }
        shown |= shown_melds(facts.trump, facts.counted, sides=3) | shown_auction(facts.dealer, facts.bids)
        shown |= {f"meld_{side}": points for side, points in enumerate(facts.meld)}
        shown |= {f"take_{side}": points for side, points in enumerate(facts.take)}
        return shown


def _boxes(rules: ThreeHandRules) -> Boxes:
    columns = (
        Column(_("Bid"), 13.0),
        Column(pgettext("column", "Meld"), 14.0),
        Column(_("Total"), 14.0),
        Column(_("Take"), 13.0),
        Column(_("Set"), 9.0),
        Column(_("Running"), 17.0),
    )
    return row_per_deal(columns, rules, set_note(rules))


COLUMNS = columns_of_auction("bidder")
PAGES = FamilyPages(
    family=FAMILY, kind=KIND, words=WORDS, form=ThreeHandPinochleForm, columns=lambda rules: COLUMNS, boxes=_boxes
)
