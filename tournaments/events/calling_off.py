"""Verbs: call an event off that hasn't begun, and put it on again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubsite.accounts.log import log
from clubsite.accounts.models import Actor
from tournaments.errors import StepRefused
from tournaments.events.state import is_drawn, lock_event, refuse_finished
from tournaments.models import Event


def call_off(*, event: Event, by: Actor, reason: str) -> Event:
    """Say that an event doesn't take place, and why. Its names and what was paid stay; calendars show it as cancelled.

    Raises:
        StepRefused: no reason, or a draw or the result of the event is published.
    """
    reason = reason.strip()
    if not reason:
        raise StepRefused(_("Write in a few words why it is called off: everybody reads it on the event's page."))
    with transaction.atomic():
        event = lock_event(event)
        if event.called_off == reason:
            return event
        if not event.called_off:
            refuse_finished(event)
        if is_drawn(event):
            raise StepRefused(_("A draw of this event is published. Take it back first, then call the event off."))
        _set(event, reason)
        log(club=event.club, by=by, verb="event.call-off", subject=event, new={"reason": reason})
    return event


def put_on_again(*, event: Event, by: Actor) -> Event:
    """An event that was called off takes place after all."""
    with transaction.atomic():
        event = lock_event(event)
        if event.called_off:
            old = event.called_off
            _set(event, "")
            log(club=event.club, by=by, verb="event.put-on", subject=event, old={"reason": old})
    return event


def _set(event: Event, reason: str) -> None:
    event.called_off = reason
    event.revision, event.changed_at = event.revision + 1, timezone.now()  # for calendars
    event.save(update_fields=["called_off", "revision", "changed_at"])
