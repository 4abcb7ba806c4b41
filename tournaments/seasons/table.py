"""A season's table: points of members, teams and guests; its columns; pictures of places by night."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import chain
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _now, gettext_lazy as _, ngettext
from pydantic import TypeAdapter

from clubsite.accounts.models import Member
from clubsite.charts import Chart, Series, places_chart
from clubsite.names import SEPARATOR, folded_words, name_sort_key
from scoring.templatetags.figures import points
from tournaments.engine.rounds import grouped
from tournaments.engine.season import (
    MemberSeason,
    Opening,
    Openings,
    SeasonNight,
    SeasonRule,
    season_places,
    season_table,
    team_nights,
)
from tournaments.models import Entry, Event, PublishedStandings, Season, SeasonMember, SeasonOpening, rows_by_person
from tournaments.pictures import PersonNight, person_chart
from tournaments.tables import FIGURES, FigureColumn, NameColumn, ScoreTable
from tournaments.templatetags.event_tags import decimal, place, total

RULE = TypeAdapter(SeasonRule)  # reads and writes JSON
NO_DIVISION = "season.no-division"  # a code of ours: came to a season with divisions without being in one


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine(MemberSeason):
    """One member's season; its `code` may also be NO_DIVISION."""

    name: str
    team: str
    average: Fraction  # of the nights attended, including those of the opening points


@dataclass(frozen=True, slots=True)
class SeasonPart:
    division: int | None
    lines: tuple[SeasonLine, ...]


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team's season. `nights`: the points of its best members, None if nobody came."""

    place: int
    shared: bool
    name: str
    total: int
    nights: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    season: Season
    rule: SeasonRule
    nights: tuple[Event, ...]
    parts: tuple[SeasonPart, ...]  # divisions, the top one first; one part if there are none
    apart: tuple[SeasonLine, ...]  # members without a place
    guests: list[dict[str, Any]]  # who came without being a member, by name: nights, and points added up
    teams: tuple[TeamLine, ...]
    openings: tuple[SeasonOpening, ...]  # points from before, which the lines include

    @property
    def lines(self) -> tuple[SeasonLine, ...]:
        return tuple(line for part in self.parts for line in part.lines)

    @property
    def has_uncounted_nights(self) -> bool:
        """Whether a night doesn't count for somebody with a place who came."""
        nights = (night for line in self.lines for night in zip(line.nights, line.counted, strict=True))
        return any(worth is not None and not counts for worth, counts in nights)


@dataclass(frozen=True, slots=True)
class SeasonNights:
    season: Season
    events: tuple[Event, ...]
    rule: SeasonRule
    nights: tuple[SeasonNight, ...]  # as they count: with handicaps if the season counts these
    sides: tuple[Mapping[int, int], ...]  # of each night, member to their side, which takes up one place
    guests: list[dict[str, Any]]  # who came without being a member, by name: nights, and points added up
    names: Mapping[int, str]  # of members who came or are in the season
    division: Mapping[int, int]
    team: Mapping[int, str]
    openings: tuple[SeasonOpening, ...]

    def openings_of(self, members: Collection[int]) -> Openings:
        """Points and nights that these members brought into the season; those of merged members are added up."""
        openings: dict[int, Opening] = {}
        for row in self.openings:
            if (member := row.whose) in members:
                before = openings.get(member, Opening())
                openings[member] = Opening(before.nights + row.nights, before.points + row.points)
        return openings

    def nights_among(self, members: Collection[int]) -> list[SeasonNight]:
        """The nights with these members only, and their places among themselves."""
        nights = []
        for night, side_of in zip(self.nights, self.sides, strict=True):
            points = {m: p for m, p in night.points.items() if m in members}
            places = night.places or {}
            order = sorted({side_of[m]: places[m] for m in points}.values())
            nights.append(SeasonNight(night.number, points, {m: 1 + bisect_left(order, places[m]) for m in points}))
        return nights

    def competitors_of(self, member: int) -> set[int]:
        """The members of the same division; all who came if there are no divisions."""
        return {m for m in self.names if self.division.get(m) == self.division.get(member)}


def season_rule(season: Season, *, lowest_wins: bool = False) -> SeasonRule:
    return RULE.validate_python(season.rule | {"lowest_wins": lowest_wins})


def counts_handicap(season: Season) -> bool:
    """Whether points with handicap count, on nights that give one."""
    return season.rule.get("handicap") is True


