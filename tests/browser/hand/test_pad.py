"""The number pad: the phone's own keyboard stays closed, figures that can't be are dimmed, real keys still work."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand.thumb import DIMMED, key
from tests.browser.hands_on import said, save

pytestmark = pytest.mark.django_db(transaction=True)

LAPTOP = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def phone(new_phone):
    """With the digits that a new phone has."""
    return new_phone


def dimmed(page):
    """The figures with which nothing goes on, in order."""
    keys = page.locator(".number-pad .is-never[data-key]").all()
    return "".join(sorted(name for one in keys if (name := one.get_attribute("data-key") or "").isdecimal()))


def test_the_pad_takes_the_place_of_the_phones_keyboard(phone, pinochle):
    modes = phone.locator("input.figure").evaluate_all("all => all.map(field => field.inputMode)")
    assert set(modes) == {"none"}
    expect(phone.get_by_role("group", name="Number pad")).to_be_visible()
    phone.get_by_text("Rarely needed").click()
    phone.get_by_label("All bids, from the dealer's left").focus()  # words are typed with the phone's own
    expect(phone.get_by_role("group", name="Number pad")).to_be_hidden()
    phone.locator("[name=bid]").focus()
    expect(phone.get_by_role("group", name="Number pad")).to_be_visible()


def test_a_laptop_has_no_pad_unless_its_window_is_as_narrow_as_a_phones_page(signed_in, scorekeeper, game_of):
    page = signed_in(scorekeeper, **LAPTOP)
    page.goto(game_of("st-hilary-v3").get_absolute_url())
    expect(page.locator("[name=bid]")).to_have_attribute("inputmode", "numeric")
    expect(page.get_by_role("group", name="Number pad")).to_have_count(0)
    page.set_viewport_size({"width": 767, "height": 844})
    page.reload()
    expect(page.get_by_role("group", name="Number pad")).to_be_visible()


def test_figures_that_no_deal_has_are_dimmed_and_can_be_pressed(phone, thumb, pinochle):
    assert dimmed(phone) == "0"  # of a bid
    thumb.tap(phone.locator("[name=take_0]"))
    assert dimmed(phone) == ""
    thumb.key("2")
    assert dimmed(phone) == "6789"  # 25 are all there are
    expect(key(phone, "6")).to_have_accessible_name("6, not possible here")
    thumb.key("6")
    expect(phone.locator("[name=take_0]")).to_have_value("26")
    thumb.key("back")
    expect(phone.locator("[name=take_0]")).to_have_value("2")
    expect(key(phone, "5")).not_to_have_class(DIMMED)


@pytest.mark.daily(1)
@pytest.mark.parametrize("slug", ["st-hilary-v3", "fletcher-two-hand"])
def test_a_meld_of_three_places_stays_in_its_box(phone, thumb, game_of, slug):
    phone.goto(game_of(slug).get_absolute_url())
    thumb.figures("20")
    assert thumb.where() == "meld_0"
    thumb.figures("15")
    assert thumb.where() == "meld_0"  # or a double run, 150
    thumb.figures("0")
    expect(phone.locator("[name=meld_0]")).to_have_value("150")
    expect(phone.locator("[name=take_0]")).to_have_value("")
    if thumb.where() == "meld_0":
        thumb.key("next")
    assert thumb.where() == "take_0"
    expect(phone.locator("[name=take_0]")).to_have_value("")


def test_next_goes_through_a_full_card_from_figure_to_figure(phone, thumb, pinochle):
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 21, "meld_0": 10, "take_0": 15, "meld_1": 6})
    thumb.tap(phone.locator("[name=bid]"))
    thumb.figures("20")
    thumb.key("next")
    assert thumb.where() == "meld_0"
    thumb.figures("12")
    thumb.key("next")
    assert thumb.where() == "take_0"
    expect(phone.locator("[name=bid]")).to_have_value("20")
    expect(phone.locator("[name=meld_0]")).to_have_value("12")
    for _box in range(3):
        thumb.key("next")
    assert thumb.where() is None
    expect(phone.get_by_role("button", name="Save", exact=True)).to_be_focused()


def test_what_the_others_took_is_filled_in(phone, thumb, pinochle):
    mine, theirs = phone.locator("[name=take_0]"), phone.locator("[name=take_1]")
    thumb.tap(mine)
    thumb.figures("15")
    expect(theirs).to_have_value("10")
    expect(phone.get_by_text("25 in all")).to_be_visible()
    thumb.tap(mine)
    thumb.figures("16")
    expect(theirs).to_have_value("9")
    thumb.tap(theirs)
    thumb.figures("10")  # as it stands on the card: the site says that it is wrong, and changes nothing
    expect(theirs).to_have_value("10")
    expect(phone.get_by_text("25 in all")).to_have_count(0)
    thumb.tap(mine)
    thumb.figures("15")
    expect(theirs).to_have_value("10")


@pytest.mark.proof
def test_nothing_is_filled_in_after_a_wrong_lay_down(phone, thumb, pinochle):
    thumb.tap(phone.locator("[name=take_0]"))
    thumb.figures("15")
    expect(phone.locator("[name=take_1]")).to_have_value("10")
    phone.get_by_text("Rarely needed").click()
    phone.locator("[name=ending]").select_option("lay-down-bid-side")
    expect(phone.locator("[name=take_1]")).to_have_value("")


def test_figures_below_zero_have_a_minus(phone, thumb, game_of):
    phone.goto(game_of("five-hundred").get_absolute_url())
    thumb.figures("-120")
    expect(phone.locator("[name=points_0]")).to_have_value("-120")
    thumb.tap(phone.locator("[name=points_1]"))
    thumb.figures("60")
    save(phone)
    expect(said(phone)).to_contain_text("Deal 1 is recorded: Ann Lee & Bob Wu −120, Cal Poe & Dee Fitzgerald 60.")


@pytest.mark.proof
@pytest.mark.parametrize("slug", ["st-hilary-v3", "three-hand-double-pinochle", "whist-drive"])
def test_no_key_moves_away_under_the_thumb(phone, game_of, slug):
    """Whatever comes to stand in the bar: what is still empty, points, problems."""
    phone.goto(game_of(slug).get_absolute_url())
    keys = (key(phone, "5"), phone.get_by_role("button", name="Save", exact=True))
    before = [one.bounding_box() for one in keys]
    first = phone.locator("form.deal-form .big-choices label").first
    if first.count():
        first.tap()
    for field in phone.locator("input.figure:visible").all():
        if field.evaluate("field => !field.closest('details')"):
            field.fill("77")
    phone.locator("input.figure:visible").first.focus()  # points in steps of five have keys of their own
    expect(phone.locator("#bar .first-problem")).to_be_visible()
    assert [one.bounding_box() for one in keys] == before


@pytest.mark.proof
def test_a_hardware_keyboard_types_on_a_phone(phone, pinochle):
    phone.locator("label[for=id_bid_side_0]").tap()
    phone.locator("[name=bid]").focus()
    for figure in ("20", "10", "15", "6"):
        phone.keyboard.type(figure)
        phone.keyboard.press("Tab")
    expect(phone.locator("[name=take_1]")).to_have_value("10")
    save(phone)
    expect(said(phone)).to_contain_text("Deal 1 is recorded: Ann Lee & Bob Wu 25, Cal Poe & Dee Fitzgerald 16.")


def test_a_correction_waits_until_a_figure_is_touched(phone, thumb, pinochle):
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
    thumb.save()
    said(phone).get_by_role("link", name="Change").click()
    expect(phone.get_by_role("heading", name="Deal 1", exact=True)).to_be_visible()
    thumb.key("5")
    expect(phone.locator("[name=bid]")).to_have_value("20")
    assert thumb.where() is None
    thumb.tap(phone.locator("[name=meld_0]"))
    thumb.figures("12")
    expect(phone.locator("[name=meld_0]")).to_have_value("12")


@pytest.mark.daily(1)
@pytest.mark.parametrize(("height", "stands"), [(640, False), (844, True)])
def test_on_a_short_screen_the_keys_come_when_a_figure_is_touched(phone, thumb, pinochle, height, stands):
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
    thumb.save()
    phone.set_viewport_size({"width": 360, "height": height})
    said(phone).get_by_role("link", name="Change").click()
    expect(phone.get_by_role("button", name="Save the correction")).to_be_in_viewport(ratio=1)
    expect(phone.locator(".number-pad")).to_be_visible(visible=stands)
    phone.wait_for_function(
        "() => document.querySelector('[name=take_0]').getBoundingClientRect().bottom <= "
        "document.querySelector('.dock').getBoundingClientRect().top"
    )
    phone.locator("[name=meld_0]").tap()
    thumb.figures("12")
    expect(phone.locator("[name=meld_0]")).to_have_value("12")
    expect(phone.locator("[name=meld_0]")).to_be_in_viewport(ratio=1)
    phone.locator("#id_reason").tap()
    expect(phone.locator(".number-pad")).to_be_hidden()


def test_a_deal_is_entered_with_the_keyboard_alone(signed_in, scorekeeper, game_of):
    page = signed_in(scorekeeper, **LAPTOP)
    page.goto(game_of("st-hilary-v3").get_absolute_url())

    def until(selector):
        for _press in range(40):
            page.keyboard.press("Tab")
            if page.locator(selector).evaluate("field => field === document.activeElement"):
                return
        raise AssertionError(f"Tab never comes to {selector}")

    until("#id_bid_side_0")
    page.keyboard.press("Space")
    for name, figure in {"bid": "20", "meld_0": "10", "take_0": "15", "meld_1": "6"}.items():
        until(f"[name={name}]")
        page.keyboard.type(figure)
    expect(page.locator("#bar .points")).to_have_text(["+25", "+16"])
    until(".bar [type=submit].btn-primary")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(said(page)).to_contain_text("Deal 1 is recorded: Ann Lee & Bob Wu 25, Cal Poe & Dee Fitzgerald 16.")


COVERED = """() => {
  const field = document.activeElement, dock = document.querySelector(".dock");
  const [box, bar] = [field, dock].map((one) => one.getBoundingClientRect());
  const form = field.closest(".deal-form");
  const over = form && !dock.contains(field) && box.top < bar.bottom && box.bottom > bar.top;
  return over ? field.name || field.textContent : "";
}"""
"""Which control has the focus under the bar; "" for none."""


def test_the_bar_of_a_laptop_covers_nothing_that_has_the_focus(signed_in, scorekeeper, game_of):
    page = signed_in(scorekeeper, **LAPTOP)
    page.goto(game_of("canasta").get_absolute_url())
    page.locator("label[for=id_out_0]").click()
    for figure in page.locator("input.figure:visible").all():
        figure.fill("0")
    page.evaluate("scrollTo(0, 0)")
    last = page.locator("[name=red_threes_missed_1]")
    last.focus()
    last.press_sequentially("9")
    expect(page.locator("#bar .first-problem")).to_be_visible()  # the bar has grown
    page.wait_for_function(f"() => !({COVERED})()")
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    for _press in range(60):
        page.keyboard.press("Tab")
        page.wait_for_function(f"() => !({COVERED})()")  # it is scrolled in the next frame
