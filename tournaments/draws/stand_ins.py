"""Stand-ins: people of the house who fill the groups of a stage whose number doesn't divide."""

from __future__ import annotations

from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.languages import as_in
from clubsite.accounts.models import Actor
from tournaments.draws.formats import entries_for
from tournaments.entries.actions import taken_names
from tournaments.entries.name_list import key
from tournaments.errors import StepRefused
from tournaments.events.group_sizes import misfit_of, sizes_of
from tournaments.events.state import lock_event, refuse_drawn
from tournaments.models import Entry, Stage
from tournaments.models.numbering import next_number


def stand_ins_for(stage: Stage) -> int | None:
    """How many stand-ins make the groups of a stage full; None when no number does, or nobody is in the stage.

    Raises:
        StepRefused: the cut before isn't published.
    """
    own = sum(entry.stands_in_id is None for entry in entries_for(stage))
    misfit = misfit_of(sizes_of(stage.event), own) if own else None
    return None if not own or (misfit and misfit.add is None) else misfit.add if misfit else 0


def fill_with_stand_ins(*, stage: Stage, by: Actor) -> list[Entry]:
    """Give a stage as few stand-ins as make its groups full; any that it has beyond that are withdrawn.

    A stand-in plays like anybody, can't go on, and stands after all others in the standings.

    Raises:
        StepRefused: the stage is drawn, or no number of stand-ins makes it fit.
    """
    with transaction.atomic(), as_in(stage.event.club):  # their names are kept, in the club's language
        event = lock_event(stage.event)
        stage = event.stages.get(pk=stage.pk)
        refuse_drawn(stage)
        stage.event = event
        needed = stand_ins_for(stage)
        if needed is None:
            raise StepRefused(_("No number of stand-ins makes the groups full. Change the number of entries."))
        known = list(event.entries.filter(stands_in=stage))
        old = {"names": [entry.name for entry in known if entry.state == Entry.State.HERE]}
        numbers, taken = count(next_number(event.entries)), taken_names(event)
        free = (name for n in count(1) if key(name := _("Stand-in %(n)d") % {"n": n}) not in taken)
        while len(known) < needed:
            entry = Entry(event=event, number=next(numbers), name=next(free), eligible=False, note=_("stand-in"))
            entry.stands_in = stage
            known.append(entry)
        for position, entry in enumerate(known):
            state = Entry.State.HERE if position < needed else Entry.State.WITHDRAWN
            if entry.pk is None or entry.state != state:
                entry.state = state
                entry.save()
        new = {"names": [entry.name for entry in known[:needed]]}
        if new != old:
            log(club=event.club, by=by, verb="stand-ins.fill", subject=event.about(stage), old=old, new=new)
    return known[:needed]
