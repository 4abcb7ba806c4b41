"""Another chain of tie-breaks for an event that has begun: what it would change, and changing it."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.chains import chain_slugs, chosen, refuse_misfits
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import Cut, Draw, Event
from tournaments.rulings.effects import StageEffect, fingerprint, moves_between
from tournaments.standings.standings import standings_of


def effect_of_chain(event: Event, slugs: Sequence[str]) -> tuple[StageEffect, ...]:
    """Whose place the chain would change, stage by stage, as results stand now. Changes nothing."""
    effects = []
    drawn = event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).distinct().order_by("number")
    cut = set(Cut.objects.filter(stage__event=event, state=Cut.State.PUBLISHED).values_list("stage", flat=True))
    for stage in drawn:
        stage.event = event
        moves = moves_between(standings_of(stage).rows, standings_of(stage, slugs).rows)
        effects.append(StageEffect(stage, moves, stage.pk in cut))
    return tuple(effects)


def change_tie_breaks(*, event: Event, by: Actor, tie_breaks: Sequence[str], seen: str) -> Event:
    """Change the chain of an event that has begun. `seen` is the fingerprint of the effects that the page showed.

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
        effects = effect_of_chain(event, new)
        if fingerprint(effects) != seen:
            raise StepRefused(_("Results have changed since this page was opened. Look at what changes again."))
        event.tie_breaks = list(new)
        event.save()
        log(
            club=event.club,
            by=by,
            verb="tie-breaks.change",
            subject=event,
            old={"tie_breaks": list(old)},
            new={
                "tie_breaks": list(new),
                "moved": {e.stage.name: [[m.name, m.before, m.after] for m in e.moves] for e in effects if e.moves},
            },
        )
    return event
