"""An event that was made by mistake: removed while nothing is recorded of it, and never after."""

from uuid import uuid4

import pytest
from django.urls import reverse

from clubsite.accounts.models import Actor, LogEntry
from scoring.models import Game
from tests.tournaments.contests import contest
from tests.tournaments.nights import arrive, games_of, play_deals, publish_next
from tournaments.entries.actions import add_entry
from tournaments.errors import StepRefused
from tournaments.events.actions import remove_event
from tournaments.models import Entry, Event, Stage, TableLink
from tournaments.money import set_fee, take_fee
from tournaments.rounds.publishing import take_back_draw


def page_of(event):
    return reverse("event_remove", args=[event.club.slug, event.slug])


def test_a_director_looks_and_removes_it(event, director, client_of, browser):
    address = reverse("event_call_off", args=[event.club.slug, event.slug])
    assert page_of(event) in browser.get(address).content.decode()
    add_entry(event=event, by=Actor(user=director, name="Ruth"), name="Ana Ruiz")
    page = browser.get(page_of(event))
    assert "And 1 name that you entered: Ana Ruiz" in page.content.decode()
    assert Event.objects.filter(pk=event.pk).exists()
    answer = browser.post(page_of(event), {"fingerprint": page.context["fingerprint"]})
    assert answer["Location"] == reverse("desk", args=[event.club.slug])
    assert not Event.objects.exists()
    assert not Entry.objects.exists()
    assert client_of(None).get(event.get_absolute_url()).status_code == 404
    entry = LogEntry.objects.get(verb="event.remove")
    assert (entry.subject, entry.event) == ("Night friday", event.pk)
    assert entry.old["names"] == ["Ana Ruiz"]
    assert "Night friday" in browser.get(reverse("log", args=[event.club.slug])).content.decode()


def test_a_competition_goes_with_its_plan(club, director, actor):
    competition = contest(club, actor)
    assert competition.stages.exists()
    remove_event(event=competition, by=Actor(user=director, name="Ruth"))
    assert not Stage.objects.exists()


def test_what_has_changed_since_the_look_is_looked_at_again(event, director, browser):
    seen = browser.get(page_of(event)).context["fingerprint"]
    add_entry(event=event, by=Actor(user=director, name="Ruth"), name="Ana Ruiz")
    answer = browser.post(page_of(event), {"fingerprint": seen})
    assert "has changed since you looked" in answer.content.decode()
    assert Event.objects.exists()


def test_what_others_entered_stays(event, director, client_of):
    arrive(event, Actor(user=None, name="Somebody at the door"), 1)
    page = client_of(director).get(page_of(event)).content.decode()
    assert "Other people have worked on this event" in page
    assert "btn-danger" not in page
    with pytest.raises(StepRefused, match="Other people have worked"):
        remove_event(event=event, by=Actor(user=director, name="Ruth"))
    assert event.entries.count() == 1


def drawn(event, by):
    arrive(event, by, 8)
    publish_next(event, by)


def played(event, by):
    arrive(event, by, 8)
    draw = publish_next(event, by)
    play_deals(games_of(draw)[0], by)
    take_back_draw(draw=draw, by=by)


def paid(event, by):
    entry = add_entry(event=event, by=by, name="Ana Ruiz")
    set_fee(event=event, by=by, fee=500)
    take_fee(entry=entry, by=by, submission=uuid4())


@pytest.mark.parametrize("happen", [drawn, played, paid])
def test_nothing_recorded_is_removed(event, director, happen):
    by = Actor(user=director, name="Ruth")
    happen(event, by)
    with pytest.raises(StepRefused, match="Call it off"):
        remove_event(event=event, by=by)
    assert Event.objects.exists()


def test_an_event_whose_only_round_was_taken_back_is_called_off_or_removed(event, director, client_of):
    by, browser = Actor(user=director, name="Ruth"), client_of(director)
    off = reverse("event_call_off", args=[event.club.slug, event.slug])
    arrive(event, by, 8)
    draw = publish_next(event, by)
    event.refresh_from_db()
    assert event.state == Event.State.RUNNING
    take_back_draw(draw=draw, by=by)
    event.refresh_from_db()
    assert event.state == Event.State.PLANNED
    assert off in browser.get(event.get_desk_url()).content.decode()
    browser.post(off, {"step": "off", "reason": "Snow"})
    event.refresh_from_db()
    assert event.called_off == "Snow"
    page = browser.get(page_of(event))
    browser.post(page_of(event), {"fingerprint": page.context["fingerprint"]})
    assert not Event.objects.exists()
    assert not Game.objects.exists()
    assert not TableLink.objects.exists()


def test_a_running_event_leads_to_calling_off(event, director, client_of):
    """As an older version of the site left one whose only round was taken back."""
    Event.objects.update(state=Event.State.RUNNING)
    off = reverse("event_call_off", args=[event.club.slug, event.slug])
    assert off in client_of(director).get(event.get_desk_url()).content.decode()
