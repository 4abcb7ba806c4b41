"""The page of the handicap between the two players of a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import require_role
from scoring.handicaps import ledger_of
from scoring.models import Game
from scoring.queries import game_of


@require_role("scorekeeper")
@require_safe
def handicap(request: HttpRequest, club: Club, game: int) -> HttpResponse:
    """The handicap between a game's players, the start of their next game, and what every game did to it."""
    try:
        found = game_of(club, game)
    except Game.DoesNotExist:
        raise Http404 from None
    ledger = ledger_of(found)
    if ledger is None:
        raise Http404
    return render(request, "scoring/handicap.html", {"game": found, "ledger": ledger})
