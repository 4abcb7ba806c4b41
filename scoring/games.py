"""A game or a deal by its number: what every page of one begins with; and the games outside events."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from clubsite.accounts.models import Club
from scoring.models import Deal, Game


def game_of(club: Club, pk: int) -> Game:
    """A game of the club with its rules. Raises Http404 for any other."""
    game = get_object_or_404(Game.objects.select_related("rules"), club=club, pk=pk)
    game.club = game.rules.club = club
    return game


def quick_games_of(club: Club, *, many: int = 20) -> list[Game]:
    """The club's last games outside events with their sides, those that are still open first. Two queries."""
    games = Game.objects.filter(club=club, submission__isnull=False).order_by("-pk")[:many].prefetch_related("sides")
    found = sorted(games, key=lambda game: game.state != Game.State.OPEN)
    for game in found:
        game.club = club
    return found


def deal_of(club: Club, pk: int) -> Deal:
    """A deal of the club with its game and rules. Raises Http404 for any other."""
    return get_object_or_404(Deal.objects.select_related("game__club", "game__rules"), game__club=club, pk=pk)
