"""Members are added and changed, and removed while nothing rests on them."""

from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, LogEntry, Member
from scoring.pasted_names import CONTACT, name_key, read_name, tidy_name
from tournaments.entries.actions import change_entry, refuse_bad_name
from tournaments.entries.known import known_members
from tournaments.errors import StepRefused
from tournaments.events.state import is_referenced, referenced_filter
from tournaments.members.pasting import ListedPerson, tidy_person
from tournaments.models import Entry, Event, PublishedStandings, rows_by_person


def idle_entries(club: Club) -> set[int]:
    """The keys of withdrawn entries without a seat, money or a line in a result. Two queries."""
    gone = Entry.objects.filter(event__club=club, state=Entry.State.WITHDRAWN)
    gone_entries = dict(gone.exclude(referenced_filter(Entry)).values_list("pk", "event"))
    results = PublishedStandings.objects.filter(event__in=set(gone_entries.values())).values_list("rows", flat=True)
    return gone_entries.keys() - {row["entry"] for rows in results for row in rows_by_person(rows)}


def remove_guest(*, club: Club, by: Actor, name: str) -> str:
    """Remove a guest's name from all lists; returns it as it was written there. Raises StepRefused: there is no guest
    of that name, or something rests on one of the entries."""
    with club.locked_transaction() as club:
        guests = Entry.objects.filter(event__club=club, member=None, stands_in=None).select_related("event")
        entries = [entry for entry in guests if name_key(entry.name) == name_key(name)]
        if not entries:
            raise StepRefused(_("%(name)s isn't the name of a guest.") % {"name": name})
        _remove_entries(entries, club=club, by=by)
    return entries[-1].name


def can_remove(member: Member) -> bool:
    """Whether nothing is recorded about a member but name, contact and idle entries."""
    if is_referenced(Member.every.filter(pk=member.pk), but=(Entry,)):
        return False
    return set(member.entries.values_list("pk", flat=True)) <= idle_entries(member.club)


def remove_member(*, member: Member, by: Actor) -> None:
    """Remove a member for good, with their idle entries. Raises StepRefused: anything else is recorded about them."""
    with member.club.locked_transaction() as club:
        current = Member.every.filter(pk=member.pk).first()
        if current is None:
            return  # a second tap
        if not can_remove(current):
            raise StepRefused(_removal_message(current.name))
        _remove_entries(current.entries.select_related("event"), club=club, by=by)
        log(club=club, by=by, verb="member.remove", subject=current, old={"name": current.name})
        current.delete()


def _remove_entries(entries: Iterable[Entry], *, club: Club, by: Actor) -> None:
    removable = idle_entries(club)
    for entry in entries:
        if entry.pk not in removable:
            raise StepRefused(_removal_message(entry.name))
        log(club=club, by=by, verb="entry.remove", subject=entry.event.about(entry), old={"name": entry.name})
        Entry.objects.filter(pk=entry.pk).delete()


def _removal_message(name: str) -> str:
    return _("%(name)s can't be removed: something is recorded under this name.") % {"name": name}


def add_member(*, club: Club, by: Actor, person: ListedPerson, submission: UUID, initials_only: bool = False) -> Member:
    """Add a member, or return the one that this submission added before. Raises StepRefused: the name is empty, too
    long or a member's, or a contact field isn't valid."""
    person = tidy_person(person)
    with club.locked_transaction() as club:
        done = LogEntry.objects.filter(club=club, verb="member.add", new__submission=str(submission)).first()
        if done is not None:
            return Member.every.get(pk=(done.new or {})["member"])
        person = replace(person, name=read_name(person.name, listed=known_members(club)))
        _refuse_taken_name(club, person.name)
        member = Member.objects.create(club=club, **person.details, initials_only=initials_only)
        new = {"submission": str(submission), "member": member.pk}
        log(club=club, by=by, verb="member.add", subject=member, new=new)
    return member


def change_member(*, member: Member, by: Actor, person: ListedPerson, initials_only: bool) -> Member:
    """Change a member's details. A new name also goes on the lists and cards of events that aren't over; what is
    published keeps the old one.

    Raises StepRefused: the name is empty, too long, another member's or (in an event that isn't over) another entry's,
    or a contact field isn't valid."""
    person = replace(tidy_person(person), same_as=None)
    with transaction.atomic():
        member = _lock_member(member)
        club, before = member.club, member.name
        if person.name != before:
            _refuse_taken_name(club, person.name, but=member)
        new = {**person.details, "initials_only": initials_only}
        changed = [field for field, value in new.items() if getattr(member, field) != value]
        if not changed:
            return member
        old_log = {field: getattr(member, field) for field in changed if field not in CONTACT}
        new_log = {field: new[field] for field in changed if field not in CONTACT}
        if contact := [field for field in changed if field in CONTACT]:
            new_log["contact"] = contact
        for field in changed:
            setattr(member, field, new[field])
        member.save()
        if "name" in changed:
            _rename_entries(member, before, by=by)
        log(club=club, by=by, verb="member.change", subject=member, old=old_log, new=new_log)
    return member


