"""Somebody keys in the grid before its script has come."""

import pytest
from playwright.sync_api import expect

from scoring.models import DealVersion
from tests.browser.events.test_keying import at, key, keyed
from tests.browser.hands_on import KEPT, LateScript
from tests.scoring.conftest import UNLIKELY, a_deal
from tests.tournaments.keying.keying import a_round, address

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def night(club, actor, rules_for, signed_in, scorekeeper):
    """A page that isn't open yet, the address of the grid of a round with two tables, and its games."""
    event, _draw, games = a_round(rules_for("st-hilary-v3"), actor)
    return signed_in(scorekeeper, viewport={"width": 1366, "height": 768}), address(event), games


def test_the_focus_stays_where_somebody_types(night):
    page, grid, (_first, second) = night
    script = LateScript(page, "grid")
    page.goto(grid, wait_until="commit")
    box = page.locator(f"#deal-{second.pk}-1-meld_0")
    box.click()
    page.keyboard.type("1")
    script.comes()
    page.keyboard.type("2")
    expect(box).to_have_value("12")


@pytest.mark.proof
def test_figures_changed_meanwhile_are_asked_about_anew(night):
    page, grid, (game, _other) = night
    script = LateScript(page, "grid")
    page.goto(grid, wait_until="commit")
    line = page.locator(f"#deal-{game.pk}-1")
    page.locator("#keyed").wait_for()  # the page is read to its end
    for box, figure in zip(line.locator("td.box input").all(), keyed(UNLIKELY), strict=True):
        box.fill(figure)
    page.keyboard.press("Enter")  # the line is sent as a form
    expect(line).to_contain_text("Enter again if it says so")
    line.locator("[name=meld_0]").fill("112")
    script.comes()
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        line.locator("[name=written_sets]").press("Enter")
    assert not DealVersion.objects.exists()
    expect(line).to_have_attribute("data-state", "asking")


@pytest.mark.proof
def test_a_row_begun_anew_has_the_rest_of_what_was_kept(night):
    page, grid, (game, _other) = night
    page.goto(grid)
    key(page, keyed(a_deal())[:4])
    page.evaluate(f"async () => {KEPT}.drafts.get('')")  # reading comes after all writing
    page.goto("about:blank")
    script = LateScript(page, "grid")
    page.goto(grid, wait_until="commit")
    page.locator(f"#deal-{game.pk}-1-bid_side").press_sequentially("2")
    script.comes()
    expect(page.locator(f"#deal-{game.pk}-1-take_0")).to_have_value("15")
    assert at(page) == f"deal-{game.pk}-1-bid_side"
    page.evaluate(f"async () => {KEPT}.drafts.get('')")
    page.reload()
    for name, figure in zip(("bid_side", "bid", "meld_0", "take_0"), ["2", *keyed(a_deal())[1:4]], strict=True):
        expect(page.locator(f"#deal-{game.pk}-1-{name}")).to_have_value(figure)
