"""A game outside events is started; the names on its card are put right."""

from __future__ import annotations

import json
from operator import attrgetter
from uuid import uuid4, uuid5

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club, Member
from clubsite.accounts.roles import actor_of, club_page
from clubsite.previews import fingerprint
from scoring.cards.deals import Signed
from scoring.engine.families import rules_of
from scoring.games import game_of, quick_games_of, start_game
from scoring.handicaps.actions import next_start, rules_for
from scoring.house_rules.actions import adopt
from scoring.house_rules.in_words import GameOffer, offers_of
from scoring.quick_games.actions import NamesChanged, names_on, rename_players
from scoring.quick_games.forms import NamesForm, NewGameForm


@club_page
def new(request: HttpRequest, club: Club) -> HttpResponse:
    """Start a game outside events: first which game, then who sits where. Beside it the way back to the last ones."""
    offers = offers_of(club)
    offer = next((o for o in offers if o.key == request.GET.get("game")), None)
    if offer is None:
        return render(request, "scoring/quick_games/new.html", {"offers": offers, "games": quick_games_of(club)})
    initial = {"token": uuid4(), "title": _("Game of %(day)s") % {"day": date_format(timezone.localdate())}}
    handicap = rules_for(rules_of(offer.rule_set, offer.shape)) is not None
    form = NewGameForm(request.POST or None, shape=offer.shape, handicap=handicap, initial=initial)
    if request.method == "POST" and form.is_valid():
        return _started(request, club, offer=offer, form=form)
    context = {"offer": offer, "form": form, "members": _members(club)}
    return render(request, "scoring/quick_games/new.html", context, status=422 if form.errors else 200)


def _started(request: HttpRequest, club: Club, *, offer: GameOffer, form: NewGameForm) -> HttpResponse:
    """Start the game, once for each form shown; on a page gone back to, other entries start another game."""
    title, sides = form.cleaned_data["title"], form.sides()
    rules = adopt(club=club, rule_set=offer.rule_set, by=actor_of(request))
    start = []
    if form.cleaned_data.get("handicap"):
        start = next_start(club, rules_of(rules.rule_set, offer.shape), sides=sides)
    sent = uuid5(form.cleaned_data["token"], json.dumps([offer.key, title, sides, bool(start)]))
    return redirect(start_game(club=club, rules=rules, title=title, sides=sides, start=start, submission=sent))


@club_page
def names(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """Put right who plays a game outside events. The names of a game of an event are those of its entries."""
    found = game_of(club, game)
    if found.submission is None:
        raise Http404
    now = names_on(found)
    form = NamesForm(request.POST or None, shape=found.shape, initial=NamesForm.filled(now))
    if request.method == "POST" and form.is_valid():
        try:
            rename_players(
                game=found, by=actor_of(request), sides=form.sides(), seen=request.POST.get("fingerprint", "")
            )
        except Signed:
            form.add_error(None, _("This card is signed: only a director changes it. Fetch the director."))
        except NamesChanged as changed:
            words = _("Somebody changed the names meanwhile. Look at yours, then save again. Now they are: %(names)s")
            form.add_error(None, words % {"names": " · ".join(" & ".join(side) for side in changed.names)})
            now = changed.names
        else:
            messages.success(request, _("Saved."))
            return redirect(found)
    context = {"game": found, "form": form, "members": _members(club), "fingerprint": fingerprint(now)}
    return render(request, "scoring/quick_games/names.html", context, status=422 if form.errors else 200)


def _members(club: Club) -> list[Member]:
    """Whose names are offered while one is typed."""
    return sorted(Member.objects.filter(club=club, active=True), key=attrgetter("by_name"))
