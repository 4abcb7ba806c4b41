"""Who types before the page's scripts have come, or before the phone's store is open, loses nothing either."""

import pytest
from playwright.sync_api import expect

from tests.browser.hands_on import Gate, wait_until
from tests.browser.offline.conftest import PHONE

pytestmark = pytest.mark.django_db(transaction=True)

STORE_IS_SLOW = """
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given) {
        const request = open.apply(this, given);
        const hold = (event) => {
            event.stopImmediatePropagation();
            request.removeEventListener("success", hold);
            self.openStore = () => request.dispatchEvent(new Event("success"));
        };
        request.addEventListener("success", hold);
        return request;
    };
"""
"""The phone's store opens only when openStore is called."""

KEPT_DRAFTS = """async () => (await (await idb.openDB("nine-tables", 1)).getAll("drafts"))
    .map((draft) => Object.fromEntries(draft.fields))"""
"""What this phone keeps of forms that are half typed."""


@pytest.fixture
def card(signed_in, server, scorekeeper, game):
    """The card on a phone without a service worker, which would have the scripts at hand."""
    page = signed_in(scorekeeper, service_workers="block", may_say=("registration blocked",), **PHONE)
    page.goto(server.url + game.get_absolute_url())
    return page


def is_kept(card, **figures):
    """Wait until the draft has these figures, and see them after a reload."""
    wait_until(
        card,
        lambda: any(figures.items() <= draft.items() for draft in card.evaluate(KEPT_DRAFTS)),
        "what was typed to be kept",
    )
    card.reload()
    expect(card.get_by_text("What you typed before is here again.")).to_be_visible()
    for name, figure in figures.items():
        expect(card.locator(f"[name={name}]")).to_have_value(figure)


@pytest.mark.daily(1)
@pytest.mark.parametrize("drafted", [False, True])
def test_what_is_typed_before_the_script_comes_is_kept(card, drafted):
    """Beside what was kept before, and never taken for what stands in an empty form."""
    typed = {"take_0": "11"} if drafted else {}
    gate = Gate(card, "**/offline.*.js")
    for name, figure in typed.items():
        card.locator(f"[name={name}]").fill(figure)
        is_kept(card, **typed)
    gate.shut()
    card.reload(wait_until="commit")
    card.locator("[name=bid]").fill("21")
    gate.open()
    card.wait_for_load_state()  # with the script that reads the phone's store
    is_kept(card, bid="21", **typed)
    card.get_by_role("button", name="Clear the form").click()
    expect(card.locator("[name=bid]")).to_have_value("")


@pytest.mark.proof
def test_what_is_typed_before_the_store_is_open_is_kept(card):
    card.add_init_script(STORE_IS_SLOW)
    card.reload()
    wait_until(card, lambda: bool(card.evaluate("Boolean(self.openStore)")), "the store to be asked for")
    card.locator("[name=bid]").fill("21")
    card.evaluate("openStore()")
    other = card.context.new_page()
    other.goto(card.url)
    is_kept(other, bid="21")
