"""The parish hall on its afternoon: the site on the hall's laptop, and everybody's screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from clubsite.accounts.models import Club, User
from tests.browser.conftest import SignIn
from tests.browser.offline.conftest import AWAY, PHONE, Server, built, keeps_pages, kept_server, server

__all__ = ["built", "keeps_pages", "kept_server", "server"]

SIZES: dict[str, dict[str, Any]] = {
    "phone": PHONE,
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "board": {"viewport": {"width": 1920, "height": 1080}},
}
Station = Callable[..., Page]


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any], server: Server) -> dict[str, Any]:
    """Every page starts from the hall's laptop."""
    return {**browser_context_args, "base_url": server.url}


@pytest.fixture
def station(signed_in: SignIn, club: Club) -> Station:
    """A screen of somebody: "phone", "laptop" or "board"."""

    def make(size: str, user: User | None = None) -> Page:
        return signed_in(user, may_say=AWAY, **SIZES[size])

    return make
