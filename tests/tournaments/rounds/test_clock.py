"""The clock of a round: started, paused, gone on with, given more minutes, by two directors and with a double tap."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.models import Actor, LogEntry
from tests.tournaments.nights import make_night, queries_of, seated
from tournaments.errors import StepRefused
from tournaments.models import Event, Round, RoundClock
from tournaments.rounds import clock as clocks, publishing

PART = {"HX-Request": "true"}


@pytest.fixture
def event(event, actor):
    """Eight people, the first round published."""
    seated(event, actor, 8)
    event.refresh_from_db()
    return event


@pytest.fixture
def round_(event):
    return Round.objects.select_related("stage__event__club").get(stage__event=event)


def passed(round, **time):
    """Let the time go by, as far as the clock knows."""
    clock = RoundClock.objects.get(round=round)
    RoundClock.objects.filter(pk=clock.pk).update(started_at=clock.started_at - timedelta(**time))


def seen(event):
    return clocks.clock_of(Event.objects.get(pk=event.pk))


def verbs(event):
    return list(LogEntry.objects.filter(verb__startswith="clock.").order_by("pk").values_list("verb", flat=True))


def test_a_clock_stands_until_it_is_started_with_the_minutes_of_the_event(event):
    assert (seen(event).state, seen(event).minutes, seen(event).left, seen(event).bell) == ("ready", 30, 1800, None)
    assert not RoundClock.objects.exists()
    event.round_minutes = 0
    assert clocks.clock_of(event) is None


@pytest.mark.parametrize(
    ("minutes", "state", "left", "sign"),
    [(12, "running", 480, False), (15, "running", 300, True), (21, "over", 0, False), (-120, "running", 1200, False)],
    ids=["12", "5 are left", "over", "the server's clock was set back"],
)
def test_a_started_clock_rings_when_its_minutes_are_over(round_, actor, minutes, state, left, sign):
    clock = clocks.start_clock(round=round_, by=actor, minutes=20)
    at = clocks.clock_at(clock.round, clock.started_at + timedelta(minutes=minutes))
    assert (at.state, at.left, at.sign) == (state, left, sign)
    assert at.bell in (clock.started_at + timedelta(minutes=20), None)
    assert not sign or at.digits == "5:00"


def test_two_directors_and_a_double_tap_start_it_once(event, round_, actor):
    first = clocks.start_clock(round=round_, by=actor, minutes=20)
    again = clocks.start_clock(round=round_, by=Actor(user=None, name="Dan"), minutes=45)
    assert (again.started_at, again.minutes) == (first.started_at, 20)
    assert verbs(event) == ["clock.start"]


def test_a_pause_takes_no_time_however_often_it_is_pressed(event, round_, actor):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    passed(round_, minutes=5)
    clocks.pause_clock(round=round_, by=actor)
    passed(round_, minutes=60)
    clocks.pause_clock(round=round_, by=actor)
    now = seen(event)
    assert (now.state, now.minutes_left, now.bell) == ("paused", 15, None)
    clocks.resume_clock(round=round_, by=actor)
    clocks.resume_clock(round=round_, by=actor)
    assert (seen(event).state, seen(event).minutes_left) == ("running", 15)
    assert verbs(event) == ["clock.start", "clock.pause", "clock.go-on"]


def test_more_minutes_count_once_from_one_page(event, round_, actor):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    for _tap in range(2):
        clocks.add_minutes(round=round_, by=actor, minutes=5, seen=20)
    assert seen(event).minutes == 25
    clocks.add_minutes(round=round_, by=actor, minutes=-10, seen=25)
    assert seen(event).minutes == 15


def test_minutes_added_after_the_bell_count_from_now(event, round_, actor):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    passed(round_, minutes=50)
    assert seen(event).state == "over"
    with pytest.raises(StepRefused, match="The bell has rung"):
        clocks.pause_clock(round=round_, by=actor)
    clocks.add_minutes(round=round_, by=actor, minutes=5, seen=20)
    assert (seen(event).state, seen(event).minutes_left) == ("running", 5)


def test_a_clock_started_by_mistake_goes_back_to_the_start(event, round_, actor):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    passed(round_, minutes=5)
    for _tap in range(2):
        clocks.reset_clock(round=round_, by=actor)
    assert (seen(event).state, seen(event).left) == ("ready", 1200)
    assert verbs(event) == ["clock.start", "clock.set-back"]


@pytest.mark.parametrize("minutes", [0, -3, 601])
def test_minutes_that_nobody_plays_are_refused(event, round_, actor, minutes):
    with pytest.raises(StepRefused, match="1 to 600 minutes"):
        clocks.start_clock(round=round_, by=actor, minutes=minutes)
    assert not RoundClock.objects.exists()


def test_a_closed_round_has_no_clock_any_more(event, round_, actor):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    publishing.close_round(round=round_, by=actor, end_open=True, reason="late")
    assert clocks.clock_of(event) is None
    with pytest.raises(StepRefused, match="isn't being played"):
        clocks.pause_clock(round=round_, by=actor)


# Pages


def step(client, round, **sent):
    event = round.stage.event
    return client.post(reverse("round_clock", args=[event.club.slug, event.slug, round.pk]), sent, follow=True)


def test_the_desk_starts_pauses_and_goes_on_with_the_clock_of_its_own_event(event, round_, browser):
    assert "Start the clock" in browser.get(event.get_desk_url()).content.decode()
    assert "The clock runs: bell at" in step(browser, round_, step="start", minutes="25").content.decode()
    assert "paused with 25 minutes left" in step(browser, round_, step="pause").content.decode()
    assert "The clock runs: bell at" in step(browser, round_, step="go-on").content.decode()
    assert step(browser, round_, step="add", minutes="5", seen="25").status_code == 200
    assert seen(event).minutes == 30
    assert "Write the minutes as a whole number" in step(browser, round_, step="start", minutes="ten").content.decode()
    assert step(browser, round_, step="faster").status_code == 400
    other = make_night(event.club, event.rules, slug="other")
    address = reverse("round_clock", args=[event.club.slug, other.slug, round_.pk])
    assert browser.post(address, {"step": "start", "minutes": "5"}).status_code == 404


def test_a_scorekeeper_sees_the_clock_and_has_no_step_on_it(event, scorekeeper, client_of):
    page = client_of(scorekeeper).get(event.get_desk_url()).content.decode()
    assert "data-clock" in page
    assert "Start the clock" not in page


def test_public_pages_say_when_the_bell_rings(event, round_, actor, client_of):
    clock = clocks.start_clock(round=round_, by=actor, minutes=25)
    for name in ("seats", "event", "clock"):
        page = client_of(None).get(reverse(name, args=[event.club.slug, event.slug]), headers=PART).content.decode()
        assert "Bell at" in page
        assert f'data-bell="{int((clock.started_at + timedelta(minutes=25)).timestamp() * 1000)}"' in page


def test_the_part_of_the_clock_is_kept_nowhere_costs_three_queries_and_leads_who_opens_it_to_the_event(event, client):
    address = reverse("clock", args=[event.club.slug, event.slug])
    assert "no-store" in client.head(address)["Cache-Control"]
    assert queries_of(client, address, headers=PART) == 3
    assert client.get(address)["Location"] == event.get_absolute_url()


def test_the_sentence_of_the_house_stands_at_the_bell(event, round_, actor, client_of):
    clocks.start_clock(round=round_, by=actor, minutes=20)
    passed(round_, minutes=21)
    Event.objects.filter(pk=event.pk).update(at_bell=Event.AtBell.ONE_MORE)
    page = client_of(None).get(reverse("clock", args=[event.club.slug, event.slug]), headers=PART).content.decode()
    assert "Finish the deal in hand and play one more." in page
    assert timezone.now() > RoundClock.objects.get().started_at
