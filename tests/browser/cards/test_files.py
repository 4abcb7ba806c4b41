"""The pages of games as files in a browser: a bad file's rows, the look before taking in, a file scored."""

from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from scoring.cards.deals import record_deal
from scoring.deal_files.export import to_json
from scoring.families.deal_form import Entered
from scoring.games import start_game
from scoring.models import Deal, DealVersion, Game
from tests.browser.hands_on import overflow, said
from tests.examples import as_proof
from tests.scoring.conftest import PINOCHLE_SIDES, a_deal

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
}
IMPOSSIBLE = """{"format": "nine-tables/deals", "version": 1, "games": [{"rules": "st-hilary-v3",
 "shape": {"sides": 2, "per_side": 2}, "title": "Window",
 "sides": [["Ann", "Bartholomew Fitzgerald"], ["Cal", "Dee"]], "deals": [
 {"facts": {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [15, 10]}},
 {"facts": {"bid_side": 0, "bid": 20, "meld": [10, 4], "take": [16, 10]}}]}]}"""


@pytest.fixture
def finished(rules_for, actor):
    """A game over in six deals."""
    rules = rules_for("st-hilary-v3")
    game = start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)
    for number in range(1, 7):
        record_deal(game=game, number=number, entered=Entered(a_deal()), by=actor, submission=uuid4())
    return game


def look_at(page, name, text):
    """Choose a file and press the button that only looks."""
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
    page.get_by_role("button", name="Look at the file").click()


@pytest.mark.parametrize("screen", [as_proof(["phone"]), "laptop"])
def test_bad_rows_are_named_and_nothing_is_taken_in_before_it_was_looked_at(
    screen, signed_in, director, club, finished
):
    whole = "".join(to_json(club))
    Game.objects.all().delete()
    page = signed_in(director, **SCREENS[screen])
    page.goto(reverse("files", args=[club.slug]))
    assert overflow(page) == 0

    look_at(page, "season.json", whole.replace('"entered"', '"perhaps"').replace('"bid": 20', '"bid": "twenty"'))
    expect(page.get_by_role("alert")).to_contain_text("Nothing was imported")
    expect(page.get_by_role("alert").locator("li").first).to_contain_text("Line")
    assert overflow(page) == 0
    assert not Deal.objects.exists()

    look_at(page, "season.json", whole)
    expect(page.get_by_role("heading", name="In this file")).to_be_visible()
    expect(page.locator("main")).to_contain_text("1 new game, 6 deals to import")
    assert overflow(page) == 0
    assert not Deal.objects.exists()
    page.get_by_role("button", name="Take it in").click()
    expect(said(page)).to_be_visible()
    assert Deal.objects.count() == 6


@pytest.mark.parametrize("screen", ["phone", as_proof(["laptop"])])
def test_a_card_that_cannot_be_is_taken_in_by_a_ruling(screen, signed_in, director, club, rules_for):
    rules_for("st-hilary-v3")
    page = signed_in(director, **SCREENS[screen])
    page.goto(reverse("files", args=[club.slug]))
    look_at(page, "window.json", IMPOSSIBLE)
    expect(page.get_by_role("alert").locator("li")).to_contain_text(["All that was taken comes to 26"])
    assert overflow(page) == 0
    page.get_by_role("alert").get_by_role("textbox").fill("The notebook says so.")
    page.get_by_role("button", name="Look again with this ruling").click()
    page.get_by_role("button", name="Take it in").click()
    expect(said(page)).to_be_visible()
    assert [v.ruling for v in DealVersion.objects.order_by("deal__number")] == ["", "The notebook says so."]


@pytest.mark.parametrize("screen", ["phone", as_proof(["laptop"])])
def test_a_file_is_scored_and_nothing_is_recorded(screen, signed_in, scorekeeper, club):
    page = signed_in(scorekeeper, **SCREENS[screen])
    page.goto(reverse("score_file", args=[club.slug]))
    page.locator("input[type=file]").set_input_files(
        {"name": "x.json", "mimeType": "application/json", "buffer": IMPOSSIBLE.encode()}
    )
    page.locator("main form button[type=submit]").first.click()
    expect(page.locator("main")).to_contain_text("All that was taken comes to 26")
    assert overflow(page) == 0
    assert not Deal.objects.exists()
