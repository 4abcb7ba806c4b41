"""Verbs on entries: who takes part, as what, and under which name. Each is one transaction with its log entry."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, LogEntry, Member
from clubsite.names import NO_ADDRESS, has_email_address
from scoring.models import LONGEST_REASON, Game, Side
from scoring.pasted_names import LONGEST_NAME, name_key, read_name, tidy_name
from tournaments.entries.known import known_members, listed_names, members_named
from tournaments.entries.partners import refuse_removed
from tournaments.errors import StepRefused
from tournaments.events.state import event_locked, is_drawn, lock_event, open_event_locked, refuse_finished
from tournaments.models import Cut, CutLine, Draw, Entry, Event, Seat, next_number


def taken_names(event: Event) -> dict[str, int]:
    """Case-folded names with the number of their entry."""
    return {name_key(name): number for name, number in event.entries.values_list("name", "number")}


def find_entry(event: Event, name: str) -> Entry | None:
    """The entry of this name, ignoring case in Python: databases do so for unaccented letters only."""
    return next((entry for entry in event.entries.all() if name_key(entry.name) == name_key(name)), None)


def free_places(event: Event) -> int | None:
    """Free places; None if the event has no limit.

    A competition with a published draw has none: who comes now has no seat, and waits as a reserve."""
    if not event.by_rounds and is_drawn(event):
        return 0
    if event.places is None:
        return None
    return max(0, event.places - event.entries.filter(state=Entry.State.HERE, stands_in=None).count())


def import_names(*, event: Event, names: Sequence[str], by: Actor, submission: UUID) -> list[Entry]:
    """Enter these names in order, or return what this submission entered before.

    Names beyond the event's places become reserves; names of members (`members_named`) are linked. Raises StepRefused,
    and enters nothing: a name is empty, too long, twice in the list or entered already."""
    with event_locked(event) as event:
        if (done := imported_before(event, submission)) is not None:
            return done
        refuse_finished(event)
        taken = taken_names(event)
        tidied = [tidy_name(name) for name in names]
        for name in tidied:
            refuse_bad_name(name)
            if name_key(name) in taken:
                raise StepRefused(
                    _("%(name)s is already on the list. Nothing was entered; check the list again.") % {"name": name}
                )
            taken[name_key(name)] = 0
        if not tidied:
            raise StepRefused(_("There is no name to enter."))
        members = members_named(tidied, _members_by_name(event))
        room = free_places(event)
        first = next_number(event.entries)
        entries = Entry.objects.bulk_create(
            Entry(
                event=event,
                number=first + n,
                name=name,
                member=members[n],
                state=Entry.State.RESERVE if room is not None and n >= room else Entry.State.HERE,
            )
            for n, name in enumerate(tidied)
        )
        new = {"submission": str(submission), "numbers": [e.number for e in entries], "names": tidied}
        log(club=event.club, by=by, verb="entries.import", subject=event, new=new)
    return entries


def imported_before(event: Event, submission: UUID) -> list[Entry] | None:
    """What this submission entered; None if it is new."""
    entries = LogEntry.objects.filter(club=event.club, verb="entries.import", event=event.pk)
    done = entries.filter(new__submission=str(submission)).first()
    return list(event.entries.filter(number__in=(done.new or {}).get("numbers", ()))) if done else None


def current_member(member: Member | None) -> Member | None:
    """The member as listed now: if merged, the one they were merged into. Call it in the transaction, for any member
    that a page has sent. Raises StepRefused: they were erased."""
    if member is None:
        return None
    current = Member.every.filter(pk=member.pk).first()
    while current and current.merged_into_id:
        current = Member.every.get(pk=current.merged_into_id)
    if current is None or current.erased_at:
        raise StepRefused(_("This member is no longer on the list. Check the list again."))
    return current


def add_entry(*, event: Event, name: str, by: Actor) -> Entry:
    """Enter a name: here while there are places, else as a reserve. Raises StepRefused: the name is empty, too long or
    on the list."""
    with open_event_locked(event) as event:
        name = read_name(name, listed=listed_names(event))
        refuse_bad_name(name)
        _refuse_taken_name(event, name)
        entry = Entry.objects.create(
            event=event,
            number=next_number(event.entries),
            name=name,
            member=members_named([name], _members_by_name(event))[0],
            state=Entry.State.RESERVE if free_places(event) == 0 else Entry.State.HERE,
        )
        log(club=event.club, by=by, verb="entry.add", subject=event.about(entry), new={"state": entry.state})
    return entry


def change_entry(*, entry: Entry, by: Actor, name: str, member: Member | None, eligible: bool, note: str) -> Entry:
    """Change an entry's details. A new name also goes on its cards that are still open. Raises StepRefused: the name is
    empty, too long or taken, the member has another entry, or an entry that may not go on has no reason for it (the
    note)."""
    name = tidy_name(name)
    with event_locked(entry.event) as event:
        entry = event.entries.select_related("member").get(pk=entry.pk)
        refuse_bad_name(name)
        _refuse_taken_name(event, name, but=entry)
        member = current_member(member)
        if member and event.entries.filter(member=member).exclude(pk=entry.pk).exists():
            raise StepRefused(_("%(member)s has another entry in this event.") % {"member": member})
        if not eligible and not note.strip():
            raise StepRefused(
                _("Write in the note why %(name)s may not go on: it is printed with the cut.") % {"name": name}
            )
        old = _log_data(entry)
        entry.name, entry.member, entry.eligible, entry.note = name, member, eligible, note.strip()
        if _log_data(entry) == old:
            return entry
        entry.save()
        if name != old["name"]:
            rename_on_cards(entry, [old["name"]])
        log(club=event.club, by=by, verb="entry.change", subject=event.about(entry), old=old, new=_log_data(entry))
    return entry


def withdraw(*, entry: Entry, by: Actor, reason: str = "") -> Entry:
    """Withdraw an entry from further draws and cuts; what it played stays in the standings. Raises StepRefused: the
    event is finished."""
    return _set_state(entry, Entry.State.WITHDRAWN, by=by, verb="entry.withdraw", reason=reason)


def disqualify(*, entry: Entry, by: Actor, reason: str) -> Entry:
    """Exclude an entry from a competition. Its games stay; it comes last in the standings and can't go on, and a
    finalist's place goes to the next in line. Raises StepRefused: there is no reason, or the event is finished or no
    competition."""
    reason = reason.strip()
    if not reason:
        raise StepRefused(_("Write the reason: it is shown and printed with the standings and the cut."))
    with event_locked(entry.event) as event:
        entry = event.entries.get(pk=entry.pk)
        if entry.disqualified:
            return entry
        refuse_finished(event)
        if event.by_rounds:
            raise StepRefused(
                _("You can only disqualify people in competitions. Here, take points away or withdraw them.")
            )
        old = {"state": entry.state}
        entry.state, entry.disqualified = Entry.State.WITHDRAWN, reason[:LONGEST_REASON]
        entry.save()
        new = {"state": entry.state, "reason": entry.disqualified}
        log(club=event.club, by=by, verb="entry.disqualify", subject=event.about(entry), old=old, new=new)
    return entry


def return_entry(*, entry: Entry, by: Actor) -> Entry:
    """Let a withdrawn or disqualified entry take part again, with a place if one is free, else as a reserve. Raises
    StepRefused: the event is finished."""
    with event_locked(entry.event) as event:
        seated = Seat.objects.filter(entry=entry, draw__state=Draw.State.PUBLISHED).exists()
        state = Entry.State.RESERVE if free_places(event) == 0 and not seated else Entry.State.HERE
        return _set_state(entry, state, by=by, verb="entry.return")


def call_up_reserve(*, entry: Entry, by: Actor) -> Entry:
    """Give a reserve a place. Raises StepRefused: a draw is published, no place is free, or the entry isn't a
    reserve."""
    with event_locked(entry.event) as event:
        entry = event.entries.get(pk=entry.pk)
        if entry.state == Entry.State.HERE:
            return entry
        if entry.state != Entry.State.RESERVE:
            raise StepRefused(_("%(name)s isn't a reserve.") % {"name": entry})
        if is_drawn(event):
            words = _(
                "The draw is published, so %(name)s has no seat. On the page of somebody who has withdrawn, give "
                "them that seat, or take the draw back."
            )
            raise StepRefused(words % {"name": entry})
        if free_places(event) == 0:
            words = _("All %(places)d places are taken. Withdraw somebody first, or change the number of places.")
            raise StepRefused(words % {"places": event.places})
        return _set_state(entry, Entry.State.HERE, by=by, verb="entry.call-up")


def make_reserve(*, entry: Entry, by: Actor) -> Entry:
    """Let somebody give up their place and wait as a reserve. Raises StepRefused: they have a seat in a published
    draw."""
    with transaction.atomic():
        lock_event(entry.event)
        if Seat.objects.filter(entry=entry, draw__state=Draw.State.PUBLISHED).exists():
            raise StepRefused(_("%(name)s has a seat in a published draw. Withdraw them instead.") % {"name": entry})
        return _set_state(entry, Entry.State.RESERVE, by=by, verb="entry.reserve")


def finalist_line(entry: Entry) -> CutLine | None:
    """The entry's line in the event's latest published cut, if it goes on by it."""
    cut = Cut.objects.filter(stage__event=entry.event_id, state=Cut.State.PUBLISHED).order_by("-stage__number").first()
    return (
        CutLine.objects.filter(cut=cut, entry=entry, advances=True)
        .select_related("cut__stage__event__club", "cut__stage__event__rules")
        .first()
    )


def rename_on_cards(entry: Entry, before: Sequence[str]) -> None:
    """Replace any name in `before` by the entry's name on its cards that are still open."""
    sides = Side.objects.filter(
        game__state=Game.State.OPEN, game__group_game__group__seats__entry=entry
    ).select_related("game")
    changed = []
    for side in sides:
        if any(name in before for name in side.names):
            side.names = [entry.name if name in before else name for name in side.names]
            changed.append(side)
    Side.objects.bulk_update(changed, ["names"])


