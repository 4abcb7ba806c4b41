"""A season's table: what its nights give to members, to teams and to guests."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from pydantic import TypeAdapter

from clubsite.accounts.models import Member
from clubsite.names import folded, in_order
from tournaments.engine.rounds import grouped
from tournaments.engine.season import MemberSeason, SeasonNight, SeasonRule, season_table, team_nights
from tournaments.models import Entry, Event, PublishedStandings, Season, SeasonMember, rows_of_people

RULE = TypeAdapter(SeasonRule)  # reads and writes JSON
NO_DIVISION = "season.no-division"  # beside the engine's codes: came to a season of divisions without being in one


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonLine(MemberSeason):
    """One member's season, as the engine has it; its `code` may also be NO_DIVISION."""

    name: str
    team: str
    average: Fraction  # of the nights attended


@dataclass(frozen=True, slots=True)
class SeasonPart:
    division: int | None
    lines: tuple[SeasonLine, ...]


@dataclass(frozen=True, slots=True)
class TeamLine:
    """A team's season: the points of its best members on each night, None where nobody of it came."""

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
    parts: tuple[SeasonPart, ...]  # the top division first; one part where there are none
    apart: tuple[SeasonLine, ...]  # members without a place
    guests: list[dict[str, Any]]  # who came without being a member, by name: nights, and points added up
    teams: tuple[TeamLine, ...]

    @property
    def lines(self) -> tuple[SeasonLine, ...]:
        return tuple(line for part in self.parts for line in part.lines)

    @property
    def leaves_out(self) -> bool:
        """Whether somebody with a place came to a night that doesn't count."""
        nights = (night for line in self.lines for night in zip(line.nights, line.counted, strict=True))
        return any(worth is not None and not counts for worth, counts in nights)


@dataclass(frozen=True, slots=True)
class SeasonNights:
    season: Season
    events: tuple[Event, ...]
    rule: SeasonRule
    nights: tuple[SeasonNight, ...]  # as they count, with members' places as published or as handicaps make them
    sides: tuple[Mapping[int, int], ...]  # of each night, member to their side: it takes up one place
    handicap: bool  # whether points with handicap count, on nights that give any
    guests: list[dict[str, Any]]  # who came without being a member, by name: nights, and points added up
    names: Mapping[int, str]  # of members who came or are in the season
    division: Mapping[int, int]
    team: Mapping[int, str]
    team_best: int  # how many of a team's members count on a night; 0: all

    def among(self, members: Collection[int]) -> list[SeasonNight]:
        """The nights of some members alone, with their places among themselves."""
        made = []
        for night, side_of in zip(self.nights, self.sides, strict=True):
            points = {m: p for m, p in night.points.items() if m in members}
            places = night.places or {}
            order = sorted({side_of[m]: places[m] for m in points}.values())
            made.append(SeasonNight(night.number, points, {m: 1 + bisect_left(order, places[m]) for m in points}))
        return made

    def division_of(self, member: int) -> set[int]:
        """Who competes with a member: those of the same division, or all who came where there are none."""
        return {m for m in self.names if self.division.get(m) == self.division.get(member)}


def rule_of(season: Season, *, lowest_wins: bool = False) -> SeasonRule:
    return RULE.validate_python(season.rule | {"lowest_wins": lowest_wins})


def counts_handicap(season: Season) -> bool:
    """Whether a season counts the points with handicap, on nights that give handicaps; else those from scratch."""
    return season.rule.get("handicap") is True


def nights_of(seasons: Iterable[Season]) -> list[SeasonNights]:
    """What counts in seasons, in the order given. Six queries, whatever their number and size.

    A night counts while it is closed, with the latest version of its result, for the members whose its entries are now.
    """
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
        of: [row | {"member": whose.get((of, row["entry"]), row["member"])} for row in rows_of_people(rows, teams[of])]
        for of, rows in published.order_by("number").values_list("event_id", "rows")
    }
    of_seasons = SeasonMember.objects.filter(season__in=keys).order_by()
    belongs = grouped(
        (pk, (member, division, team))
        for pk, member, division, team in of_seasons.values_list("season_id", "member_id", "division", "team")
    )
    wanted = {row["member"] for rows in results.values() for row in rows if row["member"]}
    wanted |= {member for rows in belongs.values() for member, _division, _team in rows}
    # Somebody may have been merged into another since a result was published.
    members = Member.every.filter(pk__in=wanted).select_related("merged_into").order_by()
    now = {member.pk: member.merged_into or member for member in members}
    kept, names = {pk: one.pk for pk, one in now.items()}, {one.pk: one.name for one in now.values()}
    results = {event: [row | {"member": kept.get(row["member"])} for row in rows] for event, rows in results.items()}
    of_season = {pk: [e for e in events if e.season_id == pk and e.pk in results] for pk in keys}
    return [
        _nights(season, of_season[season.pk], results=results, names=names, belongs=belongs[season.pk])
        for season in seasons
    ]


