"""Names of a competition's list that sound like somebody: whom, what is said of it, and who is then entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.entries.known import known_members, members_named
from tournaments.entries.likeness import OTHER, SAME, beside, known, sounds_like
from tournaments.entries.name_list import ListRow, key
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class Like:
    """Somebody who may be meant: an entry, a `member` who has none, or who stands in a `row` of the list."""

    name: str
    member: bool = False
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A row whose name sounds like somebody, and what is said of that: SAME, OTHER, "" where nothing is yet."""

    row: ListRow
    like: Like
    said: str = ""

    @property
    def asked(self) -> str:
        """The name of the field that says it: an answer is for these two, in whatever row the name stands."""
        return f"who-{key(self.row.name)}-{key(self.like.name)}"

    @property
    def name(self) -> str:
        """The name that is meant, as far as it is said."""
        return self.like.name if self.said == SAME else self.row.name


def doubts_of(event: Event, rows: Sequence[ListRow], *, said: Mapping[str, str]) -> list[Doubt]:
    """The rows that sound like an entry, a member or another row; a member's own name is no doubt. Two queries.

    `said` is what is said, by `Doubt.asked`.
    """
    entries = list(event.entries.select_related("member"))
    entered = {entry.member_id for entry in entries}
    free = {name: member for name, member in known_members(event.club).items() if member.pk not in entered}
    members = members_named([row.name for row in rows], free)
    listed = {member: Like(row.name, row=row.number) for row, member in zip(rows, members, strict=True) if member}
    whom = [(entry.name, Like(entry.name)) for entry in entries]
    whom += [(entry.member.name, Like(entry.name)) for entry in entries if entry.member]
    whom += [(name, listed.get(member) or Like(member.name, member=True)) for name, member in free.items()]
    people = known((n, name) for n, (name, _like) in enumerate(whom))
    doubts = []
    for row, member in zip(rows, members, strict=True):
        if member:
            continue
        if near := sounds_like(row.name, people):
            doubt = Doubt(row, whom[near.key][1])
            answer = said.get(doubt.asked, "")
            doubts.append(Doubt(row, doubt.like, answer if answer in (SAME, OTHER) else ""))
        people.append(beside(len(whom), row.name))
        whom.append((row.name, Like(row.name, row=row.number)))
    return doubts


def entered_by(rows: Sequence[ListRow], doubts: Sequence[Doubt]) -> dict[str, ListRow]:
    """The names to be entered, each with its row: of who is said to be a member the member's, of an entry none."""
    same = {doubt.row: doubt.like for doubt in doubts if doubt.said == SAME}
    names: dict[str, ListRow] = {}
    for row in rows:
        like = same.get(row)
        if like is None or like.member:
            names.setdefault(like.name if like else row.name, row)
    return names
