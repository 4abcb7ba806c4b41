"""Who logs in to a club, and the club's settings."""

import re
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from clubsite.accounts.models import RESERVED, Club, Door, LogEntry, Member, Role, User
from clubsite.accounts.people import change_role
from tests.conftest import DOORS, PASSWORD

PEOPLE = "/st-hilary/people/"
NEW = {"username": "ann.abel", "full_name": "Ann Abel", "kind": "scorekeeper", "password": "tea at the ninth table"}


def test_a_new_person_can_log_in(browser):
    assert "ann.abel can log in now." in browser.post(PEOPLE, NEW, follow=True).content.decode()
    assert Role.objects.get(user__username="ann.abel").kind == "scorekeeper"
    assert Client().login(username="ann.abel", password=NEW["password"])
    assert LogEntry.objects.filter(verb="role.add", subject="ann.abel").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"username": "DORA"}, "This log-in name is already on the list"),
        ({"password": "short"}, "at least 10 characters"),
        ({"password": "0123456789012"}, "entirely numeric"),
        ({"username": "ann abel"}, "Enter a valid username"),
        ({"kind": "owner"}, "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(browser, change, message):
    assert message in browser.post(PEOPLE, NEW | change).content.decode()
    assert User.objects.count() == 1


def test_a_role_can_be_changed_and_ended(browser, scorekeeper):
    role = Role.objects.get(user=scorekeeper)
    browser.post(f"{PEOPLE}{role.pk}/", {"kind": "director"})
    role.refresh_from_db()
    assert role.kind == "director"
    browser.post(f"{PEOPLE}{role.pk}/", {"kind": ""})
    assert not Role.objects.filter(pk=role.pk).exists()
    assert User.objects.filter(pk=scorekeeper.pk).exists()


def test_a_role_that_was_ended_by_mistake_is_given_back(browser, club, scorekeeper, client_of):
    member = Member.objects.create(club=club, name="Sam Salt")
    Role.objects.filter(user=scorekeeper).update(member=member)
    elsewhere = Club.objects.create(name="Elsewhere", slug="elsewhere")
    Role.objects.create(user=scorekeeper, club=elsewhere, kind="member")  # so nobody here may set the password
    said = browser.post(f"{PEOPLE}{Role.objects.get(user=scorekeeper, club=club).pk}/", {"kind": ""}, follow=True)
    assert "press “Restore the role” below" in unescape(said.content.decode())
    assert client_of(scorekeeper).get("/st-hilary/desk/").status_code == 404
    (key,) = re.findall(r'name="again" value="(\d+)"', said.content.decode())
    assert "sam can log in again, as before." in browser.post(PEOPLE, {"again": key}, follow=True).content.decode()
    role = Role.objects.get(user=scorekeeper, club=club)
    assert (role.kind, role.member) == ("scorekeeper", member)
    assert client_of(scorekeeper).get("/st-hilary/desk/").status_code == 200
    assert 'name="again"' not in browser.post(PEOPLE, {"again": key}, follow=True).content.decode()  # a second tap
    verbs = LogEntry.objects.filter(subject="sam").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["role.change", "role.add"]


def test_no_role_is_given_back_to_an_erased_member_nor_by_another_club(browser, club, scorekeeper, stranger, client_of):
    member = Member.objects.create(club=club, name="Sam Salt")
    Role.objects.filter(user=scorekeeper).update(member=member)
    browser.post(f"{PEOPLE}{Role.objects.get(user=scorekeeper).pk}/", {"kind": ""})
    ended = LogEntry.objects.get(verb="role.change")
    other = Role.objects.get(user=stranger).club.slug
    client_of(stranger).post(f"/{other}/people/", {"again": str(ended.pk)})
    assert not Role.objects.filter(user=scorekeeper).exists()
    Member.objects.filter(pk=member.pk).update(erased_at=timezone.now())
    assert 'name="again"' not in browser.get(PEOPLE).content.decode()
    browser.post(PEOPLE, {"again": str(ended.pk)})
    assert not Role.objects.filter(user=scorekeeper).exists()


def test_a_role_ended_meanwhile_stays_ended(club, actor, scorekeeper):
    role = Role.objects.get(user=scorekeeper)
    change_role(role=Role.objects.get(pk=role.pk), by=actor, kind=None)
    change_role(role=role, by=actor, kind="director")
    assert not Role.objects.filter(user=scorekeeper).exists()


def test_the_last_director_stays(browser, director):
    role = Role.objects.get(user=director)
    for kind in ("scorekeeper", ""):
        page = browser.post(f"{PEOPLE}{role.pk}/", {"kind": kind}, follow=True).content.decode()
        assert "A club needs a director." in page
    role.refresh_from_db()
    assert role.kind == "director"


def test_a_role_that_there_is_not_is_a_bad_request(browser, scorekeeper):
    role = Role.objects.get(user=scorekeeper)
    assert browser.post(f"{PEOPLE}{role.pk}/", {"kind": "owner"}).status_code == 400


def test_the_settings_are_kept_and_logged(browser, club):
    form = {"name": "St. Hilary Cards", "time_zone": "America/New_York", "paper": "A4", "agreement": "both"}
    style = {"language": "es", "date_place": "us"}
    doors = {**DOORS, "results_for": Door.LOG_IN}
    browser.post("/st-hilary/settings/", {**form, **style, **doors, "link_hours": 3, "correction_minutes": 20})
    club.refresh_from_db()
    assert (club.language, club.date_place) == tuple(style.values())
    assert (club.name, club.time_zone, club.paper, club.agreement) == tuple(form.values())
    assert (club.link_hours, club.correction_minutes, club.results_for) == (3, 20, Door.LOG_IN)
    entry = LogEntry.objects.get(verb="club.change")
    assert (entry.old["time_zone"], entry.new["time_zone"]) == ("America/Chicago", "America/New_York")


def test_passwords_are_not_in_the_log(browser):
    browser.post(PEOPLE, NEW)
    shown = browser.get("/st-hilary/log/").content.decode()
    assert "ann.abel" in shown
    assert NEW["password"] not in shown
    assert PASSWORD not in shown


# A club's address, and its place


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["login", "static"])
def test_a_club_has_no_address_of_the_sites_own_pages(slug):
    with pytest.raises(ValidationError, match="is a page of this site"):
        Club(name="St. Anne", slug=slug).full_clean()
    Club(name="St. Anne", slug="st-anne").full_clean()


