"""Many deals kept, two phones at one table, and what the server doesn't take: all in order, all shown, none twice."""

import pytest
from playwright.sync_api import expect

from clubsite.accounts.models import LogEntry
from scoring.cards.deals import start_game
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import RulesChange, publish_rules
from scoring.models import DealVersion
from tests.browser.hands_on import KEPT, said, type_deal, wait_until
from tests.browser.offline.conftest import recorded, tap_save, waiting
from tests.browser.test_accessible import stands_well
from tests.conftest import make_user
from tests.examples import cases
from tests.scoring.conftest import IMPOSSIBLE, a_deal

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = 60 * 60 * 1000  # milliseconds

FIRST_ANSWER_WAITS = """() => {
    const { fetch: plain } = self;
    self.fetch = async (address, options) => {
        const answer = await plain(address, options);
        if (options?.method === "POST" && !self.answer) {
            await new Promise((resolve) => { self.answer = resolve; });
        }
        return answer;
    };
}"""
"""The first answer to a deal comes only when `answer` is called."""


def typed_without_network(card, game, *deals):
    """Save deals one after the other; each next form must be ready."""
    card.context.set_offline(True)
    first = int(card.locator("[name=number]").input_value())
    for number, facts in enumerate(deals, first):
        type_deal(card, game, facts)
        tap_save(card)
        expect(card.get_by_role("heading", name=f"Deal {number + 1}", exact=True)).to_be_visible()