def season_nights(seasons: Iterable[Season]) -> list[SeasonNights]:
    """What counts in seasons, in the order given. Seven queries, whatever their number and size.

    A night counts while it is closed, with the latest version of its result, for the members that its entries belong to
    now."""
    seasons = list(seasons)
    keys = [season.pk for season in seasons]
    events = list(
        Event.objects.filter(season__in=keys, state=Event.State.FINISHED)
        .prefetch_related("rules")
        .order_by("starts_at", "pk")
    )
    entries = Entry.objects.filter(event__in=[event.pk for event in events]).order_by()
    whose: dict[tuple[int, int], int | None] = {}
    teams: dict[int, dict[int, int]] = defaultdict(dict)
    made_sides = {event.pk for event in events if event.makes_sides}
    for of, pk, member, guest, team in entries.values_list("event_id", "pk", "member_id", "guest_in_season", "team"):
        whose[of, pk] = None if guest else member
        if team is not None and of in made_sides:
            teams[of][pk] = team
    published = PublishedStandings.objects.filter(event__in=[event.pk for event in events], final=True)
    results: dict[int, list[dict[str, Any]]] = {
        of: [row | {"member": whose.get((of, row["entry"]), row["member"])} for row in rows_by_person(rows, teams[of])]
        for of, rows in published.order_by("number").values_list("event_id", "rows")
    }
    of_seasons = SeasonMember.objects.filter(season__in=keys).order_by()
    assignments = grouped(
        (pk, (member, division, team))
        for pk, member, division, team in of_seasons.values_list("season_id", "member_id", "division", "team")
    )
    openings = grouped(
        (row.season_id, row) for row in SeasonOpening.objects.filter(season__in=keys, taken_back_at=None)
    )
    member_keys = {row["member"] for rows in results.values() for row in rows if row["member"]}
    member_keys |= {member for rows in assignments.values() for member, _division, _team in rows}
    member_keys |= {row.member_id for rows in openings.values() for row in rows}
    # Members may have been merged since a result was published.
    members = Member.every.filter(pk__in=member_keys).select_related("merged_into").order_by()
    now = {member.pk: member.merged_into or member for member in members}
    live, names = {pk: member.pk for pk, member in now.items()}, {member.pk: member.name for member in now.values()}
    results = {event: [row | {"member": live.get(row["member"])} for row in rows] for event, rows in results.items()}
    for row in chain.from_iterable(openings.values()):
        row.whose = live[row.member_id]
    of_season = {pk: [e for e in events if e.season_id == pk and e.pk in results] for pk in keys}
    return [
        _build_nights(
            season,
            of_season[season.pk],
            results=results,
            names=names,
            assignments=assignments[season.pk],
            openings=tuple(openings[season.pk]),
        )
        for season in seasons
    ]


def build_table(season: SeasonNights) -> SeasonTable:
    names, rule = season.names, season.rule
    came = {m for night in season.nights for m in night.points} | {row.whose for row in season.openings}
    numbers = sorted(set(season.division.values()))
    divisions: list[tuple[int | None, set[int]]] = [
        (number, {m for m in came if season.division.get(m) == number}) for number in numbers
    ] or [(None, came)]
    parts: list[SeasonPart] = []
    apart: list[SeasonLine] = []
    for number, members in divisions:
        lines = [
            _build_line(row, season)
            for row in season_table(season.nights_among(members), rule, openings=season.openings_of(members))
        ]
        lines.sort(key=lambda line: (line.place or len(lines) + 1, name_sort_key(names[line.member])))
        parts.append(SeasonPart(number, tuple(line for line in lines if line.place)))
        apart.extend(line for line in lines if not line.place)
    drop_ins = came - {m for _number, members in divisions for m in members}
    # The points of members without a division depend on their places among all who came.
    nights = [
        replace(n, points={m: p for m, p in n.points.items() if m in drop_ins}) for n in season.nights_among(came)
    ]
    rows = season_table(nights, rule, openings=season.openings_of(drop_ins))
    apart.extend(
        replace(_build_line(row, season), place=None, shared=False, code=NO_DIVISION, separated_by="") for row in rows
    )
    return SeasonTable(
        season=season.season,
        rule=rule,
        nights=season.events,
        parts=tuple(parts),
        apart=tuple(sorted(apart, key=lambda line: (line.code, -line.attended, name_sort_key(line.name)))),
        guests=season.guests,
        teams=_build_team_lines(season),
        openings=season.openings,
    )


def season_tables(seasons: Iterable[Season]) -> list[SeasonTable]:
    return [build_table(season) for season in season_nights(seasons)]


