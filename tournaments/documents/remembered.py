"""Remembers the key by which a finished document is kept, as long as nothing is done in its club.

The key of what was made last is remembered for longer, for its small picture, which may be older than the sheet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from django.core.cache import cache
from django.http import HttpRequest

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.roles import role_in
from clubsite.live import LONGEST
from clubsite.pdf.documents import Pages, key_of
from clubsite.tasks.files import KEEP_FOR
from tournaments.models import Event
from tournaments.table_links.shown import site_of


class Remembered:
    """The key of a document as this request would get it, remembered for LONGEST seconds at most, since links end."""

    def __init__(self, request: HttpRequest, event: Event, *, document: str) -> None:
        """Reads the version of the club: before the pages are made, so that what changes meanwhile counts as new."""
        club = event.club
        usual = ("paper", club.paper)  # asking for the club's own paper is like asking for none
        asked = sorted(one for name, values in request.GET.lists() if (one := (name, *values)) != usual)
        parts = (club.slug, event.slug, document, asked, site_of(request), role_in(request, club))
        self._name = _name_of((*parts, version_of(club.slug)))
        self._picture = _name_of((club.slug, event.slug, document, asked, role_in(request, club)))

    @property
    def key(self) -> str | None:
        """The key, where it is remembered."""
        found: str | None = cache.get(self._name)
        return found

    @property
    def picture(self) -> str | None:
        """The key of what was made last for somebody of this role, where anything was."""
        found: str | None = cache.get(self._picture)
        return found

    def made(self, make: Callable[[], Pages]) -> Pages:
        """The pages, their key remembered. Raises what `make` raises."""
        pages = make()
        key = key_of(pages)
        cache.set(self._name, key, timeout=LONGEST)
        cache.set(self._picture, key, timeout=KEEP_FOR.total_seconds())
        return pages


def _name_of(parts: tuple[object, ...]) -> str:
    return f"document:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
