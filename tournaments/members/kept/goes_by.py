"""The names that a member went by: on lists of events, as a stand-in player, and in published results."""

from __future__ import annotations

from collections.abc import Iterable

from clubsite.accounts.models import Club
from tournaments.models import Entry, PublishedStandings
from tournaments.models.outcomes import rows_of_people


def names_of(club: Club, members: Iterable[int]) -> tuple[set[str], set[str]]:
    """The names of these members on lists and in results, and those of everybody else. Two queries."""
    keys = set(members)
    own: set[str] = set()
    rest: set[str] = set()
    for name, member in Entry.objects.filter(event__club=club).order_by().values_list("name", "member").distinct():
        (own if member in keys else rest).add(name)
    for rows in PublishedStandings.objects.filter(event__club=club).values_list("rows", flat=True):
        for row in rows_of_people(rows):
            (own if row.get("member") in keys else rest).add(row["name"])
    return own, rest - own
