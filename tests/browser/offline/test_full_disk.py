"""The Wi-Fi and the server are there, but its disk takes nothing: the deal is kept on the phone and goes out later."""

import resource
from contextlib import suppress

import pytest
from django.db import connection
from playwright.sync_api import expect

from lab.benchmarks.cluster.parts import process_tree
from tests.browser.hands_on import type_deal
from tests.browser.offline.conftest import recorded, tap_save, waiting
from tests.scoring.conftest import a_deal

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL writes in processes of its own"),
    pytest.mark.proof,
]


def limit(server, size):
    """Let the server write no file beyond so many bytes."""
    assert server.process is not None
    for pid in process_tree(server.process.pid):
        with suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_deal_that_the_disk_does_not_take_is_kept_and_sent_later(opened, server, scorekeeper, game):
    card = opened(scorekeeper, game, may_say=("status of 503",))
    limit(server, 4096)
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.locator("[data-kept-news]")).to_contain_text("deal 1 is saved on this phone")
    expect(waiting(card)).to_have_text(["Deal 1"])
    expect(card.get_by_role("heading", name="Deal 2")).to_be_visible()

    limit(server, resource.RLIM_INFINITY)
    expect(card.locator(".totals dd")).to_have_text(["25", "16"], timeout=60_000)
    expect(waiting(card)).to_have_text([])
    assert recorded() == [(1, 1)]


def test_without_script_the_page_keeps_it_and_one_press_sends_it(opened, server, scorekeeper, game):
    card = opened(scorekeeper, game, kept=False, java_script_enabled=False, may_say=("status of 503",))
    limit(server, 4096)
    type_deal(card, game, a_deal())
    tap_save(card)
    expect(card.get_by_role("heading", level=1)).to_have_text("The disk reports errors")
    card.get_by_role("button", name="Send it again").click()
    expect(card.get_by_role("heading", level=1)).to_have_text("The disk reports errors")
    assert recorded() == []
    limit(server, resource.RLIM_INFINITY)
    card.get_by_role("button", name="Send it again").click()
    expect(card.locator(".totals dd")).to_have_text(["25", "16"])
    assert recorded() == [(1, 1)]
