"""Taking a name off that was written by mistake and on which nothing rests: a guest's, or a member's."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Member
from scoring.pasted_names import key
from tournaments.errors import StepRefused
from tournaments.events.state import is_pointed_at, pointed_at
from tournaments.models import Entry, PublishedStandings
from tournaments.models.outcomes import rows_of_people


def idle(club: Club) -> set[int]:
    """The keys of entries on which nothing rests: gone again, and without a seat, money or a line of a result. Two
    queries."""
    gone = Entry.objects.filter(event__club=club, state=Entry.State.WITHDRAWN)
    found = dict(gone.exclude(pointed_at(Entry)).values_list("pk", "event"))
    results = PublishedStandings.objects.filter(event__in=set(found.values())).values_list("rows", flat=True)
    return found.keys() - {row["entry"] for rows in results for row in rows_of_people(rows)}


def take_guest_off(*, club: Club, by: Actor, name: str) -> str:
    """Take a guest's name off all lists; it is returned as it stood there.

    Raises:
        StepRefused: there is no guest of that name, or something rests on one of the entries.
    """
    with transaction.atomic():
        club = club.lock()
        guests = Entry.objects.filter(event__club=club, member=None, stands_in=None).select_related("event")
        entries = [entry for entry in guests if key(entry.name) == key(name)]
        if not entries:
            raise StepRefused(_("%(name)s isn't the name of a guest.") % {"name": name})
        _remove(entries, club=club, by=by)
    return entries[-1].name


def may_be_taken_off(member: Member) -> bool:
    """Whether nothing is kept of a member but what they are called, how they are reached, and idle entries."""
    if is_pointed_at(Member.every.filter(pk=member.pk), but=(Entry,)):
        return False
    return set(member.entries.values_list("pk", flat=True)) <= idle(member.club)


def take_member_off(*, member: Member, by: Actor) -> None:
    """Take a member off the list for good, with entries on which nothing rests.

    Raises:
        StepRefused: anything else is kept of them.
    """
    with transaction.atomic():
        club = member.club.lock()
        found = Member.every.filter(pk=member.pk).first()
        if found is None:
            return  # a second tap
        if not may_be_taken_off(found):
            raise StepRefused(_stays(found.name))
        _remove(found.entries.select_related("event"), club=club, by=by)
        log(club=club, by=by, verb="member.remove", subject=found, old={"name": found.name})
        found.delete()


def _remove(entries: Iterable[Entry], *, club: Club, by: Actor) -> None:
    removable = idle(club)
    for entry in entries:
        if entry.pk not in removable:
            raise StepRefused(_stays(entry.name))
        log(club=club, by=by, verb="entry.remove", subject=entry.event.about(entry), old={"name": entry.name})
        Entry.objects.filter(pk=entry.pk).delete()


def _stays(name: str) -> str:
    return _("Something rests on the name %(name)s by now, so it stays.") % {"name": name}
