"""Offline before, during and after the tap on Save: nothing is lost, nothing counts twice."""

from uuid import uuid4

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.urls import reverse
from playwright.sync_api import expect

from scoring.cards.deals import record_deal
from scoring.families.deal_form import EnteredDeal
from tests.browser.conftest import PATIENCE
from tests.browser.hands_on import KEPT, open_menu, said, save, type_deal, wait_until
from tests.browser.offline.conftest import is_kept, recorded, tap_save, waiting
from tests.conftest import PASSWORD
from tests.scoring.conftest import a_deal, correct

pytestmark = pytest.mark.django_db(transaction=True)

DRAFT = """async () => (await (await idb.openDB("nine-tables", 1)).getAll("drafts"))
    .some((draft) => draft.fields.some(([name, value]) => name === "take_0" && value === "11"))"""
"""Whether this phone has kept the figure that was typed last."""


def test_offline_before_the_tap(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    card.context.set_offline(True)
    type_deal(card, game, a_deal())
    expect(card.locator("[data-kept-news]")).to_contain_text("points are worked out later")
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("No network: deal 1 is saved on this phone")
    expect(waiting(card)).to_have_text(["Deal 1"])
    expect(card.locator(".kept-deal .state")).to_have_text("saved on this phone, not sent yet")
    expect(card.locator(".without-kept")).to_have_text("Saved on this phone, not counted here yet: 1")
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()
    expect(card.locator("[name=meld_0]")).to_have_value("")
    expect(card.get_by_text("No connection: nothing was sent.")).to_be_hidden()
    assert recorded() == []

    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    expect(card.locator("[data-kept-news]")).to_contain_text("Deal 1 is recorded: Ann & Bob 25, Cal & Dee 16.")
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]
    type_deal(card, game, a_deal(meld=(8, 6)))
    save(card)
    expect(said(card)).to_contain_text("Deal 2 is recorded")
    assert recorded() == [(1, 1), (2, 1)]


def test_the_answer_is_lost_after_the_server_wrote_it_down(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    lost = []

    def lose(route):
        if route.request.method == "POST" and not lost and "x-kept" in route.request.headers:
            lost.append(route.fetch(max_redirects=0).status)
            card.context.set_offline(True)
            route.abort()
        else:
            route.continue_()

    card.route(f"**{game.get_absolute_url()}", lose)
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("deal 1 is saved on this phone")
    assert lost == [200]
    assert recorded() == [(1, 1)]

    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]


@pytest.mark.proof
def test_offline_after_the_tap(opened, scorekeeper, game):
    """The deal is on record; only the page that says so doesn't come any more."""
    card = opened(scorekeeper, game)

    def go_away(route):
        answer = route.fetch(max_redirects=0)
        if route.request.method == "POST" and "x-kept" in route.request.headers:
            card.context.set_offline(True)
        route.fulfill(response=answer)

    card.route(f"**{game.get_absolute_url()}", go_away)
    type_deal(card, game, a_deal())
    with card.expect_navigation():
        tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("this is the card as it was at")
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]
    card.unroute_all()
    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]


def test_a_reload_and_a_closed_tab_without_network_lose_nothing(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    card.context.set_offline(True)
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()
    card.locator("[name=take_0]").fill("11")
    wait_until(card, lambda: bool(card.evaluate(DRAFT)), "what was typed to be kept, a moment after the last key")
    card.reload()
    expect(card.locator("[data-kept-news]")).to_contain_text("this is the card as it was at")
    expect(card.get_by_text("What you typed before is here again.")).to_be_visible()
    expect(card.locator("[name=take_0]")).to_have_value("11")
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()
    expect(waiting(card)).to_have_text(["Deal 1"])

    address, context = card.url, card.context
    card.close()
    card = context.new_page()
    card.goto(address)
    expect(waiting(card)).to_have_text(["Deal 1"])
    expect(card.locator("[name=take_0]")).to_have_value("11")
    card.get_by_role("button", name="Clear the form").click()
    expect(card.locator("[name=take_0]")).to_have_value("")
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()

    context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]


NEVER = f"async () => {{ {KEPT}.drafts.drop = () => new Promise(() => {{}}); }}"
"""The phone goes no further than this: a saved deal is kept, and its draft isn't dropped any more."""


