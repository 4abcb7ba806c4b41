"""Why a table's game ended as it did, for pages that show its points without its card."""

from __future__ import annotations

from typing import Any

from django import template

from scoring.cards.queries import why_so_words
from tournaments.models import Event

register = template.Library()


@register.filter
def why_so(group: Any, event: Event) -> str:
    """Why the game whose points a group (`draws.round_views.GroupView`) shows ended so, where the totals don't show it;
    without a director's words."""
    game = group.shown
    if game is None or not game.deals_played:
        return ""
    if game.rules_id == event.rules_id:
        game.rules = event.rules  # read before
    winners = tuple(n for n, side in enumerate(group.sides) if side.won)
    return why_so_words(game, totals=tuple(side.total for side in group.sides), winners=winners)
