"""What players are called: by their names, or by their places where they aren't named."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _


def players_of(sides: Sequence[Sequence[str]], per_side: int) -> tuple[str, ...]:
    """The players' names, those of the first side, then those of the next; "Player 3" for one who isn't named.

    >>> players_of([["Ann", "Bob"], ["Cal"]], 2)
    ('Ann', 'Bob', 'Cal', 'Player 4')
    """
    return tuple(
        names[seat] if seat < len(names) else unnamed(side * per_side + seat + 1)
        for side, names in enumerate(sides)
        for seat in range(per_side)
    )


def unnamed(place: int) -> str:
    """Who sits at a place, counted from 1, and isn't named."""
    return _("Player %(number)d") % {"number": place}
