"""The Wi-Fi is there, the server isn't: stopped, started again, or frozen so that nobody ever answers."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import said, save, type_deal
from tests.browser.offline.conftest import recorded, tap_save, waiting
from tests.scoring.conftest import a_deal

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_server_stopped_and_started(opened, server, scorekeeper, game):
    card = opened(scorekeeper, game)
    server.stop()
    for number in (1, 2):
        type_deal(card, game, a_deal())
        tap_save(card)
        expect(card.get_by_role("heading", name=f"Deal {number + 1}")).to_be_visible()
    card.reload()
    expect(waiting(card)).to_have_text(["Deal 1", "Deal 2"])
    expect(card.get_by_role("heading", name="Deal 3")).to_be_visible()

    server.start()
    card.get_by_text("Saved on this phone, not sent yet: 2").click()
    card.get_by_role("button", name="Send now").click()
    expect(card.locator(".totals dd")).to_have_text(["50", "32"])
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1), (2, 1)]
    type_deal(card, game, a_deal())
    save(card)
    expect(said(card)).to_contain_text("Deal 3 is recorded")


@pytest.mark.long
def test_a_laptop_that_died_with_the_wifi_still_up(opened, server, scorekeeper, game):
    """Nobody refuses the connection and nobody answers: the form stays, the deal is kept."""
    card = opened(scorekeeper, game)
    server.freeze()
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("deal 1 is saved on this phone")
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()
    card.reload()
    expect(card.locator("[data-kept-news]")).to_contain_text("this is the card as it was at")
    expect(waiting(card)).to_have_text(["Deal 1"])

    server.thaw()
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]


@pytest.mark.proof
def test_check_and_a_correction_stay_on_the_page(opened, server, scorekeeper, game):
    card = opened(scorekeeper, game)
    type_deal(card, game, a_deal())
    save(card)
    card.locator(".deal-list summary").first.click()
    card.get_by_role("link", name="Correct deal 1").click()
    card.locator("[name=meld_0]").fill("8")
    card.locator("form.deal-form [name=reason]").fill("misread")
    server.stop()
    card.get_by_role("button", name="Save the correction").click()
    expect(card.locator("[data-kept-news]")).to_contain_text("nothing was sent")
    expect(card.locator("[name=meld_0]")).to_have_value("8")
    assert recorded() == [(1, 1)]

    server.start()
    with card.expect_navigation():
        card.get_by_role("button", name="Save the correction").click()
    expect(said(card)).to_contain_text("Deal 1 is corrected")
    assert recorded() == [(1, 1), (1, 2)]
