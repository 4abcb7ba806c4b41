"""Whether something is new on a table's card, or with its link: `scoring.cards.queries` for who comes by the link."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.cards.queries import knows, version_of, with_version
from scoring.models import Game
from tournaments.table_links.at_table import AtTable, at_table
from tournaments.table_links.codes import token_hash

GROUP = "group_game__group"
DRAW = f"{GROUP}__table__draw"
BESIDE = (GROUP, f"{DRAW}__state", f"{DRAW}__round__closed", f"{GROUP}__links__revoked_at")


@never_cache
@require_safe
def news(request: HttpRequest, token: str) -> HttpResponse:
    """204 while nothing is new on the card, whoever changed it; else what the table's page would answer, without it."""
    if knows(request, _version(token)):
        return HttpResponse(status=204)
    return _something_new(request, token)


@at_table
def _something_new(request: HttpRequest, at: AtTable) -> HttpResponse:
    return HttpResponse()


def news_address(at: AtTable) -> str:
    """Where a page asks for what is new. Called before the card is read: what changes in between is new."""
    return with_version(at.url("table_news"), _version(at.token))


def _version(token: str) -> str:
    """The version of all games that the link opens; "" where no link has this token. One query."""
    return version_of(Game.objects.filter(**{f"{GROUP}__links__token_hash": token_hash(token)}), *BESIDE)