def set_active(*, member: Member, by: Actor, active: bool) -> Member:
    """Inactive members aren't offered for new nights; everything recorded stays."""
    with transaction.atomic():
        member = _lock_member(member)
        if member.active == active:
            return member
        member.active, member.inactive_since = active, None if active else timezone.now()
        member.save()
        log(club=member.club, by=by, verb="member.active", subject=member, old=not active, new=active)
    return member


def join_guest(*, club: Club, by: Actor, name: str, member: Member | None = None, count: bool = True) -> Member:
    """Make a guest a member: `member`, else the one of that name, else a new one. They get the guest's entries;
    published results stay. With `count`, nights that are over count for them in season tables; without, those stay a
    guest's (see `count_guest_nights`).

    Raises StepRefused: there is no guest of that name, or the member isn't of this club."""
    with club.locked_transaction() as club:
        if member is not None and member.club_id != club.pk:
            raise StepRefused(_("Somebody on this list is no longer a member. Check the list again."))
        entries = guest_entries(club, name)
        same_name = known_members(club).get(name_key(name))
        if not entries and same_name is not None:
            return same_name  # a second tap: the guest is a member already
        if not entries:
            raise StepRefused(_("%(name)s isn't the name of a guest.") % {"name": name})
        if member is None and same_name is None:
            refuse_bad_name(entries[-1].name)
        member = member or same_name or Member.objects.create(club=club, name=tidy_name(entries[-1].name))
        taken = set(Entry.objects.filter(member=member).values_list("event_id", flat=True))
        joined = [entry for entry in entries if entry.event_id not in taken]
        if not joined:
            words = _("%(name)s already has an entry in every event with that guest. Check those events.")
            raise StepRefused(words % {"name": member})
        entries_joined = Entry.objects.filter(pk__in=[entry.pk for entry in joined])
        entries_joined.update(member=member)
        if not count:
            entries_joined.filter(event__state=Event.State.FINISHED).update(guest_in_season=True)
        new = {"guest": name, "entries": [entry.pk for entry in joined], "count": count}
        log(club=club, by=by, verb="member.join", subject=member, new=new)
    return member


def guest_season_nights(club: Club, name: str) -> list[Entry]:
    """A guest's entries of finished season nights: when they join, a page asks whether these count."""
    return [
        entry for entry in guest_entries(club, name) if entry.event.season and entry.event.state == Event.State.FINISHED
    ]


def guest_entries(club: Club, name: str) -> list[Entry]:
    """The entries of this name without a member, the oldest first. One query."""
    guests = Entry.objects.filter(event__club=club, member=None, stands_in=None).select_related("event__season")
    oldest_first = guests.order_by("event__starts_at", "event", "pk")
    return [entry for entry in oldest_first if name_key(entry.name) == name_key(name)]


def count_guest_nights(*, member: Member, by: Actor, count: bool) -> Member:
    """Set whether the nights that a member played as a guest count for them in season tables."""
    with transaction.atomic():
        member = _lock_member(member)
        nights = [entry.pk for entry in nights_as_guest(member) if entry.guest_in_season == count]
        if nights:
            Entry.objects.filter(pk__in=nights).update(guest_in_season=not count)
            log(club=member.club, by=by, verb="member.nights", subject=member, new={"count": count, "entries": nights})
    return member


def nights_as_guest(member: Member) -> list[Entry]:
    """A member's entries of finished season nights in whose newest result they are a guest. Two queries."""
    entries = Entry.objects.filter(member=member, event__season__isnull=False, event__state=Event.State.FINISHED)
    results = PublishedStandings.objects.filter(event__entries__in=entries, final=True).order_by("number")
    newest = dict(results.values_list("event_id", "rows"))
    as_guest = {row["entry"] for rows in newest.values() for row in rows_by_person(rows) if not row["member"]}
    return [entry for entry in entries if entry.guest_in_season or entry.pk in as_guest]


def _lock_member(member: Member) -> Member:
    """The member as it is now, with the club locked until the transaction ends. Raises StepRefused: they were merged or
    erased meanwhile."""
    club = member.club.lock()
    current = Member.objects.filter(pk=member.pk, erased_at=None).first()
    if current is None:
        raise StepRefused(_("This member is no longer on the list. Check the list again."))
    current.club = club
    return current


def _refuse_taken_name(club: Club, name: str, *, but: Member | None = None) -> None:
    other = known_members(club).get(name_key(name))
    if other is None or (but is not None and other.pk == but.pk and name_key(other.name) == name_key(name)):
        return
    if name_key(other.name) == name_key(name):
        words = _(
            "%(name)s is already a member. If they are one person, merge the two; if they are two people, add a "
            "letter or a town."
        )
        raise StepRefused(words % {"name": other.name})
    raise StepRefused(
        _("%(name)s was merged into %(kept)s: take that merge back first.") % {"name": name, "kept": other.name}
    )


def _rename_entries(member: Member, before: str, *, by: Actor) -> None:
    """Put the new name on the lists and cards of events that aren't over."""
    for entry in member.entries.exclude(event__state=Event.State.FINISHED).select_related("event", "member"):
        if name_key(entry.name) == name_key(before):
            change_entry(entry=entry, by=by, name=member.name, member=member, eligible=entry.eligible, note=entry.note)
