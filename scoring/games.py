"""A game is opened; a game or a deal by its number, with which every page of one begins; the games outside events."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.shortcuts import get_object_or_404

from clubsite.accounts.models import Club
from scoring.models import Deal, Game, HouseRules, Side


def start_game(
    *,
    club: Club,
    rules: HouseRules,
    title: str,
    sides: Sequence[Sequence[str]],
    start: Sequence[int] = (),
    submission: UUID | None = None,
) -> Game:
    """Open a game between sides, each given as the names of its players in order of seats.

    `start` holds the points that each side begins with (handicap). Sent again, the same submission returns the game
    that it started.
    """
    per_side = {len(names) for names in sides}
    if len(per_side) != 1:
        raise ValueError("sides of different sizes")
    with transaction.atomic():
        if submission is not None:
            club = club.lock()  # two taps at once wait for each other here
            if sent := Game.objects.filter(club=club, submission=submission).first():
                return sent
        game = Game(club=club, rules=rules, title=title, sides_count=len(sides), per_side=per_side.pop())
        game.submission = submission
        _ = game.engine_rules  # raises RulesError for a shape that the rules don't know
        game.save()
        points = list(start) or [0] * len(sides)
        Side.objects.bulk_create(
            Side(game=game, number=n, names=list(names), start=points[n], total=points[n])
            for n, names in enumerate(sides)
        )
    return game


def game_of(club: Club, pk: int) -> Game:
    """A game of the club with its rules and sides, by two queries. Raises Http404 for any other."""
    game = get_object_or_404(Game.objects.select_related("rules").prefetch_related("sides"), club=club, pk=pk)
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
