"""An event that doesn't take place: said everywhere, refused by what would begin it, and put on again."""

import pytest
from icalendar import Calendar

from clubsite.accounts.models import LogEntry
from tests.tournaments.contests import played_contest, stage_of as contest_stage
from tests.tournaments.nights import drafted, play_round, publish_next
from tournaments.cuts.cuts import propose, publish_cut
from tournaments.errors import StepRefused
from tournaments.events.actions import call_off, reinstate
from tournaments.rounds.publishing import publish_draw
from tournaments.standings.results import publish_result

SNOW = "Snow: the hall stays shut."


def calendar(browser):
    (entry,) = Calendar.from_ical(browser.get("/st-hilary/calendar.ics").content).walk("VEVENT")
    return str(entry["STATUS"]), int(entry["SEQUENCE"])


def test_everybody_reads_that_it_is_called_off_and_why(night, director, client_of):
    browser, anybody, address = client_of(director), client_of(None), f"{night.get_desk_url()}call-off/"
    assert calendar(anybody) == ("CONFIRMED", 0)
    browser.post(address, {"step": "off", "reason": SNOW})
    for page in (night.get_absolute_url(), night.get_desk_url()):
        assert SNOW in browser.get(page).content.decode()
    assert "called off" in anybody.get("/st-hilary/events/").content.decode()
    assert calendar(anybody) == ("CANCELLED", 1)
    assert anybody.get("/st-hilary/data/events/friday.json").json()["called_off"] is True
    browser.post(address, {"step": "off", "reason": SNOW})  # a second tap
    assert calendar(anybody) == ("CANCELLED", 1)
    browser.post(address, {"step": "on"})
    assert SNOW not in anybody.get(night.get_absolute_url()).content.decode()
    assert calendar(anybody) == ("CONFIRMED", 2)
    said = LogEntry.objects.filter(verb__in=("event.call-off", "event.put-on")).order_by("pk")
    assert [entry.verb for entry in said] == ["event.call-off", "event.put-on"]


def test_nothing_begins_it_until_it_is_put_on_again(night, actor):
    draw = drafted(night, actor)
    call_off(event=night, by=actor, reason=SNOW)
    with pytest.raises(StepRefused, match="called off"):
        publish_draw(draw=draw, by=actor)
    reinstate(event=night, by=actor)
    publish_draw(draw=draw, by=actor)


def test_one_that_has_begun_is_not_called_off(night, actor, director, client_of):
    publish_next(night, actor)
    with pytest.raises(StepRefused, match="Take it back first"):
        call_off(event=night, by=actor, reason=SNOW)
    page = client_of(director).get(f"{night.get_desk_url()}call-off/")
    assert [address for _words, address in page.context["take_back"]] == [f"{night.get_desk_url()}rounds/1/#take-back"]
    assert "off-reason" not in page.content.decode()


def leads_on(browser, event):
    """How many steps the page leads to; each of them is there."""
    steps = browser.get(f"{event.get_desk_url()}call-off/").context["take_back"]
    assert all(browser.get(address).status_code == 200 for _words, address in steps)
    return len(steps)


def test_a_night_that_was_played_says_what_would_be_taken_back_in_order(night, actor, director, client_of):
    for _n in range(2):
        play_round(publish_next(night, actor), actor)
    publish_result(event=night, by=actor)
    assert leads_on(client_of(director), night) == 3


def test_so_does_a_competition(club, actor, director, client_of):
    event = played_contest(club, actor)
    stage = contest_stage(event, 1)
    publish_cut(stage=stage, by=actor, fingerprint=propose(stage).fingerprint)
    assert leads_on(client_of(director), event) == 2


@pytest.mark.parametrize("reason", ["", "  "])
def test_without_a_reason_nothing_happens(night, director, client_of, reason):
    answer = client_of(director).post(f"{night.get_desk_url()}call-off/", {"step": "off", "reason": reason})
    assert "Write in a few words" in answer.content.decode()
    night.refresh_from_db()
    assert not night.called_off
