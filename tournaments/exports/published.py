"""Published results as one JSON document, and its schema."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import date, datetime
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

from django.urls import reverse
from django.utils.timezone import localtime
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from clubsite.accounts.models import Club
from clubsite.names import side_name
from tournaments.draws.by_format import matches_without_table
from tournaments.draws.round_views import published_rounds
from tournaments.models import Event, PublishedPrizes, PublishedStandings, Season
from tournaments.prizes.actions import prizes_view
from tournaments.seasons.table import SeasonLine, season_tables
from tournaments.standings.results import standings_view, valid_result
from tournaments.standings.standings import Row

FORMAT: Final = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PARTS = "#/components/schemas/"
SLUG = {"type": "string", "pattern": "^[a-z0-9-]{1,50}$"}
SEGMENTS = {"club": SLUG, "event": SLUG, "season": {"type": "integer", "minimum": 1}}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, json_schema_serialization_defaults_required=True)


class Link(_Part):
    """Something of the club with an address of its own."""

    name: str
    page: str = Field(description="Address of the page for people")
    data: str = Field(description="Address of the same as JSON")


class EventLine(Link):
    """An event in a list."""

    slug: str = Field(description="Its part of addresses, which never changes")
    starts_at: datetime = Field(description="In the club's time zone")
    place: str
    state: Literal["planned", "running", "finished"]
    called_off: bool = Field(description="Whether a planned event doesn't take place")


class Version(_Part):
    """Which published version is shown, and since when."""

    number: int = Field(ge=1)
    at: datetime
    reason: str = Field(description="Why it was published in place of the one before; may be empty")


class RankedPerson(_Part):
    """One person of a line of standings."""

    number: int = Field(description="Of the entry in its event")
    name: str


class StandingsRow(_Part):
    """One line of standings: of a person, or of a side that stays together and has one place."""

    place: int = Field(ge=1)
    shared: bool = Field(description="Whether others have the same place")
    number: int = Field(description="Of the entry in its event; of a side, that of its first person")
    name: str = Field(description="Of a side, its people's names joined by ` & `")
    points: int
    games_won: float = Field(description="A drawn game is half a game won")
    games_played: int
    net: int | None = Field(description="Points ahead in all games, where `points` are those for results; else null")
    sets: int = Field(description="Bids that failed")
    sit_outs: int
    walkovers: int = Field(description="Games won because the other side wasn't there, within `games_won`")
    forfeits: int = Field(description="Games lost because this side wasn't there")
    strength: dict[str, float] = Field(
        description="How strong the opponents were, where the event's tie-breaks go by it: games won by all of them "
        "(`buchholz`), or without the best and the weakest (`median-buchholz`)"
    )
    withdrawn: bool
    disqualified: bool
    people: tuple[RankedPerson, ...] = Field(description="Everybody of the line")


class PrizeLine(_Part):
    """One prize, or several shared together."""

    title: str
    winners: tuple[str, ...] = Field(description="Names; empty where nobody has won it")
    gets: str = Field(description="What it is, in words")


class Prizes(_Part):
    """The prizes of an event as published."""

    version: Version
    result_version: int = Field(description="The version of the result that they go by")
    lines: tuple[PrizeLine, ...]
    lots: tuple[str, ...] = Field(description="How lots were drawn, in sentences that anybody can check")


class SeasonRow(_Part):
    """One member's season."""

    place: int | None = Field(description="null without a place")
    shared: bool
    name: str
    division: int | None
    team: str
    nights_attended: int
    total: float
    average: float
    nights: tuple[int | None, ...] = Field(description="Worth of each night, in the order of `nights`; null: absent")
    nights_before: int = Field(description="Of the nights attended, those before these", default=0)
    points_before: int = Field(description="Of the total, what the nights before gave", default=0)


class _Published(_Part):
    format: Literal[1] = FORMAT
    club: str
    page: str = Field(description="Address of the page for people")


class ClubData(_Published):
    """A club: its events and seasons, the newest first."""

    kind: Literal["club"] = "club"
    time_zone: str
    calendar: str = Field(description="Address of its calendar")
    events: tuple[EventLine, ...]
    seasons: tuple[Link, ...]


