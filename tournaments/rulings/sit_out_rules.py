"""What rounds without a seat and missed rounds are worth, changed once an event has begun."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.state import lock_event, refuse_finished
from tournaments.models import Event
from tournaments.rulings.effects import drawn_stages, effects_as_seen, moves_in_words, results_of_stages


def change_sit_out_rules(
    *, event: Event, by: Actor, sit_out_rule: str, missing_rule: str, seen: str | None = None
) -> Event:
    """Change the rules of an event that has begun.

    `seen` is the fingerprint of the effects on its drawn stages that the page showed; None where it is only tried.

    Raises:
        StepRefused: the format has no such rules, the effects aren't those seen, or the result is published.
    """
    with transaction.atomic():
        event = lock_event(event)
        old = _rules_of(event)
        if not event.credits_rounds:
            raise StepRefused(_("Rounds without a seat are worth nothing in this format."))
        refuse_finished(event)
        event.sit_out_rule, event.missing_rule = sit_out_rule, missing_rule
        if _rules_of(event) == old:
            return event
        stages = drawn_stages(event)
        before = results_of_stages(stages)
        event.save()
        effects = effects_as_seen(stages, before, seen=seen)
        log(
            club=event.club,
            by=by,
            verb="sit-out-rules.change",
            subject=event,
            old=old,
            new={**_rules_of(event), "moved": moves_in_words(effects)},
        )
    return event


def _rules_of(event: Event) -> dict[str, str]:
    return {"sit_out_rule": event.sit_out_rule, "missing_rule": event.missing_rule}