def test_the_time_zone_is_chosen_from_cities_and_an_unknown_one_is_refused(club, browser):
    form = browser.get("/st-hilary/settings/").context["form"]
    listed = str(form["time_zone"])
    assert '<option value="America/Chicago" selected>Chicago</option>' in listed
    assert '<option value="America/New_York">New York</option>' in listed
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    assert browser.post("/st-hilary/settings/", sent | {"time_zone": "Madrid"}).status_code == 422
    assert browser.post("/st-hilary/settings/", sent | {"time_zone": "Europe/Madrid"}).status_code == 302
    club.refresh_from_db()
    assert club.time_zone == "Europe/Madrid"


def test_each_setting_is_in_one_group_with_a_heading(client_of, director, club):
    answer = client_of(director).get("/st-hilary/settings/")
    sections = re.findall(r'<section[^>]*aria-labelledby="([^"]+)">(.*?)</section>', answer.content.decode(), re.DOTALL)
    assert all(f'<h2 id="{heading}">' in body for heading, body in sections)
    names = [name for _heading, body in sections for name in re.findall(r' name="([^"]+)"', body)]
    assert sorted(names) == sorted(answer.context["form"].fields)


def test_all_of_the_sites_own_pages_are_reserved():
    parts = get_resolver().url_patterns
    own = {
        str(p.pattern).partition("/")[0]
        for part in parts
        if "<" not in str(part.pattern)
        for p in getattr(part, "url_patterns", [part])
    }
    assert {first for first in own if first and "<" not in first and "." not in first} <= RESERVED  # no slug has a dot
