"""Whether something is new on a card: asked every few seconds by each screen that shows it (static/offline.js).

The version of what the card shows stands in the address that a page asks by. While it is the same, the answer is empty
and costs one query.
"""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlencode

from django.db.models import Max, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubsite.accounts.models import Club
from clubsite.accounts.roles import club_page
from scoring.models import Game

STANDS = ("state", "ended_by", "reason", "set_aside")


@require_safe
@club_page
def news(request: HttpRequest, club: Club, *, game: int) -> HttpResponse:
    """204 while nothing is new on the card, whoever changed it; else an empty page. Raises Http404 as the card does."""
    now = version_of(Game.objects.filter(club=club, pk=game))
    if not now:
        raise Http404
    return HttpResponse(status=204 if knows(request, now) else 200)


def news_address(game: Game) -> str:
    """Where a page asks for what is new. Called before the card is read: what changes in between is new."""
    at = reverse("card_news", args=[game.club.slug, game.pk])
    return with_version(at, version_of(Game.objects.filter(pk=game.pk)))


def version_of(games: QuerySet[Game], *beside: str) -> str:
    """A text that changes with the deals of these games, what sides say of them, how the games stand, and the fields
    named `beside`; "" for no game. One query."""
    last, said = Max("deals__versions"), Max("deals__versions__agreements")
    rows = list(games.order_by("pk").values_list("pk", *STANDS, *beside).annotate(last=last, said=said))
    return sha256(repr(rows).encode()).hexdigest()[:16] if rows else ""


def with_version(address: str, version: str) -> str:
    """An address by which a page asks that shows this version."""
    return f"{address}?{urlencode({'v': version})}"


def knows(request: HttpRequest, version: str) -> bool:
    """Whether the page that asks shows this version already."""
    return bool(version) and request.GET.get("v") == version
