"""A document that isn't made yet: waited for on a phone, with and without script; pages without a barrier."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from clubsite.jobs import heartbeat
from clubsite.jobs.models import MadeFile, Order, Worker
from tests.browser.test_accessible import barriers
from tests.jobs.workers import until, worker_process
from tests.tournaments.nights import arrive, make_night, publish_next

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def address(club, actor, rules_for, apart):
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 8)
    publish_next(event, actor)
    return f"/st-hilary/desk/{event.slug}/print/cards.pdf"


def pdf(response):
    """Whether the site answered with a PDF: a browser's own viewer asks for it again, of itself."""
    return response.url.startswith("http") and response.headers.get("content-type") == "application/pdf"


@pytest.mark.daily(1)
@pytest.mark.long
@pytest.mark.parametrize("script", [True, False])
def test_a_document_is_waited_for_and_then_opens_by_itself(signed_in, scorekeeper, address, script):
    page = signed_in(scorekeeper, java_script_enabled=script)
    opening = []
    page.on("response", lambda response: opening.append(response) if pdf(response) else None)
    page.goto(address)
    if not script:
        page.get_by_role("button", name="Make it").click()
    expect(page.locator("#order")).to_contain_text("No worker is running")
    assert not script or barriers(page) == []
    with worker_process():
        until(Worker.objects.exists)
        until(lambda: MadeFile.objects.get().state == MadeFile.State.MADE)
        with page.expect_response(pdf) as opened:
            if not script:
                with suppress(Error):  # a browser that can't show a PDF keeps it
                    page.goto(Order.objects.get().get_absolute_url())
        assert opened.value.status == 200
        if script:
            page.wait_for_timeout(2500)
            assert len(opening) == 1, "a browser that downloads it would do so every second"


@pytest.mark.proof
def test_the_button_that_takes_an_order_back_stays_under_the_finger_while_the_page_asks_again(
    signed_in, scorekeeper, address
):
    heartbeat.beat("one that never comes to it")
    page = signed_in(scorekeeper, may_say=("status of 404", "Status Error Code 404"))  # asked after it was taken back
    page.goto(address)
    expect(page.locator("#order")).to_contain_text("It is next.")
    page.get_by_role("button", name="Cancel the order").hover()
    page.mouse.down()
    for _answer in range(2):  # when the second comes, the first has been shown
        with page.expect_response("**/orders/**"):
            pass
    page.mouse.up()
    expect(page.locator("#order")).to_have_count(0)
    assert not Order.objects.exists()
