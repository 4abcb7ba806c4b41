"""What rounds without a seat and missed rounds are worth: changing it once an event has begun shows first who moves."""

from __future__ import annotations

from copy import copy

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import Draw, Event
from tournaments.rulings.effects import StageEffect, fingerprint, moves_between
from tournaments.standings.standings import standings_of


def effect_of_rules(event: Event, sit_out_rule: str, missing_rule: str) -> tuple[StageEffect, ...]:
    """Whose place or points these rules would change, as results stand now. Changes nothing."""
    then = copy(event)
    then.sit_out_rule, then.missing_rule = sit_out_rule, missing_rule
    effects = []
    for stage in event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).distinct().order_by("number"):
        stage.event = event
        before = standings_of(stage).rows
        stage.event = then
        effects.append(StageEffect(stage, moves_between(before, standings_of(stage).rows), cut_stands=False))
    return tuple(effects)


def change_sit_out_rules(*, event: Event, by: Actor, sit_out_rule: str, missing_rule: str, seen: str) -> Event:
    """Change the rules of an event that has begun. `seen` is the fingerprint of the effects that the page showed.

    Raises:
        StepRefused: the format has no such rules, the effects aren't those seen, or the result is published.
    """
    with transaction.atomic():
        event = lock_event(event)
        old = _told(event)
        if not event.credits_rounds:
            raise StepRefused(_("Rounds without a seat are worth nothing in this format."))
        refuse_finished(event)
        effects = effect_of_rules(event, sit_out_rule, missing_rule)
        event.sit_out_rule, event.missing_rule = sit_out_rule, missing_rule
        if _told(event) == old:
            return event
        if fingerprint(effects) != seen:
            raise StepRefused(_("Results have changed since this page was opened. Look at what changes again."))
        event.save()
        moved = {e.stage.name: [[m.name, m.before, m.after] for m in e.moves] for e in effects if e.moves}
        log(
            club=event.club,
            by=by,
            verb="sit-out-rules.change",
            subject=event,
            old=old,
            new={**_told(event), "moved": moved},
        )
    return event


def _told(event: Event) -> dict[str, str]:
    return {"sit_out_rule": event.sit_out_rule, "missing_rule": event.missing_rule}
