"""A deal that was refused, on a phone: the page and the keys are at the same problem."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.proof
def test_the_keys_are_for_no_figure_while_the_page_asks_who_went_out(phone, thumb, game_of):
    phone.goto(game_of("hand-and-foot").get_absolute_url())
    phone.locator("label[for=id_out_0]").tap()
    for both in ("1&0", "0&4"):  # too few piles to go out
        thumb.key(both)
    thumb.figures("1045")
    thumb.figures("0")
    for both in ("1&0", "0&4"):
        thumb.key(both)
    for figure in ("945", "0"):
        thumb.figures(figure)
    thumb.save()
    expect(phone.locator("#refused")).to_be_visible()
    typed = "() => [...document.querySelectorAll('input.figure')].map((field) => field.value)"
    before = phone.evaluate(typed)
    assert thumb.where() is None
    thumb.key("5")
    assert phone.evaluate(typed) == before
    phone.locator("[name=clean_0]").tap()  # whoever touches a figure has the keys as always
    assert thumb.where() == "clean_0"


def test_the_figure_that_is_wrong_is_in_sight_above_the_keys(phone, thumb, game_of):
    phone.set_viewport_size({"width": 390, "height": 740})
    phone.goto(game_of("hand-and-foot").get_absolute_url())
    phone.locator("label[for=id_out_2]").tap()
    for side in range(2):
        for name in ("clean", "dirty", "wild", "red_threes", "melded"):
            phone.locator(f"[name={name}_{side}]").fill("0")
        phone.locator(f"[name=left_{side}]").fill("0")
    phone.locator("[name=left_0]").fill("600")
    thumb.save()
    expect(phone.locator("#refused")).to_be_attached()
    assert thumb.where() == "left_1"
    expect(phone.locator("[name=left_1]")).to_be_in_viewport(ratio=1)
    phone.wait_for_function(
        "() => document.querySelector('.is-next').getBoundingClientRect().bottom <= "
        "document.querySelector('.dock').getBoundingClientRect().top"
    )
