"""The table of standings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from clubsite.accounts.roles import is_at_desk
from clubsite.names import in_order
from tournaments.models import Event
from tournaments.people import pages_of_people
from tournaments.standings.standings import Row
from tournaments.standings.words import beside_of, notes_of
from tournaments.tables import FIGURES, FigureColumn, NameColumn, Pad
from tournaments.templatetags.people import persons

NOT_PHONE = {"th": {"class": "points not-phone"}, "td": {"class": "points not-phone"}}


class StandingsTable(Pad):
    """Places, points, games won, sets."""

    place = tables.Column(verbose_name=_("Place"), attrs=FIGURES)
    name = NameColumn(verbose_name=_("Name"))
    points = FigureColumn(verbose_name=_("Points"))
    games_won = tables.Column(verbose_name=_("Games won"), attrs=NOT_PHONE, order_by=("won",))
    sets = FigureColumn(verbose_name=_("Sets"), attrs=NOT_PHONE)
    games_played = FigureColumn(verbose_name=_("Games"), attrs=NOT_PHONE)
    sit_outs = FigureColumn(verbose_name=_("Sat out"), attrs=NOT_PHONE)

    class Meta(Pad.Meta):
        sequence = ("place", "name", "points", "games_won", "sets", "games_played", "sit_outs")

    def render_place(self, record: dict[str, Any]) -> str:
        """The place in words, as on all pages; empty before the first deal."""
        return str(record["place_words"])

    def render_name(self, record: dict[str, Any]) -> SafeString:
        """The name, and what is to be known of it: gone, disqualified, points taken away."""
        notes = format_html_join("", "<br><small>{}</small>", ((note,) for note in record["notes"]))
        return format_html(
            '{}<small class="only-phone">{}</small>{}',
            persons(record["row"], pages=record["pages"]),
            record["beside"],
            notes,
        )


def standings_table(request: HttpRequest, event: Event, *, rows: Iterable[Row], begun: bool = True) -> StandingsTable:
    """Standings of an event as a table in the order that the request asks for; without places until it has `begun`.

    Names lead to the pages of those who have one for whoever asks. At most one query.
    """
    data, lowest_wins = [], event.rules.lowest_wins
    pages = pages_of_people(event.club, inside=is_at_desk(request, event.club))
    for row in rows:
        line = row.to_data()
        line["row"] = row
        line["place_words"] = row.place_words if begun else ""
        line["beside"] = beside_of(row)
        line["by_name"] = in_order(row.name)
        line["won"] = float(row.won)
        line["pages"] = pages
        line["notes"] = notes_of(row, event)
        data.append(line)
    table = StandingsTable(
        data,
        exclude=[
            *(() if any(line["sit_outs"] for line in data) else ("sit_outs",)),
            *(() if event.rules.rule_set.has_bids else ("sets",)),
        ],
        extra_columns=[("points", FigureColumn(verbose_name=_("Points"), lowest_first=lowest_wins))],
    )
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
