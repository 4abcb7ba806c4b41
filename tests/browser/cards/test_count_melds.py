"""Melds counted by name on a card: on a phone, on a laptop, without JavaScript."""

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import start_game
from scoring.models import DealVersion
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import overflow, said, save
from tests.scoring.conftest import PINOCHLE_SIDES

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(rules_for):
    rules = rules_for("st-hilary-v3")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


def open_fold(page, game):
    page.goto(game.get_absolute_url())
    expect(page.get_by_role("group", name="Trump")).to_be_hidden()
    page.get_by_text("Count the melds for me").click()
    expect(page.get_by_role("group", name="Trump")).to_be_visible()


def count(page):
    """Ann a run and a pinochle, Dee a marriage in clubs; hearts are trump, Ann and Bob hold the bid."""
    page.locator("label[for=id_bid_side_0]").click()
    page.locator("[name=bid]").fill("30")
    page.get_by_text("Hearts", exact=True).click()
    page.get_by_role("group", name="Ann", exact=True).get_by_label("Runs").fill("1")
    page.get_by_role("group", name="Ann", exact=True).get_by_label("Pinochles").fill("1")
    page.get_by_role("group", name="Dee", exact=True).get_by_label("Marriages, clubs").fill("1")
    page.locator("[name=take_0]").fill("15")
    page.locator("[name=take_1]").fill("10")


def test_melds_are_counted_while_they_are_typed(signed_in, scorekeeper, game):
    card = signed_in(scorekeeper, **PHONE)
    open_fold(card, game)
    count(card)
    expect(card.locator(".live-totals .points")).to_have_text(["+34", "+12"])
    assert overflow(card) == 0
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded: Ann & Bob 34, Cal & Dee 12.")
    expect(card.locator(".sheets")).to_contain_text("19")
    assert DealVersion.objects.get().facts["trump"] == "hearts"
    assert overflow(card) == 0