def _build_nights(
    season: Season,
    events: list[Event],
    *,
    results: Mapping[int, list[dict[str, Any]]],
    names: Mapping[int, str],
    assignments: Iterable[tuple[int, int | None, str]],
    openings: tuple[SeasonOpening, ...],
) -> SeasonNights:
    lowest = any(event.lowest_wins for event in events)
    counting = [results[event.pk] for event in events]
    if counts_handicap(season):
        counting = list(map(_apply_handicaps, counting))
    guest_rows = (row for rows in counting for row in rows if not row["member"])
    guests = grouped((row["name"].casefold(), (row["name"], row["points"])) for row in guest_rows)
    listed = [(m, division, team) for m, division, team in assignments if m in names]
    teams = Counter(team for _m, _division, team in listed if team)
    # "Red" and "red" are one team
    spelling = {folded_words(team): team for team, _members in reversed(teams.most_common())}
    nights = tuple(_build_night(number, rows, names=names) for number, rows in enumerate(counting, start=1))
    members = {m for night in nights for m in night.points} | {m for m, _division, _team in listed}
    members |= {row.whose for row in openings}
    return SeasonNights(
        season=season,
        events=tuple(events),
        rule=season_rule(season, lowest_wins=lowest),
        nights=nights,
        sides=tuple({row["member"]: row["side"] for row in rows if row["member"] in names} for rows in counting),
        guests=[
            {"name": lines[-1][0], "attended": len(lines), "points": sum(points for _name, points in lines)}
            for _key, lines in sorted(guests.items(), key=lambda item: name_sort_key(item[0]))
        ],
        names={m: name for m, name in names.items() if m in members},
        division={m: division for m, division, _team in listed if division},
        team={m: spelling[folded_words(team)] for m, _division, team in listed if team},
        openings=openings,
    )


def _build_night(number: int, rows: Iterable[Mapping[str, Any]], *, names: Mapping[int, str]) -> SeasonNight:
    listed = [row for row in rows if row["member"] in names]
    return SeasonNight(number, {r["member"]: r["points"] for r in listed}, {r["member"]: r["place"] for r in listed})


