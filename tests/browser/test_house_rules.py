"""House rules on a phone and on a laptop: copied, changed, looked at, published, compared, and a game begun by them."""

import pytest
from playwright.sync_api import expect

from scoring.models import Game, HouseRules
from tests.browser.hands_on import game_of, overflow, said
from tests.browser.test_accessible import barriers
from tests.examples import as_proof

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1366, "height": 768}}


def press(page, name):
    """Press a button or follow a link, and look at the page that comes: it fits the window."""
    with page.expect_navigation():
        page.get_by_role("button", name=name, exact=True).or_(page.get_by_role("link", name=name, exact=True)).click()
    assert (barriers(page), overflow(page)) == ([], 0)


@pytest.mark.parametrize("window", [as_proof([PHONE]), LAPTOP], ids=["phone", "laptop"])
def test_a_club_makes_rules_of_its_own_and_plays_by_them(signed_in, director, club, window):
    page = signed_in(director, **window)
    page.goto(f"/{club.slug}/rules/")
    press(page, "St. Hilary partnership pinochle, version 3")
    press(page, "Copy and change")
    page.get_by_label("What these rules are called").fill("Parish pinochle")
    page.get_by_label("Points that win a game").fill("0")
    page.get_by_label("Run (A 10 K Q J of trump), double run").fill("20 200")
    page.get_by_label("Who must take counters to save meld").select_option("both sides")
    page.get_by_role("group", name="Points of a card taken").get_by_label("Q").fill("0")

    press(page, "See what changes")
    expect(page.get_by_text("0 is too low: it is at least 1.", exact=True)).to_be_visible()
    expect(page.get_by_label("Run (A 10 K Q J of trump), double run")).to_have_value("20 200")
    page.get_by_label("Points that win a game").fill("120")
    press(page, "See what changes")
    expect(page.locator(".changes ins")).to_have_text(["120", "A, 10, K: 1 · Q: 0", "20 · 200", "both sides"])
    assert not HouseRules.objects.exists()

    press(page, "Go back and change more")
    page.get_by_role("group", name="Points of a card taken").get_by_label("Q").fill("")
    press(page, "See what changes")
    press(page, "Publish version 4")
    expect(said(page)).to_contain_text("Parish pinochle (house rules, version 4)")
    expect(page.locator("#setting-target")).to_contain_text("Ruling: House rules, version 4 of")

    press(page, "Compare versions and rules")
    expect(page.locator(".changes ins")).to_have_text(["120", "20 · 200", "both sides"])

    page.goto(f"/{club.slug}/games/new/")
    page.get_by_role("button", name="2 sides of 2 players").first.click()
    for box, name in zip(page.get_by_label("Player").all(), ("Ann", "Bob", "Cal", "Dee"), strict=True):
        box.fill(name)
    press(page, "Start the game")
    rules = game_of(page).rules
    assert (rules.title, rules.version, rules.rule_set.values["target"]) == ("Parish pinochle", 4, 120)
    expect(page.locator(".game-state")).to_contain_text("to 120")
    assert Game.objects.count() == 1
