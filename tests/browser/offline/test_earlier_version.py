"""A phone that kept deals and drafts when the site was of an earlier version: nothing is lost, nothing counts twice."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import wait_until
from tests.browser.offline.conftest import recorded, waiting
from tests.scoring.conftest import IMPOSSIBLE, a_deal, as_typed

pytestmark = pytest.mark.django_db(transaction=True)

SEED = """([deals, drafts]) => new Promise((resolve, reject) => {
    const request = indexedDB.open("nine-tables", 1);
    request.onupgradeneeded = () => {
        const store = request.result.createObjectStore("deals", { keyPath: "id", autoIncrement: true });
        store.createIndex("submission", "submission", { unique: true });
        request.result.createObjectStore("drafts");
    };
    request.onerror = reject;
    request.onsuccess = () => {
        const change = request.result.transaction(["deals", "drafts"], "readwrite");
        for (const deal of deals) change.objectStore("deals").put({ ...deal, at: Date.now() });
        for (const [key, draft] of drafts) change.objectStore("drafts").put({ ...draft, at: Date.now() }, key);
        change.oncomplete = () => { request.result.close(); resolve(); };
        change.onerror = reject;
    };
})"""
"""Write the store as version 0.1.0 first wrote it. This is what phones have: it never changes here."""

LEFT = """() => new Promise((resolve) => {
    const request = indexedDB.open("nine-tables");
    request.onsuccess = () => {
        const { result } = request, all = result.transaction("deals").objectStore("deals").getAll();
        all.onsuccess = () => { result.close(); resolve([result.version, all.result.length]); };
    };
})"""
"""The version of the store, and how many deals are in it."""


def kept_deal(game, owner, number, facts, **more):
    """A deal as that version kept it."""
    fields = {name: str(value) for name, value in as_typed(facts, number).items()}
    address = game.get_absolute_url()
    deal = {"submission": fields["submission"], "owner": str(owner.pk), "game": str(game.pk), "page": address}
    deal |= {"title": game.title, "action": address, "number": number, "fields": list(fields.items())}
    return deal | {"figures": [["Bid", fields["bid"]]], "state": "waiting", "why": ""} | more


@pytest.fixture
def phone(opened, server, scorekeeper, game):
    """A phone that is logged in, with no card open."""
    page = opened(scorekeeper, game, kept=False)
    page.goto(f"{server.url}/login/")
    return page


def test_what_it_kept_is_sent_once_and_its_draft_is_there(phone, server, scorekeeper, game):
    address = game.get_absolute_url()
    deals = [kept_deal(game, scorekeeper, number, a_deal()) for number in (1, 2)]
    draft = {"fields": kept_deal(game, scorekeeper, 3, a_deal(meld=(8, 6)))["fields"], "begun": ""}
    phone.evaluate(SEED, [deals, [[f"{scorekeeper.pk}|{address}", draft]]])
    phone.goto(server.url + address)
    wait_until(phone, lambda: recorded() == [(1, 1), (2, 1)], "both deals to be sent")
    expect(phone.locator("[name=meld_0]")).to_have_value("8")
    wait_until(phone, lambda: phone.evaluate(LEFT) == [1, 0], "nothing to be kept any more")
    phone.reload()
    expect(phone.get_by_role("heading", name="Deal 3", exact=True)).to_be_visible()
    assert recorded() == [(1, 1), (2, 1)]


@pytest.mark.proof
def test_what_was_refused_is_still_shown_with_its_reason_and_put_right(phone, server, scorekeeper, game):
    refused = kept_deal(game, scorekeeper, 1, IMPOSSIBLE, state="refused", why=["All comes to 26."], over=False)
    phone.evaluate(SEED, [[refused, kept_deal(game, scorekeeper, 2, a_deal())], []])
    phone.goto(server.url + game.get_absolute_url())
    expect(waiting(phone)).to_have_text(["Deal 1", "Deal 2"])
    expect(phone.locator("[data-kept-list]")).to_contain_text("All comes to 26.")
    assert recorded() == []
    phone.locator("[data-slot=change]").first.click()
    expect(phone.locator("[name=take_0]")).to_have_value("16")
    phone.locator("[name=take_0]").fill("15")
    phone.get_by_role("button", name="Save", exact=True).click()
    wait_until(phone, lambda: recorded() == [(1, 1), (2, 1)], "both deals to be sent")
