"""Which games and handicaps a format takes, and its options where nobody chooses them."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from django.utils.translation import gettext as _

from scoring.engine.core.ruleset import Shape
from scoring.models import HouseRules
from tournaments.engine.formats import FORMATS, TRAITS, options_of
from tournaments.errors import StepRefused


def fits(format: str, shape: Shape) -> bool:
    """Whether a game of that shape can be played in that format."""
    return TRAITS[format].fits(shape.sides, shape.per_side)


def defaults_of(format: str) -> dict[str, Any]:
    """Option to its usual value; nothing for the formats that have none."""
    if format not in FORMATS:
        return {}
    return {one.name: one.default for one in options_of(FORMATS[format]) if one.default is not MISSING}


def refuse_lowest(rules: HouseRules) -> None:
    """Raises StepRefused where the lowest total wins."""
    if rules.lowest_wins:
        raise StepRefused(_("In this game the lowest total wins. Handicaps are for games in which points are good."))
