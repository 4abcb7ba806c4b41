"""The verb that enters the sides of a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, LogEntry
from scoring.pasted_names import key, problem_of, tidy
from tournaments.entries.partners import LONGEST_CLUB, as_spelled, refuse_removed
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event
from tournaments.models import Entry, Event
from tournaments.models.numbering import next_number
from tournaments.sides.looking import Field, Listed, field_of, partner_problem, refuse_list

VERB = "sides.enter"  # in the log


@dataclass(frozen=True, slots=True)
class SidesEntered:
    """What a list did: sides that were made, and people who are here by it."""

    sides: int
    people: int


def enter_sides(
    *, event: Event, sides: Sequence[Sequence[Listed]], by: Actor, submission: UUID, plays_for: str = ""
) -> SidesEntered:
    """Mark all of these people as here and make partners of those who stand together, or return what this submission
    did before. Who is entered already is only given the partner; somebody alone has none yet.

    Raises:
        StepRefused: a name is none, somebody stands there twice or has another partner, a side has too many or too
            few, or the event takes no sides any more; then nothing is entered.
    """
    plays_for = " ".join(plays_for.split())[:LONGEST_CLUB]
    with transaction.atomic():
        event = lock_event(event)
        if done := entered_before(event, submission):
            return done
        refuse_list(event)
        if not sides:
            raise StepRefused(_("There is no name to enter."))
        field, plays_for = field_of(event), as_spelled(event, plays_for)
        here = _here(event, [one for side in sides for one in side], field=field)
        people, made, first = iter(here), 0, next_number(event.entries, "team")
        entered = [[next(people) for _one in side] for side in sides]
        for together in entered:
            if _refused_or_new(together, event=event, field=field):
                for entry in together:
                    entry.team, entry.plays_for = first + made, plays_for
                made += 1
        arrived = sum(entry.state != Entry.State.HERE or entry.pk is None for entry in here)
        _save(here)
        names = [" & ".join(entry.name for entry in together) for together in entered]
        new = {"submission": str(submission), "names": names, "sides": made, "people": arrived}
        log(club=event.club, by=by, verb=VERB, subject=event, new=new)
    return SidesEntered(made, arrived)


def entered_before(event: Event, submission: UUID) -> SidesEntered | None:
    """What a submission did, or None."""
    done = LogEntry.objects.filter(club=event.club, verb=VERB, event=event.pk, new__submission=str(submission)).first()
    return SidesEntered(done.new["sides"], done.new["people"]) if done and done.new else None


def _here(event: Event, listed: Sequence[Listed], *, field: Field) -> list[Entry]:
    """The entry of each of these, as it is or a new one that isn't saved yet."""
    members = {member.pk: member for member in field.members.values()}
    entries = {entry.pk: entry for entry in field.entries}
    taken, number, here = set(), next_number(event.entries), []
    for one in listed:
        name = tidy(one.name)
        if problem := problem_of(name):
            raise StepRefused(f"{name}: {problem}")
        member = members.get(one.member) if one.member else field.members.get(key(name))
        entry = entries.get(one.entry) if one.entry else field.by_name.get(key(name))
        if (one.entry and not entry) or (one.member and not member):
            raise StepRefused(_("Somebody of this list isn't on the club's list any more. Look at the list again."))
        entry = entry or (field.entry_of(member) if member else None)
        if entry is None:
            entry = Entry(event=event, number=number, name=member.name if member else name, member=member)
            number += 1
        if key(entry.name) in taken:
            raise StepRefused(_("%(name)s stands twice in this list. Look at it again.") % {"name": entry.name})
        taken.add(key(entry.name))
        here.append(entry)
    return here


def _refused_or_new(people: Sequence[Entry], *, event: Event, field: Field) -> bool:
    """Whether these people become a side: not somebody alone, nor who is one already. Raises StepRefused for others."""
    if len(people) not in (1, event.per_side):
        raise StepRefused(_("A side has %(n)d players. Choose as many.") % {"n": event.per_side})
    joined = [entry for entry in people if entry.team is not None]
    if len(people) < event.per_side or not joined:
        return len(people) == event.per_side
    if {entry.pk for entry in field.partners_of(joined[0])} != {entry.pk for entry in people}:
        raise StepRefused(partner_problem(joined[0], field))
    return False


def _save(here: Sequence[Entry]) -> None:
    """Save who is new and what is new of the others; all are here."""
    refuse_removed(here)
    new, old = [one for one in here if one.pk is None], [one for one in here if one.pk is not None]
    for entry in here:
        entry.state = Entry.State.HERE
    Entry.objects.bulk_create(new)
    Entry.objects.bulk_update(old, ["state", "team", "plays_for"])
