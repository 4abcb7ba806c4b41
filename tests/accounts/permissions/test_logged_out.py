"""A form that is sent by somebody whose log-in has ended meanwhile."""

import pytest
from django.test import Client

from tests.pages import page_of

LOST = "You were logged out meanwhile, and what you sent"
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
