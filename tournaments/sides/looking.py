"""What would become of a list of sides: who is known, new, sounds like somebody, has a partner already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from django.utils.translation import gettext as _

from clubsite.accounts.models import Member
from clubsite.names import folded
from clubsite.previews import fingerprint
from scoring.pasted_names import Columns, Listing, ListRow, key, read
from tournaments.engine.grouping import grouped
from tournaments.entries.doubts import SAME, Doubt
from tournaments.entries.known import known_members
from tournaments.entries.likeness import ByEar
from tournaments.entries.partners import refuse_latecomers
from tournaments.errors import StepRefused
from tournaments.events.state import refuse_finished
from tournaments.models import Entry, Event

HERE, BACK, MEMBER, GUEST, ALIKE = "here", "back", "member", "guest", "alike"  # who somebody of the list is
SIDE, ALONE, STANDS, BAD = "side", "alone", "stands", "bad"  # what becomes of a row


@dataclass(frozen=True, slots=True)
class Listed:
    """Somebody of a list: the name as written, who that is, and the `doubt` where it only sounds like somebody's.

    `entry` and `member` are keys: of the entry in the event, and of the member of the club.
    """

    name: str
    state: str
    entry: int | None = None
    member: int | None = None
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class LookedRow:
    """A row of the list and what becomes of it: a SIDE, somebody ALONE, nothing because it STANDS, or BAD."""

    number: int
    people: tuple[Listed, ...]
    becomes: str
    problem: str = ""

    @property
    def unsaid(self) -> bool:
        """Whether it is still to be said who somebody of the row is."""
        return any(one.state == ALIKE for one in self.people)

    @property
    def name(self) -> str:
        """The names of the row."""
        return " & ".join(one.name for one in self.people)


@dataclass(frozen=True, slots=True)
class Looked:
    """A list that was looked at."""

    rows: tuple[LookedRow, ...]
    listing: Listing

    def of(self, *becomes: str) -> list[LookedRow]:
        """The rows that become this."""
        return [row for row in self.rows if row.becomes in becomes]

    @property
    def good(self) -> list[LookedRow]:
        """Rows that are something new."""
        return self.of(SIDE, ALONE)

    @property
    def doubts(self) -> list[Doubt]:
        """Those of rows that are something new; of others what is said already, as it can be said otherwise."""
        good = [one.doubt for row in self.good for one in row.people if one.doubt]
        others = [one.doubt for row in self.of(BAD, STANDS) for one in row.people if one.doubt]
        return good + [doubt for doubt in others if doubt.said]

    @property
    def seen(self) -> str:
        """A fingerprint of what is shown, whatever is said of who sounds like somebody."""

        def who(one: Listed) -> tuple[str, object]:
            return one.name, one.doubt.like.name if one.doubt else (one.entry, one.member)

        return fingerprint([(row.number, row.becomes, [who(one) for one in row.people]) for row in self.rows])


@dataclass(frozen=True, slots=True)
class Field:
    """The people an event and its club know: the event's entries and sides, and the club's members by name."""

    entries: Sequence[Entry]
    members: Mapping[str, Member]
    by_name: Mapping[str, Entry]
    by_member: Mapping[int, Entry]
    sides: Mapping[int, Sequence[Entry]]

    def entry_of(self, member: Member) -> Entry | None:
        """The member's entry, also one of that name that nobody said is the member's."""
        return self.by_member.get(member.pk) or self.by_name.get(key(member.name))

    def partners_of(self, entry: Entry) -> Sequence[Entry]:
        """Who is on the entry's side, with itself; nobody where it has none."""
        return self.sides[entry.team] if entry.team is not None else ()


def field_of(event: Event) -> Field:
    """Who is known. Two queries."""
    entries = list(event.entries.order_by("number"))
    return Field(
        entries,
        known_members(event.club),
        {key(entry.name): entry for entry in entries},
        {entry.member_id: entry for entry in entries if entry.member_id},
        grouped((entry.team, entry) for entry in entries if entry.team is not None),
    )


def refuse_list(event: Event) -> None:
    """Raises StepRefused where an event takes no list of sides: it is over, or goes on with the sides it has."""
    refuse_finished(event)
    if not event.makes_sides:
        raise StepRefused(_("In this event partners change with every round."))
    refuse_latecomers(event)


