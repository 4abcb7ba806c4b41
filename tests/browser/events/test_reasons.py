"""A reason that is missing, in a browser: what is asked stands beside its box, which is in sight and has the focus."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import said
from tests.examples import as_proof
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, publish_next

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, LAPTOP, PROJECTOR = (
    {"width": 390, "height": 844},
    {"width": 1366, "height": 768},
    {"width": 1920, "height": 1080},
)
windows = pytest.mark.parametrize("window", [PHONE, LAPTOP, as_proof([PROJECTOR])], ids=lambda one: str(one["width"]))


@pytest.fixture
def night(club, actor, rules_for):
    """Six tables play their first round: the page of the round is longer than a screen."""
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 24)
    publish_next(event, actor)
    return event


@pytest.fixture
def deal(club, actor, rules_for):
    """A deal of Hand and Foot, whose form is longer than a screen."""
    event = make_night(club, rules_for("hand-and-foot"))
    arrive(event, actor, 4)
    (game,) = games_of(publish_next(event, actor))
    play_deals(game, actor)
    return game.deals.get()


def asks(button, box, words):
    """The page comes back: the box is marked, named by the sentence, and both are in sight with the focus in it."""
    page = button.page
    with page.expect_navigation():
        button.click()
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-invalid", "true")
    sentence = page.get_by_text(words)
    expect(sentence).to_have_count(1)
    names = (box.get_attribute("aria-describedby") or "").split()
    assert any(page.locator(f"#{name}").get_by_text(words).count() for name in names)
    for shown in (box, sentence):
        expect(shown).to_be_in_viewport(ratio=1)


@pytest.mark.daily(1)
@windows
def test_a_round_that_is_closed_early_asks_for_the_reason_at_its_box(signed_in, director, night, window):
    page = signed_in(director, viewport=window)
    page.goto(f"/st-hilary/desk/{night.slug}/rounds/1/")
    ended = page.get_by_label("End them as they are")
    ended.check()
    close = page.get_by_role("button", name="Close round 1")
    asks(close, page.locator("#close").get_by_label("Reason"), "Say why the games are ended")
    expect(ended).to_be_checked()
    page.keyboard.type("The bell has rung.")
    close.click()
    expect(said(page)).to_contain_text("Round 1 is closed.")


@pytest.mark.proof
@windows
def test_a_correction_asks_for_its_reason_at_the_box_above_the_bar(signed_in, director, deal, window):
    page = signed_in(director, viewport=window)
    page.goto(f"/st-hilary/deals/{deal.pk}/")
    expect(page.locator("main").get_by_label("Reason")).to_have_count(2)
    expect(page.locator("main").get_by_label("Reason").filter(visible=True)).to_have_count(1)
    save, typed = page.get_by_role("button", name="Save the correction"), page.locator("[name=melded_0]")
    typed.fill("1234")
    asks(save, page.get_by_label("Reason for the correction"), "Say why the deal is corrected.")
    bar, sentence = (
        page.locator(".dock").bounding_box(),
        page.get_by_text("Say why the deal is corrected.").bounding_box(),
    )
    assert sentence["y"] + sentence["height"] <= bar["y"]
    expect(typed).to_have_value("1234")


@pytest.mark.daily(1)
@windows
@pytest.mark.parametrize("script", [True, False], ids=["", "no-script"])
def test_a_deal_is_made_void_apart_from_its_correction_and_asks_for_the_reason_there(
    signed_in, director, deal, window, script
):
    page = signed_in(director, viewport=window, java_script_enabled=script)
    page.goto(f"/st-hilary/deals/{deal.pk}/")
    page.get_by_text("Void this deal").click()
    box, void = (
        page.get_by_label("Reason for voiding it"),
        page.get_by_role("button", name="Void: it doesn't count"),
    )
    void.click()
    expect(box).to_be_focused()  # the browser asks first
    box.fill(" ")
    asks(void, box, "Say why the deal is void.")
    box.fill("misdealt")
    void.click()
    expect(said(page)).to_contain_text("Deal 1 is marked: void.")
