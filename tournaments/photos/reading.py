"""Reads the boxes of all cards on a photo. `likeliest`, which knows the game's rules, makes deals of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.photos import ink
from tournaments.photos.ink import Ink
from tournaments.photos.paper import CardPlan, StraightCard, find_codes, find_fault, straighten

Place = tuple[int, int]
"""Column and row of a box."""


@dataclass(frozen=True, slots=True)
class CardReading:
    code: str  # the text of its QR code
    straight: StraightCard
    inks: dict[Place, Ink]


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """`fault`: a key of `actions.PROBLEMS` if there is no card of ours, or one couldn't be read."""

    cards: tuple[CardReading, ...]
    fault: str = ""


def read_photo(picture: NDArray[np.uint8], plans_of: Callable[[str], Sequence[CardPlan]]) -> PhotoReading:
    """Read a gray picture that is the right way up. `plans_of` gives the possible plans of the card with a code, none
    for a code that isn't ours."""
    codes = find_codes(picture)
    cards: list[CardReading] = []
    fault = "" if codes else "no-card"
    for code in codes:
        if not (plans := plans_of(code.text)):
            continue
        straight = straighten(picture, code, plans=plans)
        if straight is None or straight.cut:
            fault = "cut" if straight else "lines"
            continue
        places = [(column, row) for column, rows in enumerate(straight.plan.boxes) for row in range(len(rows))]
        inks = ink.read_boxes([straight.box(column, row) for column, row in places])
        cards.append(CardReading(code.text, straight, dict(zip(places, inks, strict=True))))
    if fault in ("lines", "no-card"):
        fault = find_fault(picture) or fault
    return PhotoReading(tuple(cards), fault)
