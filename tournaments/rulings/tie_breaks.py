"""Another chain of tie-breaks for an event that has begun."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.chains import chain_slugs, chosen, refuse_misfits
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import Event
from tournaments.rulings.effects import drawn_stages, effects_as_seen, moves_in_words, results_of_stages


def change_tie_breaks(*, event: Event, by: Actor, tie_breaks: Sequence[str], seen: str | None = None) -> Event:
    """Change the chain of an event that has begun.

    `seen` is the fingerprint of the effects on its drawn stages that the page showed; None where it is only tried.

    Published cuts and results stay as they are: each keeps the chain it was made with.

    Raises:
        StepRefused: a link doesn't fit or stands twice, the effects aren't those seen, or the result is published.
    """
    with transaction.atomic():
        event = lock_event(event)
        old, new = chain_slugs(event), (*chosen(tie_breaks), "play-off", "lots")
        refuse_finished(event)
        if not chosen(new) or len(set(new)) < len(new):
            raise StepRefused(_("Each way to break a tie can stand only once, and there must be one at least."))
        refuse_misfits(event, new)
        if chosen(new) == chosen(old):
            return event
        stages = drawn_stages(event)
        before = results_of_stages(stages)
        event.tie_breaks = list(new)
        event.save()
        effects = effects_as_seen(stages, before, seen=seen)
        log(
            club=event.club,
            by=by,
            verb="tie-breaks.change",
            subject=event,
            old={"tie_breaks": list(old)},
            new={"tie_breaks": list(new), "moved": moves_in_words(effects)},
        )
    return event
