"""The form for a handicap that two players bring from their paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.form_parts import FigureField, ReasonForm
from scoring.templatetags.figures import points


class HandicapForm(ReasonForm):
    """The handicap that two players bring from their paper."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, names: Sequence[str], target: int | None) -> None:
        """`names` are those of the two, in the order of the game's sides; `target` is what wins a game."""
        super().__init__(data)
        self.target = target
        for side, name in enumerate(names):
            self.fields[f"points_{side}"] = FigureField(label=name, required=False)
        self.order_fields(["points_0", "points_1", "reason"])

    def clean(self) -> dict[str, Any]:
        """Nobody starts a game with what wins it."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        for side in range(2):
            if self.target is not None and (cleaned.get(f"points_{side}") or 0) >= self.target:
                words = _("A game is won with %(target)s. Write less than that.") % {"target": points(self.target)}
                self.add_error(f"points_{side}", words)
        return cleaned

    def points(self) -> tuple[int, int]:
        """The points of the two; nothing means nought."""
        return self.cleaned_data["points_0"] or 0, self.cleaned_data["points_1"] or 0
