"""The next night of a season, as its form proposes it: as the last one was, a week later."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models import Event, Season

WEEK = timedelta(days=7)
USUAL_TIME = time(19, 0)
_NUMBERED = re.compile(r"^(.*?)(\d{1,4})$")


def last_night(season: Season) -> Event | None:
    """The latest event of a season that goes round by round. One query."""
    nights = [event for event in season.events.select_related("rules").order_by("-starts_at", "-pk") if event.by_rounds]
    return nights[0] if nights else None


def next_night(season: Season, last: Event | None) -> dict[str, Any]:
    """What the form of a new night in a season begins with. The clock of the wall counts: at half past seven, a week
    later, also when the clocks have changed in between."""
    if last is None:
        starts = datetime.combine(season.starts, USUAL_TIME)
        return {"season": season, "name": _("%(season)s, night 1") % {"season": season}, "starts_at": starts}
    before = last.starts_at.astimezone(season.club.zone).replace(tzinfo=None)
    proposed = {
        "season": season,
        "name": next_name(last.name),
        "starts_at": before + WEEK,
        "place": last.place,
        "game": f"{last.rules.slug}:{last.sides}x{last.per_side}",
        "round_minutes": last.round_minutes,
        "at_bell": last.at_bell,
    }
    options = {name: {True: "yes", False: "no"}.get(value, value) for name, value in last.options.items()}
    return proposed | {name: value for name, value in options.items() if isinstance(value, str | int)}


def next_name(name: str) -> str:
    """The name of the next night: its number goes up.

    >>> next_name("Pinochle night 9"), next_name("Friday")
    ('Pinochle night 10', 'Friday')
    """
    found = _NUMBERED.match(name)
    return f"{found[1]}{int(found[2]) + 1}" if found else name
