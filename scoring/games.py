"""A game or a deal by its number: what every page of one begins with."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from clubsite.accounts.models import Club
from scoring.models import Deal, Game


def game_of(club: Club, pk: int) -> Game:
    """A game of the club with its rules. Raises Http404 for any other."""
    game = get_object_or_404(Game.objects.select_related("rules"), club=club, pk=pk)
    game.club = game.rules.club = club
    return game


def deal_of(club: Club, pk: int) -> Deal:
    """A deal of the club with its game and rules. Raises Http404 for any other."""
    return get_object_or_404(Deal.objects.select_related("game__club", "game__rules"), game__club=club, pk=pk)
