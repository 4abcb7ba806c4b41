"""A season's tables: a division or the whole of it, and its teams. A column for each night."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from scoring.templatetags.figures import points
from tournaments.seasons.table import SeasonPart, SeasonTable
from tournaments.tables import FIGURES, FigureColumn, Pad
from tournaments.templatetags.totals import decimal, total


class SeasonPad(Pad):
    """A season's table; its columns come with its nights. A row's cells are in its data: there are thousands."""

    wide = True

    class Meta(Pad.Meta):
        template_name = "tournaments/seasons/_season_table.html"


def season_pad(request: HttpRequest, season: SeasonTable, *, part: SeasonPart) -> Pad:
    """One division, or the whole season: a column per night, the total, the average of the nights attended."""
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", tables.Column(verbose_name=_("Name"))),
        ("total", FigureColumn(verbose_name=_("Total"), lowest_first=season.rule.lowest)),
        ("attended", FigureColumn(verbose_name=_("Nights"))),
        (
            "average",
            tables.Column(verbose_name=_("Average"), attrs=FIGURES, initial_sort_descending=not season.rule.lowest),
        ),
    ]
    if season.teams:
        columns.insert(2, ("team", tables.Column(verbose_name=_("Team"))))
    cells = _NightCells()
    data = [
        {
            **{name: getattr(line, name) for name, _column in columns},
            **_nights(line.nights),
            "cells": format_html(
                "{}{}{}{}{}{}",
                _named(line.place, line.shared, name=line.name),
                format_html('<td><span class="name">{}</span></td>', line.team) if season.teams else "",
                _figure(total(line.total), line.total < 0),
                _figure(points(line.attended)),
                _figure(decimal(line.average), line.average < 0),
                cells.of(line.nights, line.counted),
            ),
        }
        for line in part.lines
    ]
    return _made(request, data, columns=columns, season=season, prefix=f"d{part.division}-" if part.division else "")


def team_pad(request: HttpRequest, season: SeasonTable) -> Pad:
    """The teams."""
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", tables.Column(verbose_name=_("Team"))),
        ("total", FigureColumn(verbose_name=_("Total"), lowest_first=season.rule.lowest)),
    ]
    cells = _NightCells()
    data = [
        {
            **{name: getattr(line, name) for name, _column in columns},
            **_nights(line.nights),
            "cells": format_html(
                "{}{}{}",
                _named(line.place, line.shared, name=line.name),
                _figure(points(line.total), line.total < 0),
                cells.of(line.nights, (True,) * len(line.nights)),
            ),
        }
        for line in season.teams
    ]
    return _made(request, data, columns=columns, season=season, prefix="t-")


class _NightCells:
    """Cells of nights, each made once: what a night is worth; struck, in brackets and with words for those who only
    hear it, where it doesn't count."""

    def __init__(self) -> None:
        self.made: dict[tuple[int | None, bool], SafeString] = {}
        self.struck = _now("doesn’t count")

    def of(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """The cells of one line."""
        return mark_safe("".join(map(self._cell, worth, counted)))  # noqa: S308  (made by format_html)

    def _cell(self, worth: int | None, counted: bool) -> SafeString:
        key = (worth, counted)
        if key not in self.made:
            shown = _figure(points(worth), worth is not None and worth < 0)
            if worth is not None and not counted:
                shown = format_html(
                    '<td class="points"><s>({})</s><span class="visually-hidden"> {}</span></td>',
                    points(worth),
                    self.struck,
                )
            self.made[key] = shown
        return self.made[key]


def _named(place: int | None, shared: bool, *, name: str) -> SafeString:
    """The cells of the place, with an equals sign where it is shared, and of the name, unbroken."""
    return format_html(
        '<td class="points">{}{}</td><th scope="row" class="who"><span class="name">{}</span></th>',
        place,
        "=" if shared else "",
        name,
    )


def _figure(shown: str, below: bool = False) -> SafeString:
    return format_html('<td class="points{}">{}</td>', " minus" if below else "", shown)


def _nights(worth: Sequence[int | None]) -> dict[str, int | None]:
    return {f"night{n}": value for n, value in enumerate(worth)}


def _made(
    request: HttpRequest,
    data: list[dict[str, Any]],
    *,
    columns: list[tuple[str, tables.Column]],
    season: SeasonTable,
    prefix: str,
) -> Pad:
    heads = (date_format(localtime(event.starts_at), "MONTH_DAY_FORMAT") for event in season.nights)
    nights = [FigureColumn(verbose_name=head, lowest_first=season.rule.lowest) for head in heads]
    every = [*columns, *((f"night{n}", column) for n, column in enumerate(nights))]
    table = SeasonPad(data, extra_columns=every, prefix=prefix)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
