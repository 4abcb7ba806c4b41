"""Tables that people sort: standings, events, a season."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext_lazy as _

from scoring.templatetags.figures import points
from tournaments.models import Event
from tournaments.wording import notes_of

FIGURES = {"th": {"class": "points"}, "td": {"class": "points"}}


class FigureColumn(tables.Column):
    """Points: to the right, with a true minus sign; the best first at the first press."""

    def __init__(self, *, lowest_first: bool = False, **kwargs: Any) -> None:
        super().__init__(attrs=FIGURES, default="", initial_sort_descending=not lowest_first, **kwargs)

    def render(self, value: Any) -> Any:
        """The figure, red and with its sign when below nought."""
        if not isinstance(value, int):
            return value
        return format_html('<span class="minus">{}</span>', points(value)) if value < 0 else points(value)


class Pad(tables.Table):
    """The ruled look that all tables share."""

    wide = False  # more columns than a screen holds: it scrolls in a frame of its own

    class Meta:
        attrs = {"class": "pad"}
        template_name = "tournaments/_table.html"
        orderable = True


class StandingsTable(Pad):
    """Places, points, games won, sets."""

    place = tables.Column(verbose_name=_("Place"), attrs=FIGURES)
    name = tables.Column(verbose_name=_("Name"))
    points = FigureColumn(verbose_name=_("Points"))
    games_won = tables.Column(verbose_name=_("Games won"), attrs=FIGURES, order_by=("won",))
    sets = FigureColumn(verbose_name=_("Sets"))
    games_played = FigureColumn(verbose_name=_("Games"))
    sit_outs = FigureColumn(verbose_name=_("Sat out"))

    class Meta(Pad.Meta):
        sequence = ("place", "name", "points", "games_won", "sets", "games_played", "sit_outs")

    def render_place(self, record: dict[str, Any]) -> str:
        """The place, with an equals sign where it is shared."""
        return f"{record['place']}=" if record["shared"] else str(record["place"])

    def render_name(self, record: dict[str, Any]) -> SafeString:
        """The name, and what is to be known of it: gone, disqualified, points taken away."""
        notes = format_html_join("", "<br><small>{}</small>", ((note,) for note in record["notes"]))
        return format_html('<span class="name">{}</span>{}', record["name"], notes)


class EventsTable(Pad):
    """The events of a club."""

    starts_at = tables.Column(verbose_name=_("Date"))
    name = tables.Column(verbose_name=_("Event"))
    rules = tables.Column(verbose_name=_("Game"), order_by=("rules__title",))
    place = tables.Column(verbose_name=_("Where"))
    season = tables.Column(verbose_name=_("Season"), order_by=("season__name",))
    state = tables.Column(verbose_name=_("State"))

    class Meta(Pad.Meta):
        empty_text = _("No event yet.")

    def render_starts_at(self, value: Any) -> str:
        """The date and time in the club's zone."""
        return date_format(localtime(value), "SHORT_DATETIME_FORMAT")

    def render_name(self, record: Event) -> SafeString:
        """The name, leading to the event's page."""
        return format_html('<a href="{}">{}</a>', reverse("event", args=[self.club_slug, record.slug]), record.name)

    def render_state(self, record: Event) -> SafeString:
        """The state in words."""
        mark = {"running": "playing", "planned": "waiting", "finished": "over"}[record.state]
        return format_html('<span class="state state-{}">{}</span>', mark, record.get_state_display())

    club_slug: str = ""


def standings_table(request: HttpRequest, event: Event, rows: Iterable[Any]) -> StandingsTable:
    """Standings of an event as a table in the order that the request asks for."""
    data, lowest_wins = [], event.rules.lowest_wins
    for row in rows:
        line = row.to_data()
        line["won"] = float(row.games_won.replace("½", ".5"))
        line["notes"] = notes_of(row, lowest_wins=lowest_wins)
        data.append(line)
    table = StandingsTable(
        data,
        exclude=() if any(line["sit_outs"] for line in data) else ("sit_outs",),
        extra_columns=[("points", FigureColumn(verbose_name=_("Points"), lowest_first=lowest_wins))],
    )
    tables.RequestConfig(request, paginate=False).configure(table)
    return table


def events_table(request: HttpRequest, slug: str, events: Iterable[Event]) -> EventsTable:
    """The events of a club, twenty-five to a page."""
    table = EventsTable(events)
    table.club_slug = slug
    tables.RequestConfig(request, paginate={"per_page": 25}).configure(table)
    return table
