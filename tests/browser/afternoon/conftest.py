"""The parish hall on its afternoon: the site on the hall's laptop, and everybody's screen."""

import pytest

from tests.browser.offline.conftest import AWAY, PHONE, built, keeps_pages, kept_server, server

__all__ = ["built", "keeps_pages", "kept_server", "server"]

SIZES = {
    "phone": PHONE,
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "board": {"viewport": {"width": 1920, "height": 1080}},
}


@pytest.fixture
def browser_context_args(browser_context_args, server):
    """Every page starts from the hall's laptop."""
    return {**browser_context_args, "base_url": server.url}


@pytest.fixture
def station(signed_in, club):
    """A screen of somebody: "phone", "laptop" or "board"."""

    def make(size, user=None):
        return signed_in(user, may_say=AWAY, **SIZES[size])

    return make
