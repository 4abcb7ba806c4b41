"""Who is here on a club night."""

from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Member
from clubsite.names import NO_ADDRESS, has_email_address
from scoring.pasted_names import read_name
from tournaments.entries.actions import current_member, find_entry, refuse_bad_name
from tournaments.entries.known import known_members, listed_names, members_named, same_name
from tournaments.entries.partners import refuse_latecomers, refuse_removed
from tournaments.errors import StepRefused
from tournaments.events.state import open_event_locked
from tournaments.models import Entry, Event, next_number


def arrive(*, event: Event, by: Actor, member: Member | None = None, name: str = "", join: bool = False) -> Entry:
    """Mark a member as here, or a walk-in by name (a guest, or with `join` a new member). Twice is no fault.

    Raises StepRefused: the night is over, the name is empty, too long, or on the list already; or somebody new comes to
    a knock-out that has begun."""
    with open_event_locked(event) as event:
        if member is None:
            member, name = _walk_in(event, name, join=join, by=by)
        else:
            member = current_member(member)
        entry = Entry.objects.filter(event=event, member=member).first() if member else None
        if entry is None:
            name = member.name if member else name
            if has_email_address(name):  # of a member whom an older version took
                raise StepRefused(str(NO_ADDRESS))
            if same := find_entry(event, name):
                raise StepRefused(_already_listed(same))
            refuse_latecomers(event)
            entry = Entry.objects.create(event=event, number=next_number(event.entries), name=name, member=member)
        elif entry.state == Entry.State.HERE:
            return entry
        refuse_removed([entry])
        entry.state = Entry.State.HERE
        entry.save()
        log(club=event.club, by=by, verb="night.arrive", subject=event.about(entry))
    return entry


def leave(*, entry: Entry, by: Actor) -> Entry:
    """Mark somebody as gone: the next draws have no seat for them. Raises StepRefused: the night is over."""
    return _mark(entry, Entry.State.WITHDRAWN, by=by, verb="night.leave")


def return_to_event(*, entry: Entry, by: Actor) -> Entry:
    """Raises StepRefused: the night is over."""
    return _mark(entry, Entry.State.HERE, by=by, verb="night.return")


def _walk_in(event: Event, name: str, *, join: bool, by: Actor) -> tuple[Member | None, str]:
    """The member of that name, or with `join` a new one, else None; and the tidied name. Raises StepRefused for a name
    that is empty, too long or on the list."""
    name = read_name(name, listed=listed_names(event))
    refuse_bad_name(name, missing=_("Write a name."))
    if same := next((e for e in event.entries.all() if same_name(e.name, name)), None):
        raise StepRefused(_already_listed(same))
    (member,) = members_named([name], known_members(event.club))
    if member is None and join:
        member = Member.objects.create(club=event.club, name=name)
        log(club=event.club, by=by, verb="member.add", subject=name)
    return member, name


def _already_listed(entry: Entry) -> str:
    if entry.state == Entry.State.HERE:
        return _(
            "%(name)s is already on the list. If this is somebody else with the same name, add something to tell them "
            "apart, such as a street."
        ) % {"name": entry.name}
    return _("%(name)s is on the list and had left. Press the name to mark them here again.") % {"name": entry.name}


def _mark(entry: Entry, state: Entry.State, *, by: Actor, verb: str) -> Entry:
    with open_event_locked(entry.event) as event:
        entry = Entry.objects.get(pk=entry.pk)
        if entry.state != state:
            refuse_removed([entry])
            entry.state = state
            entry.save()
            log(club=event.club, by=by, verb=verb, subject=event.about(entry))
    return entry
