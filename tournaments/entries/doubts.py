"""Names that sound like somebody: whom, what is answered, in this event or before, and who is then in a competition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from scoring.pasted_names import ListRow, key
from tournaments.engine.grouping import grouped
from tournaments.entries.known import known_members, members_named
from tournaments.entries.likeness import ByEar
from tournaments.models import Entry, Event, NameAnswer

SAME, OTHER = "same", "other"  # what is said of a name that sounds like somebody's: it is that person, or somebody else


@dataclass(frozen=True, slots=True)
class Doubt:
    """A name of a list that sounds like that of an entry, a member or another row."""

    name: str
    like: Entry | Member | ListRow
    asked: str  # the name of the field that says whether they are the same person
    said: str  # SAME, OTHER, "" where nothing is yet

    @classmethod
    def of(cls, name: str, like: Entry | Member | ListRow, *, said: Mapping[str, str]) -> Doubt:
        """A doubt with what is said of it: `said`, by the names of fields. An answer is for two names, wherever they
        stand in a list. Any answer but SAME is OTHER: "new", too."""
        asked = field_for(name, like.name)
        answer = said.get(asked, "")
        return cls(name, like, asked, OTHER if answer and answer != SAME else answer)

    @property
    def like_row(self) -> int | None:
        """The number of the row where the other name stands, None where it isn't of the list."""
        return self.like.number if isinstance(self.like, ListRow) else None


def field_for(name: str, like: str) -> str:
    """The name of the field that asks whether two names are one person."""
    return f"who-{key(name)}-{key(like)}"


def answers(club: Club, sent: Mapping[str, str]) -> dict[str, str]:
    """What is answered of names that sound alike, by the names of fields: by the form, else by the club before. One
    query."""
    known: dict[str, str] = {}
    for name, like, same in NameAnswer.objects.filter(club=club).order_by("pk").values_list("name", "like", "same"):
        answer = SAME if same else OTHER
        known |= {field_for(name, like): answer, field_for(like, name): answer}
    return known | {field: answer for field, answer in sent.items() if field.startswith("who-")}


def remember(*, club: Club, doubts: Iterable[Doubt], by: Actor) -> None:
    """Keep the answers to these doubts, so that nobody is asked again. The last answer about two names counts."""
    with transaction.atomic():
        club = club.lock()
        known = answers(club, {})
        new = {doubt.asked: doubt for doubt in doubts if doubt.said and known.get(doubt.asked) != doubt.said}
        if not new:
            return
        made = [NameAnswer(club=club, name=d.name, like=d.like.name, same=d.said == SAME) for d in new.values()]
        NameAnswer.objects.bulk_create(made)
        pairs = grouped(("one person" if pair.same else "two people", str(pair)) for pair in made)
        log(club=club, by=by, verb="names.answer", subject=", ".join(map(str, made)), new=dict(pairs))


def doubts_of(event: Event, rows: Sequence[ListRow], *, said: Mapping[str, str]) -> list[Doubt]:
    """The rows that sound like an entry, a member or another row; a member's own name is no doubt. Two queries.

    `said` is what is said, by `Doubt.asked`.
    """
    entries = list(event.entries.select_related("member"))
    entered = {entry.member_id for entry in entries}
    free = {name: member for name, member in known_members(event.club).items() if member.pk not in entered}
    members = members_named([row.name for row in rows], free)
    listed = {member: row for row, member in zip(rows, members, strict=True) if member}
    people = ByEar[Entry | Member | ListRow]((entry.name, entry) for entry in entries)
    for entry in entries:
        if entry.member:
            people.add(entry.member.name, entry)
    for name, one in free.items():
        people.add(name, listed.get(one, one))
    doubts = []
    for row, member in zip(rows, members, strict=True):
        if member:
            continue
        if like := people.nearest(row.name):
            doubts.append(Doubt.of(row.name, like, said=said))
        people.add(row.name, row)
    return doubts


def entered_by(rows: Sequence[ListRow], doubts: Iterable[Doubt]) -> dict[str, ListRow]:
    """The names to be entered, each with its row: of who is said to be a member the member's, of an entry none."""
    same = {doubt.name: doubt.like for doubt in doubts if doubt.said == SAME}
    names: dict[str, ListRow] = {}
    for row in rows:
        like = same.get(row.name)
        if like is None or isinstance(like, Member):
            names.setdefault(like.name if like else row.name, row)
    return names
