"""Whose name is whose: the club's members by the names they go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from clubsite.accounts.models import Club, Member
from clubsite.names import folded
from scoring.pasted_names import key


def known_members(club: Club) -> dict[str, Member]:
    """Names of members, case-folded (`pasted_names.key`), to the member. One query.

    The name of a member who was merged into another leads to the one who was kept: the misspelling is known.
    """
    members = {member.pk: member for member in Member.every.filter(club=club)}
    return {key(member.name): members[member.merged_into_id or pk] for pk, member in members.items()}


def members_named(names: Sequence[str], members: Mapping[str, Member]) -> list[Member | None]:
    """The member of each name: as it is written, else the only one whom `same_name` gives and nobody else here is."""
    found = [members.get(key(name)) for name in names]
    left = set(members.values()).difference(member for member in found if member)
    alike = defaultdict(set)
    for known, member in members.items():
        alike[_spoken(known)].add(member)
    for n, name in enumerate(names):
        if found[n] is None and _spoken(name) and len(alike[_spoken(name)]) == 1 and alike[_spoken(name)] <= left:
            (found[n],) = alike[_spoken(name)]
            left -= alike[_spoken(name)]
    return found


def same_name(one: str, other: str) -> bool:
    """Whether two names differ in capitals, accents and signs alone, or in the family name before a comma."""
    return key(one) == key(other) or (bool(_spoken(one)) and _spoken(one) == _spoken(other))


def _spoken(name: str) -> tuple[str, ...]:
    family, _comma, given = name.partition(",")
    return folded(f"{given} {family}")
