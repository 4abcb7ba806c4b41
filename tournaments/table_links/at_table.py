"""Requests by a table's link. Every view of a table is decorated with `at_table`."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from clubsite.accounts.languages import activate_language
from clubsite.accounts.login_attempts import TooManyTries
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.permissions.table import LinkState
from clubsite.accounts.roles import View
from clubsite.addresses import client_network
from clubsite.names import SEPARATOR
from scoring.cards.deals import TABLE
from scoring.models import Game
from tournaments.models import Event, Group, TableLink
from tournaments.table_links.links import count_wrong_link, current_link_state, find_link, link_state, why_refused

SIDE = "side"  # cookie: which side holds the phone; sent to this table's pages only
SALT = "tournaments.table_links.side"


class LinkEnded(Exception):
    """The link was ended while the page was in use. Arguments: the reason in words, the status of the answer."""


@dataclass(frozen=True)
class AtTable:
    """The table that a link opens. `side`: the one that holds the phone, None if unknown."""

    link: TableLink
    token: str
    side: int | None

    @property
    def group(self) -> Group:
        return self.link.group

    @property
    def event(self) -> Event:
        return self.group.table.draw.round.stage.event

    @property
    def club(self) -> Club:
        return self.event.club

    @cached_property
    def name(self) -> str:
        """As in "Table 3", "Table 3A"."""
        return _("Table %(label)s") % {"label": self.group.label_in(self.event)}

    @property
    def title(self) -> str:
        """Its name, with that of the match in a knock-out: "Semi-final 1 · Table 3"."""
        table = self.group.table
        return SEPARATOR.join(filter(None, [table.draw.match_name(table.number), self.name]))

    @cached_property
    def games(self) -> dict[int, Game]:
        """The games of its set by number. One query."""
        rows = self.group.games.select_related("game__rules", "game__club").order_by("number")
        return {row.number: row.game for row in rows}

    @property
    def current(self) -> int:
        """The number of the first open game, else of the last."""
        is_open = (number for number, game in self.games.items() if game.state == Game.State.OPEN)
        return next(is_open, max(self.games))

    @property
    def actor(self) -> Actor:
        """Without an account or a director's rights, even if somebody is logged in."""
        return Actor(user=None, name=self.name, route=TABLE, side=self.side)

    @contextmanager
    def entering(self) -> Iterator[None]:
        """A transaction in which something is entered at the table. It holds the club's lock, so nobody can end the
        link meanwhile. Raises LinkEnded: the link was ended already."""
        with transaction.atomic():
            Club.acquire_lock(self.club.pk)
            if why := why_refused(state := current_link_state(self.link)):
                raise LinkEnded(why, state.status)
            yield

    @property
    def why_closed(self) -> str:
        """Why the table can't change deals any more: its round is closed, so they may be in a published result. ""
        while the round, or a game of the table, is open."""
        round = self.group.table.draw.round
        if not round.closed or self.group.games.filter(game__state=Game.State.OPEN).exists():
            return ""
        return _("Round %(n)d is closed. Ask the director for corrections.") % {"n": round.number}

    @contextmanager
    def correcting(self) -> Iterator[None]:
        """As `entering`, for a correction. Raises LinkEnded also if the round is closed."""
        with self.entering():
            self.group.table.draw.round.refresh_from_db(fields=["closed"])
            if why := self.why_closed:
                raise LinkEnded(why, 409)
            yield

    def url(self, name: str = "table", *args: int) -> str:
        return reverse(name, args=[self.token, *args])

    def signed_side(self, side: int) -> str:
        """The value of the cookie SIDE."""
        return signing.dumps([self.link.pk, side], salt=SALT)


def at_table(view: View) -> View:
    """Gives the view an `AtTable` for the token, or answers with the reason why the link doesn't open its table.

    The CSRF token isn't checked: anybody who can post here knows the link, the only secret. So a form stored on a phone
    can be sent whenever its network is back."""

    @csrf_exempt
    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, token: str, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = _respond(view, request, token=token, args=args, kwargs=kwargs)
        answer["X-Robots-Tag"] = "noindex"
        return answer

    return wrapped


def _respond(view: View, request: HttpRequest, *, token: str, args: Any, kwargs: Any) -> HttpResponse:
    link = find_link(token)
    if link is None:
        try:
            count_wrong_link(client_network(request))  # somebody may be guessing
        except TooManyTries:
            return refusal_page(
                request, _("Too many links were tried from here. Wait a quarter of an hour."), status=429
            )
        return refusal_page(request, why_refused(LinkState.NONE), status=LinkState.NONE.status)
    club = link.group.table.draw.round.stage.event.club
    request.club = club  # type: ignore[attr-defined]  # read by the context processor
    activate_language(request, club)
    with timezone.override(club.zone):
        if why := why_refused(state := link_state(link)):
            code_at = reverse("table_code", args=[club.slug, link.event.slug])
            renewed = state in {LinkState.REVOKED, LinkState.TAKEN_BACK}
            return refusal_page(request, why, status=state.status, code_at=code_at, renewed=renewed)
        table = AtTable(link, token.upper(), _remembered_side(request, link))
        try:
            return view(request, table, *args, **kwargs)
        except LinkEnded as ended:
            why, status = ended.args
            return refusal_page(request, why, status=status)
        except Http404:
            words = _("That isn't on this table's card. A link opens the cards of one table in one round.")
            return refusal_page(request, words, status=404, url=table.url())


def refusal_page(request: HttpRequest, why: str, *, status: int, **context: object) -> HttpResponse:
    """The page that says why a link doesn't open its table.

    Context: `url` of the table's page, `code_at`, the page on which the event's codes are typed, and `renewed`, whether
    the table has or will have another link, with which deals stored on this phone can still be sent."""
    context |= {"why": why, "is_director": False, "is_scorekeeper": False}
    return render(request, "tournaments/table_links/refused.html", context, status=status)


def _remembered_side(request: HttpRequest, link: TableLink) -> int | None:
    try:
        pk, side = signing.loads(request.COOKIES.get(SIDE, ""), salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return int(side) if pk == link.pk else None