@pytest.mark.parametrize("deals", cases(4, proof=50))
def test_the_deals_of_an_hour_go_out_in_order_and_once(opened, scorekeeper, club, actor, deals):
    change = RulesChange(values={"deals": deals + 1}, title="Long rubber", about="As we play.")
    rules = publish_rules(club=club, base=shipped()["points-only"], seen=0, by=actor, change=change)
    game = start_game(club=rules.club, rules=rules, title="Rubber", sides=[["Ann"], ["Bob"]])
    card = opened(scorekeeper, game)
    card.clock.install()  # the phone's own clock, and all that its pages wait for
    card.reload()
    began = card.evaluate("Date.now()")
    card.context.set_offline(True)
    for number in range(1, deals + 1):
        card.clock.fast_forward(HOUR // deals)
        card.locator("[name=points_0]").fill(str(number))
        card.locator("[name=points_1]").fill(str(1000 + number))
        tap_save(card)
        expect(card.get_by_role("heading", name=f"Deal {number + 1}", exact=True)).to_be_visible()
        if number % (deals // 2) == 0:
            card.reload()
    assert card.evaluate("Date.now()") - began >= HOUR
    expect(waiting(card)).to_have_text([f"Deal {number}" for number in range(1, deals + 1)])
    expect(card.get_by_text(f"Saved on this phone, not sent yet: {deals}", exact=True)).to_be_visible()
    assert recorded() == []

    card.context.set_offline(False)
    card.clock.fast_forward(HOUR // deals)
    expect(card.locator(".totals dd").first).to_have_text(f"{sum(range(1, deals + 1)):,}", timeout=60_000)
    expect(waiting(card)).to_have_text([])
    on_record = DealVersion.objects.order_by("pk").select_related("deal")
    assert [version.deal.number for version in on_record] == list(range(1, deals + 1))
    assert [[row.points for row in v.points.order_by("side")] for v in on_record] == [
        [number, 1000 + number] for number in range(1, deals + 1)
    ]


def test_deals_without_network_end_the_game_at_its_target(opened, scorekeeper, club, actor):
    change = RulesChange(
        values={"deals": "", "target": 1_000, "lowest": ""}, title="To a thousand", about="As we play."
    )
    rules = publish_rules(club=club, base=shipped()["points-only"], seen=0, by=actor, change=change)
    game = start_game(club=rules.club, rules=rules, title="Rubber", sides=[["Ann"], ["Bob"]])
    card = opened(scorekeeper, game)
    card.context.set_offline(True)
    totals = card.locator(".totals dd")
    for number in range(1, 4):
        expect(card.get_by_role("heading", name=f"Deal {number}", exact=True)).to_be_visible()
        card.locator("[name=points_0]").fill("350")
        card.locator("[name=points_1]").fill("-20")
        tap_save(card)
        expect(totals).to_have_text([f"{350 * number:,}", f"−{20 * number}"])
    expect(card.locator(".without-kept").first).to_have_text("Worked out on this phone, with its unsent deals: 3")
    expect(card.locator(".without-kept").last).to_contain_text("the game is over")
    expect(card.locator("form.deal-form")).to_be_hidden()
    expect(card.get_by_role("heading", name="Deal 4", exact=True)).to_be_hidden()
    card.reload()
    expect(totals).to_have_text(["1,050", "−60"])
    expect(card.locator("form.deal-form")).to_be_hidden()

    card.context.set_offline(False)
    expect(card.locator("form.deal-form")).to_have_count(0, timeout=60_000)
    expect(totals).to_have_text(["1,050", "−60"])
    assert len(recorded()) == 3


def test_two_phones_of_one_table_with_different_figures(opened, scorekeeper, game):
    one = opened(scorekeeper, game)
    other = opened(make_user("sue", game.club, "scorekeeper"), game)
    typed_without_network(one, game, a_deal(), a_deal())
    typed_without_network(other, game, a_deal(meld=(8, 6)), a_deal(), a_deal(meld=(12, 6)))

    one.context.set_offline(False)
    expect(one.locator(".totals dd")).to_have_text(["50", "32"])
    other.context.set_offline(False)
    expect(other.locator("[data-kept-list] > li")).to_have_count(1)  # deal 2 was the same, deal 3 is nobody else's
    expect(other.locator(".kept-deal .state")).to_have_text("not recorded: the card has this deal already")
    expect(other.locator(".kept-why")).to_contain_text("Sam recorded deal 1 before you")
    expect(other.locator(".kept-why")).to_contain_text("It is recorded as: Ann & Bob 25, Cal & Dee 16.")
    other.get_by_text("What was typed").click()
    expect(other.locator(".kept-figures")).to_contain_text("8")
    expect(other.locator(".totals dd")).to_have_text(["77", "48"])
    assert recorded() == [(1, 1), (2, 1), (3, 1)]
    assert list(DealVersion.objects.order_by("pk").values_list("actor", flat=True)) == ["Sam", "Sam", "Sue"]

    expect(other.locator(".kept-why")).to_contain_text("Is it the same deal, and yours is right?")
    expect(other.get_by_role("button", name="Correct it")).to_have_count(0)  # it would be that deal once more
    other.get_by_role("button", name="It is another deal").click()
    expect(other.get_by_role("heading", name="Deal 4", exact=True)).to_be_visible()
    other.get_by_role("button", name="Clear the form").click()
    other.get_by_role("button", name="Discard").click()
    other.get_by_role("button", name="Press again to delete it for good").click()
    expect(other.locator("[data-kept-box]")).to_be_hidden()
    assert recorded() == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.proof
def test_a_store_that_the_phone_has_taken_away_is_opened_anew(opened, server, scorekeeper, game):
    card = opened(scorekeeper, game)
    where = {"origin": server.url, "storageTypes": "indexeddb"}
    card.context.new_cdp_session(card).send("Storage.clearDataForOrigin", where)
    typed_without_network(card, game, a_deal())
    expect(waiting(card)).to_have_text(["Deal 1"])
    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]


@pytest.mark.proof
def test_a_second_phone_with_the_same_figures_clears_itself(opened, scorekeeper, game):
    one = opened(scorekeeper, game)
    other = opened(make_user("sue", game.club, "scorekeeper"), game)
    for phone in (one, other):
        type_deal(phone, game, a_deal())
    for phone in (one, other):
        tap_save(phone)
        expect(phone.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    expect(other.locator("[data-kept-news]")).to_contain_text("The card has deal 1 already")
    expect(other.locator("[name=take_0]")).to_have_value("")
    other.reload()
    expect(other.locator("[name=take_0]")).to_have_value("")
    assert recorded() == [(1, 1)]


@pytest.mark.proof
def test_a_reload_during_save_clears_the_form_of_what_was_recorded(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    type_deal(card, game, a_deal())
    # The page goes on no further than the answer.
    card.evaluate(f"async () => {{ {KEPT}.drafts.drop = () => new Promise(() => {{}}); }}")
    tap_save(card)
    wait_until(card, lambda: bool(recorded()), "the deal to be recorded")
    wait_until(card, lambda: not card.evaluate(f"async () => (await {KEPT}.all()).length"), "the answer to have come")
    card.reload()
    expect(card.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    expect(card.locator("[name=take_0]")).to_have_value("")


def test_what_the_server_refuses_is_put_right_and_the_rest_follows(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    typed_without_network(card, game, a_deal(), IMPOSSIBLE, a_deal(meld=(12, 6)))
    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    expect(card.locator(".kept-deal .state")).to_have_text(
        ["not recorded: correct it or discard it", "saved on this phone, not sent yet"]
    )
    expect(card.locator(".kept-why").first).to_contain_text("the rules or the pack of cards don't allow this card")
    stands_well(card)
    assert recorded() == [(1, 1)]

    card.get_by_role("button", name="Correct it").first.click()
    expect(card.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    expect(card.locator("[name=take_0]")).to_have_value("16")
    card.locator("[name=take_0]").fill("15")
    tap_save(card)
    expect(card.locator(".totals dd")).to_have_text(["77", "48"])
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1), (2, 1), (3, 1)]


@pytest.mark.proof
def test_what_is_typed_anew_while_a_deal_is_on_its_way_is_not_lost(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    typed_without_network(card, game, a_deal())
    card.evaluate(FIRST_ANSWER_WAITS)
    card.context.set_offline(False)
    wait_until(card, lambda: bool(card.evaluate("Boolean(self.answer)")), "the deal to be sent")
    card.locator("[data-kept-box] summary").first.click()
    card.get_by_role("button", name="Correct it").click()
    card.locator("[name=meld_0]").fill("8")
    tap_save(card)
    kept = f"async () => (await {KEPT}.all()).map((deal) => Object.fromEntries(deal.fields).meld_0)"
    wait_until(card, lambda: card.evaluate(kept) == ["8"], "the new figure to be kept")
    card.evaluate("answer()")
    expect(card.get_by_role("alert")).to_contain_text("Sam recorded deal 1 before you")
    expect(card.locator("[name=meld_0]")).to_have_value("8")
    assert recorded() == [(1, 1)]


@pytest.mark.proof
def test_a_deal_that_is_discarded_while_another_is_on_its_way_does_not_go(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    typed_without_network(card, game, a_deal(), a_deal())
    card.evaluate(FIRST_ANSWER_WAITS)
    card.context.set_offline(False)
    wait_until(card, lambda: bool(card.evaluate("Boolean(self.answer)")), "the first deal to be sent")
    card.locator("[data-kept-box] summary").first.click()
    card.get_by_role("button", name="Discard").last.click()
    card.get_by_role("button", name="Press again to delete it for good").click()
    expect(waiting(card)).to_have_text(["Deal 1"])
    card.evaluate("answer()")
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]


def at(button, x, y):
    return bool(button.evaluate("(one, [x, y]) => document.elementFromPoint(x, y) === one", [x, y]))


def test_a_refused_deal_is_discarded_and_the_next_takes_its_number(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    typed_without_network(card, game, IMPOSSIBLE, a_deal())
    card.context.set_offline(False)
    expect(card.locator(".kept-deal .state").first).to_have_text("not recorded: correct it or discard it")
    discard, sure = (card.get_by_role("button", name=name) for name in ("Discard", "Press again to delete it for good"))
    expect(discard.first).to_be_visible()
    stood = discard.first.bounding_box()
    discard.first.click()
    assert stood
    expect(sure).to_be_in_viewport(ratio=1)
    assert at(sure, stood["x"] + stood["width"] / 2, stood["y"] + stood["height"] / 2)  # a second tap meets it
    sure.click()
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]
    assert LogEntry.objects.filter(verb="deal.record").count() == 1


@pytest.mark.proof
def test_a_deal_for_a_game_that_is_over_is_shown_on_its_card(opened, scorekeeper, game, director):
    card = opened(scorekeeper, game)
    typed_without_network(card, game, a_deal())
    other = opened(director, game)
    other.get_by_role("link", name="End this game early").click()
    other.get_by_label("Reason").fill("the hall closes")
    other.get_by_role("button", name="End the game").click()
    expect(said(other)).to_contain_text("The game has ended.")
    card.context.set_offline(False)
    expect(card.locator(".kept-why")).to_contain_text("The director ended this game: the hall closes.")
    expect(card.locator(".kept-deal strong")).to_have_text("Deal 1")
    card.reload()
    expect(card.locator(".kept-why")).to_contain_text("The director ended this game: the hall closes.")
    expect(card.locator("form.deal-form")).to_have_count(0)
    assert recorded() == []
