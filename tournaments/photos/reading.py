"""What is written on the cards of a photo, box by box: their codes, which card of ours each is, its boxes, their ink.

What the ink means for a deal is for `likeliest`, which knows the game's rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tournaments.photos import ink
from tournaments.photos.ink import Ink
from tournaments.photos.paper import CardPlan, Straight, codes_in, faults_of, straighten

Place = tuple[int, int]
"""A box of a card: column and row."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    code: str  # the text of its QR code
    straight: Straight
    inks: dict[Place, Ink]


@dataclass(frozen=True, slots=True)
class Seen:
    """`fault`: what is wrong with the picture if a card of ours is missing in it: a problem of `actions.PROBLEMS`."""

    cards: tuple[SeenCard, ...]
    fault: str = ""


def read_photo(picture: NDArray[np.uint8], plans_of: Callable[[str], Sequence[CardPlan]]) -> Seen:
    """Read a gray picture, the right way up. `plans_of` gives the plans that the card with a code may have, none for a
    code that isn't ours."""
    codes = codes_in(picture)
    cards: list[SeenCard] = []
    fault = "" if codes else "no-card"
    for code in codes:
        if not (plans := plans_of(code.text)):
            continue
        straight = straighten(picture, code, plans=plans)
        if straight is None or straight.cut:
            fault = "cut" if straight else "lines"
            continue
        places = [(column, row) for column, rows in enumerate(straight.plan.boxes) for row in range(len(rows))]
        inks = ink.read([straight.box(column, row) for column, row in places])
        cards.append(SeenCard(code.text, straight, dict(zip(places, inks, strict=True))))
    if fault in ("lines", "no-card"):
        fault = faults_of(picture) or fault
    return Seen(tuple(cards), fault)
