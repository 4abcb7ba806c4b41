"""Standings to show: as they are now, or as published."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from scoring.cards.submit import PublishedLine
from tournaments.models import Draw, Event, PublishedStandings, Stage
from tournaments.standings.standings import Row, begun, last_deal_at, standings_of


@dataclass(frozen=True, slots=True)
class Window:
    until: datetime
    now: datetime
    late: bool  # whether the version shown is a correction published after that

    @property
    def is_open(self) -> bool:
        return self.now < self.until

    @property
    def until_words(self) -> str:
        """When it ends or ended: a time, with its day where that isn't today."""
        until = timezone.localtime(self.until)
        today = until.date() == timezone.localtime(self.now).date()
        return date_format(until, "TIME_FORMAT" if today else "SHORT_DATETIME_FORMAT")


@dataclass(frozen=True, slots=True)
class StandingsView:
    stage: Stage
    rows: tuple[Row, ...]
    deals: int
    as_of: datetime | None
    published: PublishedStandings | None = None
    window: Window | None = None  # for corrections, of a result that stands

    @property
    def begun(self) -> bool:
        """Whether there is something that places go by: nobody is first before the first deal."""
        return self.published is not None or begun(self.rows, self.deals)


def drawn_stages(event: Event) -> QuerySet[Stage]:
    return event.stages.filter(rounds__draws__state=Draw.State.PUBLISHED).order_by("-number").distinct()


def standings_view(event: Event) -> StandingsView | None:
    if published := standing_result(event):
        return of_version(published)
    stage = drawn_stages(event).first()
    if stage is None:
        return None
    stage.event = event
    now = standings_of(stage)
    return StandingsView(stage, now.rows, now.deals, last_deal_at(stage))


def result_of(event: Event) -> PublishedStandings | None:
    return (
        event.published_standings.filter(final=True)
        .select_related("stage__event__rules")
        .order_by("-stage__number", "-number")
        .first()
    )


def standing_result(event: Event) -> PublishedStandings | None:
    """The latest version of an event's result while the event is finished; none once it is taken back."""
    return result_of(event) if event.state == Event.State.FINISHED else None


def of_version(published: PublishedStandings) -> StandingsView:
    return StandingsView(
        stage=published.stage,
        rows=tuple(Row.from_data(row) for row in published.rows),
        deals=0,
        as_of=published.at,
        published=published,
        window=window_of(published, timezone.now()) if published.final else None,
    )


def lines_of(rows: Iterable[Row], through: Collection[int] | None = None) -> tuple[PublishedLine, ...]:
    """Rows as published lines. `through` are the entries that go on at a cut; None where there is no cut."""
    return tuple(
        PublishedLine(
            row.entry, row.name, row.points, row.place_words, None if through is None else row.entry in through
        )
        for row in rows
    )


def window_of(published: PublishedStandings, now: datetime) -> Window | None:
    """How long the result of an event is open to corrections: so many minutes as its club says, from the first version
    on that stands. None where the result is taken back, or was published before there were such windows."""
    event = published.event
    if event.result_at is None:
        return None
    until = event.result_at + timedelta(minutes=event.club.correction_minutes)
    return Window(until, now, late=published.at > until)
