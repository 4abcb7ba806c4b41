"""From a page of the desk to its chapter of the guide in one tap, on a phone and on a laptop, in both languages."""

import pytest
from django.conf import settings
from playwright.sync_api import expect

from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from tests.browser.hands_on import overflow
from tests.browser.test_accessible import barriers
from tests.tournaments.nights import make_night

pytestmark = pytest.mark.django_db(transaction=True)

CHAPTERS = {
    "desk/friday/here/": {"en": "Who is here", "es": "Quién está"},
    "desk/friday/rounds/draw/": {"en": "The draw", "es": "El sorteo"},
}
HELP = {"en": "Help", "es": "Ayuda"}


@pytest.mark.daily(1)
@pytest.mark.parametrize("language", HELP)
@pytest.mark.parametrize(("width", "head"), [(390, 90), (1366, 70)])
def test_one_tap_leads_from_the_desk_to_the_right_chapter(
    signed_in, live_server, club, actor, director, language, width, head
):
    make_night(club, adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=actor), slug="friday")
    page = signed_in(director, viewport={"width": width, "height": 844})
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}
    page.context.add_cookies([cookie])
    for address, title in CHAPTERS.items():
        page.goto(f"/st-hilary/{address}")
        assert page.locator(".masthead").bounding_box()["height"] < head
        page.get_by_role("link", name=HELP[language], exact=True).click()
        expect(page.locator("h1")).to_have_text(title[language])
    page.get_by_role("searchbox").fill("Swiss" if language == "en" else "suizo")
    page.keyboard.press("Enter")
    expect(page.locator("mark").first).to_be_visible()
    assert overflow(page) == 0
    assert barriers(page) == []
