"""An event that was made by mistake: removed while nothing is recorded of it, and never after."""

from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, LogEntry
from scoring.models import Game
from tests.tournaments.contests import contest
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next
from tournaments.entries.actions import add_entry
from tournaments.errors import StepRefused
from tournaments.events.actions import remove_event
from tournaments.models import Entry, Event, Stage, TableLink
from tournaments.money import set_fee, take_fee
from tournaments.rounds.publishing import take_back_draw


@pytest.fixture
def night(club, rules_for):
    return make_night(club, rules_for("st-hilary-v3"))


def page_of(event):
    return reverse("event_remove", args=[event.club.slug, event.slug])


def test_a_director_looks_and_removes_it(night, director, client_of, browser):
    address = reverse("event_call_off", args=[night.club.slug, night.slug])
    assert page_of(night) in browser.get(address).content.decode()
    add_entry(event=night, by=Actor(user=director, name="Ruth"), name="Ana Ruiz")
    page = browser.get(page_of(night))
    assert "And 1 name that you entered: Ana Ruiz" in page.content.decode()
    assert Event.objects.filter(pk=night.pk).exists()
    answer = browser.post(page_of(night), {"fingerprint": page.context["fingerprint"]})
    assert answer["Location"] == reverse("desk", args=[night.club.slug])
    assert not Event.objects.exists()
    assert not Entry.objects.exists()
    assert client_of(None).get(night.get_absolute_url()).status_code == 404
    entry = LogEntry.objects.get(verb="event.remove")
    assert (entry.subject, entry.event) == ("Night friday", night.pk)
    assert entry.old["names"] == ["Ana Ruiz"]
    assert "Night friday" in browser.get(reverse("log", args=[night.club.slug])).content.decode()


def test_a_competition_goes_with_its_plan(club, director, actor):
    competition = contest(club, actor)
    assert competition.stages.exists()
    remove_event(event=competition, by=Actor(user=director, name="Ruth"))
    assert not Stage.objects.exists()


def test_what_has_changed_since_the_look_is_looked_at_again(night, director, browser):
    seen = browser.get(page_of(night)).context["fingerprint"]
    add_entry(event=night, by=Actor(user=director, name="Ruth"), name="Ana Ruiz")
    answer = browser.post(page_of(night), {"fingerprint": seen})
    assert "has changed since you looked" in answer.content.decode()
    assert Event.objects.exists()


def test_what_others_entered_stays(night, director, client_of):
    arrive(night, Actor(user=None, name="Somebody at the door"), 1)
    page = client_of(director).get(page_of(night)).content.decode()
    assert "Others have worked on this event" in page
    assert "btn-danger" not in page
    with pytest.raises(StepRefused, match="Others have worked"):
        remove_event(event=night, by=Actor(user=director, name="Ruth"))
    assert night.entries.count() == 1


def drawn(night, by):
    arrive(night, by, 8)
    publish_next(night, by)


def played(night, by):
    arrive(night, by, 8)
    draw = publish_next(night, by)
    play_deals(games_of(draw)[0], by)
    take_back_draw(draw=draw, by=by)


def paid(night, by):
    entry = add_entry(event=night, by=by, name="Ana Ruiz")
    set_fee(event=night, by=by, fee=500)
    take_fee(entry=entry, by=by, submission=uuid4())


@pytest.mark.parametrize("happen", [drawn, played, paid])
def test_nothing_recorded_is_removed(night, director, happen):
    by = Actor(user=director, name="Ruth")
    happen(night, by)
    with pytest.raises(StepRefused, match="Call it off"):
        remove_event(event=night, by=by)
    assert Event.objects.exists()


def test_an_event_whose_only_round_was_taken_back_is_called_off_or_removed(night, director, client_of):
    by, browser = Actor(user=director, name="Ruth"), client_of(director)
    off = reverse("event_call_off", args=[night.club.slug, night.slug])
    arrive(night, by, 8)
    draw = publish_next(night, by)
    night.refresh_from_db()
    assert night.state == Event.State.RUNNING
    take_back_draw(draw=draw, by=by)
    night.refresh_from_db()
    assert night.state == Event.State.PLANNED
    assert off in browser.get(night.get_desk_url()).content.decode()
    browser.post(off, {"step": "off", "reason": "Snow"})
    night.refresh_from_db()
    assert night.called_off == "Snow"
    page = browser.get(page_of(night))
    browser.post(page_of(night), {"fingerprint": page.context["fingerprint"]})
    assert not Event.objects.exists()
    assert not Game.objects.exists()
    assert not TableLink.objects.exists()


def test_a_running_event_leads_to_calling_off(night, director, client_of):
    """As an older version of the site left one whose only round was taken back."""
    Event.objects.update(state=Event.State.RUNNING)
    off = reverse("event_call_off", args=[night.club.slug, night.slug])
    assert off in client_of(director).get(night.get_desk_url()).content.decode()
