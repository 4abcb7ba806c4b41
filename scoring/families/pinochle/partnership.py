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
from scoring.form_parts import FigureField, Hints

ENDINGS = [
    (Ending.PLAYED, gettext_lazy("Played out, or a lay-down that was right")),
    (Ending.RENEGE_BID_SIDE, gettext_lazy("The bid side reneged")),
    (Ending.RENEGE_OTHER_SIDE, gettext_lazy("The other side reneged")),
    (Ending.LAY_DOWN_BID_SIDE, gettext_lazy("The bid side laid down wrongly")),
    (Ending.LAY_DOWN_OTHER_SIDE, gettext_lazy("The other side laid down wrongly")),
    (Ending.CONCEDED, gettext_lazy("Conceded before the lead, or set without play")),
    (Ending.NO_MARRIAGE, gettext_lazy("The bidder had no marriage to name trump with")),
]
TIMES = Hints(can="0-9", steps=True)


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
        for name in self._before_deal():
            for side, side_name in enumerate(self.sides):
                self.fields[f"{name}_{side}"] = FigureField(label=side_name, required=False, hints=TIMES)

    def _before_deal(self) -> dict[str, str]:
        """What may have been dealt before this deal by the rules, and came to nothing: field to heading."""
        words = {}
        if self.rules.five_nines:
            nines = {"nines": self.rules.five_nines}
            words["redeals"] = _("Redeals before this deal, for %(nines)d nines and no meld") % nines
        if self.rules.misdeals:
            words["deals_lost"] = _("Deals lost before this deal, after misdeals")
        return words

    def rare(self) -> Iterator[Block]:
        """A renege or a wrong lay-down; what was dealt before; the auction."""
        yield Block("plain", "", (self["ending"],))
        for name, title in self._before_deal().items():
            yield Block("figures", title, tuple(self[f"{name}_{side}"] for side in range(len(self.sides))))
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
        return PartnershipDeal(
            ending=ending,
            redeals=self.column("redeals"),
            deals_lost=self.column("deals_lost"),
            **self.card_facts(played=not ending.thrown_in),
        )

    @staticmethod
    def initial_of(facts: PartnershipDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        before = {"redeals": facts.redeals, "deals_lost": facts.deals_lost}
        shown = {f"{name}_{side}": times or None for name, of in before.items() for side, times in enumerate(of)}
        return {"bid_side": facts.bid_side, "ending": facts.ending, **shown, **shown_card(facts, sides=2)}


PAGES = pages_with_auction(FAMILY, PartnershipPinochleForm, widths=(9.0, 9.5, 10.0, 9.0, 7.5, 13.0))
