"""Forms of handicaps: the club's numbers for a game, and those of one event."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.form_parts import NumberField, YesNoField
from tournaments.engine.handicap import HandicapRule

MOST_POINTS = 10_000  # a deal
MOST_DEALS = 500
USUAL = HandicapRule(scratch=0)  # where the club has chosen nothing yet; the scratch value it must name


def _number(label: Any, least: int, *, most: int, help_text: Any = "") -> forms.IntegerField:
    return NumberField(label=label, min_value=least, max_value=most, help_text=help_text)


class ClubHandicapForm(forms.Form):
    """The numbers of a club's handicaps."""

    scratch = _number(
        _("Scratch value"),
        1,
        most=MOST_POINTS,
        help_text=_("Points a deal. Whoever has this average or a better one gets nothing."),
    )
    percent = _number(
        _("Percent of the difference"), 0, most=100, help_text=_("Of what an average is short of the scratch value.")
    )
    most = _number(_("Points a deal at most"), 0, most=MOST_POINTS)
    deals = _number(_("Deals that count"), 1, most=MOST_DEALS, help_text=_("The newest so many."))
    needed = _number(_("Deals needed"), 1, most=MOST_DEALS, help_text=_("With fewer there is no handicap yet."))
    secret = YesNoField(
        label=_("Secret until the result is published"),
        choices=[("no", _("no")), ("yes", _("yes"))],
        help_text=_("Then only directors see the list, and a night's handicaps come with its result."),
    )

    def __init__(self, *args: Any, rule: HandicapRule | None, **kwargs: Any) -> None:
        kwargs["initial"] = asdict(rule or USUAL)
        if rule is None:
            del kwargs["initial"]["scratch"]
        super().__init__(*args, **kwargs)

    def clean(self) -> dict[str, Any]:
        """More deals can't be needed than count."""
        cleaned = super().clean() or {}
        if (cleaned.get("needed") or 0) > (cleaned.get("deals") or MOST_DEALS):
            self.add_error("needed", _("So many deals don't count. Write a smaller number, or let more deals count."))
        return cleaned

    def rule(self) -> HandicapRule:
        """The valid form, as the verbs on handicaps take it."""
        return HandicapRule(**self.cleaned_data)
