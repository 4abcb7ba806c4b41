"""The grid's rows that aren't recorded: they outlive a reload, the way back and a network that is away."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import end_game, record_deal
from scoring.families.deal_form import EnteredDeal
from scoring.models import DealVersion
from tests.browser.events.test_keying import at, key, keyed, settled
from tests.browser.hands_on import KEPT
from tests.scoring.conftest import UNLIKELY, a_deal
from tests.tournaments.keying.keying import a_round, address

pytestmark = pytest.mark.django_db(transaction=True)


def has_kept(page):
    """Wait until what was typed is kept: reading comes after all writing that was begun before."""
    page.evaluate(f"async () => {KEPT}.drafts.get('')")


def test_rows_that_are_not_recorded_outlive_a_reload_and_the_way_back(
    club, actor, rules_for, signed_in, scorekeeper, director
):
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


def record(game, by, **more):
    deal = EnteredDeal(a_deal(**more), sure=True)
    record_deal(game=game, number=game.deals.count() + 1, entered=deal, by=by, submission=uuid4())


def away(page):
    """Leave the grid once all is kept; its address."""
    has_kept(page)
    address, _ = page.url, page.goto("about:blank")
    return address


def ids_once(page):
    """Whether no id stands twice on the page."""
    ids = page.locator("[id]").evaluate_all("ones => ones.map(one => one.id)")
    return len(ids) == len(set(ids))


@pytest.mark.proof
def test_a_row_not_sent_yet_is_sent_after_a_reload_and_both_figures_of_a_deal_recorded_meanwhile_are_shown(
    club, actor, rules_for, signed_in, scorekeeper
):
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper, may_say=("ERR_INTERNET_DISCONNECTED",))
    page.goto(address(event))
    page.context.set_offline(True)
    for game in (first, second):
        key(page, keyed(a_deal()))
        expect(page.locator(f"#deal-{game.pk}-1")).to_contain_text("Not sent yet")
        key(page, keyed(a_deal())[:2])
        page.keyboard.press("PageDown")
    here = away(page)
    record(second, actor, bid=22)
    page.context.set_offline(False)
    page.goto(here)
    expect(page.locator(f"#deal-{first.pk}-1")).to_have_attribute("data-state", "recorded")
    late = page.locator(f"[data-game='{second.pk}'] [data-number='1']")
    expect(late).to_have_count(1)
    expect(late).to_have_attribute("data-state", "late")
    expect(late).to_contain_text("before you")
    expect(late.locator(".typed")).to_contain_text("20")
    for game in (first, second):
        expect(page.locator(f"#deal-{game.pk}-2-bid")).to_have_value("20")
    settled(page)
    assert ids_once(page)
    assert [v.facts["bid"] for v in DealVersion.objects.order_by("deal__game")] == [20, 22]


@pytest.mark.proof
def test_what_was_typed_for_a_deal_recorded_meanwhile_stands_beside_it_until_it_is_looked_at(
    club, actor, rules_for, signed_in, scorekeeper
):
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper)
    page.goto(address(event))
    for typed in (keyed(a_deal(bid=22))[:3], keyed(a_deal(bid=21))[:2]):
        key(page, typed)
        page.keyboard.press("PageDown")
    here = away(page)
    for game in (first, second):
        record(game, actor)
    page.goto(here)
    extras = page.locator("[data-beside]")
    expect(extras).to_have_count(2)
    expect(extras.first).to_contain_text("This deal has been recorded in the meantime")
    expect(extras.first.locator("[name=bid]")).to_have_value("22")
    assert at(page) == f"deal-{first.pk}-2-bid_side", "keying goes on where it would without it"
    assert ids_once(page)
    key(page, keyed(a_deal()))
    expect(page.locator(f"#deal-{first.pk}-2")).to_have_attribute("data-state", "recorded")
    page.keyboard.press("PageDown")
    assert at(page) == f"deal-{second.pk}-2-bid_side"
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")
    expect(extras).to_have_count(1)
    assert at(page) == f"deal-{second.pk}-2-bid_side"
    assert ids_once(page)
    has_kept(page)
    page.reload()
    expect(extras).to_have_count(1)
    extras.locator("td.box input").last.press("Enter")
    late = page.locator(f"[data-game='{first.pk}'] [data-number='1']")
    expect(late).to_have_count(1)
    expect(late).to_contain_text("22")
    expect(late).to_contain_text("before you")
    assert at(page) == f"deal-{first.pk}-3-bid_side"
    has_kept(page)
    page.reload()
    expect(page.locator(f"#deal-{first.pk}-3-bid")).to_be_visible()
    has_kept(page)
    expect(extras).to_have_count(0)
    assert DealVersion.objects.count() == 3


@pytest.mark.proof
def test_what_was_typed_for_a_game_that_ended_meanwhile_is_come_back_to_at_the_end(
    club, actor, rules_for, signed_in, scorekeeper
):
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper)
    page.goto(address(event))
    key(page, keyed(a_deal()))
    settled(page)
    key(page, keyed(a_deal(bid=22)))
    settled(page)
    key(page, keyed(a_deal())[:2])
    here = away(page)
    end_game(game=first, by=actor, reason="The hall closes")
    end_game(game=second, by=actor, reason="The hall closes")
    page.goto(here)
    extra = page.locator("[data-beside]")
    expect(extra).to_contain_text("The game has ended without this deal")
    expect(page.locator(".all-keyed")).to_be_visible()
    extra.locator("[name=written_sets]").press("Enter")
    expect(extra).to_contain_text("Fill this in")
    extra.locator("[name=bid]").press("Escape")
    expect(extra).to_have_count(0)
    assert at(page) == "keyed"


def test_a_refused_row_says_after_a_reload_why_it_was_refused(club, actor, rules_for, signed_in, scorekeeper):
    event, _draw, (first, second) = a_round(rules_for("st-hilary-v3"), actor)
    page = signed_in(scorekeeper)
    page.goto(address(event))
    key(page, keyed(a_deal(take=(16, 10))))
    refused, asking = page.locator(f"#deal-{first.pk}-1"), page.locator(f"#deal-{second.pk}-1")
    expect(refused).to_contain_text("All that was taken comes to 26")
    page.keyboard.press("PageDown")
    key(page, keyed(UNLIKELY))
    expect(asking).to_contain_text("Enter again if it says so")
    has_kept(page)
    for _time in range(2):
        page.reload()
        expect(refused).to_contain_text("All that was taken comes to 26")
        expect(refused.locator("[aria-invalid=true]").first).to_have_attribute("name", "take_0")
        expect(asking).to_contain_text("Enter again if it says so")
        has_kept(page)
    assert not DealVersion.objects.exists(), "nothing is recorded before somebody says so"
    asking.locator("td.box input").last.press("Enter")
    expect(asking).to_have_attribute("data-state", "recorded")
    refused.locator("[name=take_0]").fill("15")
    refused.locator("[name=written_sets]").press("Enter")
    expect(refused).to_have_attribute("data-state", "recorded")
