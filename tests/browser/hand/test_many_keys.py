"""Many keys at once, as in Hand and Foot: two counts in one touch, points by their hundreds, plus and minus."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand.thumb import DIMMED, Thumb, key
from tests.browser.hands_on import overflow, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_piles_are_stepped_with_plus_and_minus(phone, thumb, game_of):
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
        assert min(box["width"], box["height"]) >= 44


DRAFT = """async () => (await (await idb.openDB("nine-tables", 1)).getAll("drafts")).flatMap((draft) => draft.fields)
    .filter(([name, value]) => value && document.querySelector(`input.figure[name="${name}"]`))"""
TYPED = """() => [...document.querySelectorAll("input.figure")].filter((field) => field.value)
    .map((field) => [field.name, field.value])"""
"""The figures that this phone has kept of what is typed, and those that stand there."""


@pytest.fixture
def piles(phone, game_of):
    """A game of Hand and Foot, its card open on the phone; the first side went out."""
    game = game_of("hand-and-foot")
    phone.goto(game.get_absolute_url())
    phone.locator("label[for=id_out_0]").tap()
    return game


KEYS = """() => [document.querySelector(".is-next")?.name, ...[...document.querySelectorAll(".number-pad .key")]
    .filter((key) => key.checkVisibility()).map((key) => `${key.dataset.key} ${key.classList.contains("is-never")}`)]"""
"""What the keys are for, and how they stand."""


def test_the_keys_stand_as_they_did_after_the_page_is_loaded_again(phone, thumb, piles):
    def loaded_again():
        before = phone.evaluate(KEYS)
        wait_until(phone, lambda: phone.evaluate(DRAFT) == phone.evaluate(TYPED), "what was typed to be kept")
        phone.reload()
        expect(phone.get_by_text("What you typed before is here again.")).to_be_visible()
        assert phone.evaluate(KEYS) == before

    loaded_again()  # two counts in one touch
    thumb.key("4&2")
    thumb.key("1&4")
    loaded_again()  # hundreds
    expect(phone.locator("[name=melded_0]")).to_be_in_viewport(ratio=1)
    thumb.key("~1000")
    loaded_again()  # a figure of which only the hundreds are there
    thumb.key("=1045")
    loaded_again()  # many points, each with a key
    thumb.key("~400")
    loaded_again()
    assert thumb.where() == "left_0"
    thumb.key("=430")
    for name in ("clean_1", "dirty_1", "wild_1", "red_threes_1", "melded_1"):
        phone.locator(f"[name={name}]").fill("0")
    phone.locator("[name=left_1]").tap()
    thumb.figures(120)
    loaded_again()  # every figure is there: none but Back, for the last one
    thumb.key("back")
    expect(phone.locator("[name=left_1]")).to_have_value("")


def test_two_counts_are_told_in_one_touch(phone, thumb, piles):
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


@pytest.mark.proof
def test_a_count_without_a_key_for_two_is_told_alone(phone, thumb, piles):
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


def test_a_new_phone_has_digits_until_somebody_asks_for_fewer_touches(new_phone, game_of):
    new_phone.goto(game_of("hand-and-foot").get_absolute_url())
    thumb = Thumb(new_phone)
    thumb.choose("out", 0)
    thumb.tap(new_phone.locator("[name=clean_0]"))
    expect(key(new_phone, "4&2")).to_be_hidden()
    expect(new_phone.get_by_label("One more").first).to_be_visible()
    assert new_phone.locator(".number-pad .key:visible").count() < 15
    thumb.key("face")
    expect(key(new_phone, "4&2")).to_be_visible()
    new_phone.reload()  # it is remembered
    new_phone.locator("[name=clean_1]").tap()
    expect(key(new_phone, "4&2")).to_be_visible()


@pytest.mark.daily(1)
@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 740), (320, 640), (768, 1024)])
def test_keys_for_two_counts_are_large_enough_and_none_lies_outside(phone, piles, width, height):
    phone.set_viewport_size({"width": width, "height": height})
    phone.reload()
    phone.locator("label[for=id_out_1]").tap()
    for spot in ("[name=clean_0]", "[name=dirty_0]", ".bar [type=submit]"):
        expect(phone.locator(spot).first).to_be_in_viewport(ratio=1)
    form = phone.locator("form.deal-form").bounding_box()
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


@pytest.mark.proof
@pytest.mark.parametrize(("width", "height"), [(320, 568), (260, 563)])
def test_keys_for_points_fit_a_narrow_or_enlarged_page(phone, piles, width, height):
    phone.set_viewport_size({"width": width, "height": height})
    phone.reload()
    phone.locator("[name=melded_0]").tap()
    for spot in (".bar .btn-primary", ".number-pad [data-key=next]", "[name=melded_0]"):
        expect(phone.locator(spot)).to_be_in_viewport(ratio=1)
    assert overflow(phone) == 0


@pytest.mark.proof
def test_the_many_keys_go_when_nothing_is_left_to_fill_in(phone, thumb, piles):
    for side in range(2):
        for name in ("clean", "dirty", "wild", "red_threes"):
            phone.locator(f"[name={name}_{side}]").fill("1")
        for name in ("melded", "left")[: 2 - side]:
            phone.locator(f"[name={name}_{side}]").fill("500")
    phone.locator("[name=left_1]").tap()
    thumb.figures("120")
    expect(phone.locator("#bar .points")).to_have_count(2)  # the server has scored this deal
    dock = phone.locator(".dock").bounding_box()
    assert dock["height"] < 844 / 2
    expect(phone.locator("[name=left_1]")).to_be_in_viewport(ratio=1)


def test_nothing_that_was_typed_is_changed_after_a_refusal_but_what_is_touched(phone, thumb, piles):
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


@pytest.mark.proof
def test_keys_go_to_the_figure_that_was_stepped_last(phone, thumb, piles):
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


@pytest.mark.proof
def test_a_problem_in_words_does_not_cover_the_figure_that_is_asked(phone, thumb, piles):
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


@pytest.mark.proof
def test_points_left_are_no_fewer_than_the_cards_that_are_still_held(phone, thumb, piles):
    """The first side went out: one of its two holds a card, and both of the others."""
    for side, least in ((0, 5), (1, 10)):
        phone.locator(f"[name=left_{side}]").tap()
        for figure in (0, 5, 10):
            dimmed = expect(key(phone, f"={figure}"))
            (dimmed.to_have_class if figure < least else dimmed.not_to_have_class)(DIMMED)
    phone.locator("[name=red_threes_missed_1]").fill("2")  # these may be the cards that they hold
    phone.locator("[name=left_1]").tap()
    expect(key(phone, "=0")).not_to_have_class(DIMMED)
    phone.locator("label[for=id_out_1]").tap()
    phone.locator("[name=left_0]").tap()
    expect(key(phone, "=5")).to_have_class(DIMMED)
