"""A reason that is missing, in a browser: what is asked stands beside its box, which is in sight and has the focus."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from clubsite.accounts.models import Actor, Club, User
from scoring.models import HouseRules
from tests.browser.conftest import SignIn
from tests.browser.hands_on import said
from tests.examples import as_proof
from tests.tournaments.nights import arrive, make_night, publish_next
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, LAPTOP, PROJECTOR = (
    {"width": 390, "height": 844},
    {"width": 1366, "height": 768},
    {"width": 1920, "height": 1080},
)
windows = pytest.mark.parametrize("window", [PHONE, LAPTOP, as_proof([PROJECTOR])], ids=lambda one: str(one["width"]))


@pytest.fixture
def night(club: Club, actor: Actor, rules_for: Callable[[str], HouseRules]) -> Event:
    """Six tables play their first round: the page of the round is longer than a screen."""
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 24)
    publish_next(event, actor)
    return event


def is_asked(page: Page, box: Locator, words: str) -> None:
    """The box is marked, named by the sentence, and both are in sight with the focus in it."""
    expect(box).to_be_focused()
    expect(box).to_have_attribute("aria-invalid", "true")
    sentence = page.get_by_text(words)
    expect(sentence).to_have_count(1)
    names = (box.get_attribute("aria-describedby") or "").split()
    assert any(page.locator(f"#{name}").get_by_text(words).count() for name in names)
    for shown in (box, sentence):
        expect(shown).to_be_in_viewport(ratio=1)


@windows
def test_a_round_that_is_closed_early_asks_for_the_reason_at_its_box(
    signed_in: SignIn, director: User, night: Event, window: dict[str, int]
) -> None:
    page = signed_in(director, viewport=window)
    page.goto(f"/st-hilary/desk/{night.slug}/rounds/1/")
    ended = page.get_by_label("End them as they stand")
    ended.check()
    close = page.get_by_role("button", name="Close round 1")
    with page.expect_navigation():
        close.click()
    is_asked(page, page.locator("#close").get_by_label("Reason"), "Say why the games still open are ended")
    expect(ended).to_be_checked()
    page.keyboard.type("The bell has rung.")
    close.click()
    expect(said(page)).to_contain_text("Round 1 is closed.")
