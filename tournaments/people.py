"""Names that lead to what a person has played: whose page anybody may open, and where it is."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse

from clubsite.accounts.models import Club, Member


class Person(NamedTuple):
    """Somebody at a table or sitting out: the name, and the key of the member, None for guests and people who play for
    somebody else."""

    name: str
    member: int | None


@dataclass(frozen=True, slots=True)
class PersonPages:
    """The pages of a club's members that some visitors may open: `start` and `end` of their addresses, "" where they
    may open none, and the members whose page they may not open."""

    start: str
    end: str
    closed: frozenset[int] = frozenset()

    def of(self, member: int | None) -> str:
        """The address of a member's page; nothing for people without one that may be opened."""
        return f"{self.start}{member}{self.end}" if self.start and member and member not in self.closed else ""


def pages_of_people(club: Club, *, inside: bool = False) -> PersonPages:
    """The pages that this visitor may open, or all of them for those `inside`, at the club's desk. At most one query.

    The page of somebody who wants initials only, or was erased, is for the club's own people alone."""
    return _pages(club, frozenset()) if inside else pages_in([club])[club.pk]


def pages_in(clubs: Collection[Club]) -> dict[int, PersonPages]:
    """The pages that this visitor may open of these clubs' people, by club. One query."""
    shut = Q(initials_only=True) | Q(erased_at__isnull=False)
    shut |= Q(merged_into__initials_only=True) | Q(merged_into__erased_at__isnull=False)
    closed = frozenset(Member.every.filter(shut, club__in=clubs).values_list("pk", flat=True))
    return {club.pk: _pages(club, closed) for club in clubs}


def _pages(club: Club, closed: frozenset[int]) -> PersonPages:
    if not club.shows("people"):
        return PersonPages("", "")
    start, end = reverse("person", args=[club.slug, 0]).rsplit("0", 1)
    return PersonPages(start, end, closed)
