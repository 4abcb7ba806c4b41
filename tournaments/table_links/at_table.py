"""A request that comes by a table's link: which table it is. Every view of a table wears `at_table`."""

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

from clubsite.accounts.languages import speak
from clubsite.accounts.login_attempts import TooManyTries
from clubsite.accounts.models import Actor, Club
from clubsite.accounts.permissions.table import LinkState
from clubsite.accounts.roles import View
from clubsite.addresses import network_of
from clubsite.names import BETWEEN
from scoring.cards.deals import TABLE
from scoring.models import Game
from tournaments.models import Event, Group, TableLink
from tournaments.table_links.links import count_wrong_link, link_with, state_now, state_of, why_refused

SIDE = "side"  # the cookie that says which side holds the phone, sent to this table's pages only
SALT = "tournaments.table_links.side"


class LinkEnded(Exception):
    """Raised when the link was ended while the page was in use; says why, and the status of the answer."""


@dataclass(frozen=True)
class AtTable:
    """One group at its table, as its link opens it. `side`: which of its sides holds the phone, None: not said yet."""

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
        """What the table is called: "Table 3", "Table 3A"."""
        return _("Table %(label)s") % {"label": self.group.label_in(self.event)}

    @property
    def title(self) -> str:
        """Its name on the table's own pages, with that of the match in a knock-out: "Semi-final 1 · Table 3"."""
        table = self.group.table
        return BETWEEN.join(filter(None, [table.draw.match_name(table.number), self.name]))

    @cached_property
    def games(self) -> dict[int, Game]:
        """The games of its set by number. One query."""
        rows = self.group.games.select_related("game__rules", "game__club").order_by("number")
        return {row.number: row.game for row in rows}

    @property
    def current(self) -> int:
        """The number of the game being played: the first that is open, else the last."""
        is_open = (number for number, game in self.games.items() if game.state == Game.State.OPEN)
        return next(is_open, max(self.games))

    @property
    def actor(self) -> Actor:
        """The table as an actor: without an account or a director's rights, even when somebody is logged in."""
        return Actor(user=None, name=self.name, route=TABLE, side=self.side)

    @contextmanager
    def entering(self) -> Iterator[None]:
        """The transaction in which something is entered at the table. Nobody can end the link before the transaction
        ends. Raises LinkEnded: the link was ended already; nothing is entered."""
        with transaction.atomic():
            Club.acquire_lock(self.club.pk)
            if why := why_refused(state := state_now(self.link)):
                raise LinkEnded(why, state.status)
            yield

    @property
    def closed(self) -> str:
        """Why the table changes nothing any more, in words, where its round is closed; "" while that is open, or a game
        of the table. What is recorded may be in a published result then, and a table isn't shown whom a change moves.
        """
        round = self.group.table.draw.round
        if not round.closed or self.group.games.filter(game__state=Game.State.OPEN).exists():
            return ""
        return _("Round %(n)d is closed: the director changes what isn't right.") % {"n": round.number}

    @contextmanager
    def correcting(self) -> Iterator[None]:
        """As `entering`, for a change of what is recorded. Raises LinkEnded where the round was closed, too."""
        with self.entering():
            self.group.table.draw.round.refresh_from_db(fields=["closed"])
            if why := self.closed:
                raise LinkEnded(why, 409)
            yield

    def url(self, name: str = "table", *args: int) -> str:
        """The address of one of the table's pages."""
        return reverse(name, args=[self.token, *args])

    def signed_side(self, side: int) -> str:
        """The signed value of the cookie that remembers this side."""
        return signing.dumps([self.link.pk, side], salt=SALT)


def at_table(view: View) -> View:
    """A page of a table: replaces the token by the table, or says why the link opens nothing.

    Django's CSRF token isn't checked: anybody who can post here knows the link, the only secret. So a form stored
    on a phone can be sent whenever its network is back. The page isn't cached."""

    @csrf_exempt
    @never_cache
    @wraps(view)
    def wrapped(request: HttpRequest, token: str, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = _answer(view, request, token=token, args=args, kwargs=kwargs)
        answer["X-Robots-Tag"] = "noindex"
        return answer

    return wrapped


def _answer(view: View, request: HttpRequest, *, token: str, args: Any, kwargs: Any) -> HttpResponse:
    link = link_with(token)
    if link is None:
        try:
            count_wrong_link(network_of(request))  # opening a page writes nothing else: guesses are tried so
        except TooManyTries:
            return refusal(request, _("Too many links were tried from here. Wait a quarter of an hour."), status=429)
        return refusal(request, why_refused(LinkState.NONE), status=LinkState.NONE.status)
    club = link.group.table.draw.round.stage.event.club
    request.club = club  # type: ignore[attr-defined]  # read by the context processor
    speak(request, club)
    with timezone.override(club.zone):
        if why := why_refused(state := state_of(link)):
            code_at = reverse("table_code", args=[club.slug, link.event.slug])
            renewed = state in {LinkState.REVOKED, LinkState.TAKEN_BACK}
            return refusal(request, why, status=state.status, code_at=code_at, renewed=renewed)
        table = AtTable(link, token.upper(), _side(request, link))
        try:
            return view(request, table, *args, **kwargs)
        except LinkEnded as ended:
            why, status = ended.args
            return refusal(request, why, status=status)
        except Http404:
            words = _("That isn't on this table's card. A link opens the cards of one table in one round.")
            return refusal(request, words, status=404, url=table.url())


def refusal(request: HttpRequest, why: str, *, status: int, **context: object) -> HttpResponse:
    """The page that says why a link opens nothing. Its context: `url` of the table's own page, where there is one;
    `code_at`, where the event's codes are typed, if it is known; and whether the table has, or will have, another link
    (`renewed`), with which the deals kept on this phone go on."""
    context |= {"why": why, "is_director": False, "is_scorekeeper": False}
    return render(request, "tournaments/table_links/refused.html", context, status=status)


def _side(request: HttpRequest, link: TableLink) -> int | None:
    try:
        pk, side = signing.loads(request.COOKIES.get(SIDE, ""), salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return int(side) if pk == link.pk else None
