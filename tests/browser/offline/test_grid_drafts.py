"""The grid's rows that aren't recorded: they outlive a reload, the way back and a network that is away."""

from __future__ import annotations

from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from clubsite.accounts.models import Actor, Club, User
from scoring.cards.deals import record_deal
from scoring.entered import Entered
from scoring.models import DealVersion
from tests.browser.conftest import SignIn
from tests.browser.events.test_keying import Rules, key, keyed, settled
from tests.scoring.conftest import a_deal
from tests.tournaments.keying.keying import a_round, address

pytestmark = pytest.mark.django_db(transaction=True)


def has_kept(page: Page) -> None:
    """Wait until what was typed is kept: reading comes after all writing that was begun before."""
    page.evaluate("kept.drafts.get('')")


def test_rows_that_are_not_recorded_outlive_a_reload_and_the_way_back(
    club: Club, actor: Actor, rules_for: Rules, signed_in: SignIn, scorekeeper: User, director: User
) -> None:
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper)
    page.goto(address(event))
    key(page, keyed(a_deal(take=(16, 10))))
    expect(page.locator(f"#deal-{first.pk}-1")).to_contain_text("All that was taken comes to 26")
    page.keyboard.press("PageDown")
    key(page, keyed(a_deal())[:3])
    has_kept(page)
    for leave in (page.reload, lambda: (page.goto("/"), page.go_back())):
        leave()
        expect(page.locator(f"#deal-{first.pk}-1-take_0")).to_have_value("16")
        expect(page.locator(f"#deal-{second.pk}-1-meld_0")).to_have_value(keyed(a_deal())[2])
        expect(page.locator(f"#deal-{second.pk}-1-take_0")).to_have_value("")
    other = signed_in(director)
    other.goto(page.url)
    expect(other.locator(f"#deal-{first.pk}-1-take_0")).to_have_value("")
    settled(page)
    page.locator(f"#deal-{first.pk}-1-take_0").fill("15")
    page.locator(f"#deal-{first.pk}-1-written_sets").press("Enter")
    expect(page.locator(f"#deal-{first.pk}-1")).to_have_attribute("data-state", "recorded")
    page.reload()
    expect(page.locator(f"#deal-{second.pk}-1-meld_0")).to_have_value(keyed(a_deal())[2])
    expect(page.locator(f"#deal-{first.pk}-2-take_0")).to_have_value("")


def test_a_row_not_sent_yet_is_sent_after_a_reload_and_a_deal_recorded_meanwhile_stands(
    club: Club, actor: Actor, rules_for: Rules, signed_in: SignIn, scorekeeper: User
) -> None:
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper, may_say=("ERR_INTERNET_DISCONNECTED",))
    page.goto(address(event))
    page.context.set_offline(True)
    for game in (first, second):
        key(page, keyed(a_deal()))
        expect(page.locator(f"#deal-{game.pk}-1")).to_contain_text("Not sent yet")
        key(page, keyed(a_deal())[:2])
        page.keyboard.press("PageDown")
    has_kept(page)
    page.goto("about:blank")
    record_deal(game=second, number=1, entered=Entered(a_deal(bid=22)), by=actor, submission=uuid4())
    page.context.set_offline(False)
    page.goto(address(event))
    expect(page.locator(f"#deal-{first.pk}-1")).to_have_attribute("data-state", "recorded")
    for game in (first, second):
        expect(page.locator(f"#deal-{game.pk}-2-bid")).to_have_value("20")
    settled(page)
    assert [v.facts["bid"] for v in DealVersion.objects.order_by("deal__game")] == [20, 22]
