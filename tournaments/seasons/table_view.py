"""A season's table laid out: its columns, and the race night by night."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from clubsite.charts import Chart, Series, places_chart
from clubsite.names import in_order
from scoring.templatetags.figures import points
from tournaments.engine.season import season_places
from tournaments.models import Event
from tournaments.pictures import PersonNight, person_chart
from tournaments.seasons.table import SeasonLine, SeasonNights, SeasonPart, SeasonTable, TeamLine
from tournaments.tables import FIGURES, FigureColumn, NameColumn, Pad
from tournaments.templatetags.totals import decimal, place, total

NIGHTS = 16  # nights drawn: the newest
LEADERS = 10  # members drawn besides the one asked for


def night_heads(events: Sequence[Event]) -> list[str]:
    return [date_format(localtime(event.starts_at), "MONTH_DAY_FORMAT") for event in events]


def places_by_night(season: SeasonNights, part: SeasonPart) -> dict[int, tuple[int | None, ...]]:
    """The places of a part's members after each of the last nights, by what they had by then; None before their first.

    Only those who have a place now are counted, also on nights after which they hadn't come often enough yet: so the
    last places are those of the table."""
    placed = [line.member for line in part.lines]
    own = {m for m in season.names if part.division is None or season.division.get(m) == part.division}
    nights, rule = season.among(own), replace(season.rule, attendance=0)
    by_night = []
    for count in range(max(1, len(nights) - NIGHTS + 1), len(nights) + 1):
        every = season_places(nights[:count], rule)
        found = {member: every[member] for member in placed if member in every}
        order = sorted(found.values())
        by_night.append({member: 1 + bisect_left(order, place) for member, place in found.items()})
    return {member: tuple(now.get(member) for now in by_night) for member in placed}


def race_of(
    season: SeasonNights, part: SeasonPart, *, named: Callable[[str], str], who: int | None = None
) -> Chart | None:
    """The picture of the leaders' places night by night, and of the member asked for; None before the second night.

    `named` puts initials in place of names where members want that. It is done here because a name that the picture
    cuts short wouldn't be found when the page is sent."""
    if len(season.nights) < 2 or not part.lines:
        return None
    drawn = [line for n, line in enumerate(part.lines) if n < LEADERS or line.member == who]
    places = places_by_night(season, part)
    return places_chart(
        [Series(named(line.name), places[line.member], lit=line.member == who) for line in drawn],
        night_heads(season.events[-NIGHTS:]),
        keys=[place(line) for line in drawn],
    )


def season_of(season: SeasonNights, line: SeasonLine) -> Chart | None:
    """The picture of one member's season: the place on each night that they came to, of how many; None before two."""
    return person_chart(
        [
            PersonNight(head, night.places_by(season.rule.lowest_wins).get(line.member), len(set(side.values())), worth)
            for head, night, side, worth in zip(
                night_heads(season.events), season.nights, season.sides, line.nights, strict=True
            )
        ]
    )


_LAPTOP = {"th": {"class": "points not-phone"}}
STEPS = (4, 8, 12, 18)  # nights that have a column: on a tablet, a small laptop, a laptop, a large screen
PHONE = 3  # nights that stand under the name on a phone


class SeasonTableView(Pad):
    """A season's table, with a column for each night. The cells of nights are ready-made HTML: there are thousands."""

    class Meta(Pad.Meta):
        template_name = "tournaments/seasons/_season_table.html"


def table_view(request: HttpRequest, season: SeasonTable, *, part: SeasonPart, who: int | None = None) -> Pad:
    """One division, or the whole season: the total, the average of the nights attended, and a column for each of the
    newest nights, as many as a screen has room for; on a phone these stand under the name. The line of the member `who`
    is highlighted."""
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", NameColumn(verbose_name=_("Name"))),
        ("total", FigureColumn(verbose_name=_("Total"), lowest_first=season.rule.lowest)),
        ("attended", FigureColumn(verbose_name=_("Nights"), attrs=_LAPTOP)),
        (
            "average",
            tables.Column(verbose_name=_("Average"), attrs=_LAPTOP, initial_sort_descending=not season.rule.lowest),
        ),
    ]
    if season.teams:
        columns.insert(2, ("team", tables.Column(verbose_name=_("Team"), attrs={"th": {"class": "not-phone"}})))
    cells = _NightCells(night_heads(season.nights))
    data = [
        {
            **{name: getattr(line, name) for name, _column in columns},
            "by_name": in_order(line.name),
            **_by_column(line.nights),
            "lit": line.member == who,
            "cells": format_html(
                "{}{}{}{}{}{}",
                _named(line, small=_small(line, cells), link=f"?who={line.member}#lit"),
                format_html('<td class="not-phone"><span class="name">{}</span></td>', line.team)
                if season.teams
                else "",
                _figure(total(line.total), line.total < 0),
                _figure(points(line.attended), step=" not-phone"),
                _figure(decimal(line.average), line.average < 0, step=" not-phone"),
                cells.of(line.nights, line.counted),
            ),
        }
        for line in part.lines
    ]
    return _made(request, data, columns=columns, season=season, prefix=f"d{part.division}-" if part.division else "")


