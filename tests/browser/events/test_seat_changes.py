"""Seats changed in the middle of a round, by tapping on a phone: how many taps it takes, and that it can be read."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import overflow, said
from tests.browser.test_accessible import barriers
from tests.tournaments.nights import arrive, make_night, publish_next
from tests.tournaments.seats import at
from tournaments.models import Draw
from tournaments.rounds import attendance

pytestmark = pytest.mark.django_db(transaction=True)


class Finger:
    """Taps, and counts them. What is tapped is large enough for a thumb."""

    def __init__(self, page):
        self.page, self.taps = page, 0

    def tap(self, what):
        box = what.bounding_box()
        assert box["height"] >= 44
        with self.page.expect_navigation():
            what.tap()
        self.taps += 1
        assert overflow(self.page) == 0

    def open(self, menu):
        menu.click()
        self.taps += 1


@pytest.fixture
def event(club, actor, rules_for):
    """Nine people, round 1 published; somebody came late."""
    made = make_night(club, rules_for("st-hilary-v3"))
    arrive(made, actor, 9)
    publish_next(made, actor)
    attendance.arrive(event=made, name="Lena Late", by=actor)
    return made


def test_a_player_is_replaced_in_four_taps(signed_in, director, event):
    page = signed_in(director, **PHONE)
    leaving = at(Draw.objects.get(), 2, 0)
    page.goto(f"/st-hilary/desk/{event.slug}/")
    finger = Finger(page)
    finger.open(page.locator("#table-2 summary"))
    finger.tap(page.get_by_role("link", name="Change the seats of table 2"))
    assert barriers(page) == []
    seat = page.get_by_role("region", name=leaving.name, exact=True)
    finger.tap(seat.get_by_role("button", name="Lena Late"))
    expect(page.locator("main")).to_contain_text("Nothing is changed yet.")
    assert barriers(page) == []
    expect(page.locator("main")).to_contain_text("Print the card of table 2 and the list of seats again.")
    finger.tap(page.get_by_role("button", name="Give Lena Late the seat"))
    expect(said(page)).to_contain_text("Print the card of table 2 and the list of seats again.")
    assert at(Draw.objects.get(state="published"), 2, 0).name == "Lena Late"
    assert finger.taps == 4

    finger.tap(page.get_by_role("link", name="Change the seats of table 1"))
    expect(page.locator("main")).to_contain_text(f"Lena Late has the seat of {leaving.name}.")
    finger.tap(page.get_by_role("button", name="Take it back"))
    finger.tap(page.get_by_role("button", name="Take it back"))
    assert at(Draw.objects.get(state="published"), 2, 0) == leaving
    assert finger.taps == 7
