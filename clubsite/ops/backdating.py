"""Times for demo data: what has just been written gets the moment at which it would have happened."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Model

from clubsite.accounts.models import LogEntry
from scoring.models import DealVersion, HouseRules
from tournaments.models import Cut, Draw, Event, PublishedStandings

MINUTES = {"arrive": 20, "draw": 5, "deal": 6, "close": 4, "cut": 10, "result": 5}
STAMPED: tuple[tuple[type[Model], str], ...] = (
    (LogEntry, "at"),
    (DealVersion, "at"),
    (Draw, "made_at"),
    (Draw, "published_at"),
    (Cut, "made_at"),
    (Cut, "published_at"),
    (PublishedStandings, "at"),
    (Event, "result_at"),
    (HouseRules, "published_at"),
)
EVERY_DEAL = STAMPED[:2]


class Clock:
    """A clock that moves on with each step of a simulated event, never past the moment at which the demo is loaded.

    What still bears the time of loading gets the clock's time.
    """

    def __init__(self, loading: datetime) -> None:
        self.loading = loading
        self.now = loading - timedelta(days=1)

    def set(self, moment: datetime) -> None:
        """Go on from another moment; what was written before it keeps the time until now."""
        self.stamp()
        self.now = moment

    def step(self, kind: str) -> None:
        """One step of a simulated event is done. A `tournaments.simulation.play.Watch`."""
        self.now += timedelta(minutes=MINUTES[kind])
        self.stamp(EVERY_DEAL if kind == "deal" else STAMPED)

    def stamp(self, stamped: tuple[tuple[type[Model], str], ...] = STAMPED) -> None:
        """Write the clock's time on what bears the time of loading."""
        moment = min(self.now, self.loading - timedelta(seconds=1))
        for model, field in stamped:
            model._default_manager.filter(**{f"{field}__gte": self.loading}).update(**{field: moment})


def evening(day: datetime, hour: int, *, minute: int = 0) -> datetime:
    """That day's time of the clock, in the zone of `day`."""
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0)


def running_since(now: datetime, hour: int, *, minutes: int) -> datetime:
    """When an event began that is on now and has run for so many minutes at least.

    At its hour, or at the last half hour that leaves so many. `now` is in the club's zone.
    """
    usual, latest = evening(now, hour), now - timedelta(minutes=minutes)
    half = latest.replace(minute=30 if latest.minute >= 30 else 0, second=0, microsecond=0)
    return usual if now - timedelta(hours=6) <= usual <= latest else half
