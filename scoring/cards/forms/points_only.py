"""The entry form of games that are scored in plain points."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from scoring.cards.forms.base import Block, DealForm
from scoring.engine.points_only import PointsDeal
from scoring.form_parts import Figure


class PointsOnlyForm(DealForm):
    """The points of each side."""

    def add_fields(self) -> None:
        """Points, below nought where the rules have such."""
        for side, name in enumerate(self.sides):
            self.fields[f"points_{side}"] = Figure(label=name, signed=True)

    def blocks(self) -> Iterator[Block]:
        """The sides in a row."""
        yield Block("figures", _("Points"), tuple(self[f"points_{side}"] for side in range(len(self.sides))))

    def facts(self) -> PointsDeal:
        """The deal as it stands on the card."""
        return PointsDeal(points=self.per_side("points"))

    @staticmethod
    def initial_of(facts: PointsDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal."""
        return {f"points_{side}": points for side, points in enumerate(facts.points)}
