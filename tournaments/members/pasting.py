"""Members from a list: pasted text, a CSV file or a spreadsheet; who is known, who is new, who sounds like somebody."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from clubsite.previews import fingerprint
from scoring.pasted_names import (
    CLASSES,
    CONTACT,
    EMAIL,
    INITIALS,
    MAX_ROWS,
    NOTE,
    OF_MEMBER,
    TELEPHONE,
    Columns,
    Listing,
    ListRow,
    name_key,
    read_names,
    tidy_name,
)
from tournaments.entries.actions import refuse_bad_name
from tournaments.entries.known import OTHER, SAME, ByEar, Doubt, known_members
from tournaments.errors import StepRefused
from tournaments.prizes.actions import split_classes

NEW, KNOWN, ALIKE, BAD = "new", "known", "alike", "bad"
LONGEST_TELEPHONE, LONGEST_NOTE, LONGEST_CLASSES = 40, 200, 80


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """Somebody on a list. `same_as` is the key of the member they are, None for somebody new. A list can set
    `initials_only`, but never unset it."""

    name: str
    email: str = ""
    telephone: str = ""
    note: str = ""
    classes: str = ""
    same_as: int | None = None
    initials_only: bool = False
    replaces: bool = False  # whether what the list says replaces what the club knows already

    @property
    def details(self) -> dict[str, str]:
        return {field: getattr(self, field) for field in ("name", *CONTACT)}


@dataclass(frozen=True, slots=True)
class PastedRow:
    """A row of the list, compared with the members of the club. `number` counts from 1.

    `state` is "new", "known" (a member has this name), "alike" (somebody has one like it: the `doubt`) or "bad" (with
    `problem`). `changes` are fields in which the list differs from a member: field, old, new."""

    number: int
    person: ListedPerson
    state: str
    problem: str = ""
    doubt: Doubt | None = None
    changes: tuple[tuple[str, str, str], ...] = ()

    @property
    def name(self) -> str:
        return self.person.name

    @property
    def mark(self) -> str:
        """Sent back for rows that may replace what is known; another name or other changes give another mark."""
        return fingerprint((self.number, self.person.name, self.changes))


@dataclass(frozen=True, slots=True)
class PastedList:
    rows: tuple[PastedRow, ...]
    listing: Listing

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to check twice, and columns that aren't read."""
        if not self.listing.unread:
            return self.listing.warnings
        unread = {"columns": ", ".join(f"“{cell}”" for cell in self.listing.unread)}
        words = _(
            "Columns not read: %(columns)s. Only a name, an e-mail address, a telephone number, a note, classes and "
            "“initials only” are read."
        )
        return (*self.listing.warnings, words % unread)

    def with_replacements(self, marks: Collection[str]) -> PastedList:
        """The list with the rows of these marks replacing what is known."""
        rows = (
            replace(row, person=replace(row.person, replaces=True)) if row.changes and row.mark in marks else row
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    def rows_in_state(self, state: str) -> tuple[PastedRow, ...]:
        return tuple(row for row in self.rows if row.state == state)

    @property
    def doubts(self) -> list[Doubt]:
        return [row.doubt for row in self.rows if row.doubt]

    @property
    def people(self) -> list[ListedPerson]:
        """The people to add or update, without bad rows and people who by an answer are in an earlier row.

        Without an answer, a name like a member's is that member, and a name like another row's is another person."""
        return [
            row.person
            for row in self.rows
            if row.state != BAD and not (row.doubt and row.doubt.like_row and row.doubt.answer == SAME)
        ]


@dataclass(frozen=True, slots=True)
class MembersAdded:
    """The members made, and the number of known ones whose details were updated."""

    made: tuple[Member, ...]
    filled: int = 0


def read_members(club: Club, text: str, *, answers: Mapping[str, str], columns: Columns = None) -> PastedList:
    """Read a list and compare each person with the club's members and the rows before. One query.

    `answers` are those about names that sound alike, by `Doubt.asked`."""
    members = known_members(club)
    listing = read_names(text, columns=columns, known=members.keys())
    # By their names and the misspellings that were merged into them; of two equally near, who was on the list first
    people = ByEar(sorted(members.items(), key=lambda item: item[1].pk))
    before = ByEar[ListRow]()
    rows = []
    for row in listing.rows:
        person, problem = _read_person(row)
        if problem:
            pasted = PastedRow(row.number, person, BAD, problem)
        elif member := members.get(name_key(person.name)):
            pasted = PastedRow(
                row.number, replace(person, same_as=member.pk), KNOWN, changes=_differences(member, person)
            )
        elif like := people.nearest(person.name) or before.nearest(person.name):
            doubt = Doubt.between(person.name, like, answers=answers)
            if isinstance(like, Member) and doubt.answer != OTHER:
                person = replace(person, same_as=like.pk)
            changes = _differences(like, person) if isinstance(like, Member) and person.same_as else ()
            pasted = PastedRow(row.number, person, ALIKE, doubt=doubt, changes=changes)
        else:
            pasted = PastedRow(row.number, person, NEW)
        if pasted.state in (NEW, ALIKE):
            before.add(person.name, row)
        rows.append(pasted)
    return PastedList(tuple(rows), listing)


def add_members(*, club: Club, people: Sequence[ListedPerson], by: Actor, submission: UUID) -> MembersAdded:
    """Add these people, or return what this submission added before.

    People who are members, by name or by `same_as`, only get details that the club doesn't know yet, or if the row
    `replaces`, all those on the list.

    Raises StepRefused, and adds nobody: the list is empty or too long, a name isn't valid or is there twice, or
    `same_as` isn't in the club."""
    with club.locked_transaction() as club:
        if (done := added_before(club, submission)) is not None:
            return done
        if not people:
            raise StepRefused(_("There is nobody to add."))
        if len(people) > MAX_ROWS:
            raise StepRefused(_("At most %(n)d members can be added at once.") % {"n": MAX_ROWS})
        members = known_members(club)
        by_pk = {member.pk: member for member in members.values()}
        newcomers: dict[str, Member] = {}
        filled, replaced = [], []
        for person in people:
            person = tidy_person(person)
            if person.same_as is not None and person.same_as not in by_pk:
                raise StepRefused(_("Somebody on this list is no longer a member. Check the list again."))
            same = by_pk[person.same_as] if person.same_as is not None else members.get(name_key(person.name))
            if same is not None:
                filled += [same] if _update_member(same, person) else []
                replaced += [same.name] if person.replaces else []
            elif name_key(person.name) in newcomers:
                words = _("%(name)s is in the list twice. If they are two people, add a letter or a town.")
                raise StepRefused(words % {"name": person.name})
            else:
                newcomers[name_key(person.name)] = Member(
                    club=club, **person.details, initials_only=person.initials_only
                )
        added = Member.objects.bulk_create(newcomers.values())
        Member.objects.bulk_update(filled, OF_MEMBER)
        new = {
            "submission": str(submission),
            "names": [member.name for member in added],
            "members": [member.pk for member in added],
            "filled": len(filled),
        } | ({"replaced": replaced} if replaced else {})
        log(club=club, by=by, verb="members.add", subject=club, new=new)
    return MembersAdded(tuple(added), len(filled))


def added_before(club: Club, submission: UUID) -> MembersAdded | None:
    """What this submission added; None if it is new. Two queries at most."""
    done = LogEntry.objects.filter(club=club, verb="members.add", new__submission=str(submission)).first()
    if done is None:
        return None
    new = done.new or {}
    return MembersAdded(tuple(Member.every.filter(pk__in=new["members"])), new["filled"])


def tidy_person(person: ListedPerson) -> ListedPerson:
    """The person with spaces tidied. Raises StepRefused for a name or contact field that isn't valid."""
    name, email = tidy_name(person.name), person.email.strip()
    telephone, note = " ".join(person.telephone.split()), " ".join(person.note.split())
    refuse_bad_name(name)
    if email:
        try:
            validate_email(email)
        except ValidationError:
            raise StepRefused(_("“%(email)s” isn't an e-mail address.") % {"email": email}) from None
    if len(telephone) > LONGEST_TELEPHONE:
        raise StepRefused(_("A telephone number has at most %(n)d characters.") % {"n": LONGEST_TELEPHONE})
    if len(note) > LONGEST_NOTE:
        raise StepRefused(_("A note has at most %(n)d letters.") % {"n": LONGEST_NOTE})
    classes = ", ".join(split_classes(person.classes))
    if len(classes) > LONGEST_CLASSES:
        raise StepRefused(_("Classes have at most %(n)d letters together.") % {"n": LONGEST_CLASSES})
    return replace(person, name=name, email=email, telephone=telephone, note=note, classes=classes)


def _read_person(row: ListRow) -> tuple[ListedPerson, str]:
    email, telephone, note, classes = (row.contact.get(field, "") for field in CONTACT)
    initials = row.contact.get(INITIALS, "").casefold() not in ("", "-", "0", "no", "false", _("no"))
    person = ListedPerson(row.name, email, telephone, note, classes, initials_only=initials)
    if row.problem:
        return person, row.problem
    try:
        return tidy_person(person), ""
    except StepRefused as refused:
        return person, str(refused.message)


def _differences(member: Member, person: ListedPerson) -> tuple[tuple[str, str, str], ...]:
    words = {EMAIL: _("e-mail"), TELEPHONE: _("telephone"), NOTE: _("note"), CLASSES: _("classes")}
    fields = [(words[field], getattr(member, field), getattr(person, field)) for field in CONTACT]
    changes = [(field, old, new) for field, old, new in fields if old and new and old != new]
    if person.initials_only and not member.initials_only:
        changes.append((_("initials only"), _("no"), _("yes")))
    return tuple(changes)


def _update_member(member: Member, person: ListedPerson) -> bool:
    """Fill in details that aren't known yet or, with `replaces`, differ. Returns whether there were any. Doesn't
    save."""
    new: dict[str, Any] = {
        field: value
        for field in CONTACT
        if (value := getattr(person, field)) and (person.replaces or not getattr(member, field))
    }
    if person.replaces and person.initials_only:
        new[INITIALS] = True
    new = {field: value for field, value in new.items() if value != getattr(member, field)}
    for field, value in new.items():
        setattr(member, field, value)
    return bool(new)
