"""A real browser on a real server: headless Chromium, and every complaint of its console fails the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect
from pytest_django.live_server_helper import LiveServer

from clubsite.accounts.models import User

# Playwright keeps an event loop in the tests' own thread, which Django takes for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Two cores may be shared with others. A wait ends as soon as what is waited for is there.
expect.set_options(timeout=15_000)
PATIENCE = 30_000  # milliseconds

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
ANSWERS = ("status of 409 ", "status of 422 ")  # the site's own, to a form that it doesn't accept
NO_NETWORK = (
    "ERR_INTERNET_DISCONNECTED",
    "htmx:sendError",
    "htmx:afterRequest",
)  # said in the console when the hall has no Wi-Fi

SignIn = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Debian's Chromium, or the one that CHROMIUM names. There is no skipping these tests for want of it."""
    chromium = shutil.which(os.environ.get("CHROMIUM") or "/usr/bin/chromium")
    if chromium is None:
        pytest.fail("The browser tests need Chromium: ./dev test installs it, or name one with CHROMIUM=/path/to/it.")
    return {**browser_type_launch_args, "executable_path": chromium, "args": list(QUIET)}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], live_server: LiveServer) -> dict[str, Any]:
    """Every page starts from the server's address."""
    return {**browser_context_args, "base_url": live_server.url, "locale": "en-US"}


@pytest.fixture
def new_context(new_context: Callable[..., BrowserContext]) -> Iterator[Callable[..., BrowserContext]]:
    """New browsers. Afterwards their consoles must be clean: no error, no page's own failure, nothing that the
    Content-Security-Policy had to refuse."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.location.get('url')}: {message.text}")

    def make(*, may_say: Sequence[str] = (), **options: Any) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(PATIENCE)
        fine = (*ANSWERS, *may_say)
        context.on("console", lambda message: None if any(words in message.text for words in fine) else heard(message))
        context.on("weberror", lambda failure: complaints.append(str(failure.error)))
        return context

    yield make
    assert complaints == []


@pytest.fixture
def signed_in(new_context: Callable[..., BrowserContext], live_server: LiveServer) -> SignIn:
    """A page in a browser of its own, logged in as a user; None is anybody. Options are those of a browser context."""

    def make(user: User | None, **options: Any) -> Page:
        context = new_context(**options)
        if user is not None:
            client = Client()
            client.force_login(user)
            key = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}])
        return context.new_page()

    return make
