"""The entry form of partnership pinochle: bid side, bid, and each side's meld and take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.engine.pinochle.partnership import FAMILY
from scoring.engine.pinochle.partnership_card import Ending, PartnershipDeal, PartnershipRules
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
    unknown = {
        Ending.CONCEDED: rules.concession is None,
        Ending.NO_MARRIAGE: not rules.no_marriage_is_set,
    }
    return [(ending, words) for ending, words in ENDINGS if not unknown.get(ending)]


class PartnershipPinochleForm(PinochleForm):
    """One deal of partnership pinochle."""

    def add_fields(self) -> None:
        """Bid side, bid, meld and take, last trick, ending; melds by name; dealer and bids."""
        self.pick("bid_side", _("Who holds the bid?"), choices=self.side_choices())
        self.fields["bid"] = FigureField(label=_("Bid"), hints=bid_hints(self.rules))
        self.figure("meld", _("Meld"), required=False, hints=meld_hints(self.rules, partners=True))
        self.figure("take", _("Take"), required=False, hints=take_hints(self.rules))
        self.pick(
            "last_trick",
            _("Who won the last trick?"),
            choices=[*self.side_choices(), ("", _("Not noted"))],
            required=False,
        )
        self.fields["ending"] = forms.ChoiceField(
            label=_("How the deal ended"),
            choices=endings(self.rules),
            required=False,
            widget=forms.Select(attrs={"class": "form-select", "data-parts": "1"}),
        )
        self.add_counting_fields()
        self.add_auction_fields()

    def blocks(self) -> Iterator[Block]:
        """As the card reads: the bid, then each side's figures, then the last trick."""
        yield Block("choice", "", (self["bid_side"],))
        yield Block("plain", "", (self["bid"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, (self[f"meld_{side}"], self[f"take_{side}"]))
        yield Block("choice", "", (self["last_trick"],))

    def rare(self) -> Iterator[Block]:
        """A renege or a wrong lay-down; the auction."""
        yield Block("plain", "", (self["ending"],))
        yield from self.auction()

    def clean(self) -> dict[str, Any]:
        """The meld is needed unless it is counted, the take unless the deal was thrown in."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        ending = Ending(cleaned.get("ending") or Ending.PLAYED)
        if ending is not Ending.NO_MARRIAGE:
            self.require_melds(cleaned)
        if not ending.thrown_in:
            self.require_each("take")
        return cleaned

    def facts(self) -> PartnershipDeal:
        """The deal as it stands on the card."""
        ending = Ending(self.cleaned_data["ending"] or Ending.PLAYED)
        return PartnershipDeal(
            bid_side=self.cleaned_data["bid_side"],
            bid=self.cleaned_data["bid"],
            meld=self.melds(),
            take=() if ending.thrown_in else self.per_side("take"),
            last_trick=None if ending.thrown_in else self.cleaned_data["last_trick"],
            ending=ending,
            trump=self.cleaned_data["trump"],
            counted=self.counted(),
            dealer=self.cleaned_data["dealer"],
            bids=self.cleaned_data["bids"],
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
        shown |= shown_melds(facts.trump, facts.counted, sides=2) | shown_auction(facts.dealer, facts.bids)
        shown |= {f"meld_{side}": points for side, points in enumerate(facts.meld)}
        shown |= {f"take_{side}": points for side, points in enumerate(facts.take)}
        return shown


def _boxes(rules: PartnershipRules) -> Boxes:
    """The St. Hilary score card: bid, meld, total, take, set and running total, for each side.

    Source: 004 (St. Hilary House Rules, version 3), last page.
    """
    columns = (
        Column(_("Bid"), 9.0),
        Column(pgettext("column", "Meld"), 9.5),
        Column(_("Total"), 10.0),
        Column(_("Take"), 9.0),
        Column(_("Set"), 7.5),
        Column(_("Running"), 13.0),
    )
    return row_per_deal(columns, rules, set_note(rules))


COLUMNS = columns_of_auction("bid_side")
PAGES = FamilyPages(
    family=FAMILY, kind=KIND, words=WORDS, form=PartnershipPinochleForm, columns=lambda rules: COLUMNS, boxes=_boxes
)
