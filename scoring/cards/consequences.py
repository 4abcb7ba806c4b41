"""What a change to a game would change beyond it: those who build on games say it, and the pages of a card ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from clubsite.previews import preview
from scoring.cards.deals import DealError
from scoring.models import Game

# What is worth saying of whatever rests on a game, in sentences, as things stand when it is called.
Watch: TypeAlias = Callable[[Game], Sequence[str]]

WATCHES: list[Watch] = []


def consequences_of(game: Game, change: Callable[[], object]) -> tuple[str, ...]:
    """What `change` would bring beyond the game, in sentences: all that a watch says after it and not before.

    Nothing is kept. A change that is refused brings nothing.
    """
    try:
        before, after = preview(change, lambda: [list(watch(game)) for watch in WATCHES])
    except DealError:
        return ()
    return tuple(sentence for was, now in zip(before, after, strict=True) if now != was for sentence in now)
