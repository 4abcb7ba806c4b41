"""Whether something is new on a table's card: asked every few seconds by each phone that shows it.

The version of what the card shows stands in the address that a page asks by. While it is the same, the answer is empty
and costs one query.
"""

from __future__ import annotations

from hashlib import sha256
from urllib.parse import urlencode

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.models import TableLink
from tournaments.table_links.at_table import AtTable, at_table
from tournaments.table_links.codes import token_hash

DEALS = "group__games__game__deals__versions"


@never_cache
@require_safe
def news(request: HttpRequest, token: str) -> HttpResponse:
    """204 while nothing is new on the card, whoever changed it; else what the table's page would answer, without it."""
    now = _version(token)
    if now and request.GET.get("v") == now:
        return HttpResponse(status=204)
    return _something_new(request, token)


@at_table
def _something_new(request: HttpRequest, at: AtTable) -> HttpResponse:
    return HttpResponse()


def news_address(at: AtTable) -> str:
    """Where a page asks for what is new. Called before the card is read: what changes in between is new."""
    return f"{at.url('table_news')}?{urlencode({'v': _version(at.token)})}"


def _version(token: str) -> str:
    """A text that changes with the deals of the table's games, what sides say of them, how the games stand, and the
    link; "" where no link has this token. One query."""
    found = TableLink.objects.filter(token_hash=token_hash(token)).values_list(
        "group",
        "revoked_at",
        "group__table__draw__state",
        "group__games__number",
        "group__games__game__state",
        "group__games__game__ended_by",
        "group__games__game__reason",
    )
    rows = found.annotate(deals=Max(DEALS), said=Max(f"{DEALS}__agreements")).order_by("group__games__number")
    return sha256(repr(list(rows)).encode()).hexdigest()[:16] if rows else ""
