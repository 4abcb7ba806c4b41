"""Seats changed in the middle of a round, by tapping on a phone: how many taps it takes, and that it can be read."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import overflow, said
from tests.browser.test_accessible import barriers
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next
from tests.tournaments.seats import at
from tournaments.models import Draw
from tournaments.rounds import attendance

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


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

    def choose(self, what, label):
        what.select_option(label=label)
        self.taps += 2


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


def test_two_change_places_and_a_table_moves(signed_in, director, event, actor):
    page = signed_in(director, **PHONE)
    draw = Draw.objects.get()
    a, b = at(draw, 1, 0), at(draw, 2, 0)
    play_deals(games_of(draw)[0], actor)
    page.goto(f"/st-hilary/desk/{event.slug}/rounds/1/")
    finger = Finger(page)
    finger.tap(page.get_by_role("link", name="Change the seats of table 1"))
    finger.choose(page.get_by_label("Who", exact=True), a.name)
    finger.choose(page.get_by_label("With whom"), f"{b.name}, table 2")
    swap = page.locator("form", has=page.get_by_role("heading", name="Swap two people"))
    finger.tap(swap.get_by_role("button", name="See the effect"))
    expect(page.locator("main")).to_contain_text("1 deal is recorded at their tables.")
    expect(page.get_by_role("table", name="Who moves in the standings")).to_contain_text(b.name)
    finger.tap(page.get_by_role("button", name="Put it right"))
    expect(said(page)).to_contain_text("Print the cards of tables 1 and 2")
    assert finger.taps == 7

    finger = Finger(page)
    finger.tap(page.get_by_role("link", name="Change the seats of table 2"))
    page.get_by_label("Its new number").fill("9")
    move = page.locator("form", has=page.get_by_role("heading", name="Move this table"))
    finger.tap(move.get_by_role("button", name="See the effect"))
    finger.tap(page.get_by_role("button", name="Move the table"))
    assert finger.taps == 3
    anybody = signed_in(None, **PHONE)
    anybody.goto(f"/st-hilary/events/{event.slug}/seats/")
    expect(anybody.locator(".find-seat")).to_contain_text("Table 9")
    expect(anybody.locator("main")).to_contain_text("Changed by hand")
