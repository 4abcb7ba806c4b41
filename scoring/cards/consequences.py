"""What a change to a game would change beyond it: those who build on games say it, and the pages of a card ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from django.db import transaction

from scoring.cards.deals import DealError
from scoring.models import Game

# Called before a change to a game; what it returns is called after it, and says in sentences what has come of it.
Watch: TypeAlias = Callable[[Game], Callable[[], Sequence[str]]]

WATCHES: list[Watch] = []


def consequences_of(game: Game, change: Callable[[], object]) -> tuple[str, ...]:
    """What `change` would bring beyond the game, in sentences: it is done, looked at, and rolled back.

    A change that is refused brings nothing.
    """
    said: list[str] = []
    with transaction.atomic():
        after = [watch(game) for watch in WATCHES]
        try:
            with transaction.atomic():
                change()
                said = [sentence for look in after for sentence in look()]
        except DealError:
            pass
        transaction.set_rollback(True)
    return tuple(said)
