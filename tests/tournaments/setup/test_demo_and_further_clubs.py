"""The demo made and removed on a page, and a further club: by whom, and by whom not."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client

from clubsite.accounts.models import Club, Member, Role, User
from clubsite.accounts.starting import own_clubs, start_club
from clubsite.operations.start_code import new_code
from scoring.models import Deal
from tests.kept import made_once
from tests.pages import page_of
from tests.racing import in_the_middle
from tests.tournaments.setup.conftest import ANN, CLUB, set_up
from tournaments.demo import load

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(monkeypatch):
    def quickly(**_asked):
        return made_once("demo", load)

    monkeypatch.setattr("tournaments.setup.views.load", quickly)


@pytest.fixture
def looked(here):
    here.post("/start/demo/")
    return here


def test_the_demo_is_made_on_pressing_and_its_passwords_are_shown_once(here):
    page = page_of(here.post("/start/demo/"))
    passwords = re.findall(r"<dt>Password</dt> <dd>(\S+)</dd>", page)
    assert len(passwords) == 2
    assert Client().login(username="director", password=passwords[0])
    assert Client().login(username="scorekeeper", password=passwords[1])
    assert all("(demo)" in club.name for club in Club.objects.all())
    assert here.get("/st-hilary/desk/").status_code == 200, "who pressed is logged in as its director"
    assert here.post("/start/demo/").status_code == 404, "it is made once"
    assert Club.objects.count() == 3
    assert here.get("/start/demo/").status_code == 405


def test_its_desk_leads_to_a_club_of_ones_own_and_to_its_removal_as_it_was_looked_at(looked):
    desk = page_of(looked.get("/st-hilary/desk/"))
    assert "This club is part of the demo" in desk
    assert 'href="/start/"' in desk
    assert 'href="/st-hilary/demo/"' in desk
    seen = looked.get("/st-hilary/demo/").context["fingerprint"]
    Member.objects.create(club=Club.objects.get(slug="st-hilary"), name="Somebody real")
    looked.post("/st-hilary/demo/", {"fingerprint": seen})
    assert Club.objects.count() == 3


def test_what_goes_is_shown_and_then_it_goes(looked):
    deals = Deal.objects.filter(game__club__slug="st-hilary").count()
    page = looked.get("/st-hilary/demo/")
    assert f'<td class="points">{deals:,}</td>' in page_of(page)
    assert "director, scorekeeper" in page_of(page)
    assert Club.objects.count() == 3
    looked.post("/st-hilary/demo/", {"fingerprint": "another"})
    assert Club.objects.count() == 3, "nobody removes what they haven't seen"
    looked.post("/st-hilary/demo/", {"fingerprint": page.context["fingerprint"]})
    assert not Club.objects.exists()
    assert not User.objects.exists()
    assert "Set up my club" in page_of(looked.get("/", follow=True)), "the install is empty again"
    set_up(looked)
    assert own_clubs().get().name == "St. Anne"


@pytest.mark.proof
def test_a_club_of_ones_own_is_started_from_the_demo_and_stays_when_that_goes(looked):
    assert looked.get("/start/")["Location"] == "/start/club/"
    set_up(looked)
    ann = User.objects.get(username="ann.abel")
    assert ann.is_superuser
    assert looked.get("/st-anne/desk/").status_code == 200
    seen = looked.get("/county/demo/")
    assert "What stays: St. Anne<" in page_of(seen)
    assert "One of them is yours" not in page_of(seen)
    looked.post("/county/demo/", {"fingerprint": seen.context["fingerprint"]})
    assert list(Club.objects.values_list("name", flat=True)) == ["St. Anne"]
    assert list(User.objects.all()) == [ann]
    assert looked.get("/st-anne/desk/").status_code == 200


def test_with_the_code_a_club_is_started_from_the_demo_too(elsewhere):
    tablet = elsewhere()
    tablet.post("/start/", {"code": new_code()})
    tablet.post("/start/demo/")
    set_up(tablet)
    assert own_clubs().get().name == "St. Anne"
    assert elsewhere().get("/start/club/").status_code == 302


# A further club


def test_the_owner_starts_a_further_club_from_anywhere(here, elsewhere):
    set_up(here)
    away = elsewhere()
    away.force_login(User.objects.get())
    assert "Start another club" in page_of(away.get("/st-anne/settings/"))
    away.post("/start/club/", CLUB)
    assert "Who directs St. Anne?" in page_of(away.get("/start/director/"))
    assert away.post("/start/director/", {"who": "me"})["Location"] == "/st-anne-2/start/rules/"
    assert Role.objects.filter(user__username="ann.abel", kind=Role.Kind.DIRECTOR).count() == 2
    assert Club.objects.count() == 2


def test_somebody_else_may_direct_it_and_the_owner_stays_logged_in(here):
    set_up(here)
    here.post("/start/club/", {**CLUB, "name": "Quay Cards"})
    short = here.post("/start/director/", {"who": "other", "full_name": "", "password": "short"})
    assert short.status_code == 422
    said = page_of(here.post("/start/director/", {"who": "other", **ANN}, follow=True))
    assert "logs in as ann.abel2" in said
    assert Role.objects.get(club__slug="quay-cards").user.username == "ann.abel2"
    assert not User.objects.get(username="ann.abel2").is_superuser
    assert here.get("/st-anne/desk/").status_code == 200
    assert here.get("/quay-cards/desk/").status_code == 404


def test_a_director_starts_one_at_the_machine_itself_only(club, director, here):
    here.force_login(director)
    assert here.get("/start/club/").status_code == 200
    away = Client(REMOTE_ADDR="192.168.1.30")
    away.force_login(director)
    for path in ("/start/", "/start/club/", "/start/director/"):
        assert away.get(path).status_code == 404
        assert away.post(path, {**CLUB, "who": "me"}).status_code == 404
    assert "Start another club" not in page_of(away.get("/st-hilary/settings/"))
    here.post("/start/club/", {**CLUB, "name": "Quay Cards"})
    here.post("/start/director/", {"who": "me"})
    assert Role.objects.get(club__slug="quay-cards").user == director


def test_a_scorekeeper_starts_none_even_there(club, scorekeeper, here):
    here.force_login(scorekeeper)
    for path in ("/start/", "/start/club/", "/start/director/"):
        assert here.get(path).status_code == 404
        assert here.post(path, {**CLUB, "who": "me"}).status_code == 404
    assert Club.objects.count() == 1


@pytest.mark.parametrize("name", ["Start", "start", "T", "Login", "卡片", "!!!"])
def test_any_name_gets_an_address_that_is_free(here, name):
    set_up(here, name=name)
    assert here.get(f"/{Club.objects.get().slug}/desk/").status_code == 200


# Started by two at once, each with a connection of its own


def started(submission):
    club, director = Club(name="St. Anne"), User(first_name="Anne", last_name="Abel", password="!")
    return start_club(club=club, director=director, submission=submission)


def both_of(monkeypatch, one, other):
    where = "clubsite.accounts.starting.free_slug"
    both = in_the_middle(monkeypatch, where, first=lambda: started(one), second=lambda: started(other))
    return [both.first, both.second]


@pytest.mark.django_db(transaction=True)
def test_two_clubs_of_one_name_are_two(monkeypatch):
    made = both_of(monkeypatch, uuid4(), uuid4())
    assert [role.club.slug for role in made] == ["st-anne", "st-anne-2"]
    assert [role.user.username for role in made] == ["anne.abel", "anne.abel2"]


@pytest.mark.django_db(transaction=True)
def test_one_submission_from_two_taps_is_one_club(monkeypatch):
    same = uuid4()
    one, other = both_of(monkeypatch, same, same)
    assert one == other
    assert (Club.objects.count(), User.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer, whatever is locked")
def test_without_the_lock_one_of_the_two_fails(monkeypatch):
    monkeypatch.setattr("clubsite.accounts.login_attempts.count_try", lambda *_parts, window: 1)
    made = both_of(monkeypatch, uuid4(), uuid4())
    assert any(isinstance(role, Exception) for role in made)
