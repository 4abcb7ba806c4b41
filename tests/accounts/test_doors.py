"""The club's doors: who sees coming events, results and people's pages; and the club's link."""

import pytest
from django.db import transaction
from django.urls import reverse

from clubsite.accounts.audit_log import log
from clubsite.accounts.models import Actor, Club, Door, LogEntry
from clubsite.accounts.staying import read_accounts, restore_accounts
from tests.pages import page_of
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next
from tournaments.models import Event


@pytest.fixture
def coming(club, rules_for):
    return make_night(club, rules_for("st-hilary-v3"), slug="coming", day=20)


@pytest.fixture
def played(club, rules_for, actor):
    night = make_night(club, rules_for("st-hilary-v3"), slug="played")
    arrive(night, actor, 4)
    play_deals(games_of(publish_next(night, actor))[0], actor)
    return night


def close(**doors):
    Club.objects.update(**doors)
    for club in Club.objects.all():  # as its page does
        with transaction.atomic():
            log(club=club.lock(), by=Actor(user=None, name="Dora"), verb="club.change", subject=club)


def by_link(client_of, club, to=""):
    browser = client_of(None)
    club.refresh_from_db()
    answer = browser.get(reverse("member_link", args=[club.slug, club.member_key]), {"next": to} if to else {})
    return browser, answer


def test_results_are_for_members_while_the_next_night_is_for_everybody(coming, played, client_of, club, client):
    close(results_for=Door.LINK)
    assert [client.get(event.get_absolute_url()).status_code for event in (coming, played)] == [200, 403]
    for page in (club.get_absolute_url(), reverse("events", args=[club.slug]), "/"):
        assert ["Night coming" in page_of(client.get(page)), "Night played" in page_of(client.get(page))] == [
            True,
            False,
        ]
    inside, answer = by_link(client_of, club)
    assert answer.url == club.get_absolute_url()
    assert inside.get(played.get_absolute_url()).status_code == 200
    assert all("Night played" in page_of(inside.get(page)) for page in (reverse("events", args=[club.slug]), "/"))


def test_an_event_changes_doors_when_it_begins(coming, client_of, actor):
    close(nights_for=Door.LOG_IN)
    assert client_of(None).get(coming.get_absolute_url()).status_code == 403
    arrive(coming, actor, 4)
    publish_next(coming, actor)
    assert client_of(None).get(coming.get_absolute_url()).status_code == 200


def test_the_closed_page_leads_to_the_log_in_and_from_there_back(played, client_of, club, director):
    close(results_for=Door.LOG_IN)
    page = page_of(client_of(None).get(played.get_absolute_url()))
    assert f"{reverse('login')}?next={played.get_absolute_url()}" in page
    assert by_link(client_of, club)[0].get(played.get_absolute_url()).status_code == 403
    assert client_of(director).get(played.get_absolute_url()).status_code == 200


def test_a_new_link_ends_the_old_one(played, client_of, club, director, scorekeeper, stranger):
    close(results_for=Door.LINK)
    inside, _answer = by_link(client_of, club)
    old = reverse("member_link", args=[club.slug, club.member_key])
    settings_page = reverse("club_link", args=[club.slug])
    assert [client_of(user).post(settings_page).status_code for user in (scorekeeper, stranger)] == [404, 404]
    assert old in page_of(client_of(director).get(settings_page))
    for _tap in range(2):  # of one page
        assert client_of(director).post(settings_page, {"seen": club.member_key}).status_code == 302
    assert client_of(None).get(old).status_code == 410
    assert inside.get(played.get_absolute_url()).status_code == 403
    assert by_link(client_of, club)[0].get(played.get_absolute_url()).status_code == 200
    assert LogEntry.objects.filter(verb="club.link").count() == 1


@pytest.mark.parametrize("to", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)"])
def test_the_link_leads_nowhere_else(client_of, club, to):
    assert by_link(client_of, club, to)[1].url == club.get_absolute_url()


def test_the_boards_code_brings_the_hall_in(played, client_of, club, director, settings):
    settings.SITE_URL = "https://cards.example"
    board = reverse("board", args=[club.slug, played.slug])
    before = client_of(director).get(board).context["follow"]
    close(results_for=Door.LINK)
    after = client_of(director).get(board).context["follow"]
    assert before != after
    browser, answer = by_link(client_of, club, played.get_absolute_url())
    assert answer.url == played.get_absolute_url()
    assert browser.get(answer.url).status_code == 200


def test_a_calendar_opens_by_the_clubs_key(coming, client_of, club):
    close(nights_for=Door.LINK)
    calendar = reverse("calendar", args=[club.slug])
    assert client_of(None).get(calendar).status_code == 403
    assert client_of(None).get(calendar, {"key": "x"}).status_code == 403
    events = by_link(client_of, club)[0].get(reverse("events", args=[club.slug]))
    assert b"Night coming" in client_of(None).get(events.context["calendar"]).content


def test_peoples_pages_are_closed_at_first_and_nothing_leads_to_them(played, client_of, club):
    close(people_for=Club().people_for)
    person = reverse("person", args=[club.slug, played.entries.first().member_id])
    nobody, (inside, _answer) = client_of(None), by_link(client_of, club)
    assert [browser.get(person).status_code for browser in (nobody, inside)] == [403, 200]
    for _time in range(2):  # each gets their own of the kept pages
        assert [person in page_of(browser.get(played.get_absolute_url())) for browser in (nobody, inside)] == [
            False,
            True,
        ]


def test_who_has_the_link_finds_members_by_typing(coming, client_of, club):
    Event.objects.update(sign_up=Event.SignUps.OPEN)
    club.members.create(name="Max Moe")
    club.members.create(name="Shy Sue", initials_only=True)
    address = reverse("coming", args=[club.slug, coming.slug])
    nobody, inside = (page_of(browser.get(address)) for browser in (client_of(None), by_link(client_of, club)[0]))
    assert [name in nobody for name in ("Max Moe", "Shy Sue")] == [False, False]
    assert [name in inside for name in ("Max Moe", "Shy Sue")] == [True, False]


def test_a_restore_leaves_the_doors_as_they_are(club, actor):
    then = read_accounts()
    close(results_for=Door.LOG_IN, member_key="new")
    now = read_accounts()
    close(results_for=Door.ANYONE, member_key=club.member_key)
    restore_accounts(now, then, by=actor)
    assert Club.objects.values_list("results_for", "member_key").get() == (Door.LOG_IN, "new")
