"""By which key a document is kept, remembered while nothing is done in its club: making its pages takes a while."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import translation

from clubsite.accounts.log import version_of
from clubsite.accounts.roles import role_in
from clubsite.live import LONGEST
from clubsite.paper.pdf import Pages, key_of
from tournaments.models import Event
from tournaments.table_links.shown import site_of


class Remembered:
    """The key of a document as this request would get it; for LONGEST seconds at most, since links may end."""

    def __init__(self, request: HttpRequest, event: Event, document: str) -> None:
        """Reads the version of the club: before the pages are made, so that what changes meanwhile counts as new."""
        club = event.club
        asked = sorted((name, *values) for name, values in request.GET.lists())
        parts = (club.slug, event.slug, document, asked, site_of(request), role_in(request, club))
        whole = (*parts, translation.get_language(), version_of(club.slug))
        self._name = f"document:{hashlib.sha256(repr(whole).encode()).hexdigest()}"

    @property
    def key(self) -> str | None:
        """The key, where it is known."""
        found: str | None = cache.get(self._name)
        return found

    def made(self, make: Callable[[], Pages]) -> Pages:
        """The pages, their key remembered. Raises what `make` raises."""
        pages = make()
        cache.set(self._name, key_of(pages), timeout=LONGEST)
        return pages
