"""A game is opened; a game or a deal by its number, with which every page of one begins; the games outside events."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404

from clubsite.accounts.models import Club
from clubsite.questions import Given, Question, is_kept_with, keep_with
from scoring.models import Deal, Game, HouseRules, Side

SIDES_WITH_GAME = Question(
    lambda: Side.objects.filter(game__club=Given("club"), game=Given("game")).select_related("game__rules")
)
SIDES = Question(lambda: Side.objects.filter(game=Given("game")))


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
    """A game of the club with its rules and sides, by one query. Raises Http404 for any other."""
    sides = SIDES_WITH_GAME.ask(club=club.pk, game=pk)
    if not sides:
        raise Http404
    game = sides[0].game
    keep_with(game, "sides", rows=sides)
    game.club = game.rules.club = club
    return game


def sides_of(game: Game) -> tuple[Side, ...]:
    """A game's sides: those read before, else by one query, and kept with the game."""
    if not is_kept_with(game, "sides"):
        keep_with(game, "sides", rows=SIDES.ask(game=game.pk))
    return tuple(game.sides.all())


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
