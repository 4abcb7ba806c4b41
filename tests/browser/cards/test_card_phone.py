"""A card on a phone: deals typed with a thumb, saved twice by a double tap, without JavaScript, without a network."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import start_game
from scoring.models import Deal, DealVersion, Game
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import overflow, said, save, torn_words, type_deal
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, a_deal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(rules_for):
    rules = rules_for("st-hilary-v3")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


@pytest.fixture
def card(signed_in, scorekeeper, game):
    return opened(signed_in(scorekeeper, **PHONE), game)


def opened(page, game):
    page.goto(game.get_absolute_url())
    return page


def totals(page):
    return page.locator(".standing .totals dd").all_inner_texts()


def test_a_quick_game_is_played_again_in_three_touches(signed_in, scorekeeper, game):
    Game.objects.update(submission=uuid4())  # begun on the page of quick games
    desk = signed_in(scorekeeper, **PHONE)
    desk.goto("/st-hilary/desk/")
    desk.get_by_role("link", name="A quick game").tap()
    desk.get_by_role("link", name="Play again").tap()
    desk.get_by_role("button", name="Start the game").tap()
    expect(desk.get_by_role("heading", name="Deal 1")).to_be_visible()
    assert [list(side.names) for side in Game.objects.latest("pk").sides.all()] == [list(s) for s in PINOCHLE_SIDES]


def test_enter_in_the_reason_marks_no_deal(card, game):
    type_deal(card, game, a_deal())
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    deal = game.deals.get()
    card.goto(f"/st-hilary/deals/{deal.pk}/")
    table = card.get_by_role("region", name="What the table says")
    table.get_by_label("In the table's words").fill("entered twice")
    table.get_by_label("In the table's words").press("Enter")
    table.get_by_role("button", name="Disputed").click()
    expect(said(card)).to_contain_text("Deal 1 is marked: disputed.")
    states = deal.versions.order_by("number").values_list("state", "reason")
    assert list(states) == [("entered", ""), ("disputed", "entered twice")]


@pytest.mark.proof
def test_names_beside_large_totals_keep_their_words_whole(signed_in, scorekeeper, rules_for):
    rules = rules_for("st-hilary-v3")
    sides = [["Gurpreet Dhaliwal", "Dorothea Cholmondeley-Featherstone"], ["Alasdair MacIver", "Ailsa Farquharson"]]
    game = start_game(club=rules.club, rules=rules, title="Table 3", sides=sides, start=[23635, 25560])
    card = opened(signed_in(scorekeeper, **PHONE), game)
    assert totals(card) == ["23,635", "25,560"]
    assert torn_words(card, ".card-head .totals dt") == []
    assert overflow(card) == 0


@pytest.mark.proof
def test_what_is_tapped_is_as_large_as_a_thumb(card):
    boxes = [
        spot.bounding_box() for spot in card.locator("form.deal-form :is(label.btn, button, .figure):visible").all()
    ]
    assert len(boxes) > 10
    assert [box for box in boxes if box and box["height"] < 44] == []


@pytest.mark.proof
def test_the_first_save_records_where_the_browser_keeps_nothing(signed_in, scorekeeper, game):
    """As in a private window: a database of a later version isn't opened either."""
    page = signed_in(scorekeeper, **PHONE)
    page.goto("/")
    page.evaluate(
        """() => new Promise((resolve) => {
          const later = indexedDB.open("nine-tables", 99);
          later.onsuccess = () => { later.result.close(); resolve(); };
        })"""
    )
    card = opened(page, game)
    expect(card.locator("form[data-unkept]")).to_be_visible()
    type_deal(card, game, a_deal())
    save(card)
    expect(card.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    assert Deal.objects.count() == 1


def test_a_double_tap_records_one_deal(card, game):
    type_deal(card, game, a_deal())
    button = card.get_by_role("button", name="Save", exact=True)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    spot = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    card.touchscreen.tap(*spot)
    card.touchscreen.tap(*spot)
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    assert list(DealVersion.objects.values_list("deal__number", "number")) == [(1, 1)]
    expect(card.locator(".standing .totals dd")).to_have_text(["25", "16"])


def test_everything_works_without_javascript(signed_in, scorekeeper, game):
    page = opened(signed_in(scorekeeper, java_script_enabled=False, **PHONE), game)
    type_deal(page, game, IMPOSSIBLE)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("Not recorded")
    expect(page.locator("#live-check")).to_contain_text("Impossible with a real pack")
    expect(page.locator("[name=meld_0]")).to_have_value("10")
    assert not Deal.objects.exists()

    type_deal(page, game, a_deal())
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".live-totals .points")).to_have_text(["+25", "+16"])
    assert not Deal.objects.exists()

    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    assert totals(page) == ["25", "16"]
