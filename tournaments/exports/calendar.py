"""Events as iCalendar: a feed that calendars on phones subscribe to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, timedelta

from icalendar import Calendar, Timezone
from icalendar import Event as Entry

from clubsite.accounts.models import Club
from scoring.templatetags.rule_texts import translated
from tournaments.models import Event

PRODUCER = "-//Nine Tables//Nine Tables//EN"
USUAL_LENGTH = timedelta(hours=3)  # nobody says beforehand when an evening ends
AGAIN = timedelta(hours=6)  # after which a calendar looks for news


def calendar_of(club: Club, events: Iterable[Event], *, name: str, uid: str, absolute: Callable[[str], str]) -> bytes:
    """A calendar of events in the club's zone; `absolute` puts the host before an address. The same events give the
    same bytes.

    An event keeps its UID for ever; SEQUENCE and LAST-MODIFIED tell a calendar that its name, time or place changed.
    """
    events = list(events)
    made = Calendar.new(prodid=PRODUCER, name=name, refresh_interval=AGAIN, uid=uid)
    made.add("X-WR-TIMEZONE", club.time_zone)
    if events:
        days = [event.starts_at.date() for event in events]
        first, last = min(days).replace(month=1, day=1), max(days) + timedelta(days=366)
        made.add_component(Timezone.from_tzinfo(club.zone, first_date=first, last_date=last))
    for event in events:
        starts, changed = event.starts_at.astimezone(club.zone), event.changed_at.astimezone(UTC)
        made.add_component(
            Entry.new(
                uid=f"event-{event.pk}@{club.slug}.nine-tables",
                summary=event.name,
                start=starts,
                end=starts + USUAL_LENGTH,
                location=event.place or None,
                description=f"{translated(event.rules.title)} · {event.get_format_display()}",
                url=absolute(event.get_absolute_url()),
                stamp=changed,
                last_modified=changed,
                sequence=event.revision,
                status="CANCELLED" if event.called_off else "CONFIRMED",  # type: ignore[arg-type]  # the library takes the text of its own choices
            )
        )
    written: bytes = made.to_ical()
    return written
