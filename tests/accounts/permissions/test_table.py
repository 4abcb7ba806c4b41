"""The table of permissions: its print is current, and an address without a line is refused."""

import re

import pytest
from django.conf import settings as site
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from clubsite.accounts.permissions.gate import check_addresses
from clubsite.urls import urlpatterns as of_site
from lab.commands.permissions import as_markdown
from tests.pages import page_of

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


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "MOVE"])
def test_no_page_takes_another_method(director, method):
    browser = Client()
    browser.force_login(director)
    for page in ("/", "/st-hilary/people/", "/login/", "/t/ABC/"):
        assert browser.generic(method, page).status_code == 405


def test_somebody_of_another_club_is_told_no_more_of_this_one_than_of_none(club, stranger):
    browser = Client()
    browser.force_login(stranger)
    theirs, nobodys = (page_of(browser.get(f"/{slug}/desk/")) for slug in (club.slug, "no-such-club"))
    assert "Page not found" in theirs
    assert TOKEN.sub("", theirs) == TOKEN.sub("", nobodys)