def look(event: Event, text: str, *, said: Mapping[str, str], columns: Columns = None) -> Looked:
    """What would become of a list. `said` is what is said of doubts, by `Doubt.asked`; `columns` what the columns are
    read as.

    Raises:
        UnreadableSpreadsheet: the list is too long.
        StepRefused: the event takes no list.
    """
    refuse_list(event)
    field = field_of(event)
    known = field.members.keys() | field.by_name.keys()
    listing = read(text, size=event.per_side, columns=columns, known=known)
    near = _near(field)
    seen: dict[object, int] = {}
    rows = []
    for row in listing.rows:
        whom = {} if row.problem else {name: _who(name, field, near=near, said=said) for name in row.names}
        people = tuple(whom.get(name) or Listed(name, GUEST) for name in row.names)
        looked = _judged(row, people, field=field, size=event.per_side, seen=seen)
        if looked.becomes != BAD:
            seen |= {mark: row.number for one in people for mark in _marks(one)}
        rows.append(looked)
    return Looked(tuple(rows), listing)


def partner_problem(entry: Entry, field: Field) -> str:
    """The sentence about somebody who plays with somebody else already."""
    others = ", ".join(other.name for other in field.partners_of(entry) if other.pk != entry.pk)
    return _(
        "%(name)s plays with %(partner)s already. Take that side apart under “Who plays with whom” first, "
        "or leave this row out."
    ) % {"name": entry.name, "partner": others or entry.name}


def _near(field: Field) -> ByEar[Entry | Member]:
    """Whom a name may sound like. Of two as near, a member who has no entry comes first, the newest of such before."""
    free = {member for member in field.members.values() if not field.entry_of(member)}
    near = ByEar[Entry | Member]((one.name, one) for one in sorted(free, key=attrgetter("pk"), reverse=True))
    for entry in field.entries:
        near.add(entry.name, entry)
    return near


def _who(name: str, field: Field, *, near: ByEar[Entry | Member], said: Mapping[str, str]) -> Listed:
    """Who somebody of the list is."""
    if entry := field.by_name.get(key(name)):
        return _known(name, entry)
    if member := field.members.get(key(name)):
        return _known(name, field.entry_of(member) or member)
    like = near.nearest(name)
    if like is None:
        return Listed(name, GUEST)
    doubt = Doubt.of(name, like, said=said)
    if doubt.said == SAME:
        return _known(name, like, doubt=doubt)
    return Listed(name, GUEST if doubt.said else ALIKE, doubt=doubt)


def _known(name: str, who: Entry | Member, *, doubt: Doubt | None = None) -> Listed:
    if isinstance(who, Member):
        return Listed(name, MEMBER, member=who.pk, doubt=doubt)
    state = HERE if who.state == Entry.State.HERE else BACK
    return Listed(name, state, entry=who.pk, member=who.member_id, doubt=doubt)


def _judged(
    row: ListRow, people: tuple[Listed, ...], *, field: Field, size: int, seen: Mapping[object, int]
) -> LookedRow:
    """What becomes of a row."""
    if row.problem:
        return LookedRow(row.number, people, BAD, row.problem)
    marks = [mark for one in people for mark in _marks(one)]
    if twice := next((seen[mark] for mark in marks if mark in seen), None):
        problem = _("Somebody of row %(row)d stands here, too. If they are two people, add a letter or a town.")
        return LookedRow(row.number, people, BAD, problem % {"row": twice})
    if len(set(marks)) < len(marks):
        return LookedRow(row.number, people, BAD, _("The same person stands twice in this row."))
    if len(people) < size:
        stands = all(one.state == HERE for one in people)
        return LookedRow(row.number, people, STANDS if stands else ALONE)
    entries = {one.entry for one in people}
    joined = [entry for entry in field.entries if entry.pk in entries and entry.team is not None]
    if not joined:
        return LookedRow(row.number, people, SIDE)
    if {entry.pk for entry in field.partners_of(joined[0])} != entries:
        return LookedRow(row.number, people, BAD, partner_problem(joined[0], field))
    back = any(one.state == BACK for one in people)
    return LookedRow(row.number, people, SIDE if back else STANDS)


def _marks(one: Listed) -> list[object]:
    """What nobody else of the list may have in common with them: the words of the name in any order, and who it is."""
    marks: list[object] = [tuple(sorted(folded(one.name)))]
    return marks + [(kind, pk) for kind, pk in (("entry", one.entry), ("member", one.member)) if pk is not None]
