"""Public pages of an event that refresh themselves: a part that is the same for everybody, in a page around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import add_never_cache_headers

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.languages import as_in, chosen_by
from clubsite.accounts.models import Club, Door
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import Closed, came_as, closed_page, door_cookie, pass_door, public
from clubsite.addresses import site_of
from clubsite.live import TAG, Body, answer, kept
from tournaments.models import Event
from tournaments.requests import event_of

OWN = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)  # who sends one of these may get a page of their own


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page of an event: what anybody may see of it now, and the templates of that part and of the page around it."""

    name: str  # the name of its address (urls.py)
    part: str
    whole: str
    shown: Callable[[Event], dict[str, Any]]  # the context of the part; only what is published
    around: Callable[[Event, str], dict[str, Any]] = lambda _event, _site: {}  # of the page around it, at a site


@dataclass(frozen=True, slots=True)
class Choice:
    """What a visitor chose in the address: `part` decides what is shown, `whole` how the page around it looks."""

    part: str = ""  # an address's query, e.g. "show=seats"; as few different ones as possible: each is cached by itself
    whole: str = ""
    context: dict[str, Any] | None = None  # for the templates of both


def respond(
    request: HttpRequest, page: LivePage, *, club: str, event: str, choice: Choice | None = None
) -> HttpResponse:
    """The page to a browser, its part to htmx. Raises Http404.

    Visitors who are surely not logged in get the page that is cached for all of them. Others get a page of their own
    around the part that is cached for everybody."""
    has_cookie = any(name in request.COOKIES for name in (*OWN, door_cookie(club)))  # nobody else costs a query
    came = came_as(request, get_object_or_404(Club, slug=club)) if has_cookie else Door.ANYONE
    site = site_of(request)
    cached = _Cached(page, club, event, choice or Choice(), chosen_by(request), came=came, site=site)
    try:
        if "HX-Request" in request.headers:
            return answer(request, cached.part(again=True))
        if not any(name in request.COOKIES for name in OWN):
            return answer(request, cached.whole())
    except Closed as closed:
        with as_in(closed.club, cached.language):
            return closed_page(request, closed)
    response = _personal(request, club, cached=cached)
    add_never_cache_headers(response)
    return response


@public
def _personal(request: HttpRequest, club: Club, *, cached: _Cached) -> HttpResponse:
    return render(request, cached.page.whole, cached.around(event_of(club, cached.event), cached.part()))


@dataclass(frozen=True, slots=True)
class _Cached:
    page: LivePage
    club: str
    event: str
    choice: Choice
    language: str  # a visitor's own; "" for the club's, which is in the version, as all that the club sets
    came: Door  # as whom the visitor comes
    site: str

    def part(self, *, again: bool = False) -> Body:
        return self._kept("part", self._part, choice=self.choice.part, again=again)

    def whole(self) -> Body:
        """The page as visitors see it who aren't logged in."""
        return self._kept("whole", self._whole, choice=f"{self.choice.part}&{self.choice.whole}&{self.site}")

    def around(self, event: Event, part: Body) -> dict[str, Any]:
        about = {"event": event, "part": part.text, "site": self.site}
        return about | self.page.around(event, self.site) | (self.choice.context or {})

    def _kept(self, what: str, make: Callable[[], str], *, choice: str, again: bool = False) -> Body:
        key = "\n".join((what, self.language, str(self.came), self.club, self.event, self.page.name, choice))
        return kept(key, version=partial(version_of, self.club), make=make, again=again)

    def _part(self) -> str:
        event = self._event()
        with as_in(event.club, self.language):
            query = f"{self.choice.part}&v={TAG}" if self.choice.part else f"v={TAG}"
            address = f"{reverse(self.page.name, args=[self.club, self.event])}?{query}"
            context = {"event": event, "club": event.club, "news": address, **(self.choice.context or {})}
            part = render_to_string(self.page.part, context | self.page.shown(event))
            return hidden_names(event.club).html(part)

    def _whole(self) -> str:
        event = self._event()
        with as_in(event.club, self.language):
            context = {"club": event.club, "LANGUAGES": settings.LANGUAGES, **self.around(event, self.part())}
            return hidden_names(event.club).html(render_to_string(self.page.whole, context))

    def _event(self) -> Event:
        club = get_object_or_404(Club, slug=self.club)
        club.came_as = self.came
        pass_door(club, "event", event=self.event)
        return event_of(club, self.event)