def team_table_view(request: HttpRequest, season: SeasonTable) -> Pad:
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", NameColumn(verbose_name=_("Team"))),
        ("total", FigureColumn(verbose_name=_("Total"), lowest_first=season.rule.lowest)),
    ]
    cells = _NightCells(night_heads(season.nights))
    data = [
        {
            **{name: getattr(line, name) for name, _column in columns},
            "by_name": in_order(line.name),
            **_by_column(line.nights),
            "cells": format_html(
                "{}{}{}",
                _named(line, small=cells.newest(line.nights, (True,) * len(line.nights))),
                _figure(points(line.total), line.total < 0),
                cells.of(line.nights, (True,) * len(line.nights)),
            ),
        }
        for line in season.teams
    ]
    return _made(request, data, columns=columns, season=season, prefix="t-")


def every_night(season: SeasonTable, part: SeasonPart) -> list[tuple[SeasonLine, SafeString]]:
    """Everybody of a part with all nights that they came to, in words that a screen of any width holds."""
    cells = _NightCells(night_heads(season.nights))
    return [(line, cells.all(line.nights, line.counted)) for line in part.lines]


class _NightCells:
    """Cells of nights, each made once: what a night is worth. Where it doesn't count it is struck out and in brackets,
    with words for screen readers. Only the dates and these words are escaped: all else are figures."""

    def __init__(self, heads: Sequence[str]) -> None:
        self.made: dict[tuple[int | None, bool, str], str] = {}
        self.heads = [escape(head) for head in heads]
        self.struck = escape(_now("doesn’t count"))

    def of(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """The cells of one line: the nights that have a column."""
        steps = night_steps(len(worth))
        first = len(worth) - len(steps)
        nights = zip(worth[first:], counted[first:], steps, strict=True)
        cells = [self._cell(points, counts, step=step) for points, counts, step in nights]
        return mark_safe("".join(cells))  # noqa: S308  (figures)

    def newest(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """The newest nights of one line in words, the newest first; a dash for a night away."""
        return self._words(list(zip(self.heads, worth, counted, strict=True))[: -PHONE - 1 : -1])

    def all(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """All nights that somebody came to, in words."""
        return self._words([one for one in zip(self.heads, worth, counted, strict=True) if one[1] is not None])

    def _words(self, nights: Sequence[tuple[str, int | None, bool]]) -> SafeString:
        words = [f'<span class="night">{head} <b>{self._figure(w, on)}</b></span>' for head, w, on in nights]
        return mark_safe(" ".join(words))  # noqa: S308  (escaped above)

    def _figure(self, worth: int | None, counted: bool) -> str:
        if worth is None:
            return "–"
        if counted:
            return points(worth)
        return f'<s>({points(worth)})</s><span class="visually-hidden"> {self.struck}</span>'

    def _cell(self, worth: int | None, counted: bool, *, step: str) -> str:
        key = (worth, counted, step)
        if key not in self.made:
            minus = " minus" if worth is not None and worth < 0 and counted else ""
            shown = "" if worth is None else self._figure(worth, counted)
            self.made[key] = f'<td class="points{minus}{step}">{shown}</td>'
        return self.made[key]


def night_steps(nights: int) -> list[str]:
    """For each of the newest nights that have a column, the oldest first, the CSS class that says on which screens."""
    ages = [f" step-{next(n for n, most in enumerate(STEPS) if age < most)}" for age in range(min(nights, STEPS[-1]))]
    return ages[::-1]


def _small(line: SeasonLine, cells: _NightCells) -> SafeString:
    came = ngettext("%(n)d night, average %(average)s", "%(n)d nights, average %(average)s", line.attended) % {
        "n": line.attended,
        "average": decimal(line.average),
    }
    team = format_html("{}<br>", line.team) if line.team else ""
    return format_html("{}{}<br>{}", team, came, cells.newest(line.nights, line.counted))


def _named(line: SeasonLine | TeamLine, *, small: SafeString, link: str = "") -> SafeString:
    name = format_html('<span class="name">{}</span>', line.name)
    if link:
        name = format_html('<a class="quiet" href="{}">{}</a>', link, name)
    return format_html(
        '<td class="points">{}</td><th scope="row" class="who">{}<small class="only-phone">{}</small></th>',
        place(line),
        name,
        small,
    )


def _figure(shown: str, below: bool = False, *, step: str = "") -> SafeString:
    return mark_safe(f'<td class="points{" minus" if below else ""}{step}">{escape(shown)}</td>')  # noqa: S308  (escaped)


def _by_column(worth: Sequence[int | None]) -> dict[str, int | None]:
    return {f"night{n}": value for n, value in enumerate(worth)}


def _made(
    request: HttpRequest,
    data: list[dict[str, Any]],
    *,
    columns: list[tuple[str, tables.Column]],
    season: SeasonTable,
    prefix: str,
) -> Pad:
    heads = night_heads(season.nights)
    steps = night_steps(len(heads))
    first = len(heads) - len(steps)
    nights = [
        (
            f"night{n}",
            FigureColumn(
                verbose_name=heads[n], lowest_first=season.rule.lowest, attrs={"th": {"class": f"points{step}"}}
            ),
        )
        for n, step in enumerate(steps, start=first)
    ]
    table = SeasonTableView(data, extra_columns=[*columns, *nights], prefix=prefix)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
