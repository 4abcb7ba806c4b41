"""Published pages as data: the same that the pages show to anybody, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from fractions import Fraction

from django.urls import reverse
from django.utils.timezone import localtime

from clubsite.accounts.models import Club
from tournaments.draws.brackets import coming_matches
from tournaments.draws.round_views import published_rounds
from tournaments.exports import format as form
from tournaments.models import Event, PublishedPrizes, PublishedStandings, Season
from tournaments.prizes.words import PrizesView, prizes_view
from tournaments.seasons.table import SeasonLine, season_tables
from tournaments.standings.queries import standing_result, standings_view
from tournaments.standings.standings import Row

Absolute = Callable[[str], str]  # an address of the site with its host


class Publisher:
    """Makes the answers of one club; `absolute` puts the host before an address."""

    def __init__(self, club: Club, absolute: Absolute) -> None:
        self.slug, self.name, self.club, self.absolute = club.slug, club.name, club, absolute

    def address(self, name: str, *args: object) -> str:
        """The address of a page of the club."""
        return self.absolute(reverse(name, args=[self.slug, *args]))

    def of_club(self) -> form.ClubData:
        """The club with its events and seasons. Two queries."""
        return form.ClubData(
            club=self.name,
            page=self.address("club"),
            time_zone=self.club.time_zone,
            calendar=self.address("calendar"),
            events=tuple(self._event_line(event) for event in Event.objects.filter(club=self.club)),
            seasons=tuple(self._season_link(season) for season in Season.objects.filter(club=self.club)),
        )

    def of_event(self, event: Event) -> form.EventData:
        """An event. One query; some more for the matches of a knock-out."""
        stands = standing_result(event) is not None
        return form.EventData(
            club=self.name,
            **self._event_line(event).model_dump(exclude={"data"}),
            game=event.rules.title,
            event_format=event.format,
            season=self._season_link(event.season) if event.season else None,
            standings=self.address("standings_data", event.slug),
            result=self.address("result_data", event.slug) if stands else None,
            matches=tuple(_matches(event)) if event.has_bracket else (),
        )

    def of_standings(self, event: Event) -> form.StandingsData:
        """The standings that the event's page shows."""
        view = standings_view(event)
        published = view.published if view else None
        return form.StandingsData(
            club=self.name,
            page=self.address("event", event.slug),
            event=event.name,
            stage=view.stage.name if view else None,
            provisional=published is None,
            as_of=localtime(view.as_of) if view and view.as_of else None,
            version=_version(published) if published else None,
            rows=tuple(_row(row) for row in view.rows) if view else (),
        )

    def of_result(self, event: Event) -> form.ResultData | None:
        """The result; None while none stands."""
        published = standing_result(event)
        if published is None:
            return None
        prizes = prizes_view(event, published)
        return form.ResultData(
            club=self.name,
            page=self.address("event", event.slug),
            event=event.name,
            version=_version(published),
            rows=tuple(_row(Row.from_data(row)) for row in published.rows),
            prizes=_prizes(prizes) if prizes else None,
        )

    def of_season(self, season: Season) -> form.SeasonData:
        """A season's table. Five queries, whatever its size."""
        (table,) = season_tables([season])
        division = {line.member: part.division for part in table.parts for line in part.lines}
        return form.SeasonData(
            club=self.name,
            page=self.address("season", season.pk),
            name=season.name,
            first_day=season.starts,
            last_day=season.ends,
            nights=tuple(self._event_line(night) for night in table.nights),
            rows=tuple(_season_row(line, division.get(line.member)) for line in (*table.lines, *table.apart)),
        )

    def _event_line(self, event: Event) -> form.EventLine:
        return form.EventLine(
            name=event.name,
            page=self.address("event", event.slug),
            data=self.address("event_data", event.slug),
            slug=event.slug,
            starts_at=localtime(event.starts_at),
            place=event.place,
            state=event.state,  # type: ignore[arg-type]  # one of its choices
            called_off=bool(event.called_off),
        )

    def _season_link(self, season: Season) -> form.Link:
        return form.Link(
            name=season.name, page=self.address("season", season.pk), data=self.address("season_data", season.pk)
        )


def _matches(event: Event) -> Iterator[form.Match]:
    for round in reversed(published_rounds(event)):
        for group in round.groups:
            sides = tuple(" & ".join(side.names) for side in group.sides)
            yield form.Match(name=group.match, round=round.number, table=group.table, sides=sides)
    for name, coming in coming_matches(event):
        yield form.Match(name=name, round=None, table=None, sides=tuple(coming))


def _version(published: PublishedStandings | PublishedPrizes) -> form.Version:
    return form.Version(number=published.number, at=localtime(published.at), reason=published.reason)


def _prizes(shown: PrizesView) -> form.Prizes:
    return form.Prizes(
        version=_version(shown.published),
        result_version=shown.published.standings.number,
        lines=tuple(form.PrizeLine(title=one.title, winners=one.names, gets=one.gets) for one in shown.lines),
        lots=shown.lots,
    )


def _row(row: Row) -> form.StandingsRow:
    converted = {
        "games_won": float(row.won),
        "disqualified": bool(row.disqualified),
        "strength": {slug: float(figure) for slug, figure in row.opponents.items()},
        "people": [{"number": person.number, "name": person.name} for person in row.persons],
    }
    return form.StandingsRow.model_validate(asdict(row) | converted)


def _season_row(line: SeasonLine, division: int | None) -> form.SeasonRow:
    converted = {"nights_attended": line.attended, "total": _number(line.total), "average": _number(line.average)}
    return form.SeasonRow.model_validate(asdict(line) | converted | {"division": division})


def _number(value: Fraction) -> float:
    """A total or an average to a hundredth, for programs that have no fractions."""
    return int(value) if value.denominator == 1 else round(float(value), 2)
