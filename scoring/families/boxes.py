"""The boxes of a printed card, as data: what stands over them, how wide they are at least, what the scorer must know.

Where they lie on a sheet of paper is worked out in `tournaments.documents.card_grid`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.templatetags.figures import points

ROWS = 16  # deals that a card has room for: simulated games to the target took at most 11
MOST_ROWS = 20


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a side: its head, a second line under that, and the least width in millimetres to write in."""

    head: str
    least: float
    under: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """The boxes of a card: `leads` name the rows at the left, `columns` come once for every side.

    `strong` rows (from 0) are results, ruled off and shaded; so is the last column of each side when `last_strong`.
    """

    leads: tuple[str, ...]
    lead_width: float
    columns: tuple[Column, ...]
    sides: int
    per_side: int
    lead_head: str = ""
    strong: tuple[int, ...] = ()
    last_strong: bool = False
    sign: str = ""  # what stands under the line to sign on
    note: str = ""


def row_per_deal(columns: tuple[Column, ...], rules: Any, *notes: str) -> Boxes:
    """A card with a row for each deal; its note says what ends a game, and then `notes`."""
    rows = min(rules.deals or ROWS, MOST_ROWS)
    return Boxes(
        leads=tuple(str(n) for n in range(1, rows + 1)),
        lead_width=7.0,
        columns=columns,
        sides=rules.shape.sides,
        per_side=rules.shape.per_side,
        last_strong=True,
        sign=_("Signed"),
        note=" ".join([*_ends(rules), *notes]),
    )


def _ends(rules: Any) -> list[str]:
    """What ends a game, for those who keep the card."""
    words = []
    if rules.target is not None:
        words.append(_("Game: %(points)s.") % {"points": points(rules.target)})
    elif rules.deals is not None:
        words.append(ngettext("Game: %(n)d deal.", "Game: %(n)d deals.", rules.deals) % {"n": rules.deals})
    if rules.lose_at is not None:
        words.append(_("Lost at %(points)s.") % {"points": points(rules.lose_at)})
    if rules.bid_side_first:
        words.append(_("The bid side is counted first."))
    return words
