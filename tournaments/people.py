"""Names that lead to what a person has played: whose page anybody may open, and where it is."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse

from clubsite.accounts.models import Club, Member


class Person(NamedTuple):
    """Somebody at a table or sitting out. `member` is the key, None for guests and for people who stand in for
    somebody."""

    name: str
    member: int | None


@dataclass(frozen=True, slots=True)
class PersonPages:
    """The members' pages that a visitor may open. Addresses are `start`, key, `end`; both are "" if none may be opened.
    `closed` are the keys of members whose page they may not open."""

    start: str
    end: str
    closed: frozenset[int] = frozenset()

    def address(self, member: int | None) -> str:
        """The address of a member's page; "" if there is none that the visitor may open."""
        return f"{self.start}{member}{self.end}" if self.start and member and member not in self.closed else ""


def pages_of_people(club: Club, *, inside: bool = False) -> PersonPages:
    """The pages that this visitor may open; all of them for those `inside`, at the club's desk. At most one query.

    Only the club's own people may open the page of somebody erased or shown with initials."""
    return _make_pages(club, frozenset()) if inside else pages_by_club([club])[club.pk]


def pages_by_club(clubs: Collection[Club]) -> dict[int, PersonPages]:
    """The pages that this visitor may open, by club. One query."""
    shut = Q(initials_only=True) | Q(erased_at__isnull=False)
    shut |= Q(merged_into__initials_only=True) | Q(merged_into__erased_at__isnull=False)
    closed = frozenset(Member.every.filter(shut, club__in=clubs).values_list("pk", flat=True))
    return {club.pk: _make_pages(club, closed) for club in clubs}


def _make_pages(club: Club, closed: frozenset[int]) -> PersonPages:
    if not club.shows("people"):
        return PersonPages("", "")
    start, end = reverse("person", args=[club.slug, 0]).rsplit("0", 1)
    return PersonPages(start, end, closed)