class Match(_Part):
    """A match of a knock-out, by its name in the bracket."""

    name: str = Field(description="Such as Semi-final 1, in the language of the answer")
    round: int | None = Field(description="null before it has a table")
    table: int | None = Field(description="null before it has a table")
    sides: tuple[str, ...] = Field(description="Names, or where a side comes from, such as winner of Semi-final 1")


class EventData(_Published):
    """An event."""

    kind: Literal["event"] = "event"
    name: str
    slug: str
    starts_at: datetime
    place: str
    state: Literal["planned", "running", "finished"]
    called_off: bool = Field(description="Whether a planned event doesn't take place")
    game: str
    event_format: str = Field(description="Of play, such as rotation or contest")
    season: Link | None
    standings: str = Field(description="Address of its standings as JSON")
    result: str | None = Field(description="Address of its result as JSON; null before it stands")
    matches: tuple[Match, ...] = Field(description="Of a knock-out, those seated first; of other formats none")


class StandingsData(_Published):
    """What the event's page shows: standings as they are now (then `version` is null), or the result."""

    kind: Literal["standings"] = "standings"
    event: str
    stage: str | None
    provisional: bool
    as_of: datetime | None = Field(description="Of the last deal in provisional standings; null before the first")
    version: Version | None
    rows: tuple[StandingsRow, ...]


class ResultData(_Published):
    """The result of an event as published, and its prizes."""

    kind: Literal["result"] = "result"
    event: str
    version: Version
    rows: tuple[StandingsRow, ...]
    prizes: Prizes | None


class SeasonData(_Published):
    """A season's table."""

    kind: Literal["season"] = "season"
    name: str
    first_day: date
    last_day: date
    nights: tuple[EventLine, ...] = Field(description="Those that count, in the order of their dates")
    rows: tuple[SeasonRow, ...]


Published = Annotated[ClubData | EventData | StandingsData | ResultData | SeasonData, Field(discriminator="kind")]


def schema() -> dict[str, Any]:
    json_schema = TypeAdapter(Published).json_schema(mode="serialization")
    return {"$schema": DIALECT, "title": f"Nine Tables, published pages, format {FORMAT}", **json_schema}


ANSWERS: dict[str, type[_Published]] = {
    "": ClubData,
    "events/{event}.json": EventData,
    "events/{event}/standings.json": StandingsData,
    "events/{event}/result.json": ResultData,
    "seasons/{season}.json": SeasonData,
}
"""What is at each address after /CLUB/data/."""


def openapi() -> dict[str, Any]:
    json_schema = TypeAdapter(Published).json_schema(mode="serialization", ref_template=PARTS + "{model}")
    return {
        "openapi": "3.1.0",
        "info": {"title": "Nine Tables", "version": str(FORMAT), "description": "docs/published-pages.md"},
        "paths": {f"/{{club}}/data/{address}": _path_item(address, kind) for address, kind in ANSWERS.items()},
        "components": {"schemas": json_schema["$defs"]},
    }


def _path_item(address: str, kind: type[_Published]) -> dict[str, Any]:
    words = (kind.__doc__ or "").strip()
    answer = {"application/json": {"schema": {"$ref": f"{PARTS}{kind.__name__}"}}}
    return {
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": segment}
            for name, segment in SEGMENTS.items()
            if name == "club" or f"{{{name}}}" in address
        ],
        "get": {
            "summary": words,
            "responses": {
                "200": {"description": words, "content": answer},
                "304": {"description": "It is still what `If-None-Match` names"},
                "404": {"description": "There is none"},
            },
        },
    }


Absolute = Callable[[str], str]  # an address of the site with its host


