"""A club in which nothing has been done yet: its pages say what they are for, and have the button for it."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubsite.accounts.models import Club, LogEntry
from clubsite.accounts.starting import DEMO_LOADED
from tests.pages import page_of
from tests.tournaments.nights import make_night

# The page, and where its button leads
EMPTY = {
    "/st-hilary/": "/st-hilary/desk/new/",
    "/st-hilary/events/": "/st-hilary/desk/new/",
    "/st-hilary/rules/": "/st-hilary/start/rules/",
    "/st-hilary/handicaps/": "/st-hilary/rules/",
    "/st-hilary/desk/": "/st-hilary/desk/new/",
    "/st-hilary/start/night/": "/st-hilary/start/members/",
}
STAFF = ("/st-hilary/desk/", "/st-hilary/start/night/")


def empty_parts(page):
    return re.findall(r'<section class="empty">.*?</section>', page)


@pytest.mark.parametrize("path", EMPTY)
def test_a_director_is_told_what_a_page_is_for_and_led_on(club, browser, path):
    leads = EMPTY[path]
    first = empty_parts(page_of(browser.get(path)))[0]
    assert re.search(r"<p>[^<]{20}", first)
    assert f'href="{leads}"' in first
    assert browser.get(leads).status_code == 200


@pytest.mark.parametrize("path", sorted(set(EMPTY) - set(STAFF)))
def test_visitors_are_told_and_get_no_button_that_leads_to_a_log_in(club, client_of, path):
    parts = empty_parts(page_of(client_of(None).get(path)))
    assert parts
    assert all("href=" not in part for part in parts)


def test_seasons_and_who_is_here_have_a_button_too(club, browser, rules_for):
    page = page_of(browser.get("/st-hilary/events/"))
    assert 'href="/st-hilary/desk/seasons/new/"' in empty_parts(page)[1]
    make_night(club, rules_for("st-hilary-v3"))
    part = empty_parts(page_of(browser.get("/st-hilary/desk/friday/here/")))[0]
    assert 'href="/st-hilary/start/members/"' in part


def test_the_desk_asks_the_same_number_of_questions_whatever_is_left(club, director, client_of):
    browser, counts = client_of(director), []
    for left in (["rules"], ["club", "director", "rules", "members", "night"]):
        Club.objects.filter(pk=club.pk).update(start_left=left)
        with CaptureQueriesContext(connection) as asked:
            browser.get("/st-hilary/desk/")
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_a_scorekeeper_sees_nothing_of_the_demo_to_remove(club, scorekeeper, client_of):
    LogEntry.objects.create(club=club, actor="manage.py", route="command", verb=DEMO_LOADED, subject=str(club))
    assert "/st-hilary/demo/" not in page_of(client_of(scorekeeper).get("/st-hilary/desk/"))
