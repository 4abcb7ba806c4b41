"""The entry form of Hand and Foot: each side's piles, red threes and card points, and who went out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from scoring.engine.hand_and_foot_card import HandAndFootDeal, SideCard
from scoring.forms.base import Block, DealForm
from scoring.wording import HAND_AND_FOOT_FIGURES

NOBODY = -1  # the answer to who went out
COUNTED_POINTS = ("melded", "left")  # these have to be filled in; an empty number of piles or red threes is none


class HandAndFootForm(DealForm):
    """One deal of Hand and Foot."""

    def add_fields(self) -> None:
        """A column of the card for each side, and who went out."""
        for name in self._names():
            self.figure(name, str(HAND_AND_FOOT_FIGURES[name]), required=name in COUNTED_POINTS)
        self.pick(
            "out",
            _("Who went out?"),
            [*self.side_choices(), (NOBODY, _("Nobody: the stock ran out"))],
        )

    def _names(self) -> list[str]:
        return [name for name in HAND_AND_FOOT_FIGURES if name != "wild" or self.rules.wild_melds]

    def blocks(self) -> Iterator[Block]:
        """Who went out, then a column for each side."""
        yield Block("choice", "", (self["out"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, tuple(self[f"{figure}_{side}"] for figure in self._names()))

    def facts(self) -> HandAndFootDeal:
        """The deal as it stands on the card."""
        return HandAndFootDeal(
            sides=tuple(
                SideCard(**{name: self.cleaned_data[f"{name}_{side}"] or 0 for name in self._names()})
                for side in range(len(self.sides))
            ),
            out=None if self.cleaned_data["out"] == NOBODY else self.cleaned_data["out"],
            number=self.place_in_game(),
        )

    @staticmethod
    def initial_of(facts: HandAndFootDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        shown: dict[str, Any] = {"out": NOBODY if facts.out is None else facts.out}
        for side, card in enumerate(facts.sides):
            shown |= {f"{name}_{side}": getattr(card, name) for name in HAND_AND_FOOT_FIGURES}
        return shown
