"""Two screens with one card: each is told what the other does, and loses nothing that is being typed."""

import pytest
from playwright.sync_api import expect

from scoring.models import Deal, Game
from tests.browser.hand.thumb import PHONE
from tests.browser.hands_on import save, type_deal
from tests.scoring.conftest import a_deal
from tests.tournaments import nights
from tournaments.models import TableLink
from tournaments.table_links.links import make_token

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def keeps_pages():
    """The service worker is here, too: what it asks for must not be taken for somebody who asks."""
    return True


@pytest.fixture
def draw(club, actor, rules_for):
    event = nights.make_night(club, rules_for("st-hilary-v3"))
    nights.arrive(event, actor, 4)
    return nights.publish_next(event, actor)


@pytest.fixture
def phones(signed_in, draw):
    """The table's card on two phones, whose clocks the test moves."""
    ours, theirs = signed_in(None, **PHONE), signed_in(None, **PHONE)
    for page in (ours, theirs):
        page.clock.install()
        page.goto(f"/t/{make_token(TableLink.objects.get().nonce)}/")
        expect(page.locator(".deal-form")).to_be_visible()
    return ours, theirs


def news(page):
    return page.get_by_text("Something new on this card:")


def look_again(page):
    """Some seconds go by, and the page asks; it asks no more once it has told of something."""
    with page.expect_response("**/news/**"):
        page.clock.run_for(10_000)


def is_told(page):
    """Some seconds go by, and the page tells that something is new; on a slow machine it may have told already."""
    page.clock.run_for(10_000)
    expect(news(page)).to_be_in_viewport(ratio=1)


def test_the_other_phone_is_told_and_keeps_what_is_typed(phones):
    ours, theirs = phones
    look_again(theirs)
    expect(news(theirs)).to_be_hidden()
    bid = theirs.locator("[name=bid]")
    bid.fill("23")
    type_deal(ours, Game.objects.get(), a_deal())
    save(ours)
    before = bid.bounding_box()
    is_told(theirs)
    assert bid.bounding_box() == before  # nothing moves under a thumb
    theirs.get_by_role("link", name="look", exact=True).click()
    expect(theirs.get_by_role("heading", name="Is deal 1 right?")).to_be_visible()
    expect(bid).to_have_value("23")
    look_again(ours)
    expect(news(ours)).to_be_hidden()  # it was its own


def test_a_blank_form_on_the_other_phone_is_soon_that_of_the_next_deal(phones):
    ours, theirs = phones
    type_deal(ours, Game.objects.get(), a_deal())
    save(ours)
    theirs.clock.run_for(10_000)
    expect(theirs.locator("h2#next-deal")).to_have_text("Deal 2")
    expect(theirs.get_by_role("heading", name="Is deal 1 right?")).to_be_visible()
    expect(news(theirs)).to_be_hidden()


@pytest.mark.proof
def test_somebody_who_is_logged_out_is_told_of_nothing(phones, signed_in, scorekeeper):
    """What is asked for then is the log-in page, which is no news of the card."""
    desk = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    desk.clock.install()
    desk.goto(Game.objects.select_related("club").get().get_absolute_url())
    desk.context.clear_cookies()
    with desk.expect_response("**/login/**"):
        desk.clock.run_for(10_000)
    desk.clock.run_for(1_000)
    expect(news(desk)).to_be_hidden()


@pytest.mark.proof
def test_without_network_or_in_a_pocket_nobody_asks(phones):
    _ours, theirs = phones
    theirs.evaluate("async () => { await navigator.serviceWorker.ready; }")  # else its script is missed without network
    asked = []
    theirs.on("request", lambda request: asked.append(request.url))
    theirs.context.set_offline(True)
    theirs.clock.run_for(30_000)
    theirs.context.set_offline(False)
    theirs.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    theirs.clock.run_for(30_000)
    assert asked == []
    theirs.evaluate("delete document.hidden")
    look_again(theirs)
    expect(theirs.locator("#connection")).to_be_hidden()


@pytest.mark.daily(1)
@pytest.mark.parametrize("typed", [("bid",), ("bid", "meld_0", "take_0")])
def test_who_looks_is_shown_what_is_new_and_of_which_deal_the_form_is(phones, typed):
    """Deal 1 is recorded meanwhile by the other phone: what was half typed here is never saved as deal 2 unasked."""
    ours, theirs = phones
    for name in typed:
        theirs.locator(f"[name={name}]").fill("21")
    theirs.locator(f"[name={typed[-1]}]").scroll_into_view_if_needed()
    type_deal(ours, Game.objects.get(), a_deal())
    save(ours)
    is_told(theirs)
    theirs.get_by_role("link", name="look", exact=True).click()
    expect(theirs.get_by_text("What you typed before is here again.")).to_be_visible()
    expect(theirs.get_by_role("heading", name="Is deal 1 right?")).to_be_in_viewport(ratio=1)
    expect(theirs.get_by_text("Deal 1 is already on the card")).to_be_visible()
    expect(theirs.locator("h2#next-deal")).to_have_text("Deal 1")
    for name, figure in {"bid": 22, "meld_0": 12, "take_0": 15, "meld_1": 8}.items():
        theirs.locator(f"[name={name}]").fill(str(figure))
    theirs.locator("label[for=id_bid_side_0]").tap()
    save(theirs)
    expect(theirs.get_by_label("What I typed is another deal: record it as deal 2")).not_to_be_checked()
    assert Deal.objects.count() == 1
