"""A result passed on with one button: to another program, else to the clipboard, else by hand."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.tournaments.results import closed_night, make_season

pytestmark = pytest.mark.django_db(transaction=True)
SHARES = "Object.defineProperty(navigator, 'share', {value: async (what) => { window.shared = what.text; }})"
REFUSES = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error('no'))}})"
NO_SHARE = "Object.defineProperty(navigator, 'share', {value: undefined})"


@pytest.fixture
def result(live_server, club, rules_for):
    event = closed_night(make_season(club), rules_for("st-hilary-v3"), 2, {"Ann": 120, "Bob": 90})
    return reverse("event", args=[club.slug, event.slug])


def test_the_text_goes_to_the_program_that_is_chosen(new_context, result):
    page = new_context().new_page()
    page.add_init_script(SHARES)
    page.goto(result)
    page.get_by_role("link", name="Share the result").click()
    page.get_by_role("button", name="Share").click()
    page.wait_for_function("window.shared")
    assert page.evaluate("window.shared") == page.locator("#share-text").input_value()
    assert "1. Ann: 120" in page.evaluate("window.shared")


@pytest.mark.daily(1)
@pytest.mark.parametrize("clipboard", ["", REFUSES])
def test_without_such_programs_it_is_copied(new_context, result, clipboard):
    page = new_context().new_page()
    page.add_init_script(NO_SHARE + ";" + clipboard)
    page.goto(result)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("[data-copied]")).not_to_be_empty()
    assert page.evaluate("getSelection().toString()") == page.locator("#share-text").input_value()
