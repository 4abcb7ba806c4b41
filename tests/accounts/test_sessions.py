"""Where somebody is logged in: listed, ended one by one or all, by a new password, by being removed from the club."""

import re
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubsite.accounts.models import LogEntry, Session
from tests.conftest import PASSWORD
from tests.kept import all_rows
from tests.pages import page_of

PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36"
LAPTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0"
PLACES = "/password/sessions/"


def logged_in(name, agent, address):
    browser = Client(headers={"user-agent": agent}, REMOTE_ADDR=address)
    assert browser.post("/login/", {"username": name, "password": PASSWORD}).status_code == 302
    return browser


def is_in(browser):
    return browser.get("/password/").status_code == 200


@pytest.fixture
def phone(director):
    return logged_in("dora", PHONE, "192.168.1.20")


@pytest.fixture
def laptop(director):
    return logged_in("dora", LAPTOP, "192.168.1.10")


def test_each_place_is_named_by_device_and_address(phone, laptop, scorekeeper):
    logged_in("sam", PHONE, "192.168.1.66")
    page = page_of(laptop.get(PLACES))
    assert "Firefox on Windows" in page
    assert "Chrome on Android" in page
    assert "192.168.1.20" in page
    assert "192.168.1.66" not in page
    assert str(phone.session.session_key) not in page


def test_no_key_in_the_database_opens_the_site(phone, director):
    cookie = phone.cookies["sessionid"].value
    cells = [str(value) for rows in all_rows().values() for row in rows for value in row]
    assert [cell for cell in cells if cookie in cell] == []
    for key in Session.objects.values_list("pk", flat=True):
        thief = Client()
        thief.cookies["sessionid"] = key
        assert not is_in(thief)
    assert is_in(phone)
    phone.post("/logout/")
    assert not Session.objects.filter(user=director).exists()


@pytest.mark.parametrize("key", ["a" * 32, "", "short", "ü" * 32, "x" * 500])
def test_a_browser_never_chooses_the_key_of_its_session(key, director):
    chosen = Client()
    chosen.cookies["sessionid"] = key
    assert not is_in(chosen)
    chosen.cookies["sessionid"] = key
    assert chosen.post("/login/", {"username": "dora", "password": PASSWORD}).status_code == 302
    assert is_in(chosen)
    assert chosen.cookies["sessionid"].value != key


def test_an_ended_session_opens_nothing_and_its_browser_logs_in_again(phone):
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    cookie = phone.cookies["sessionid"].value
    assert not is_in(phone)
    phone.cookies["sessionid"] = cookie
    assert phone.post("/login/", {"username": "dora", "password": PASSWORD}).status_code == 302
    assert is_in(phone)


def test_whoever_was_logged_in_before_keys_were_hashed_stays_so(phone):
    cookie = phone.cookies["sessionid"].value
    Session.objects.update(session_key=cookie)
    assert not is_in(phone)
    phone.cookies["sessionid"] = cookie
    import_module("clubsite.accounts.migrations.0017_hashed_session_keys").hash_keys(apps, None)
    assert is_in(phone)


def test_one_place_is_ended_and_the_others_stay(phone, laptop):
    third = logged_in("dora", PHONE, "192.168.1.30")
    mark = re.findall(r'name="place" value="(\w+)"', page_of(laptop.get(PLACES)))[0]  # the last that was used
    assert "Logged out at 1 place." in page_of(laptop.post(PLACES, {"place": mark}, follow=True))
    assert (is_in(third), is_in(phone), is_in(laptop)) == (False, True, True)


def test_all_others_are_ended_and_the_log_says_so(phone, laptop):
    laptop.post(PLACES)
    assert (is_in(phone), is_in(laptop)) == (False, True)
    assert LogEntry.objects.get(verb="session.end").new == {"ended": 1}
    laptop.post(PLACES)  # a second tap finds nobody
    assert LogEntry.objects.filter(verb="session.end").count() == 1


def test_nobody_ends_a_place_of_somebody_else(phone, scorekeeper):
    other = logged_in("sam", LAPTOP, "192.168.1.66")
    mark = re.findall(r'name="place" value="(\w+)"', page_of(logged_in("dora", LAPTOP, "10.0.0.1").get(PLACES)))[0]
    other.post(PLACES, {"place": mark})
    assert is_in(phone)


def test_a_new_password_ends_all_other_places(phone, laptop):
    new = "a longer walk to the hall"
    laptop.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert (is_in(phone), is_in(laptop)) == (False, True)
    assert Session.objects.filter(user__username="dora").count() == 1


def sent_last(browser, since):
    """Have this browser have sent something so long ago: when that was."""
    ago, session = timezone.now() - since, browser.session
    session["came"] = {**session["came"], "seen": ago.isoformat()}
    session.save()
    return ago


def test_what_was_sent_last_is_kept_to_within_an_hour_and_looking_writes_nothing(phone):
    ago = sent_last(phone, timedelta(minutes=61))
    with CaptureQueriesContext(connection) as queries:
        phone.get("/st-hilary/desk/")
    assert not [q for q in queries if re.match(r"\W*(INSERT|UPDATE|DELETE)", q["sql"])]
    assert Session.objects.get(user__username="dora").seen == ago
    phone.post("/language/", {"language": "en"})
    phone.post("/st-hilary/people/invite/", {})
    assert timezone.now() - Session.objects.get(user__username="dora").seen < timedelta(minutes=1)
    lately = sent_last(phone, timedelta(minutes=50))
    phone.post("/st-hilary/people/invite/", {})
    assert Session.objects.get(user__username="dora").seen == lately, "the deals of an evening write no session"
