"""Signing up before an event: who has a place, who waits, who moves up; and what becomes of it at the door."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clubsite.accounts.models import Actor, LogEntry, Member
from clubsite.jobs.periodic import clean_up
from tests.tournaments.nights import make_members, make_night, queries_of, seated
from tournaments.entries.actions import add_entry
from tournaments.errors import StepRefused
from tournaments.events.actions import call_off
from tournaments.events.stages import default_options
from tournaments.events.words import ABOUT
from tournaments.members.erasing import erase
from tournaments.members.personal_data import export_personal_data
from tournaments.models import Event, SignUp
from tournaments.rounds.attendance import arrive as arrives
from tournaments.sign_ups import (
    VISITOR,
    cancel_sign_up,
    delete_old_sign_ups,
    expected_names,
    queue_and_free_places,
    sign_up,
    sign_up_context,
)


@pytest.fixture
def night(club, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"))
    event.sign_up = Event.SignUps.OPEN
    event.save()
    return event


def limited(event, places):
    event.places = places
    event.save()
    return event


def comes(event, name, partner="", *, by=VISITOR, submission=None):
    return sign_up(event=event, by=by, name=name, partner=partner, submission=submission or uuid4())


def line(event):
    return [(str(place), place.waits) for place in queue_and_free_places(event)[0]]


def address(event, name="coming"):
    return reverse(name, args=[event.club.slug, event.slug])


def sent(**typed):
    return {"submission": str(uuid4()), **typed}


def test_who_comes_after_the_last_place_waits_and_moves_up(night):
    limited(night, 3)
    ann = comes(night, "Ann", "Bob")
    for name in ("Cal", "Dee", "Eve"):
        comes(night, name)
    assert line(night) == [("Ann & Bob", 0), ("Cal", 0), ("Dee", 1), ("Eve", 2)]
    cancel_sign_up(sign_up=ann, by=VISITOR)
    assert line(night) == [("Cal", 0), ("Dee", 0), ("Eve", 0)]
    assert sign_up_context(night)["free"] == 0


def test_nobody_overtakes_two_who_need_two_places(night):
    limited(night, 2)
    comes(night, "Ann")
    comes(night, "Bob", "Cal")
    comes(night, "Dee")
    assert line(night) == [("Ann", 0), ("Bob & Cal", 1), ("Dee", 2)]
    assert sign_up_context(night)["free"] == 0


def test_who_is_on_the_list_already_has_one_of_the_places(night, actor):
    limited(night, 2)
    for name in ("Ann", "Zoe"):
        comes(night, name)
    arrives(event=night, by=actor, name="Ann")  # who had signed up
    assert line(night) == [("Ann", 0), ("Zoe", 0)]
    arrives(event=night, by=actor, name="Walter")
    assert line(night) == [("Ann", 0), ("Zoe", 1)]


def test_places_left_are_those_that_nobody_has(club, rules_for, actor):
    contest = make_night(club, rules_for("three-hand-double-pinochle"), format=Event.Format.CONTEST)
    contest.sign_up = Event.SignUps.OPEN
    limited(contest, 4)
    add_entry(event=contest, name="Walter", by=actor)
    add_entry(event=contest, name="ann", by=actor)
    comes(contest, "Ann")
    assert sign_up_context(contest)["free"] == 2
    comes(contest, "Bob", "Cal")
    assert sign_up_context(contest)["free"] == 0
    comes(contest, "Dee")
    assert (sign_up_context(contest)["free"], line(contest)[-1]) == (0, ("Dee", 1))


def test_sent_twice_it_counts_once_and_who_has_cancelled_can_sign_up_again(night):
    submission = uuid4()
    first, again = (comes(night, "Ann", submission=submission) for _time in range(2))
    assert first == again
    for _time in range(2):
        cancel_sign_up(sign_up=first, by=VISITOR)
    assert [entry.verb for entry in LogEntry.objects.all()[:2]] == ["sign-up.cancel", "sign-up.add"]
    comes(night, "Ann")
    assert line(night) == [("Ann", 0)]


@pytest.mark.parametrize("people", [("ann",), ("Bob", "Ann"), ("Bob", "bob"), ("",), ("ann@example.org",), ("x" * 81,)])
def test_names_that_are_taken_or_none(night, people):
    comes(night, "Ann")
    with pytest.raises(StepRefused):
        comes(night, *people)
    assert SignUp.objects.count() == 1


def test_where_signing_up_is_closed_a_director_still_adds_somebody(night, director):
    Event.objects.update(sign_up=Event.SignUps.CLOSED)
    with pytest.raises(StepRefused):
        comes(night, "Ann")
    comes(night, "Bob", by=Actor(user=director, name="Dora", director=True))
    assert line(night) == [("Bob", 0)]


def test_nobody_signs_up_for_what_has_begun_or_is_called_off(night, club, actor, rules_for):
    off = make_night(club, rules_for("st-hilary-v3"), slug="off")
    Event.objects.update(sign_up=Event.SignUps.OPEN)
    call_off(event=off, by=actor, reason="Snow")
    seated(night, actor, 4)
    for event in (night, off):
        with pytest.raises(StepRefused):
            comes(event, "Ann")


def test_by_link_from_the_event_to_the_place_and_back(night, client_of):
    browser = client_of(None)
    assert address(night) in browser.get(night.get_absolute_url()).content.decode()
    answer = browser.post(address(night), sent(name="Ann", partner="Bob"))
    own = answer.url
    assert browser.get(own).context["sign_up"].waits == 0
    assert "Ann &amp; Bob" in browser.get(night.get_absolute_url()).content.decode()
    browser.post(own)
    assert "Ann" not in browser.get(night.get_absolute_url()).content.decode()
    assert browser.get(own).context["sign_up"].cancelled_at


@pytest.mark.parametrize("format", ["rotation", "swiss"])
def test_a_planned_event_says_once_how_it_is_played(club, rules_for, client_of, format):
    event = make_night(club, rules_for("st-hilary-v3"), format=format)
    event.options = default_options(format)
    event.save()
    page = client_of(None).get(event.get_absolute_url())
    assert page.content.decode().count(str(ABOUT[format])) == 1


def test_what_is_wrong_keeps_what_was_typed(night, client_of):
    browser = client_of(None)
    browser.post(address(night), sent(name="Ann"))
    answer = browser.post(address(night), sent(name="Bob", partner="Ann"))
    assert answer.status_code == 422
    assert answer.context["form"]["name"].value() == "Bob"
    assert SignUp.objects.count() == 1


@pytest.mark.parametrize("names", [True, False])
def test_names_are_kept_from_the_public_where_the_club_or_the_member_wants_it(night, club, client, names):
    Event.objects.update(sign_up_names=names)
    Member.objects.create(club=club, name="Ann Archer", initials_only=True)
    comes(night, "Ann Archer")
    comes(night, "Bob Byrne")
    for page in (night.get_absolute_url(), address(night)):
        text = client.get(page).content.decode()
        assert "Ann Archer" not in text
        assert ("A.A." in text or "A. A." in text, "Bob Byrne" in text) == (names, names)
        assert names or "2 people are coming" in text


def test_a_script_cant_fill_the_list(night, client_of, monkeypatch):
    monkeypatch.setattr("tournaments.sign_ups.SIGN_UPS_AN_HOUR", 2)
    browser = client_of(None)
    codes = [browser.post(address(night), sent(name=name)).status_code for name in ("Ann", "Bob", "Cal")]
    assert codes == [302, 302, 422]
    assert SignUp.objects.count() == 2


def test_another_event_or_club_doesnt_open_a_sign_up(night, club, other_club, rules_for, client_of):
    mine = comes(night, "Ann")
    other = make_night(club, rules_for("st-hilary-v3"), slug="other")
    for slug, event in ((club.slug, other.slug), (other_club.slug, night.slug)):
        at = reverse("sign_up", args=[slug, event, mine.submission])
        assert client_of(None).post(at).status_code == 404
    mine.refresh_from_db()
    assert mine.cancelled_at is None


def test_expected_people_are_first_at_the_door_and_one_touch_each(night, browser):
    ann, _bob, zoe = make_members(night.club, 3)
    comes(night, zoe.name, "Guest Gus")
    here = address(night, "here")
    people = browser.get(here).context["people"]
    assert [person["name"] for person in people] == ["Guest Gus", zoe.name, ann.name, _bob.name]
    browser.post(here, {"member": zoe.pk})
    browser.post(here, {"name": "Guest Gus"})
    assert set(night.entries.values_list("name", "member")) == {(zoe.name, zoe.pk), ("Guest Gus", None)}
    assert expected_names(night) == []


def test_a_guest_pressed_by_htmx_is_answered_alone(night, browser):
    comes(night, "Guest Gus")
    answer = browser.post(address(night, "here"), {"name": "Guest Gus"}, headers={"HX-Request": "true"})
    assert [person["name"] for person in answer.context["people"]] == ["Guest Gus"]
    assert answer.content.decode().count('class="tick"') == 1


def test_the_desk_adds_and_takes_off(night, browser, scorekeeper, client_of):
    desk = address(night, "sign_ups")
    assert browser.post(desk, sent(step="add", name="Ann")).status_code == 302
    made = SignUp.objects.get()
    assert client_of(scorekeeper).post(desk, {"step": "cancel", "sign_up": made.pk}).status_code == 404
    assert browser.post(desk, {"step": "cancel", "sign_up": made.pk}).status_code == 302
    assert sign_up_context(night)["number"] == 0


def test_those_signed_up_for_a_competition_are_entered_once(club, rules_for, browser):
    contest = make_night(club, rules_for("three-hand-double-pinochle"), format=Event.Format.CONTEST)
    Event.objects.update(sign_up=Event.SignUps.OPEN, places=3)
    for name in ("Ann", "Bob", "Cal", "Dee"):
        comes(contest, name)
    for _time in range(2):
        browser.post(address(contest, "sign_ups"), sent(step="enter"))
    assert list(contest.entries.values_list("name", "state")) == [
        ("Ann", "here"),
        ("Bob", "here"),
        ("Cal", "here"),
        ("Dee", "reserve"),
    ]


def test_the_pages_ask_the_same_whatever_the_number(night, director, client_of):
    pages = [(address(night), None), (address(night, "sign_ups"), director), (address(night, "here"), director)]
    few = []
    for count in (2, 20):
        limited(night, count)
        for n in range(count):
            comes(night, f"Guest {count} {n}")
        few.append([queries_of(client_of(user), page) for page, user in pages])
    assert few[0] == few[1]


def test_a_persons_sign_ups_are_in_their_file_and_erased_with_them(night, actor):
    ann = Member.objects.create(club=night.club, name="Ann Archer")
    comes(night, "Bob", "Ann Archer")
    comes(night, "Cal")
    assert [row["name"] for row in export_personal_data(ann, by=actor)["sign_ups"]] == ["Bob & Ann Archer"]
    erase(member=ann, by=actor, typed="Ann Archer")
    assert "Ann Archer" not in str(line(night))


def test_sign_ups_are_deleted_some_days_after_the_event(night, settings):
    settings.SIGN_UPS_KEPT_FOR = 14
    comes(night, "Ann")
    day = timedelta(days=1)
    delete_old_sign_ups(night.starts_at + 13 * day)
    assert SignUp.objects.exists()
    settings.SIGN_UPS_KEPT_FOR = 0
    delete_old_sign_ups(night.starts_at + 1000 * day)
    assert SignUp.objects.exists()
    settings.SIGN_UPS_KEPT_FOR = 14
    Event.objects.update(starts_at=timezone.now() - 15 * day)
    clean_up.func()
    assert not SignUp.objects.exists()
