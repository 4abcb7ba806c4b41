"""Somebody has touched a figure, or typed in it, before the scripts of the card have come."""

from uuid import uuid4

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from scoring.cards.deals import record_deal
from scoring.families.deal_form import EnteredDeal
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import LateScript
from tests.scoring.conftest import a_deal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.daily(1)
@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "laptop"])
def test_a_count_is_typed_on_while_its_plus_and_minus_come(signed_in, scorekeeper, game_of, options):
    page = signed_in(scorekeeper, **options)
    script = LateScript(page, "hand")
    page.goto(game_of("hand-and-foot").get_absolute_url(), wait_until="commit")
    count = page.locator("[name=clean_0]")
    count.click()
    page.keyboard.type("1")
    script.comes()
    expect(page.get_by_role("button", name="One more").first).to_be_visible()
    page.keyboard.type("2")
    expect(count).to_have_value("12")


@pytest.mark.daily(1)
@pytest.mark.parametrize(("typed", "stands"), [("", "2"), ("1", "12")])
def test_the_keys_are_for_the_figure_that_was_touched_before_they_came(phone, thumb, game_of, typed, stands):
    script = LateScript(phone, "pad/view")
    phone.goto(game_of("st-hilary-v3").get_absolute_url(), wait_until="commit")
    meld = phone.locator("[name=meld_0]")
    meld.tap()
    phone.keyboard.type(typed)
    script.comes()
    assert thumb.where() == "meld_0"
    thumb.key("2")
    expect(meld).to_have_value(stands)


@pytest.mark.proof
def test_in_a_correction_a_figure_touched_before_the_keys_came_is_typed_anew(phone, thumb, actor, game_of):
    game = game_of("st-hilary-v3")
    record_deal(game=game, number=1, entered=EnteredDeal(a_deal()), by=actor, submission=uuid4())
    script = LateScript(phone, "pad/view")
    phone.goto(reverse("deal", args=[game.club.slug, game.deals.get().pk]), wait_until="commit")
    meld = phone.locator("[name=meld_0]")
    meld.tap()
    script.comes()
    thumb.figures("12")
    expect(meld).to_have_value("12")


@pytest.mark.proof
def test_the_keys_stay_at_their_figure_when_the_page_is_loaded_to_its_end_late(phone, thumb, game_of):
    """As with a picture that takes its time."""
    phone.goto(game_of("st-hilary-v3").get_absolute_url())
    thumb.key("2")
    phone.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")
    thumb.key("0")
    expect(phone.locator("[name=bid]")).to_have_value("20")