def _apply_handicaps(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A result's rows with points and places with handicap; equal points share a place. The disqualified keep their
    place after all others."""
    if not any("handicap" in row for row in rows):
        return rows
    net = [
        row | ({"points": row["points"] + row["deals"] * row["handicap"]["points"]} if "handicap" in row else {})
        for row in rows
    ]
    order = sorted((row["points"] for row in net if not row.get("disqualified")), reverse=True)
    return [row if row.get("disqualified") else row | {"place": 1 + order.index(row["points"])} for row in net]


def _build_line(row: MemberSeason, season: SeasonNights) -> SeasonLine:
    return SeasonLine(
        **{field.name: getattr(row, field.name) for field in fields(row)},
        name=season.names[row.member],
        team=season.team.get(row.member, ""),
        average=Fraction(sum(night for night in row.nights if night is not None) + row.opening.points, row.attended),
    )


def _build_team_lines(season: SeasonNights) -> tuple[TeamLine, ...]:
    """The teams, best first. If the lowest total wins, a team's best members are those with the fewest points."""
    titles = dict(enumerate(sorted(set(season.team.values()), key=name_sort_key), start=1))
    if not titles:
        return ()
    numbers = {title: number for number, title in titles.items()}
    sign = -1 if season.rule.lowest else 1
    worth = []
    for night in season.nights_among(season.names):
        points = {member: sign * value for member, value in season.rule.worth(night).items()}
        worth.append(SeasonNight(night.number, points))
    team_of = {member: numbers[title] for member, title in season.team.items()}
    rows = season_table(team_nights(worth, team_of, counting=season.season.team_best), SeasonRule())
    return tuple(
        TeamLine(
            place=row.place or 0,
            shared=row.shared,
            name=titles[row.member],
            total=sign * int(row.total),
            nights=tuple(None if night is None else sign * night for night in row.nights),
        )
        for row in rows
    )


NIGHTS = 16  # newest nights in the picture
LEADERS = 5  # members in the picture besides the one asked for


def night_heads(events: Sequence[Event]) -> list[str]:
    return [date_format(localtime(event.starts_at), "MONTH_DAY_FORMAT") for event in events]


def places_by_night(season: SeasonNights, part: SeasonPart) -> dict[int, tuple[int | None, ...]]:
    """The places of a part's members after each of the last nights; None before their first.

    Places are among those who have one now, also after nights when they hadn't come often enough yet, so that the last
    ones are those of the table."""
    placed = [line.member for line in part.lines]
    members = {m for m in season.names if part.division is None or season.division.get(m) == part.division}
    nights, rule = season.nights_among(members), replace(season.rule, attendance=0)
    openings = season.openings_of(members)
    by_night = []
    for count in range(max(1, len(nights) - NIGHTS + 1), len(nights) + 1):
        every = season_places(nights[:count], rule, openings=openings)
        places = {member: every[member] for member in placed if member in every}
        order = sorted(places.values())
        by_night.append({member: 1 + bisect_left(order, place) for member, place in places.items()})
    return {member: tuple(now.get(member) for now in by_night) for member in placed}


def race_chart(
    season: SeasonNights, part: SeasonPart, *, named: Callable[[str], str], who: int | None = None
) -> Chart | None:
    """The places of the leaders and of member `who`, night by night; None before the second night.

    `named` replaces names by initials for members who want that. When the page is sent it is too late: the picture cuts
    long names short."""
    if len(season.nights) < 2 or not part.lines:
        return None
    drawn = [line for n, line in enumerate(part.lines) if n < LEADERS or line.member == who]
    places = places_by_night(season, part)
    return places_chart(
        [Series(named(line.name), places[line.member], lit=line.member == who) for line in drawn],
        night_heads(season.events[-NIGHTS:]),
        keys=[place(line) for line in drawn],
    )


def member_chart(season: SeasonNights, line: SeasonLine) -> Chart | None:
    """One member's place on each night that they came to, and of how many; None before the second night."""
    return person_chart(
        [
            PersonNight(head, night.places_by(season.rule.lowest_wins).get(line.member), len(set(side.values())), worth)
            for head, night, side, worth in zip(
                night_heads(season.events), season.nights, season.sides, line.nights, strict=True
            )
        ]
    )


_LAPTOP = {"th": {"class": "points not-phone"}}
STEPS = (4, 8, 12, 18)  # nights with a column: on a tablet, a small laptop, a laptop, a large screen
PHONE = 3  # nights under the name on a phone


def table_view(request: HttpRequest, season: SeasonTable, *, part: SeasonPart, who: int | None = None) -> ScoreTable:
    """One division, or the whole season, with as many of the newest nights as the screen has room for; on a phone they
    are under the name. Cells are ready-made HTML, as there are thousands. The line of member `who` is highlighted."""
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
    if season.openings:
        columns.append(("before", FigureColumn(verbose_name=_("Before"), attrs=_LAPTOP)))
    if season.teams:
        columns.insert(2, ("team", tables.Column(verbose_name=_("Team"), attrs={"th": {"class": "not-phone"}})))
    cells = _NightCells(night_heads(season.nights))
    data = [
        {
            **{name: line.opening.points if name == "before" else getattr(line, name) for name, _column in columns},
            "by_name": name_sort_key(line.name),
            **_by_night_column(line.nights),
            "lit": line.member == who,
            "cells": format_html(
                "{}{}{}{}{}{}{}",
                _name_cells(line, small=_small_print(line, cells), link=f"?who={line.member}#lit"),
                format_html('<td class="not-phone"><span class="name">{}</span></td>', line.team)
                if season.teams
                else "",
                _figure_cell(total(line.total), line.total < 0),
                _figure_cell(points(line.attended), step=" not-phone"),
                _figure_cell(decimal(line.average), line.average < 0, step=" not-phone"),
                _figure_cell(
                    points(line.opening.points) if line.opening.nights else "",
                    line.opening.points < 0,
                    step=" not-phone",
                )
                if season.openings
                else "",
                cells.row(line.nights, line.counted),
            ),
        }
        for line in part.lines
    ]
    return _make_table(
        request, data, columns=columns, season=season, prefix=f"d{part.division}-" if part.division else ""
    )


def team_table_view(request: HttpRequest, season: SeasonTable) -> ScoreTable:
    columns: list[tuple[str, tables.Column]] = [
        ("place", tables.Column(verbose_name=_("Place"), attrs=FIGURES)),
        ("name", NameColumn(verbose_name=_("Team"))),
        ("total", FigureColumn(verbose_name=_("Total"), lowest_first=season.rule.lowest)),
    ]
    cells = _NightCells(night_heads(season.nights))
    data = [
        {
            **{name: getattr(line, name) for name, _column in columns},
            "by_name": name_sort_key(line.name),
            **_by_night_column(line.nights),
            "cells": format_html(
                "{}{}{}",
                _name_cells(line, small=cells.newest(line.nights, (True,) * len(line.nights))),
                _figure_cell(points(line.total), line.total < 0),
                cells.row(line.nights, (True,) * len(line.nights)),
            ),
        }
        for line in season.teams
    ]
    return _make_table(request, data, columns=columns, season=season, prefix="t-")


def nights_in_words(season: SeasonTable, part: SeasonPart) -> list[tuple[SeasonLine, SafeString]]:
    """Everybody of a part with all nights that they came to, as text that fits any screen."""
    cells = _NightCells(night_heads(season.nights))
    return [(line, cells.attended(line.nights, line.counted)) for line in part.lines]


class _NightCells:
    """HTML of the points of nights. Those that don't count are struck out and in brackets, with words for screen
    readers. Only dates and these words need escaping."""

    def __init__(self, heads: Sequence[str]) -> None:
        self.made: dict[tuple[int | None, bool, str], str] = {}
        self.heads = [escape(head) for head in heads]
        self.struck = escape(_now("doesn't count"))

    def row(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """The cells of one line, for the nights with a column."""
        steps = night_classes(len(worth))
        first = len(worth) - len(steps)
        nights = zip(worth[first:], counted[first:], steps, strict=True)
        cells = [self._cell(points, counts, step=step) for points, counts, step in nights]
        return mark_safe("".join(cells))  # noqa: S308  (figures)

    def newest(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        """The newest nights of one line, newest first; a dash for a night away."""
        return self._join(list(zip(self.heads, worth, counted, strict=True))[: -PHONE - 1 : -1])

    def attended(self, worth: Sequence[int | None], counted: Sequence[bool]) -> SafeString:
        return self._join([night for night in zip(self.heads, worth, counted, strict=True) if night[1] is not None])

    def _join(self, nights: Sequence[tuple[str, int | None, bool]]) -> SafeString:
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


def night_classes(nights: int) -> list[str]:
    """The CSS class of each night with a column, oldest first: it says on which screens the column is shown."""
    ages = [f" step-{next(n for n, most in enumerate(STEPS) if age < most)}" for age in range(min(nights, STEPS[-1]))]
    return ages[::-1]


def _small_print(line: SeasonLine, cells: _NightCells) -> SafeString:
    words = ngettext("%(n)d night, average %(average)s", "%(n)d nights, average %(average)s", line.attended)
    came = words % {"n": line.attended, "average": decimal(line.average)}
    team = format_html("{}<br>", line.team) if line.team else ""
    if line.opening.nights:
        came = SEPARATOR.join([came, describe_opening(line)])
    return format_html("{}{}<br>{}", team, came, cells.newest(line.nights, line.counted))


def describe_opening(line: SeasonLine) -> str:
    words = ngettext("before: %(points)s in %(n)d night", "before: %(points)s in %(n)d nights", line.opening.nights)
    return words % {"points": points(line.opening.points), "n": line.opening.nights}


def describe_openings(season: SeasonTable) -> str:
    """The source of the points from before; "" if there are none."""
    if not season.openings:
        return ""
    first, number = season.openings[0], len({row.whose for row in season.openings})
    words = ngettext(
        "“Before” are points that %(n)d member brings into this season: %(source)s, entered on %(day)s.",
        "“Before” are points that %(n)d members bring into this season: %(source)s, entered on %(day)s.",
        number,
    )
    source = first.source or _now("from a list")
    return words % {"n": number, "source": source, "day": date_format(localtime(first.at))}


def _name_cells(line: SeasonLine | TeamLine, *, small: SafeString, link: str = "") -> SafeString:
    name = format_html('<span class="name">{}</span>', line.name)
    if link:
        name = format_html('<a class="quiet" href="{}">{}</a>', link, name)
    return format_html(
        '<td class="points">{}</td><th scope="row" class="who">{}<small class="only-phone">{}</small></th>',
        place(line),
        name,
        small,
    )


def _figure_cell(shown: str, below: bool = False, *, step: str = "") -> SafeString:
    return mark_safe(f'<td class="points{" minus" if below else ""}{step}">{escape(shown)}</td>')  # noqa: S308  (escaped)


def _by_night_column(worth: Sequence[int | None]) -> dict[str, int | None]:
    return {f"night{n}": value for n, value in enumerate(worth)}


def _make_table(
    request: HttpRequest,
    data: list[dict[str, Any]],
    *,
    columns: list[tuple[str, tables.Column]],
    season: SeasonTable,
    prefix: str,
) -> ScoreTable:
    heads = night_heads(season.nights)
    steps = night_classes(len(heads))
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
    template = "tournaments/seasons/_season_table.html"
    table = ScoreTable(data, extra_columns=[*columns, *nights], prefix=prefix, template_name=template)
    tables.RequestConfig(request, paginate=False).configure(table)
    return table
