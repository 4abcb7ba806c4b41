"""From a page of the desk to its chapter of the guide in one tap, on a phone."""

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.browser.hands_on import overflow
from tests.browser.test_accessible import barriers
from tests.tournaments.nights import make_night

pytestmark = pytest.mark.django_db(transaction=True)

CHAPTERS = {"desk/friday/here/": "Quién está", "desk/friday/rounds/draw/": "El sorteo"}


def test_one_tap_leads_from_the_desk_to_the_right_chapter(signed_in, live_server, club, rules, director):
    """In Spanish, whose words are longer."""
    make_night(club, rules, slug="friday")
    page = signed_in(director, viewport={"width": 390, "height": 844})
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "es", "url": live_server.url}])
    for address, title in CHAPTERS.items():
        page.goto(f"/st-hilary/{address}")
        assert page.locator(".masthead").bounding_box()["height"] < 90
        page.get_by_role("link", name="Ayuda", exact=True).click()
        expect(page.locator("h1")).to_have_text(title)
    page.get_by_role("searchbox").fill("suizo")
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_visible()
    assert overflow(page) == 0
    assert barriers(page) == []
