"""Standings to show: as they are now, or as published."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.models import Draw, Event, PublishedStandings, Stage
from tournaments.standings.standings import Row, last_deal_at, standings_of


@dataclass(frozen=True, slots=True)
class StandingsView:
    """Standings to show: provisional as of a time, or a published version."""

    stage: Stage
    rows: tuple[Row, ...]
    deals: int
    as_of: datetime | None
    published: PublishedStandings | None = None


def standings_view(event: Event) -> StandingsView | None:
    """The event's result while it is finished, else the live standings of its latest stage with a published draw."""
    if event.state == Event.State.FINISHED and (published := result_of(event)):
        return of_version(published)
    stage = event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").distinct().first()
    if stage is None:
        return None
    stage.event = event
    now = standings_of(stage)
    return StandingsView(stage, now.rows, now.deals, last_deal_at(stage))


def result_of(event: Event) -> PublishedStandings | None:
    """The latest version of an event's result."""
    return (
        event.published_standings.filter(final=True)
        .select_related("stage__event__rules")
        .order_by("-stage__number", "-number")
        .first()
    )


def of_version(published: PublishedStandings) -> StandingsView:
    """A published version as standings to show."""
    return StandingsView(
        published.stage, tuple(Row.from_data(row) for row in published.rows), 0, published.at, published
    )
