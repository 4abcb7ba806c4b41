"""A game by its number: what every page of a game begins with."""

from __future__ import annotations

from clubsite.accounts.models import Club
from scoring.models import Game


def game_of(club: Club, pk: int) -> Game:
    """A game of the club with its rules. Raises Game.DoesNotExist for any other."""
    return Game.objects.select_related("club", "rules").get(pk=pk, club=club)