@pytest.mark.proof
def test_a_phone_that_dies_while_it_saves_doesnt_type_the_deal_again(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    card.context.set_offline(True)
    type_deal(card, game, a_deal())
    card.evaluate(NEVER)
    tap_save(card)
    wait_until(card, lambda: bool(card.evaluate(f"async () => (await {KEPT}.all()).length")), "the deal to be kept")
    card.reload()
    expect(waiting(card)).to_have_text(["Deal 1"])
    expect(card.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    expect(card.locator("[name=take_0]")).to_have_value("")
    type_deal(card, game, a_deal(meld=(8, 6)))
    tap_save(card)
    expect(waiting(card)).to_have_text(["Deal 1", "Deal 2"])

    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["48", "32"])
    assert recorded() == [(1, 1), (2, 1)]


@pytest.mark.proof
def test_going_back_after_a_refused_deal_was_put_right_opens_a_blank_one(opened, scorekeeper, game):
    """No answer of the deal before stands there, which would be taken for one of the next deal."""
    card = opened(scorekeeper, game)
    type_deal(card, game, a_deal(take=(15, 9)))
    with card.expect_navigation():
        tap_save(card)
    expect(card.locator("#refused")).to_be_visible()
    card.locator("[name=take_1]").fill("10")
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")
    card.go_back()
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()
    expect(card.locator("[name=bid]")).to_have_value("")
    expect(card.locator("[name=bid_side]:checked")).to_have_count(0)


@pytest.mark.proof
def test_going_back_to_a_refused_deal_shows_what_was_typed_and_no_word_of_the_network(
    opened, server, scorekeeper, game
):
    card = opened(scorekeeper, game)
    type_deal(card, game, a_deal(take=(15, 9)))
    with card.expect_navigation():
        tap_save(card)
    expect(card.locator("#refused")).to_be_visible()
    card.goto(server.url)
    sent = []
    card.on("request", lambda request: sent.append(f"{request.method} {request.url}"))
    for again in (card.go_back, card.reload):
        again()
        expect(card.get_by_text("What you typed before is here again.")).to_be_visible()
        expect(card.locator("[name=take_1]")).to_have_value("9")
        expect(card.locator("html[data-kept-at]")).to_have_count(0)
        expect(card.locator("[data-kept-news]")).to_be_hidden()
    assert f"POST {server.url}{game.get_absolute_url()}" not in sent  # points are asked for as ever
    card.locator("[name=take_1]").fill("10")
    save(card)
    expect(said(card)).to_contain_text("Deal 1 is recorded")


@pytest.mark.proof
def test_a_correction_to_which_another_was_first_is_there_after_a_reload(opened, server, scorekeeper, game, actor):
    """With the word that the deal was changed: the page is asked for again, as only the answer says so."""
    deal = record_deal(game=game, number=1, entered=EnteredDeal(a_deal()), by=actor, submission=uuid4()).deal
    page = opened(scorekeeper, game)
    page.goto(server.url + reverse("deal", args=[game.club.slug, deal.pk]))
    page.locator("[name=meld_0]").fill("7")
    page.locator("#id_reason").fill("misread")
    correct(deal, a_deal(meld=(9, 6)), by=actor, reason="both say nine", sure=False)
    with page.expect_navigation():
        page.locator(".deal-form .bar button.btn-primary").click()
    for _time in range(2):
        expect(page.get_by_role("alert").filter(has_text="before you")).to_be_visible()
        expect(page.locator("[name=meld_0]")).to_have_value("7")
        expect(page.locator("#id_reason")).to_have_value("misread")
        page.reload()


@pytest.mark.proof
def test_without_network_nothing_is_said_of_figures_that_stood_there_before(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    card.locator("[name=bid]").fill("20")
    expect(card.locator("#bar .still-empty")).to_contain_text("Meld")
    card.context.set_offline(True)
    type_deal(card, game, a_deal())
    expect(card.locator("[data-kept-news]")).to_contain_text("points are worked out later")
    expect(card.locator("#bar .still-empty")).to_have_count(0)


def test_something_missing_is_said_and_not_kept(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    card.context.set_offline(True)
    card.locator("[name=meld_0]").fill("10")
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("Something is still missing")
    expect(card.locator("[name=meld_0]")).to_have_value("10")
    expect(waiting(card)).to_have_text([])


def test_without_a_service_worker_the_open_page_keeps_and_sends(opened, scorekeeper, game):
    """As on plain HTTP in a hall, where browsers allow none."""
    card = opened(scorekeeper, game, kept=False, service_workers="block", may_say=["registration blocked"])
    card.context.set_offline(True)
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("deal 1 is saved on this phone")
    card.context.set_offline(False)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]


POSTED_THEN_KEPT = """async () => {
    await caches.delete("pages-1");
    const form = document.querySelector("form.deal-form");
    const body = new URLSearchParams(new FormData(form));
    await fetch(form.action, { method: "POST", body, headers: { "X-Kept": "now" } });
    (await navigator.serviceWorker.ready).active.postMessage({ keep: location.href });
}"""
"""A deal is saved while the service worker is still about to fetch the page that it keeps."""


@pytest.mark.proof
def test_a_page_that_is_only_kept_uses_up_no_word_of_what_was_saved(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    type_deal(card, game, a_deal())
    card.evaluate(POSTED_THEN_KEPT)
    is_kept(card)
    card.reload()
    expect(said(card)).to_contain_text("Deal 1 is recorded")


def test_log_out_forgets_the_pages(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    address = card.url
    open_menu(card)
    with card.expect_navigation():
        card.get_by_role("button", name="Log out").click()
    open_menu(card)
    expect(card.get_by_role("link", name="Log in")).to_be_visible()
    card.context.set_offline(True)
    card.goto(address)
    expect(card.get_by_role("heading", name="No network, or the server is away")).to_be_visible()
    expect(card.get_by_text("Table 3")).to_have_count(0)


SECOND_LOOK_WAITS = """() => {
    const { open } = CacheStorage.prototype;
    let looks = 0;
    CacheStorage.prototype.open = async function (name) {
        if (name === "pages-1" && ++looks === 2) await new Promise((resolve) => { self.goOn = resolve; });
        return open.call(this, name);
    };
}"""
"""A worker that keeps a page waits where it has fetched everything and opens the cache to put it there."""


@pytest.mark.proof
def test_a_page_that_is_just_being_kept_at_a_log_out_is_forgotten_too(opened, scorekeeper, game):
    card = opened(scorekeeper, game)
    (worker,) = card.context.service_workers
    worker.evaluate(SECOND_LOOK_WAITS)
    tell = "message => navigator.serviceWorker.controller.postMessage(message)"
    card.evaluate(tell, {"keep": f"{card.url}?again"})
    wait_until(card, lambda: bool(worker.evaluate("Boolean(self.goOn)")), "the page to be put")
    card.evaluate(tell, {"forget": True})
    wait_until(card, lambda: not worker.evaluate("caches.has('pages-1')"), "the pages to be forgotten")
    worker.evaluate("goOn()")
    card.wait_for_timeout(500)
    assert worker.evaluate("async () => (await (await caches.open('pages-1')).keys()).length") == 0


def test_a_deal_of_somebody_who_is_logged_out_waits_for_them(opened, scorekeeper, game):
    card = opened(scorekeeper, game, may_say=["status of 403", "Status Error Code 403"])
    type_deal(card, game, a_deal())
    expect(card.locator(".live-totals .points")).to_have_text(["+25", "+16"])  # nothing asks as nobody meanwhile
    cookies = card.context.cookies()
    card.context.clear_cookies()
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("You are logged out. Deal 1 is saved on this phone")
    expect(card.locator("[data-kept-list]").get_by_role("link", name="Log in")).to_be_visible()
    assert recorded() == []
    card.context.add_cookies(cookies)
    card.reload()
    expect(card.locator(".totals dd")).to_have_text(["25", "16"], timeout=PATIENCE)
    assert recorded() == [(1, 1)]
    is_kept(card)


def test_a_correction_typed_while_the_log_in_ended_is_there_again_after_it(opened, server, scorekeeper, game, actor):
    scorekeeper.password = PBKDF2PasswordHasher().encode(PASSWORD, "salt")  # as the site keeps it that is served here
    scorekeeper.save()
    deal = record_deal(game=game, number=1, entered=EnteredDeal(a_deal()), by=actor, submission=uuid4()).deal
    page = opened(scorekeeper, game, may_say=["status of 403", "Status Error Code 403"])
    page.goto(server.url + reverse("deal", args=[game.club.slug, deal.pk]))
    page.locator("[name=meld_0]").fill("7")
    with page.expect_response("**/reckon/"):
        page.locator("#id_reason").fill("misread")
        page.locator("#id_reason").blur()
    page.wait_for_load_state("networkidle")  # nothing asks as nobody meanwhile
    page.context.clear_cookies()
    page.locator(".deal-form .bar button.btn-primary").click()
    expect(page.get_by_text("nothing was saved")).to_be_visible()
    page.get_by_label("Log-in name").fill(scorekeeper.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator("[data-kept-draft]")).to_contain_text("What you typed before is here again")
    expect(page.locator("[name=meld_0]")).to_have_value("7")
    expect(page.locator("#id_reason")).to_have_value("misread")
