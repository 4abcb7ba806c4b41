"""Whose name is whose: the club's members by the names they go by."""

from __future__ import annotations

from clubsite.accounts.models import Club, Member
from tournaments.entries.name_list import key


def known_members(club: Club) -> dict[str, Member]:
    """Names of members, case-folded (`name_list.key`), to the member. One query.

    The name of a member who was merged into another leads to the one who was kept: the misspelling is known.
    """
    members = {member.pk: member for member in Member.every.filter(club=club)}
    return {key(member.name): members[member.merged_into_id or pk] for pk, member in members.items()}
