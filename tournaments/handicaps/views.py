"""Handicaps: each game's list, the director's numbers for it, and the handicaps of one night."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubsite.accounts.models import Club
from clubsite.accounts.roles import actor_of, club_page, is_director, public
from tournaments.handicaps.actions import (
    best_words,
    choose_numbers,
    chosen_numbers,
    give_handicaps,
    handicap_list,
    handicap_words,
    kept_secret,
    rule_of,
    rule_words,
    titles_of,
)
from tournaments.handicaps.forms import ClubHandicapForm
from tournaments.models import Event
from tournaments.requests import night_of, refusals_on, refusals_told


@public
def handicaps(request: HttpRequest, club: Club) -> HttpResponse:
    """The games with handicaps; a director sees the others too, to choose numbers for them."""
    titles, chosen = titles_of(club), chosen_numbers(club)
    context = {
        "with_numbers": [(game, title, rule_words(chosen[game])) for game, title in titles.items() if game in chosen],
        "without": [(game, title) for game, title in titles.items() if game not in chosen],
    }
    return render(request, "tournaments/handicaps/handicaps.html", context)


@public
def handicap_page(request: HttpRequest, club: Club, *, game: str) -> HttpResponse:
    """The handicap of every member in one game, and why; for directors only while it is secret."""
    title, rule = titles_of(club).get(game), chosen_numbers(club).get(game)
    if title is None or rule is None:
        raise Http404
    secret = kept_secret(club, game, rule=rule)
    shown = not secret or is_director(request, club)
    context = {
        "game": game,
        "title": title,
        "rule": rule_words(rule),
        "secret": secret,
        "shown": shown,
    }
    if shown:
        lines = handicap_list(club, game, rule=rule)
        context["lines"] = [(line, handicap_words(line.handicap, rule)) for line in lines]
    return render(request, "tournaments/handicaps/handicap_list.html", context)


@club_page
def numbers(request: HttpRequest, club: Club, *, game: str) -> HttpResponse:
    """The club's numbers for a game."""
    title, chosen = titles_of(club).get(game), chosen_numbers(club).get(game)
    if title is None:
        raise Http404
    form = ClubHandicapForm(request.POST or None, rule=chosen)
    if request.method == "POST" and form.is_valid():
        with refusals_on(form):
            choose_numbers(club=club, game=game, rule=form.rule(), by=actor_of(request))
            messages.success(request, _("Saved. Nights that give handicaps already keep their numbers."))
            return redirect("handicap_list", club.slug, game)
    context = {"form": form, "game": game, "title": title, "chosen": chosen, "best": best_words(club, game)}
    return render(request, "tournaments/handicaps/handicap_numbers.html", context)


@club_page
def of_event(request: HttpRequest, club: Club, *, event: str) -> HttpResponse:
    """Whether a night gives handicaps, and by which numbers: the club's, or its own."""
    found = night_of(club, event)
    if found.fixed_sides:
        raise Http404
    step = request.POST.get("step", "")
    now = rule_of(found)
    start = now or chosen_numbers(club).get(found.rules.slug)
    form = ClubHandicapForm(request.POST if step == "give" else None, rule=start)
    if step == "scratch" or (step == "give" and form.is_valid()):
        rule = form.rule() if step == "give" else None
        with refusals_told(request):
            give_handicaps(event=found, rule=rule, by=actor_of(request))
            words = _("Saved. The standings with handicap stand below the others.") if rule else _("Saved.")
            messages.success(request, words)
            return redirect("desk_event", club.slug, found.slug)
    context = {
        "event": found,
        "form": form,
        "now": rule_words(now) if now else "",
        "finished": found.state == Event.State.FINISHED,
        "best": best_words(club, found.rules.slug),
    }
    return render(request, "tournaments/handicaps/event_handicap.html", context)
