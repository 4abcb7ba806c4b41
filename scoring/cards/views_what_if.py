"""The page of a game's card counted under other rules."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from scoring.cards.queries import card_of
from scoring.cards.what_if import other_rules, what_if
from scoring.games import game_of


@club_page
def under_other_rules(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """A game's card counted under other rules: a preview, nothing is written."""
    found = game_of(club, game)
    card, offered = card_of(found), other_rules(found)
    wanted = request.GET.get("rules", "")
    chosen = next((other for other in offered if other.key == wanted), None)
    if wanted and chosen is None:
        raise Http404
    context = {"card": card, "offered": offered, "chosen": what_if(card, chosen) if chosen else None}
    return render(request, "scoring/cards/what_if.html", context)
