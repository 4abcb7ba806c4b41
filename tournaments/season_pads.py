"""A season's tables: a division or the whole of it, and its teams. A column for each night."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournaments.models import Event
from tournaments.seasons import SeasonLine, SeasonPart, SeasonTable
from tournaments.tables import FIGURES, FigureColumn, Pad
from tournaments.templatetags.totals import decimal, total


class NightColumn(FigureColumn):
    """What a night is worth; struck, in brackets and with words for those who only hear it, where it doesn't count."""

    def __init__(self, event: Event, number: int) -> None:
        super().__init__(verbose_name=date_format(localtime(event.starts_at), "j M"))
        self.number = number

    def render(self, value: Any, record: Any = None) -> Any:
        """The figure."""
        shown = super().render(value)
        if record["counted"][self.number]:
            return shown
        return format_html('<s>({})</s><span class="visually-hidden"> {}</span>', shown, _now("doesn’t count"))


class SeasonPad(Pad):
    """A season's table; its columns come with its nights."""

    class Meta(Pad.Meta):
        pass

    def render_place(self, record: dict[str, Any]) -> str:
        """The place, with an equals sign where it is shared."""
        return f"{record['place']}=" if record["shared"] else str(record["place"])

    def render_name(self, value: str) -> SafeString:
        """The name, unbroken."""
        return format_html('<span class="name">{}</span>', value)

    def render_total(self, value: Fraction) -> Any:
        """A whole total as points, the total of an average with one decimal."""
        shown = total(value)
        return format_html('<span class="minus">{}</span>', shown) if value < 0 else shown

    def render_average(self, value: Fraction) -> str:
        """One decimal."""
        return decimal(value)


def season_pad(request: HttpRequest, season: SeasonTable, part: SeasonPart) -> Pad:
    """One division, or the whole season: a column per night, the total, the average of the nights attended."""
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", tables.Column(verbose_name=_("Name"), attrs={"td": {"class": "who"}})),
        ("total", FigureColumn(verbose_name=_("Total"))),
        ("attended", FigureColumn(verbose_name=_("Nights"))),
        ("average", tables.Column(verbose_name=_("Average"), attrs=FIGURES, initial_sort_descending=True)),
    ]
    if season.teams:
        columns.insert(2, ("team", tables.Column(verbose_name=_("Team"))))
    data = [
        {
            **{name: getattr(line, name) for name in SeasonLine.__slots__ if name != "nights"},
            **_nights(line.nights),
        }
        for line in part.lines
    ]
    return _made(request, data, columns, season.nights, prefix=f"d{part.division}-" if part.division else "")


def team_pad(request: HttpRequest, season: SeasonTable) -> Pad:
    """The teams."""
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", tables.Column(verbose_name=_("Team"), attrs={"td": {"class": "who"}})),
        ("total", FigureColumn(verbose_name=_("Total"))),
    ]
    data = [
        {
            "place": line.place,
            "shared": line.shared,
            "name": line.name,
            "total": Fraction(line.total),
            "counted": (True,) * len(line.nights),
            **_nights(line.nights),
        }
        for line in season.teams
    ]
    return _made(request, data, columns, season.nights, prefix="t-")


def _nights(worth: Sequence[int | None]) -> dict[str, int | None]:
    return {f"night{n}": value for n, value in enumerate(worth)}


def _made(
    request: HttpRequest,
    data: list[dict[str, Any]],
    columns: list[tuple[str, tables.Column]],
    nights: Sequence[Event],
    prefix: str,
) -> Pad:
    every = [*columns, *((f"night{n}", NightColumn(event, n)) for n, event in enumerate(nights))]
    table = SeasonPad(data, extra_columns=every, prefix=prefix)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
