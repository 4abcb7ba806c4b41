"""Melds tapped as pictures of cards, and that every family's form can be read by everybody at both depths."""

from contextlib import suppress

import pytest
from playwright.sync_api import expect

from scoring.models import DealVersion
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import said, save
from tests.browser.test_accessible import stands_well
from tests.examples import as_proof

pytestmark = pytest.mark.django_db(transaction=True)

FAMILIES = (
    "st-hilary-v3",
    "three-hand-double-pinochle",
    "fletcher-two-hand",
    "hand-and-foot",
    "canasta",
    "whist-drive",
)


def picture(page, player, label):
    of_player = page.get_by_role("group", name=player, exact=True)
    return of_player.locator(".picture").filter(has=page.get_by_text(label, exact=True))


def tap_until(button, field, *, figure):
    """Touch a button once, and again where the browser took the touch for a swipe, since the page still moved."""
    button.tap()
    for _again in range(2):
        with suppress(AssertionError):
            expect(field).to_have_value(str(figure), timeout=5_000)
            return
        button.tap()
    expect(field).to_have_value(str(figure))


def rest_of_the_deal(page):
    page.locator("label[for=id_bid_side_0]").click()
    page.locator("[name=bid]").fill("30")
    page.locator("[name=take_0]").fill("15")
    page.locator("[name=take_1]").fill("10")
    save(page)
    expect(said(page)).to_contain_text("is recorded")


def test_pictures_and_typed_numbers_make_the_same_deal(phone, game_of):
    phone.goto(game_of("st-hilary-v3").get_absolute_url())
    phone.get_by_text("Count the melds for me").tap()
    phone.get_by_text("Hearts", exact=True).tap()
    runs, hearts = picture(phone, "Ann Lee", "Runs"), picture(phone, "Bob Wu", "Marriages, hearts")
    pinochles = picture(phone, "Cal Poe", "Pinochles")
    for laid, count in ((runs, 1), (runs, 2), (hearts, 1), (pinochles, 1)):
        tap_until(laid.locator(".step-more"), laid.locator("input"), figure=count)
    expect(runs.get_by_text("Double run")).to_be_visible()
    expect(hearts.get_by_text("royal: in trump")).to_be_visible()
    expect(pinochles.get_by_text("Double pinochle")).to_be_hidden()
    tap_until(runs.get_by_label("One less"), runs.locator("input"), figure=1)
    expect(runs.get_by_text("Double run")).to_be_hidden()
    rest_of_the_deal(phone)

    phone.get_by_text("Count the melds for me").tap()
    phone.get_by_text("Hearts", exact=True).tap()
    for field in ("counted_0_run", "counted_1_hearts", "counted_2_pinochle"):
        phone.locator(f"[name={field}]").fill("1")
    rest_of_the_deal(phone)
    tapped, typed = DealVersion.objects.order_by("deal__number")
    assert tapped.facts == typed.facts
    assert tapped.facts["counted"][0]["melds"][0]["kind"] == "run"


def test_melds_laid_one_by_one_are_tapped_in_their_order(phone, game_of):
    phone.goto(game_of("fletcher-two-hand").get_absolute_url())
    phone.get_by_text("Write down the melds one by one").tap()
    ann = phone.get_by_role("group", name="Ann Lee", exact=True).filter(has=phone.locator(".palette"))
    for name in ("Royal marriage", "Run", "Pinochle"):
        ann.get_by_role("button", name=name, exact=True).tap()
    ann.get_by_role("button", name="Remove the last one").tap()
    places = ann.locator("select").evaluate_all("all => all.map(field => field.value)")
    assert places[:3] == ["royal-marriage", "run", ""]
    expect(phone.get_by_label("One more")).to_have_count(0)


def depths(page):
    """The form as it opens, then with everything unfolded, and the bar where it ends: what just happens to lie under it
    isn't too small to be touched."""
    yield "card"
    page.evaluate("document.querySelector('.dock').style.position = 'static'")
    page.evaluate("document.querySelectorAll('form.deal-form details').forEach(fold => { fold.open = true })")
    yield "counted"


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("slug", "scheme"),
    [
        pair if turn % 2 == 0 else as_proof(pair)  # the first in light, the second in dark and so on
        for number, slug in enumerate(FAMILIES)
        for turn, pair in ((number, (slug, "light")), (number + 1, (slug, "dark")))
    ],
)
def test_every_familys_form_is_for_everybody(signed_in, scorekeeper, game_of, slug, scheme):
    page = signed_in(scorekeeper, color_scheme=scheme, **PHONE)
    page.goto(game_of(slug).get_absolute_url())
    for _depth in depths(page):
        stands_well(page)
