"""The number pad: the phone's own keyboard stays closed, figures that can't be are dimmed, real keys still work."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from clubsite.accounts.models import User
from scoring.models import Deal, DealVersion, Game
from tests.browser.conftest import SignIn
from tests.browser.hand.conftest import GameOf
from tests.browser.hand.thumb import PHONE, Thumb
from tests.browser.hands_on import overflow, said, save

pytestmark = pytest.mark.django_db(transaction=True)

DIMMED = re.compile(r"\bis-never\b")
LAPTOP = {"viewport": {"width": 1366, "height": 768}}


@pytest.fixture
def pinochle(phone: Page, game_of: GameOf) -> Game:
    """A game of the parish, its card open on the phone."""
    game = game_of("st-hilary-v3")
    phone.goto(game.get_absolute_url())
    return game


def key(page: Page, name: str) -> Locator:
    return page.locator(f".number-pad [data-key='{name}']")


def dimmed(page: Page) -> str:
    """The figures with which nothing goes on, in order."""
    keys = page.locator(".number-pad .is-never[data-key]").all()
    return "".join(sorted(name for one in keys if (name := one.get_attribute("data-key") or "").isdecimal()))


def test_the_pad_takes_the_place_of_the_phones_keyboard(phone: Page, pinochle: Game) -> None:
    modes = phone.locator("input.figure").evaluate_all("all => all.map(field => field.inputMode)")
    assert set(modes) == {"none"}
    expect(phone.get_by_role("group", name="Number pad")).to_be_visible()
    phone.get_by_text("Rarely needed").click()
    phone.get_by_label("All bids, from the dealer's left").focus()  # words are typed with the phone's own
    expect(phone.get_by_role("group", name="Number pad")).to_be_hidden()
    phone.locator("[name=bid]").focus()
    expect(phone.get_by_role("group", name="Number pad")).to_be_visible()


def test_a_laptop_has_no_pad(signed_in: SignIn, scorekeeper: User, game_of: GameOf) -> None:
    page = signed_in(scorekeeper, **LAPTOP)
    page.goto(game_of("st-hilary-v3").get_absolute_url())
    expect(page.locator("[name=bid]")).to_have_attribute("inputmode", "numeric")
    expect(page.get_by_role("group", name="Number pad")).to_have_count(0)


def test_figures_that_no_deal_has_are_dimmed_and_can_be_pressed(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    assert dimmed(phone) == "0"  # of a bid
    thumb.tap(phone.locator("[name=take_0]"))
    assert dimmed(phone) == ""
    thumb.key("2")
    assert dimmed(phone) == "6789"  # 25 are all there are
    expect(key(phone, "6")).to_have_accessible_name("6, no figure goes on so")
    thumb.key("6")
    expect(phone.locator("[name=take_0]")).to_have_value("26")
    thumb.key("back")
    expect(phone.locator("[name=take_0]")).to_have_value("2")
    expect(key(phone, "5")).not_to_have_class(DIMMED)


def test_the_pad_goes_on_when_no_longer_figure_is_usual(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.figures("20")  # nobody has touched the field: it is the first that is empty
    assert thumb.where() == "meld_0"
    thumb.figures("6")  # or 60 to 69
    assert thumb.where() == "meld_0"
    thumb.key("next")
    thumb.figures("9")  # 90 can't be taken
    assert thumb.where() == "meld_1"
    thumb.tap(phone.locator("[name=meld_0]"))  # who goes back means this figure, however rare it is
    thumb.figures("112")
    expect(phone.locator("[name=meld_0]")).to_have_value("112")


def test_who_presses_next_after_each_figure_skips_no_box(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    """Whether the pad has moved on by itself or waits, Next after a figure means the box after it."""
    thumb.choose("bid_side", 0)
    fields = {"bid": "20", "meld_0": "6", "take_0": "15", "meld_1": "4"}
    for name, value in fields.items():
        assert thumb.where() == name
        thumb.figures(value)
        thumb.key("next")
    for name, value in fields.items():
        expect(phone.locator(f"[name={name}]")).to_have_value(value)
    expect(phone.locator("[name=take_1]")).to_have_value("10")


def test_next_pressed_twice_leaves_a_box_empty(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.figures("20")
    thumb.key("next")
    assert thumb.where() == "meld_0"
    thumb.key("next")
    assert thumb.where() == "take_0"
    thumb.key("next")  # here the pad has not moved by itself
    assert thumb.where() == "meld_1"


def test_next_goes_through_a_full_card_from_figure_to_figure(phone: Page, thumb: Thumb, pinochle: Game) -> None:
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


def test_keys_change_nothing_once_every_figure_is_there(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
    thumb.key("next")
    assert thumb.where() is None
    assert dimmed(phone) == "0123456789"
    thumb.figures("10")
    for name, value in {"bid": "20", "meld_0": "10", "take_0": "15", "meld_1": "6", "take_1": "10"}.items():
        expect(phone.locator(f"[name={name}]")).to_have_value(value)


def test_what_the_others_took_is_filled_in(phone: Page, thumb: Thumb, pinochle: Game) -> None:
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


def test_nothing_is_filled_in_after_a_wrong_lay_down(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.tap(phone.locator("[name=take_0]"))
    thumb.figures("15")
    expect(phone.locator("[name=take_1]")).to_have_value("10")
    phone.get_by_text("Rarely needed").click()
    phone.locator("[name=ending]").select_option("lay-down-bid-side")
    expect(phone.locator("[name=take_1]")).to_have_value("")


def test_figures_below_nought_have_a_minus(phone: Page, thumb: Thumb, game_of: GameOf) -> None:
    phone.goto(game_of("five-hundred").get_absolute_url())
    thumb.figures("-120")
    expect(phone.locator("[name=points_0]")).to_have_value("-120")
    thumb.tap(phone.locator("[name=points_1]"))
    thumb.figures("60")
    save(phone)
    expect(said(phone)).to_contain_text("Deal 1 is recorded: Ann Lee & Bob Wu −120, Cal Poe & Dee Fitzgerald 60.")


@pytest.mark.parametrize("slug", ["st-hilary-v3", "three-hand-double-pinochle", "whist-drive"])
def test_no_key_moves_away_under_the_thumb(phone: Page, game_of: GameOf, slug: str) -> None:
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


def test_a_hardware_keyboard_types_on_a_phone(phone: Page, pinochle: Game) -> None:
    phone.locator("label[for=id_bid_side_0]").tap()
    phone.locator("[name=bid]").focus()
    for figure in ("20", "10", "15", "6"):
        phone.keyboard.type(figure)
        phone.keyboard.press("Tab")
    expect(phone.locator("[name=take_1]")).to_have_value("10")
    save(phone)
    expect(said(phone)).to_contain_text("Deal 1 is recorded: Ann Lee & Bob Wu 25, Cal Poe & Dee Fitzgerald 16.")


def test_piles_are_stepped_with_plus_and_minus(phone: Page, thumb: Thumb, game_of: GameOf) -> None:
    phone.goto(game_of("hand-and-foot").get_absolute_url())
    piles = phone.locator("[name=clean_0]")
    more, less = piles.locator("xpath=..").get_by_label("One more"), piles.locator("xpath=..").get_by_label("One less")
    for _touch in range(3):
        thumb.tap(more)
    expect(piles).to_have_value("3")
    thumb.tap(less)
    expect(piles).to_have_value("2")
    expect(more).to_have_accessible_description("Clean piles")
    piles.focus()
    phone.keyboard.press("ArrowUp")
    expect(piles).to_have_value("3")
    for _touch in range(4):
        thumb.tap(less)
    expect(piles).to_have_value("")
    expect(less).to_have_class(DIMMED)
    for button in (more, less):
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44


@pytest.fixture
def piles(phone: Page, game_of: GameOf) -> Game:
    """A game of Hand and Foot, its card open on the phone; the first side went out."""
    game = game_of("hand-and-foot")
    phone.goto(game.get_absolute_url())
    phone.locator("label[for=id_out_0]").tap()
    return game


def test_two_counts_are_told_in_one_touch(phone: Page, thumb: Thumb, piles: Game) -> None:
    clean, dirty = phone.locator("[name=clean_0]"), phone.locator("[name=dirty_0]")
    expect(phone.locator(".number-pad .asked")).to_have_text("Ann Lee & Bob Wu Clean piles · Dirty piles")
    expect(key(phone, "4&2")).to_have_accessible_name(
        "Clean piles, Ann Lee & Bob Wu: 4; Dirty piles, Ann Lee & Bob Wu: 2"
    )
    thumb.key("4&2")
    expect(clean).to_have_value("4")
    expect(dirty).to_have_value("2")
    expect(phone.locator("form.deal-form [aria-live]")).to_contain_text("Dirty piles, Ann Lee & Bob Wu: 2")
    assert thumb.where() == "wild_0"
    for spot in ("[name=wild_0]", "[name=red_threes_0]"):
        expect(phone.locator(spot)).to_be_in_viewport(ratio=1)
    thumb.tap(clean)  # who goes back sees what stands there, and touches what is right
    expect(key(phone, "4&2")).to_have_attribute("aria-pressed", "true")
    expect(key(phone, "5&2")).to_have_attribute("aria-pressed", "false")
    thumb.key("5&2")
    expect(clean).to_have_value("5")
    thumb.tap(dirty)  # alone
    thumb.figures("3")
    expect(dirty).to_have_value("3")
    thumb.tap(clean)
    thumb.key("back")
    for field in (clean, dirty):
        expect(field).to_have_value("")


def test_a_count_without_a_key_for_two_is_told_alone(phone: Page, thumb: Thumb, piles: Game) -> None:
    thumb.key("10&")
    expect(phone.locator("[name=clean_0]")).to_have_value("10")
    assert thumb.where() == "dirty_0"
    thumb.figures("1")
    assert thumb.where() == "wild_0"
    thumb.key("&8")  # red threes: the wild piles are asked after them
    expect(phone.locator("[name=red_threes_0]")).to_have_value("8")
    assert thumb.where() == "wild_0"
    thumb.figures("2")
    assert thumb.where() == "melded_0"


def test_who_would_rather_type_each_count_does(phone: Page, thumb: Thumb, piles: Game) -> None:
    thumb.key("face")
    expect(key(phone, "4&2")).to_be_hidden()
    thumb.figures("4")
    assert thumb.where() == "dirty_0"
    thumb.figures("2")
    phone.reload()  # it is remembered
    phone.locator("[name=clean_1]").tap()
    expect(key(phone, "4&2")).to_be_hidden()
    thumb.figures("3")
    assert thumb.where() == "dirty_1"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (320, 640), (768, 1024)])
def test_keys_for_two_counts_are_large_enough_and_none_lies_outside(
    phone: Page, piles: Game, width: int, height: int
) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    phone.reload()
    phone.locator("label[for=id_out_1]").tap()
    for spot in ("[name=clean_0]", "[name=dirty_0]", ".bar [type=submit]"):
        expect(phone.locator(spot).first).to_be_in_viewport(ratio=1)
    form = phone.locator("form.deal-form").bounding_box()
    assert form
    for name in ("clean_0", "left_0"):
        phone.locator(f"[name={name}]").tap()
        boxes = [one.bounding_box() for one in phone.locator(".number-pad .key:visible").all()]
        assert len(boxes) > 40
        for box in boxes:
            assert box
            assert min(box["width"], box["height"]) >= (44 if height > 800 else 36)
            assert box["x"] >= max(0, form["x"] - 12)
            assert box["x"] + box["width"] <= min(width, form["x"] + form["width"] + 12)
            assert box["y"] + box["height"] <= height


@pytest.mark.parametrize(("width", "height"), [(320, 568), (260, 563)])
def test_keys_for_points_fit_a_narrow_or_enlarged_page(phone: Page, piles: Game, width: int, height: int) -> None:
    phone.set_viewport_size({"width": width, "height": height})
    phone.reload()
    phone.locator("[name=melded_0]").tap()
    for spot in (".bar .btn-primary", ".number-pad [data-key=next]", "[name=melded_0]"):
        expect(phone.locator(spot)).to_be_in_viewport(ratio=1)
    assert overflow(phone) == 0


def test_the_many_keys_go_when_nothing_is_left_to_fill_in(phone: Page, thumb: Thumb, piles: Game) -> None:
    for side in range(2):
        for name in ("clean", "dirty", "wild", "red_threes"):
            phone.locator(f"[name={name}_{side}]").fill("1")
        for name in ("melded", "left")[: 2 - side]:
            phone.locator(f"[name={name}_{side}]").fill("500")
    phone.locator("[name=left_1]").tap()
    thumb.figures("120")
    expect(phone.locator("#bar .points")).to_have_count(2)  # the server has reckoned this deal
    dock = phone.locator(".dock").bounding_box()
    assert dock
    assert dock["height"] < 844 / 2
    expect(phone.locator("[name=left_1]")).to_be_in_viewport(ratio=1)


def test_the_bar_stays_at_the_windows_edge_when_the_many_keys_go(phone: Page, thumb: Thumb, piles: Game) -> None:
    for side, keys in enumerate((("4&2", "1&4"), ("4&2", "0&4"))):
        for both in keys:
            thumb.key(both)
        thumb.figures(1045 - 100 * side)
        thumb.figures(30)
    assert thumb.where() is None
    expect(phone.locator("#bar .points")).to_have_count(2)
    bottom = "dock => dock.getBoundingClientRect().bottom"
    assert phone.locator(".dock").evaluate(bottom) == pytest.approx(844, abs=1)
    expect(phone.locator("[name=left_1]")).to_be_in_viewport(ratio=1)


def test_a_phone_turned_on_its_side_asks_count_by_count(phone: Page, thumb: Thumb, piles: Game) -> None:
    phone.set_viewport_size({"width": 844, "height": 390})  # the fields would have no room above so many keys
    expect(key(phone, "4&2")).to_be_hidden()
    thumb.figures("4")
    assert thumb.where() == "dirty_0"
    thumb.figures("2")
    phone.set_viewport_size({"width": 390, "height": 844})
    thumb.key("1&3")
    assert thumb.where() == "melded_0"


def test_nothing_that_was_typed_is_changed_after_a_refusal_but_what_is_touched(
    phone: Page, thumb: Thumb, piles: Game
) -> None:
    thumb.key("4&2")
    thumb.key("1&4")
    thumb.figures("1045")
    thumb.figures("30")
    thumb.key("4&2")
    thumb.key("0&4")
    thumb.figures("945")
    phone.locator("[name=left_1]").fill("7")  # no card is worth that
    thumb.save()
    expect(phone.locator("#refused")).to_be_visible()
    typed = "all => all.map(field => [field.name, field.value])"
    before = dict(phone.locator("input.figure").evaluate_all(typed))
    assert thumb.where() == "left_1"
    thumb.figures("60")
    assert dict(phone.locator("input.figure").evaluate_all(typed)) == before | {"left_1": "60"}


def test_the_last_figure_can_be_taken_back_and_typed_anew(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
    thumb.key("next")  # of 6 the pad can't know the end; nothing waits after it
    last = phone.locator("[name=meld_1]")
    thumb.key("back")
    expect(last).to_have_value("")
    thumb.figures("7")
    expect(last).to_have_value("7")


def test_back_in_an_empty_box_takes_back_the_figure_before_it(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.figures("21")  # for 20; the pad has moved on
    assert thumb.where() == "meld_0"
    expect(key(phone, "back")).not_to_have_class(DIMMED)
    thumb.key("back")
    assert thumb.where() == "bid"
    expect(phone.locator("[name=bid]")).to_have_value("2")
    thumb.figures("0")
    expect(phone.locator("[name=bid]")).to_have_value("20")
    assert thumb.where() == "meld_0"


def test_back_takes_back_two_counts_that_were_told_in_one_touch(phone: Page, thumb: Thumb, piles: Game) -> None:
    thumb.key("5&2")
    thumb.key("back")
    for name in ("clean_0", "dirty_0"):
        expect(phone.locator(f"[name={name}]")).to_have_value("")
    thumb.key("4&2")
    expect(phone.locator("[name=clean_0]")).to_have_value("4")
    assert thumb.where() == "wild_0"


def test_keys_go_to_the_figure_that_was_stepped_last(phone: Page, thumb: Thumb, piles: Game) -> None:
    thumb.key("4&2")
    wild = phone.locator("[name=wild_0]")
    thumb.tap(wild.locator("xpath=..").get_by_label("One more"))
    expect(wild).to_have_value("1")
    thumb.key("0")  # in its place, not after it: ten wild piles are rare
    expect(wild).to_have_value("0")
    for name in ("red_threes_0", "clean_1", "dirty_1", "wild_1", "red_threes_1"):
        phone.locator(f"[name={name}]").fill("1")
    for name in ("melded_0", "left_0", "melded_1", "left_1"):
        phone.locator(f"[name={name}]").fill("485")
    missed = phone.locator("[name=red_threes_missed_1]")
    missed.locator("xpath=..").get_by_label("One more").tap()
    assert thumb.where() == "red_threes_missed_1"
    expect(phone.locator("[name=left_1]")).to_have_value("485")


def test_a_correction_waits_until_a_figure_is_touched(phone: Page, thumb: Thumb, pinochle: Game) -> None:
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


@pytest.mark.parametrize(("height", "stands"), [(640, False), (844, True)])
def test_on_a_short_screen_the_keys_come_when_a_figure_is_touched(
    phone: Page, thumb: Thumb, pinochle: Game, height: int, stands: bool
) -> None:
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


def test_a_deal_is_entered_with_the_keyboard_alone(signed_in: SignIn, scorekeeper: User, game_of: GameOf) -> None:
    page = signed_in(scorekeeper, **LAPTOP)
    page.goto(game_of("st-hilary-v3").get_absolute_url())

    def until(selector: str) -> None:
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


def test_two_touches_on_save_record_once(phone: Page, thumb: Thumb, pinochle: Game) -> None:
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
    button = phone.get_by_role("button", name="Save", exact=True)
    box = button.bounding_box()
    assert box
    for _touch in range(2):
        phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(said(phone)).to_contain_text("Deal 1 is recorded")
    assert list(DealVersion.objects.values_list("deal__number", "number")) == [(1, 1)]


def test_without_javascript_there_are_plain_inputs(signed_in: SignIn, scorekeeper: User, game_of: GameOf) -> None:
    page = signed_in(scorekeeper, java_script_enabled=False, **PHONE)
    page.goto(game_of("hand-and-foot").get_absolute_url())
    expect(page.locator("[name=clean_0]")).to_have_attribute("inputmode", "numeric")
    expect(page.locator(".number-pad, .step")).to_have_count(0)
    page.locator("label[for=id_out_0]").click()
    for name, figure in {"clean": 2, "dirty": 2, "wild": 1, "melded": 700, "left": 20}.items():
        page.locator(f"[name={name}_0]").fill(str(figure))
    page.locator("[name=melded_1]").fill("0")
    page.locator("[name=left_1]").fill("300")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#bar .points")).to_have_count(2)
    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    assert Deal.objects.count() == 1


def test_a_problem_in_words_does_not_cover_the_figure_that_is_asked(phone: Page, thumb: Thumb, piles: Game) -> None:
    for both in ("4&2", "1&4"):
        thumb.key(both)
    thumb.figures("1045")
    thumb.figures("30")
    for both in ("4&2", "0&4"):
        thumb.key(both)
    thumb.figures("45")  # the first meld needs 50
    phone.locator("[name=left_1]").fill("7")
    expect(phone.locator("#bar .first-problem")).to_be_visible()
    expect(phone.locator("[name=left_1]")).to_be_focused()
    phone.wait_for_function(
        "() => document.activeElement.getBoundingClientRect().bottom <= "
        "document.querySelector('.dock').getBoundingClientRect().top"
    )