def _set_state(entry: Entry, state: str, *, by: Actor, verb: str, reason: str = "") -> Entry:
    with event_locked(entry.event) as event:
        entry = event.entries.get(pk=entry.pk)
        if entry.state == state:
            return entry
        refuse_finished(event)
        refuse_removed([entry])
        old = {"state": entry.state} | ({"disqualified": entry.disqualified} if entry.disqualified else {})
        entry.state, entry.disqualified = state, ""
        entry.save()
        new = {"state": state, "reason": reason}
        log(club=event.club, by=by, verb=verb, subject=event.about(entry), old=old, new=new)
    return entry


def refuse_bad_name(name: str, *, missing: str = "") -> None:
    """Raises StepRefused for an empty name (with the message `missing`), an address, or a name that is too long."""
    if not any(ch.isalpha() for ch in name):
        raise StepRefused(missing or _("Write a name."))
    if has_email_address(name):
        raise StepRefused(str(NO_ADDRESS))
    if len(name) > LONGEST_NAME:
        raise StepRefused(_("The name is too long: it can have at most %(n)d letters.") % {"n": LONGEST_NAME})


def _refuse_taken_name(event: Event, name: str, *, but: Entry | None = None) -> None:
    number = {k: n for k, n in taken_names(event).items() if but is None or n != but.number}.get(name_key(name))
    if number is not None:
        words = _("%(name)s is already on the list, as number %(n)d. If they are two people, add a letter or a town.")
        raise StepRefused(words % {"name": name, "n": number})


def _members_by_name(event: Event) -> Mapping[str, Member]:
    """Case-folded names of the club's members without an entry in the event."""
    taken = set(event.entries.exclude(member=None).values_list("member_id", flat=True))
    return {name: member for name, member in known_members(event.club).items() if member.pk not in taken}


def _log_data(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "member": entry.member.name if entry.member else None,
        "eligible": entry.eligible,
        "note": entry.note,
    }
