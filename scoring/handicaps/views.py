"""The page of the handicap between the two players of a game."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page, is_director
from scoring.games import game_of
from scoring.handicaps.actions import BothAhead, GamesCount, bring_handicap, ledger_of
from scoring.handicaps.forms import HandicapForm


@club_page
def handicap(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """The handicap between a game's players, the start of their next game, and what every game did to it.

    A director may begin it with what the two kept on paper, before their first game here is over.
    """
    found = game_of(club, game)
    ledger = ledger_of(found)
    directs = is_director(request, club)
    if ledger is None:
        raise Http404
    data = request.POST if request.method == "POST" else None
    form = HandicapForm(data, names=ledger.names, target=found.engine_rules.target)
    if request.method == "POST" and form.is_valid():
        try:
            bring_handicap(game=found, points=form.points(), reason=form.cleaned_data["reason"], by=actor_of(request))
        except BothAhead:
            form.add_error("points_1", _("Only one of the two can have a handicap. Leave the other empty."))
        except GamesCount:
            messages.error(request, _("They have finished a game here: their handicap follows from it."))
            return redirect("handicap", club.slug, found.pk)
        else:
            messages.success(request, _("Noted: their next game starts with it."))
            return redirect("handicap", club.slug, found.pk)
    context = {"game": found, "ledger": ledger, "form": form if directs and ledger.may_begin else None}
    return render(request, "scoring/handicaps/handicap.html", context, status=422 if form.errors else 200)
