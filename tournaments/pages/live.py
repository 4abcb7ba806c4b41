"""Public pages of an event that refresh a part of themselves. The part is the same for everybody, and cached."""

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

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.languages import chosen_language, use_language
from clubsite.accounts.models import Club, Door
from clubsite.accounts.name_privacy import hidden_names
from clubsite.accounts.roles import Closed, check_door, closed_page, door_cookie, public, visitor_door
from clubsite.addresses import site_address
from clubsite.live import TAG_PLACEHOLDER, Body, body_response, cached_body
from tournaments.models import Event
from tournaments.requests import get_event

PERSONAL_COOKIES = (settings.SESSION_COOKIE_NAME, CookieStorage.cookie_name)  # who sends none gets a cached page


@dataclass(frozen=True, slots=True)
class LivePage:
    name: str  # of its address (urls.py)
    part: str  # template
    whole: str  # template of the page around the part
    part_context: Callable[[Event], dict[str, Any]]  # only what is published
    page_context: Callable[[Event, str], dict[str, Any]] = lambda _event, _site: {}  # the site's address second


@dataclass(frozen=True, slots=True)
class Choice:
    """The options in the address: cache keys of the part and of the page around it."""

    part: str = ""  # the query, e.g. "show=seats"; as few different ones as possible, since each is cached
    whole: str = ""
    context: dict[str, Any] | None = None  # for the templates of both


def respond(
    request: HttpRequest, page: LivePage, *, club: str, event: str, choice: Choice | None = None
) -> HttpResponse:
    """The page for a browser, its part for htmx. Raises Http404.

    Visitors without a personal cookie get a cached page, others a page of their own around the cached part."""
    # Only visitors with a cookie cost a query.
    has_cookie = any(name in request.COOKIES for name in (*PERSONAL_COOKIES, door_cookie(club)))
    came = visitor_door(request, get_object_or_404(Club, slug=club)) if has_cookie else Door.ANYONE
    site = site_address(request)
    cached = _CachedPage(page, club, event, choice or Choice(), chosen_language(request), came=came, site=site)
    try:
        if "HX-Request" in request.headers:
            return body_response(request, cached.part(again=True))
        if not any(name in request.COOKIES for name in PERSONAL_COOKIES):
            return body_response(request, cached.whole())
    except Closed as closed:
        with use_language(closed.club, cached.language):
            return closed_page(request, closed)
    response = _personal_page(request, club, cached=cached)
    add_never_cache_headers(response)
    return response


@public
def _personal_page(request: HttpRequest, club: Club, *, cached: _CachedPage) -> HttpResponse:
    return render(request, cached.page.whole, cached.page_context(get_event(club, cached.event), cached.part()))


@dataclass(frozen=True, slots=True)
class _CachedPage:
    page: LivePage
    club: str
    event: str
    choice: Choice
    language: str  # the visitor's own; "" for the club's, which the version covers like all its settings
    came: Door  # what the visitor may see
    site: str

    def part(self, *, again: bool = False) -> Body:
        return self._cached_body("part", self._render_part, choice=self.choice.part, again=again)

    def whole(self) -> Body:
        """The page for visitors who aren't logged in."""
        return self._cached_body(
            "whole", self._render_whole, choice=f"{self.choice.part}&{self.choice.whole}&{self.site}"
        )

    def page_context(self, event: Event, part: Body) -> dict[str, Any]:
        about = {"event": event, "part": part.text, "site": self.site}
        return about | self.page.page_context(event, self.site) | (self.choice.context or {})

    def _cached_body(self, what: str, make: Callable[[], str], *, choice: str, again: bool = False) -> Body:
        key = "\n".join((what, self.language, str(self.came), self.club, self.event, self.page.name, choice))
        return cached_body(key, version=partial(club_version, self.club), make=make, polling=again)

    def _render_part(self) -> str:
        event = self._event()
        with use_language(event.club, self.language):
            query = f"{self.choice.part}&v={TAG_PLACEHOLDER}" if self.choice.part else f"v={TAG_PLACEHOLDER}"
            address = f"{reverse(self.page.name, args=[self.club, self.event])}?{query}"
            context = {"event": event, "club": event.club, "news": address, **(self.choice.context or {})}
            part = render_to_string(self.page.part, context | self.page.part_context(event))
            return hidden_names(event.club).html(part)

    def _render_whole(self) -> str:
        event = self._event()
        with use_language(event.club, self.language):
            context = {"club": event.club, "LANGUAGES": settings.LANGUAGES, **self.page_context(event, self.part())}
            return hidden_names(event.club).html(render_to_string(self.page.whole, context))

    def _event(self) -> Event:
        club = get_object_or_404(Club, slug=self.club)
        club.came_as = self.came
        check_door(club, "event", event=self.event)
        return get_event(club, self.event)
