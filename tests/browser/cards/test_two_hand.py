"""Pinochle for two in a browser: the card on a phone and on a laptop, a claim, and the handicap after it."""

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import start_game
from scoring.engine.pinochle.two_hand.card import Guess, LastDraw, Laying, TwoHandDeal, TwoHandEnding
from tests.browser.cards.test_card_phone import PHONE, totals
from tests.browser.hands_on import overflow, record, said, save, type_deal
from tests.examples import as_proof

pytestmark = pytest.mark.django_db(transaction=True)

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
ONE_BY_ONE = TwoHandDeal(
    bidder=0,
    bid=24,
    laid=((Laying.ROYAL_MARRIAGE, Laying.RUN), (Laying.PINOCHLE,)),
    take=(12, 13),
    last_draw=(LastDraw.OTHER, LastDraw.JACK_OF_CLUBS),
    guess=Guess.RIGHT,
)
CLAIM = TwoHandDeal(bidder=1, bid=30, meld=(20, 4), take=(3, 1), ending=TwoHandEnding.CLAIM, claimant=0)


@pytest.fixture
def game(rules_for):
    """Ann is far ahead of Bob."""
    rules = rules_for("fletcher-two-hand")
    return start_game(club=rules.club, rules=rules, title="Corner", sides=[["Ann"], ["Bob"]], start=(100, 20))


@pytest.mark.parametrize("size", [PHONE, as_proof([LAPTOP])], ids=["phone", "laptop"])
def test_melds_one_by_one_a_claim_and_the_handicap(size, signed_in, scorekeeper, game):
    page = signed_in(scorekeeper, **size)
    page.goto(game.get_absolute_url())
    type_deal(page, game, ONE_BY_ONE)
    expect(page.locator(".reckoned-totals .points")).to_have_text(["+31", "+27"])
    assert overflow(page) == 0
    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded: Ann 31, Bob 27.")
    record(page, game, CLAIM)
    expect(page.get_by_text("Over: Ann won")).to_be_visible()
    assert totals(page) == ["154", "52"]
    page.get_by_role("link", name="The handicap between the two").click()
    assert totals(page) == ["0", "8"]
    assert overflow(page) == 0


def test_the_classic_card_asks_for_meld_and_take_only(signed_in, scorekeeper, rules_for):
    rules = rules_for("two-hand-pinochle-classic")
    game = start_game(club=rules.club, rules=rules, title="Corner", sides=[["Ann"], ["Bob"]])
    page = signed_in(scorekeeper, **PHONE)
    page.goto(game.get_absolute_url())
    expect(page.locator("form.deal-form .figure:visible")).to_have_count(4)
    record(page, game, TwoHandDeal(meld=(140, 60), take=(120, 130)))
    assert totals(page) == ["260", "190"]
