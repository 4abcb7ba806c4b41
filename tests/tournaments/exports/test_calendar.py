"""The calendar of a club: what a phone that subscribes to it reads."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from icalendar import Calendar

from tests.log_entries import log
from tests.tournaments.nights import make_night
from tests.tournaments.results import make_season
from tournaments.events.actions import change_event, event_facts
from tournaments.models import Event

FEED = "/st-hilary/calendar.ics"


@pytest.fixture
def night(club, rules_for):
    """A night on 6 November, half past seven in Chicago."""
    return make_night(club, rules_for("st-hilary-v3"), season=make_season(club))


def read(client, address=FEED):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/calendar")
    return list(Calendar.from_ical(answer.content).walk("VEVENT"))


def moved(event, by, **facts):
    return change_event(event=event, by=by, facts=replace(event_facts(event), **facts))


def test_an_event_stands_in_the_zone_of_its_club(night, client_of):
    (found,) = read(client_of(None))
    starts = found["DTSTART"].dt
    assert starts.replace(tzinfo=None) == datetime(2054, 11, 6, 19, 30)
    assert starts.astimezone(UTC) == night.starts_at.astimezone(UTC)
    assert str(found["DTSTART"].params["TZID"]) == "America/Chicago"
    assert (found["SUMMARY"], found["LOCATION"]) == ("Night friday", "Parish hall")
    assert found["URL"].endswith("/st-hilary/events/friday/")
    assert b"BEGIN:VTIMEZONE" in client_of(None).get(FEED).content


def test_its_offsets_are_right_in_summer_and_winter(night, actor, client_of):
    for month in (1, 7):
        when = datetime(2055, month, 9, 19, 30, tzinfo=ZoneInfo("America/Chicago"))
        night = moved(night, actor, starts_at=when)
        (found,) = read(client_of(None))
        assert found["DTSTART"].dt.utcoffset() == when.utcoffset()


def test_a_change_keeps_the_uid_and_raises_the_sequence(night, actor, client_of):
    Event.objects.update(changed_at=night.changed_at - timedelta(days=1))
    (before,) = read(client_of(None))
    night = moved(night, actor, starts_at=night.starts_at + timedelta(days=7))
    (after,) = read(client_of(None))
    assert after["UID"] == before["UID"]
    assert (before["SEQUENCE"], after["SEQUENCE"]) == (0, 1)
    assert after["LAST-MODIFIED"].dt > before["LAST-MODIFIED"].dt
    moved(night, actor, sit_out_rule="zero")
    (same,) = read(client_of(None))
    assert same["SEQUENCE"] == 1


def test_a_season_has_a_calendar_of_its_own(night, client_of, club):
    make_night(club, night.rules, slug="elsewhere", day=20)
    assert len(read(client_of(None))) == 2
    address = f"/st-hilary/seasons/{night.season_id}/calendar.ics"
    assert [str(one["SUMMARY"]) for one in read(client_of(None), address)] == ["Night friday"]


def test_who_has_it_is_told_so_until_something_is_done(client, night, actor):
    tag = client.get(FEED)["ETag"]
    again = client.get(FEED, headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    log(club=night.club, by=actor, verb="event.change", subject=night)
    assert client.get(FEED, headers={"if-none-match": tag}).status_code == 200
