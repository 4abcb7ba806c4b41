"""Initials in place of the names of members who ask for that, on every public page: decided here and nowhere else.

A public page is made with names and goes through `hide_names` before it is sent, so no page that is added later can
forget it. `clubsite.accounts.roles.public` does so for the pages it makes, `tournaments.pages.live` for cached ones.
"""

from collections.abc import Callable, Iterable

from django.core.cache import caches
from django.http import HttpResponse

from clubsite.accounts.audit_log import club_version
from clubsite.accounts.models import Club, Member
from clubsite.names import NameReplacer, initials

ALIASES: list[Callable[[Club, list[int]], tuple[Iterable[str], Iterable[str]]]] = []
"""Functions that know further names: of a club and keys of members, the names that these have on lists and results, and
everybody else's. `tournaments.apps` adds one."""

KEEP_FOR = 600  # seconds
CHANGES = {
    "text/html": NameReplacer.html,
    "image/svg+xml": NameReplacer.html,
    "application/json": NameReplacer.json,
}  # other text: as text
IN_FULL = "names_in_full"  # attribute of an answer for the club's own people, which keeps all names


def hidden_names(club: Club) -> NameReplacer:
    """The names that public pages of the club don't show. One query where there are none.

    Where there are some, all results of the club are searched once after each change in it.
    """
    hidden = list(Member.every.filter(club=club, initials_only=True).values_list("pk", "name"))
    if not hidden:
        return NameReplacer({})
    cache, at = caches["template_fragments"], f"hidden-names:{club.pk}:{club_version(club.slug)}"
    cached: tuple[set[str], set[str]] | None = cache.get(at)
    if cached is None:
        cached = _find_names(club, hidden)
        cache.set(at, cached, timeout=KEEP_FOR)
    theirs, others = cached
    return NameReplacer({name: initials(name) for name in theirs}, others)


def _find_names(club: Club, hidden: list[tuple[int, str]]) -> tuple[set[str], set[str]]:
    """All names of these members, and those of everybody else."""
    merged = Member.every.filter(club=club, merged_into__in=[pk for pk, _name in hidden])
    rows = [*hidden, *merged.values_list("pk", "name")]
    keys, theirs = [pk for pk, _name in rows], {name for _pk, name in rows}
    others = {club.name, *Member.every.filter(club=club).values_list("name", flat=True)}
    for goes_by in ALIASES:
        their_names, other_names = goes_by(club, keys)
        theirs |= set(their_names)
        others |= set(other_names)
    return theirs, others - theirs


def hide_names(response: HttpResponse, clubs: Iterable[Club]) -> HttpResponse:
    """Replace the hidden names of these clubs by initials, where the answer is a page, a picture, text or JSON."""
    if getattr(response, IN_FULL, False) or response.streaming:
        return response
    kind = response.get("Content-Type", "").partition(";")[0]
    change = CHANGES.get(kind, NameReplacer.text if kind.startswith("text/") else None)
    if not response.content or change is None:
        return response
    for club in clubs:
        if names := hidden_names(club):
            response.content = change(names, response.content.decode()).encode()
    return response
