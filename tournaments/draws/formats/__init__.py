"""How events of each format are drawn: one object per way of drawing, found by the event's format."""

from __future__ import annotations

from tournaments.draws.formats.base import EventFormat
from tournaments.draws.formats.by_results import ByResults
from tournaments.draws.formats.contest import Contest
from tournaments.draws.formats.rotation import Rotation
from tournaments.models import Event

OWN_WAY: dict[str, EventFormat] = {Event.Format.CONTEST: Contest(), Event.Format.ROTATION: Rotation()}
BY_RESULTS = ByResults()


def way_of(event: Event) -> EventFormat:
    """How an event is drawn. A format that isn't named here is one of `tournaments.engine.formats.FORMATS`."""
    return OWN_WAY.get(event.format, BY_RESULTS)
