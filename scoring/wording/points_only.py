"""Sentences for the codes of games by points only; the arguments of a code fill the braces."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LINES: dict[str, Promise] = {
    "points-only.points": _("Points on the card: {points}"),
}
"""What a line's points are for."""

PROBLEMS: dict[str, Promise] = {
    "points-only.sides": _("The card has points for {written:sides}; this game has {sides}."),
    "points-only.low": _("A deal is worth at least {lowest}; the card says {points}. Read the card again."),
    "points-only.high": _("A deal is worth at most {highest}; the card says {points}. Read the card again."),
    "points-only.step": _("Points come in steps of {step}; the card says {points}. Read the card again."),
    "points-only.whole": _(
        "A deal has {whole:points} in all; the card has {written}. Count every side's points again."
    ),
    "points-only.never": _(
        "No deal gives a side {points}; the nearest that can be are {below} and {above}. Read the card again."
    ),
    "points-only.nobody": _(
        "In every deal one side has points that decide it, such as {such}; here no side has. Read the card again."
    ),
    "points-only.two": _(
        "{first} and {second} can't be in one deal together: only one side can have such points. Read the card again."
    ),
    "points-only.beside": _(
        "Beside {points} the other sides have {can} together; the card says {written}. Read the card again."
    ),
    "points-only.others": _(
        "The other sides have at most {most} together; the card says {written}. Count their points again."
    ),
}
"""What is wrong and what to do about it."""

SETTINGS: dict[str, tuple[str, ...]] = {
    "points-only.points": ("one_side", "other_sides", "whole", "lowest", "highest", "step"),
}
"""The settings of the rule set that give a line its points, so that they can be shown beside it."""
