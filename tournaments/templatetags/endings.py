"""Why a table's game ended as it did, for pages that show its points without its card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django import template

from scoring.cards.queries import why_so_words
from scoring.models import Game
from tournaments.models import Event

register = template.Library()


class AtTable(Protocol):
    @property
    def total(self) -> int: ...
    @property
    def won(self) -> bool: ...


class Table(Protocol):
    """A group with its points: `tournaments.draws.round_views.GroupView`."""

    @property
    def shown(self) -> Game | None: ...
    @property
    def sides(self) -> Sequence[AtTable]: ...


@register.filter
def why_so(group: Table, event: Event) -> str:
    """Why the game whose points a group shows ended so, where the totals don't show it; without a director's words."""
    game = group.shown
    if game is None or not game.deals_played:
        return ""
    if game.rules_id == event.rules_id:
        game.rules = event.rules  # read before
    winners = tuple(n for n, side in enumerate(group.sides) if side.won)
    return why_so_words(game, totals=tuple(side.total for side in group.sides), winners=winners)
