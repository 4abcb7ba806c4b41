"""Initials in place of the names of members who ask for that, on every public page: decided here and nowhere else.

A public page is made with names and goes through `hide` before it is sent, so no page that is added later can forget
it. `clubsite.accounts.roles.public` does so for the pages it makes, and `tournaments.pages.live` for those it keeps.
"""

from collections.abc import Callable, Iterable

from django.core.cache import caches
from django.http import HttpResponse

from clubsite.accounts.audit_log import version_of
from clubsite.accounts.models import Club, Member
from clubsite.names import Names, initials

GOES_BY: list[Callable[[Club, list[int]], tuple[Iterable[str], Iterable[str]]]] = []
"""Functions that know further names: of a club and keys of members, the names that these have on lists and results, and
everybody else's. `tournaments.apps` adds one."""

KEEP_FOR = 600  # seconds
CHANGES = {"text/html": Names.html, "image/svg+xml": Names.html, "application/json": Names.json}  # other text: as text
IN_FULL = "names_in_full"  # attribute of an answer for the club's own people, which keeps all names


def hidden_names(club: Club) -> Names:
    """The names that public pages of the club don't show. One query where there are none.

    Where there are some, all results of the club are searched once after each change in it.
    """
    hidden = list(Member.every.filter(club=club, initials_only=True).values_list("pk", "name"))
    if not hidden:
        return Names({})
    cache, at = caches["template_fragments"], f"hidden-names:{club.pk}:{version_of(club.slug)}"
    cached: tuple[set[str], set[str]] | None = cache.get(at)
    if cached is None:
        cached = _names(club, hidden)
        cache.set(at, cached, timeout=KEEP_FOR)
    theirs, others = cached
    return Names({name: initials(name) for name in theirs}, others)


def _names(club: Club, hidden: list[tuple[int, str]]) -> tuple[set[str], set[str]]:
    """All names that these members went by, and those of everybody else."""
    merged = list(
        Member.every.filter(club=club, merged_into__in=[pk for pk, _name in hidden]).values_list("pk", "name")
    )
    keys = [pk for pk, _name in (*hidden, *merged)]
    theirs = {name for _pk, name in (*hidden, *merged)}
    others = {club.name, *Member.every.filter(club=club).values_list("name", flat=True)}
    for goes_by in GOES_BY:
        their_names, other_names = goes_by(club, keys)
        theirs |= set(their_names)
        others |= set(other_names)
    return theirs, others - theirs


def hide(response: HttpResponse, clubs: Iterable[Club]) -> HttpResponse:
    """The answer with initials in place of the hidden names of these clubs, where it is a page, a picture, text or
    JSON."""
    if getattr(response, IN_FULL, False) or response.streaming:
        return response
    kind = response.get("Content-Type", "").partition(";")[0]
    change = CHANGES.get(kind, Names.text if kind.startswith("text/") else None)
    if not response.content or change is None:
        return response
    for club in clubs:
        if names := hidden_names(club):
            response.content = change(names, response.content.decode()).encode()
    return response