class Publisher:
    """Makes the answers for one club; `absolute` puts the host before an address."""

    def __init__(self, club: Club, absolute: Absolute) -> None:
        self.slug, self.name, self.club, self.absolute = club.slug, club.name, club, absolute

    def address(self, name: str, *args: object) -> str:
        return self.absolute(reverse(name, args=[self.slug, *args]))

    def club_data(self) -> ClubData:
        """Two queries."""
        return ClubData(
            club=self.name,
            page=self.address("club"),
            time_zone=self.club.time_zone,
            calendar=self.address("calendar"),
            events=tuple(self._event_line(event) for event in Event.objects.filter(club=self.club)),
            seasons=tuple(self._season_link(season) for season in Season.objects.filter(club=self.club)),
        )

    def event_data(self, event: Event) -> EventData:
        """One query; some more for the matches of a knock-out."""
        stands = valid_result(event) is not None
        return EventData(
            club=self.name,
            **self._event_line(event).model_dump(exclude={"data"}),
            game=event.rules.title,
            event_format=event.format,
            season=self._season_link(event.season) if event.season else None,
            standings=self.address("standings_data", event.slug),
            result=self.address("result_data", event.slug) if stands else None,
            matches=tuple(_matches(event)) if event.has_bracket else (),
        )

    def standings_data(self, event: Event) -> StandingsData:
        view = standings_view(event)
        published = view.published if view else None
        return StandingsData(
            club=self.name,
            page=self.address("event", event.slug),
            event=event.name,
            stage=view.stage.name if view else None,
            provisional=published is None,
            as_of=localtime(view.as_of) if view and view.as_of else None,
            version=_version(published) if published else None,
            rows=tuple(_standings_row(row) for row in view.rows) if view else (),
        )

    def result_data(self, event: Event) -> ResultData | None:
        """None while no result is published."""
        published = valid_result(event)
        if published is None:
            return None
        prizes = prizes_view(event, published)
        return ResultData(
            club=self.name,
            page=self.address("event", event.slug),
            event=event.name,
            version=_version(published),
            rows=tuple(_standings_row(Row.from_data(row)) for row in published.rows),
            prizes=_prizes(prizes) if prizes else None,
        )

    def season_data(self, season: Season) -> SeasonData:
        """Five queries, whatever its size."""
        (table,) = season_tables([season])
        division = {line.member: part.division for part in table.parts for line in part.lines}
        return SeasonData(
            club=self.name,
            page=self.address("season", season.pk),
            name=season.name,
            first_day=season.starts,
            last_day=season.ends,
            nights=tuple(self._event_line(night) for night in table.nights),
            rows=tuple(_season_row(line, division.get(line.member)) for line in (*table.lines, *table.apart)),
        )

    def _event_line(self, event: Event) -> EventLine:
        return EventLine(
            name=event.name,
            page=self.address("event", event.slug),
            data=self.address("event_data", event.slug),
            slug=event.slug,
            starts_at=localtime(event.starts_at),
            place=event.place,
            state=event.state,  # type: ignore[arg-type]  # one of its choices
            called_off=bool(event.called_off),
        )

    def _season_link(self, season: Season) -> Link:
        return Link(
            name=season.name, page=self.address("season", season.pk), data=self.address("season_data", season.pk)
        )


def _matches(event: Event) -> Iterator[Match]:
    for round in reversed(published_rounds(event)):
        for group in round.groups:
            sides = tuple(side_name(side.names) for side in group.sides)
            yield Match(name=group.match, round=round.number, table=group.table, sides=sides)
    for name, coming in matches_without_table(event):
        yield Match(name=name, round=None, table=None, sides=tuple(coming))


def _version(published: PublishedStandings | PublishedPrizes) -> Version:
    return Version(number=published.number, at=localtime(published.at), reason=published.reason)


def _prizes(shown: dict[str, Any]) -> Prizes:
    return Prizes(
        version=_version(shown["published"]),
        result_version=shown["published"].standings.number,
        lines=tuple(
            PrizeLine(title=line["title"], winners=line["names"], gets=line["gets"]) for line in shown["lines"]
        ),
        lots=shown["lots"],
    )


def _standings_row(row: Row) -> StandingsRow:
    converted = {
        "games_won": float(row.won),
        "disqualified": bool(row.disqualified),
        "strength": {slug: float(figure) for slug, figure in row.opponents.items()},
        "people": [{"number": person.number, "name": person.name} for person in row.persons],
    }
    return StandingsRow.model_validate(asdict(row) | converted)


def _season_row(line: SeasonLine, division: int | None) -> SeasonRow:
    converted = {"nights_attended": line.attended, "total": _as_float(line.total), "average": _as_float(line.average)}
    converted |= {"nights_before": line.opening.nights, "points_before": line.opening.points}
    return SeasonRow.model_validate(asdict(line) | converted | {"division": division})


def _as_float(value: Fraction) -> float:
    """A total or an average, rounded to a hundredth, for programs without fractions."""
    return int(value) if value.denominator == 1 else round(float(value), 2)
