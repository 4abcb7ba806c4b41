"""The table of permissions, and who comes from outside it: nobody, the erased, those whose log-in has ended."""

import logging
import re

import pytest
from django.conf import settings as site
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from clubsite.accounts.models import Invitation, LogEntry, Member, Role, User
from clubsite.accounts.permissions.gate import check_addresses
from clubsite.urls import urlpatterns as of_site
from clubsite.watch.logs import ReadableLines
from lab.commands.permissions import as_markdown
from tests.conftest import PASSWORD, make_user
from tests.pages import page_of
from tournaments.members.erasing import erase

TOKEN = re.compile(r'(?<=csrfmiddlewaretoken" value=")\w+|(?<=X-CSRFToken": ")\w+')
urlpatterns = [*of_site, path("forgotten/line/", lambda request: HttpResponse("secret"), name="without_a_line")]


def test_the_page_of_the_docs_is_that_of_the_table():
    assert (site.BASE_DIR / "docs" / "permissions.md").read_text() == as_markdown(), "./dev lab permissions"


@pytest.mark.urls("tests.accounts.permissions.test_table")
def test_an_address_without_a_line_is_found_at_the_start_and_refused(director):
    assert ["without_a_line" in error.msg for error in check_addresses()] == [True]
    browser = Client()
    browser.force_login(director)
    answer = browser.get("/forgotten/line/")
    assert (answer.status_code, b"secret" in answer.content) == (404, False)


def test_somebody_of_another_club_is_told_no_more_of_this_one_than_of_none(club, stranger):
    browser = Client()
    browser.force_login(stranger)
    theirs, nobodys = (page_of(browser.get(f"/{slug}/desk/")) for slug in (club.slug, "no-such-club"))
    assert "Page not found" in theirs
    assert TOKEN.sub("", theirs) == TOKEN.sub("", nobodys)


# Who is erased as a member can't log in any more, and their log-in tells no name


def test_a_members_log_in_goes_with_them(club, actor, client_of):
    member = Member.objects.create(club=club, name="Mary Moss")
    user = make_user("mary.moss", club, Role.Kind.MEMBER)
    Role.objects.filter(user=user).update(member=member)
    Invitation.objects.create(
        club=club, purpose="join", name="Mary Moss", kind="member", member=member, email="mary@example.org",
        nonce="1", code_hash="1", made_by="Dora", expires_at="2058-01-01T00:00Z",
    )  # fmt: skip
    browser = client_of(user)
    erase(member=member, by=actor, typed="Mary Moss")
    assert browser.get("/password/").status_code == 302
    assert not Client().login(username="mary.moss", password=PASSWORD)
    kept = [*User.objects.values_list(), *Invitation.objects.values_list(), *LogEntry.objects.values_list()]
    assert not [row for row in kept if "mary" in str(row).lower()]


def test_who_also_keeps_score_goes_on_keeping_it(club, actor, scorekeeper):
    member = Member.objects.create(club=club, name="Sam Salt")
    Role.objects.filter(user=scorekeeper).update(member=member)
    erase(member=member, by=actor, typed="Sam Salt")
    assert Role.objects.get(user=scorekeeper).member is None
    assert Client().login(username="sam", password=PASSWORD)


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("GET /t/ABCDEF/2/reckon/ 200", "GET /t/.../2/reckon/ 200"),
        ("GET /quay/in/ABCdef/ 302", "GET /quay/in/.../ 302"),
        ("GET /quay/games/follow/5-6-7/ 200", "GET /quay/games/follow/.../ 200"),
        ("GET /quay/calendar.ics?key=ABCdef&a=1 200", "GET /quay/calendar.ics?key=...&a=1 200"),
        ("GET /login/invitation/aaaa-bbbb-cccc/ 200", "GET /login/invitation/.../ 200"),
        ("GET /password/new/MQ/abc-def/ 302", "GET /password/new/MQ/.../ 302"),
        ("GET /login/invitation/ 200", "GET /login/invitation/ 200"),
    ],
)
def test_no_code_stands_in_what_a_server_writes(line, written):
    assert written in ReadableLines().format(logging.LogRecord("x", logging.INFO, "", 1, line, None, None))


# A form that is sent by somebody whose log-in has ended meanwhile


LOST = "You had been logged out, so nothing was saved"
PAGE = "/st-hilary/desk/night/"
CLOCK = f"{PAGE}clock/1/"  # takes forms, and shows nothing


def test_who_was_logged_out_is_told_that_nothing_was_saved(club):
    """The log-in page came without a word, and after it an empty form: what was typed was taken for saved."""
    sent = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = Client().post("/st-hilary/desk/seasons/new/", {"name": "Winter"}, headers=sent, follow=True)
    assert LOST in page_of(answer)
    assert 'name="next" value="/st-hilary/desk/seasons/new/"' in page_of(answer)


@pytest.mark.parametrize(
    ("came_from", "to"),
    [(f"http://testserver{PAGE}?a=1", f"{PAGE}?a=1"), ("http://elsewhere.example/x/", "/"), ("", "/")],
)
def test_after_the_log_in_comes_the_page_with_the_form(club, came_from, to):
    """A button's own address has no page: after the log-in stood an empty one."""
    answer = Client().post(CLOCK, headers={"Referer": came_from}, follow=True)
    assert f'name="next" value="{to}"' in page_of(answer)


def test_a_script_that_keeps_what_it_sent_says_so_itself(club):
    """What a phone keeps isn't lost."""
    browser = Client()
    browser.post(PAGE, headers={"Accept": "*/*"})
    assert LOST not in page_of(browser.get("/login/"))
    assert LOST not in page_of(Client().get(PAGE, follow=True))


def test_a_part_of_a_page_leaves_the_word_to_the_log_in_page_that_is_seen(club):
    """The points that a card asks for while one types were asked for after Save, and took the word with them."""
    browser = Client()
    browser.post(PAGE, headers={"Accept": "text/html"})
    part = browser.post(PAGE, headers={"Accept": "text/html", "HX-Request": "true"}, follow=True)
    assert (part.headers.get("HX-Refresh"), part.content) == ("true", b"")
    assert LOST in page_of(browser.get("/login/"))