def table_of(season: SeasonNights) -> SeasonTable:
    names, rule = season.names, season.rule
    came = {m for night in season.nights for m in night.points}
    numbers = sorted(set(season.division.values()))
    divisions: list[tuple[int | None, set[int]]] = [
        (number, {m for m in came if season.division.get(m) == number}) for number in numbers
    ] or [(None, came)]
    parts: list[SeasonPart] = []
    apart: list[SeasonLine] = []
    for number, members in divisions:
        lines = [_line(row, season) for row in season_table(season.among(members), rule)]
        lines.sort(key=lambda line: (line.place or len(lines) + 1, in_order(names[line.member])))
        parts.append(SeasonPart(number, tuple(line for line in lines if line.place)))
        apart.extend(line for line in lines if not line.place)
    drop_ins = came - {m for _number, members in divisions for m in members}
    # People without a division have their place among all who came.
    nights = [replace(n, points={m: p for m, p in n.points.items() if m in drop_ins}) for n in season.among(came)]
    rows = season_table(nights, rule)
    apart.extend(
        replace(_line(row, season), place=None, shared=False, code=NO_DIVISION, separated_by="") for row in rows
    )
    return SeasonTable(
        season=season.season,
        rule=rule,
        nights=season.events,
        parts=tuple(parts),
        apart=tuple(sorted(apart, key=lambda line: (line.code, -line.attended, in_order(line.name)))),
        guests=season.guests,
        teams=_teams(season),
    )


def season_tables(seasons: Iterable[Season]) -> list[SeasonTable]:
    return [table_of(season) for season in nights_of(seasons)]


def _nights(
    season: Season,
    events: list[Event],
    *,
    results: Mapping[int, list[dict[str, Any]]],
    names: Mapping[int, str],
    belongs: Iterable[tuple[int, int | None, str]],
) -> SeasonNights:
    lowest = any(rules.lowest_wins for rules in {e.rules_id: e.rules for e in events}.values())
    handicap = counts_handicap(season)
    counting = [_with_handicap(results[event.pk]) if handicap else results[event.pk] for event in events]
    others = (row for rows in counting for row in rows if not row["member"])
    guests = grouped((row["name"].casefold(), (row["name"], row["points"])) for row in others)
    own = [(m, division, team) for m, division, team in belongs if m in names]
    teams = Counter(team for _m, _division, team in own if team)
    spelling = {folded(team): team for team, _members in reversed(teams.most_common())}  # "Red" and "red" are one team
    nights = tuple(_night(number, rows, names=names) for number, rows in enumerate(counting, start=1))
    members = {m for night in nights for m in night.points} | {m for m, _division, _team in own}
    return SeasonNights(
        season=season,
        events=tuple(events),
        rule=rule_of(season, lowest_wins=lowest),
        nights=nights,
        sides=tuple({row["member"]: row["side"] for row in rows if row["member"] in names} for rows in counting),
        handicap=handicap,
        guests=[
            {"name": lines[-1][0], "attended": len(lines), "points": sum(points for _name, points in lines)}
            for _key, lines in sorted(guests.items(), key=lambda one: in_order(one[0]))
        ],
        names={m: name for m, name in names.items() if m in members},
        division={m: division for m, division, _team in own if division},
        team={m: spelling[folded(team)] for m, _division, team in own if team},
        team_best=season.team_best,
    )


def _night(number: int, rows: Iterable[Mapping[str, Any]], *, names: Mapping[int, str]) -> SeasonNight:
    own = [row for row in rows if row["member"] in names]
    return SeasonNight(number, {r["member"]: r["points"] for r in own}, {r["member"]: r["place"] for r in own})


def _with_handicap(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A result's rows with the points and places that they have with handicap; equal points share a place. Who is
    disqualified keeps the place after all others."""
    if not any("handicap" in row for row in rows):
        return rows
    net = [
        row | ({"points": row["points"] + row["deals"] * row["handicap"]["points"]} if "handicap" in row else {})
        for row in rows
    ]
    order = sorted((row["points"] for row in net if not row.get("disqualified")), reverse=True)
    return [row if row.get("disqualified") else row | {"place": 1 + order.index(row["points"])} for row in net]


def _line(row: MemberSeason, season: SeasonNights) -> SeasonLine:
    return SeasonLine(
        **{field.name: getattr(row, field.name) for field in fields(row)},
        name=season.names[row.member],
        team=season.team.get(row.member, ""),
        average=Fraction(sum(night for night in row.nights if night is not None), row.attended),
    )


def _teams(season: SeasonNights) -> tuple[TeamLine, ...]:
    """The teams, best first. Where the lowest total wins, the members with the fewest points are a team's best."""
    titles = dict(enumerate(sorted(set(season.team.values()), key=in_order), start=1))
    if not titles:
        return ()
    numbers = {title: number for number, title in titles.items()}
    sign = -1 if season.rule.lowest else 1
    worth = []
    for night in season.among(season.names):
        points = {member: sign * value for member, value in season.rule.worth(night).items()}
        worth.append(SeasonNight(night.number, points))
    team_of = {member: numbers[title] for member, title in season.team.items()}
    rows = season_table(team_nights(worth, team_of, counting=season.team_best), SeasonRule())
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
