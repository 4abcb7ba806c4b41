"""A card on a phone: deals typed with a thumb, saved twice by a double tap, without JavaScript, without a network."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import record_deal
from scoring.families.deal_form import Entered
from scoring.games import start_game
from scoring.models import Deal, DealVersion
from tests.browser.hands_on import overflow, said, save, torn_words, type_deal
from tests.conftest import make_user
from tests.scoring.conftest import IMPOSSIBLE, PINOCHLE_SIDES, UNLIKELY, WINNING, a_deal

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def game(rules_for):
    rules = rules_for("st-hilary-v3")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


@pytest.fixture
def card(signed_in, scorekeeper, game):
    return opened(signed_in(scorekeeper, **PHONE), game)


# The dots in the head of a card that can be seen at the beginning of a line.
LEADING_DOTS = """() => {
  const found = [], texts = document.createTreeWalker(document.querySelector(".card-head"), NodeFilter.SHOW_TEXT);
  const leads = (left, box) => left < box.getBoundingClientRect().left + 2;
  while (texts.nextNode()) {
    const text = texts.currentNode, box = text.parentElement.closest(".game-state, dt"), dot = document.createRange();
    const at = text.data.indexOf("·");
    if (at < 0 || !box) continue;
    dot.setStart(text, at);
    dot.setEnd(text, at + 1);
    if (leads(dot.getBoundingClientRect().left, box)) found.push(box.innerText);
  }
  for (const part of document.querySelectorAll(".card-head .part")) {
    const box = part.parentElement, dot = getComputedStyle(part, "::before"); // it stands left of its part
    const unseen = dot.position === "absolute" && Math.abs(parseFloat(dot.right) - part.offsetWidth) < 1
      && getComputedStyle(box).clipPath !== "none";
    if (leads(part.getBoundingClientRect().left, box) && !unseen) found.push(box.innerText);
  }
  return found;
}"""


def opened(page, game):
    page.goto(game.get_absolute_url())
    return page


def totals(page):
    return page.locator(".standing .totals dd").all_inner_texts()


def test_a_deal_is_recorded_on_a_phone(card, game):
    type_deal(card, game.rules, a_deal())
    expect(card.locator(".reckoned-totals .points")).to_have_text(["+25", "+16"])
    assert overflow(card) == 0
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded: Ann & Bob 25, Cal & Dee 16.")
    assert totals(card) == ["25", "16"]
    assert overflow(card) == 0
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()


def test_enter_in_the_reason_marks_no_deal(card, game):
    type_deal(card, game.rules, a_deal())
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


def test_names_beside_large_totals_keep_their_words_whole(signed_in, scorekeeper, rules_for):
    rules = rules_for("st-hilary-v3")
    sides = [["Gurpreet Dhaliwal", "Dorothea Cholmondeley-Featherstone"], ["Alasdair MacIver", "Ailsa Farquharson"]]
    game = start_game(club=rules.club, rules=rules, title="Table 3", sides=sides, start=[23635, 25560])
    card = opened(signed_in(scorekeeper, **PHONE), game)
    assert totals(card) == ["23,635", "25,560"]
    assert torn_words(card, ".card-head .totals dt") == []
    assert overflow(card) == 0


# The words of a side's name on the big buttons that stand on two lines though the button has room for them on one, and
# the rows of buttons of different heights.
TORN_OR_UNEVEN = """() => [...document.querySelectorAll(".big-choices")].flatMap((row) => {
  const buttons = [...row.querySelectorAll("label.btn")], pen = document.createElement("canvas").getContext("2d");
  const found = buttons.flatMap((button) => {
    const { font, paddingLeft } = getComputedStyle(button), room = button.clientWidth - 2 * parseFloat(paddingLeft);
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT), torn = [];
    pen.font = font;
    while (texts.nextNode()) {
      const word = document.createRange();
      for (const { 0: letters, index } of texts.currentNode.data.matchAll(/\\S+/g)) {
        word.setStart(texts.currentNode, index);
        word.setEnd(texts.currentNode, index + letters.length);
        const lines = new Set([...word.getClientRects()].map((line) => Math.round(line.top)));
        if (lines.size > 1 && pen.measureText(letters).width <= room) torn.push(letters);
      }
    }
    return torn;
  });
  const beside = (one) => buttons.filter((other) => other.offsetTop === one.offsetTop);
  const uneven = buttons.filter((one) => beside(one).some((other) => other.offsetHeight !== one.offsetHeight));
  return [...found, ...uneven.map((button) => `${button.innerText}: ${button.offsetHeight}`)];
})"""


SPANISH = [["María del Carmen Fernández de la Vega", "Ann Lee"], ["José Antonio Rodríguez-Villanueva", "Kit Pratt"]]
LONG_WORDS = [["Bartholomew Featherstonehaugh", "Maria-Magdalena Wojciechowska"], ["Dorothea Cholmondeley", "Bo Wu"]]


@pytest.mark.daily(2)
@pytest.mark.parametrize("width", [360, 390])
@pytest.mark.parametrize(
    ("slug", "sides"), [("st-hilary-v3", SPANISH), ("hand-and-foot", SPANISH), ("hand-and-foot", LONG_WORDS)]
)
def test_long_names_on_a_button_break_between_their_words(signed_in, scorekeeper, rules_for, slug, sides, width):
    rules = rules_for(slug)
    game = start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)
    card = opened(signed_in(scorekeeper, **PHONE | {"viewport": {"width": width, "height": 844}}), game)
    card.evaluate("document.fonts.ready")
    assert card.evaluate(TORN_OR_UNEVEN) == []
    assert torn_words(card, ".big-choices .btn, .blocks legend") == []
    assert overflow(card) == 0
    first = card.locator(".big-choices").first.locator("label").first
    first.tap()
    marked = "label => [label, ...label.querySelectorAll('*')].map((one) => getComputedStyle(one).textDecorationLine)"
    assert "underline" in first.evaluate(marked), "what is chosen is told by more than its colour"


LINES = """name => {
  const words = document.createRange();
  words.selectNodeContents(name);
  return new Set([...words.getClientRects()].map((line) => Math.round(line.bottom / 8))).size;
}"""
"""In how many lines a name stands, with what is said behind it."""


def test_the_winner_stands_in_few_lines_beside_the_figure(signed_in, scorekeeper, actor, rules_for):
    rules = rules_for("st-hilary-v3")
    for sides in (SPANISH, LONG_WORDS):
        game = start_game(club=rules.club, rules=rules, title="Table 3", sides=sides)
        record_deal(game=game, number=1, entered=Entered(WINNING, sure=True), by=actor, submission=uuid4())
        card = opened(signed_in(scorekeeper, **PHONE), game)
        winner = card.locator(".card-head .totals dt", has_text="Won the game")
        assert winner.evaluate(LINES) <= 3
        assert torn_words(card, ".card-head") == []
        assert card.evaluate(LEADING_DOTS) == []


@pytest.mark.daily(1)
@pytest.mark.parametrize("width", [320, 390])
def test_no_line_of_the_head_begins_with_a_dot(signed_in, scorekeeper, actor, rules_for, width):
    rules = rules_for("st-hilary-v3")
    sides = [["Gurpreet Dhaliwal", "Dorothea Cholmondeley"], ["Alasdair MacIver", "Ailsa Farquharson"]]
    game = start_game(club=rules.club, rules=rules, title="Table 3", sides=sides, start=[20, 5])
    record_deal(game=game, number=1, entered=Entered(WINNING, sure=True), by=actor, submission=uuid4())
    card = opened(signed_in(scorekeeper, **PHONE | {"viewport": {"width": width, "height": 844}}), game)
    expect(card.locator(".game-state")).to_contain_text("to 150")
    assert card.evaluate(LEADING_DOTS) == []
    assert overflow(card) == 0


def test_what_is_tapped_is_as_large_as_a_thumb(card):
    boxes = [
        spot.bounding_box() for spot in card.locator("form.deal-form :is(label.btn, button, .figure):visible").all()
    ]
    assert len(boxes) > 10
    assert [box for box in boxes if box and box["height"] < 44] == []


def test_an_unlikely_deal_is_asked_about_once_more(card, game):
    type_deal(card, game.rules, UNLIKELY)
    save(card)
    expect(card.get_by_role("alert")).to_contain_text("Not recorded yet: this is unlikely.")
    assert not Deal.objects.exists()
    save(card)
    expect(card.get_by_role("alert")).to_contain_text("Not recorded yet: this is unlikely.")
    assert not Deal.objects.exists()
    card.get_by_label("Yes, the card says so").check()
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    assert Deal.objects.count() == 1


def test_an_impossible_deal_says_what_is_wrong_and_where(card, game):
    type_deal(card, game.rules, IMPOSSIBLE)
    save(card)
    expect(card.get_by_role("alert")).to_contain_text("fetch a director, who can rule on it")
    expect(card.get_by_label("Director's ruling")).to_have_count(0)
    card.locator("#reckoned .problem a").first.click()
    expect(card.locator("[name=take_0]")).to_be_focused()
    card.locator("[name=take_0]").fill("15")
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")


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
    type_deal(card, game.rules, a_deal())
    save(card)
    expect(card.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    assert Deal.objects.count() == 1


def test_a_double_tap_records_one_deal(card, game):
    type_deal(card, game.rules, a_deal())
    button = card.get_by_role("button", name="Save", exact=True)
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    spot = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    card.touchscreen.tap(*spot)
    card.touchscreen.tap(*spot)
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    assert list(DealVersion.objects.values_list("deal__number", "number")) == [(1, 1)]
    expect(card.locator(".standing .totals dd")).to_have_text(["25", "16"])


def test_three_presses_before_the_answer_comes_are_one_deal(card, game):
    type_deal(card, game.rules, a_deal())
    with card.expect_navigation():
        card.evaluate("for (const press of [1, 2, 3]) document.querySelector('form.deal-form [type=submit]').click()")
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    assert Deal.objects.count() == 1


def test_everything_works_without_javascript(signed_in, scorekeeper, game):
    page = opened(signed_in(scorekeeper, java_script_enabled=False, **PHONE), game)
    type_deal(page, game.rules, IMPOSSIBLE)
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("Not recorded")
    expect(page.locator("#reckoned")).to_contain_text("Impossible with a real pack")
    expect(page.locator("[name=meld_0]")).to_have_value("10")
    assert not Deal.objects.exists()

    type_deal(page, game.rules, a_deal())
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".reckoned-totals .points")).to_have_text(["+25", "+16"])
    assert not Deal.objects.exists()

    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    assert totals(page) == ["25", "16"]


def test_of_two_scorekeepers_with_the_same_deal_the_second_is_told(card, signed_in, game):
    other = opened(signed_in(make_user("sue", game.club, "scorekeeper"), **PHONE), game)
    type_deal(card, game.rules, a_deal())
    type_deal(other, game.rules, a_deal(meld=(8, 6)))
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")

    save(other)
    told = other.get_by_role("alert").first
    expect(told).to_contain_text("Not recorded: Sam recorded deal 1 before you")
    expect(told).to_contain_text("It says: Ann & Bob 25, Cal & Dee 16.")
    expect(told).to_contain_text("What you typed is kept below.")
    expect(other.locator("[name=meld_0]")).to_have_value("8")
    assert DealVersion.objects.count() == 1

    other.get_by_label("What I typed is another deal: record it as deal 2").check()
    save(other)
    expect(said(other)).to_contain_text("Deal 2 is recorded")
    assert list(DealVersion.objects.order_by("pk").values_list("deal__number", "actor")) == [(1, "Sam"), (2, "Sue")]
