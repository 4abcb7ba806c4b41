"""What the order of an event that has begun goes by, changed: its chain of tie-breaks, and what rounds without a seat
and missed rounds are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.actions import WITHOUT_CARDS
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
        if chosen(new) != chosen(old):
            facts = {"tie_breaks": list(new)}
            _change(event, by, verb="tie-breaks.change", old={"tie_breaks": list(old)}, new=facts, seen=seen)
    return event


def change_sit_out_rules(*, event: Event, by: Actor, seen: str | None = None, **rules: str | int | None) -> Event:
    """Change what rounds without a seat, missed rounds and walkovers are worth in an event that has begun, by the names
    in `WITHOUT_CARDS`; what isn't given stays. `seen` as above.

    Raises:
        StepRefused: the format has no such rules, the effects aren't those seen, or the result is published.
    """
    with transaction.atomic():
        event = lock_event(event)
        old = {name: getattr(event, name) for name in WITHOUT_CARDS}
        new = old | rules
        if not event.credits_rounds and rules.keys() - {"walkover_points"}:
            raise StepRefused(_("Rounds without a seat are worth nothing in this format."))
        refuse_finished(event)
        if new != old:
            _change(event, by, verb="sit-out-rules.change", old=old, new=new, seen=seen)
    return event


def _change(
    event: Event, by: Actor, *, verb: str, old: Mapping[str, object], new: Mapping[str, object], seen: str | None
) -> None:
    """Keep the event with what is `new`, and log that with who moves by it."""
    stages = drawn_stages(event)
    before = results_of_stages(stages)
    for name, value in new.items():
        setattr(event, name, value)
    event.save()
    effects = effects_as_seen(stages, before, seen=seen)
    moved = moves_in_words(effects)
    log(club=event.club, by=by, verb=verb, subject=event, old=old, new={**new, "moved": moved})
