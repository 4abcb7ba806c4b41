"""Times for demo data: rows that have just been written get the time at which they would have been written."""

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

    Rows that still have the time of loading get the clock's time.
    """

    def __init__(self, loading: datetime) -> None:
        self.loading = loading
        self.now = loading - timedelta(days=1)

    def set(self, moment: datetime) -> None:
        """Go on from another moment; rows written so far first get the clock's time as it is now."""
        self.stamp()
        self.now = moment

    def step(self, kind: str) -> None:
        """Move on after a step of a simulated event. A `tournaments.simulation.play.Watch`."""
        self.now += timedelta(minutes=MINUTES[kind])
        self.stamp(EVERY_DEAL if kind == "deal" else STAMPED)

    def stamp(self, stamped: tuple[tuple[type[Model], str], ...] = STAMPED) -> None:
        """Give the clock's time to rows that have the time of loading."""
        moment = min(self.now, self.loading - timedelta(seconds=1))
        for model, field in stamped:
            model._default_manager.filter(**{f"{field}__gte": self.loading}).update(**{field: moment})


def evening(day: datetime, hour: int, *, minute: int = 0) -> datetime:
    """This hour and minute of that day, in the zone of `day`."""
    return day.replace(hour=hour, minute=minute, second=0, microsecond=0)


def running_since(now: datetime, hour: int, *, minutes: int) -> datetime:
    """When an event began that is on now, and has run for at least so many minutes.

    At its usual hour if that fits, else at the last full or half hour that does. `now` is in the club's zone.
    """
    usual, latest = evening(now, hour), now - timedelta(minutes=minutes)
    half = latest.replace(minute=30 if latest.minute >= 30 else 0, second=0, microsecond=0)
    return usual if now - timedelta(hours=6) <= usual <= latest else half
