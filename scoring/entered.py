"""A deal as somebody enters it, and its place in its game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.models import Game


@dataclass(frozen=True, slots=True)
class Entered:
    """What is entered for a deal: what stands on the card, and what is said to its problems."""

    facts: Any  # of the game's family
    written: Sequence[int | None] = ()  # the running totals that the scorer wrote, by side; () where there are none
    written_sets: Sequence[int] | None = None  # the sides that the scorer marked as set; None: not looked at
    sure: bool = False  # yes to unlikely figures
    ruling: str = ""  # the director's reason for accepting the card in spite of its problems


@dataclass(frozen=True, slots=True)
class DealAt:
    """One deal of a game, recorded or the next."""

    game: Game
    sides: Sequence[str]  # their names
    number: int
    void: Iterable[int] = ()  # the numbers of the void deals
