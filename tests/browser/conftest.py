"""A real browser on a real server: headless Chromium, and every complaint of its console fails the test."""

import os

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import expect
from pytest_playwright.pytest_playwright import browser  # noqa: F401  (the real one, not that of tests/conftest.py)

from lab.tools.shots import ARGUMENTS, find_chromium

# Playwright keeps an event loop in the tests' own thread, which Django takes for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Two cores may be shared with others. A wait ends as soon as what is waited for is there.
expect.set_options(timeout=15_000)
PATIENCE = 30_000  # milliseconds

# What may stand in the console: the site's answers to a form that it doesn't accept, and htmx's word of a request
# that the next page or the next key overtook. One that failed has a line of the browser's own as well. And that a font
# wasn't used "within a few seconds": a busy machine's word (tests/ops/test_static_build.py looks at what is preloaded).
FINE = (
    "status of 409 ",
    "status of 422 ",
    "htmx:afterRequest",
    "htmx:sendAbort",
    "htmx:sendError",
    "within a few seconds",
)
NO_NETWORK = ("ERR_INTERNET_DISCONNECTED",)

# A site without https, as in most halls, gets no service worker from the browser. Nearly all tests are of such a site:
# to install one takes each new browser an eighth more of the processor.
NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's Chromium, or the one that CHROMIUM names. Without one these tests fail; they are never skipped."""
    return {**browser_type_launch_args, "executable_path": find_chromium(), "args": list(ARGUMENTS)}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args, live_server):
    """Every page starts from the server's address, and nothing moves: what is looked at stands still."""
    return {**browser_context_args, "base_url": live_server.url, "locale": "en-US", "reduced_motion": "reduce"}


@pytest.fixture
def keeps_pages():
    """Whether the site has its service worker, which keeps pages for when the network is away."""
    return False


@pytest.fixture
def new_context(new_context, keeps_pages):
    """New browsers. Afterwards their consoles must be clean: no error, no page's own failure, nothing that the
    Content-Security-Policy had to refuse."""
    complaints = []

    def make(*, may_say=(), **options):
        def heard(message):
            expected = any(words in message.text for words in (*FINE, *may_say))
            if message.type in ("error", "warning") and not expected:
                complaints.append(f"{message.location.get('url')}: {message.text}")

        context = new_context(**options)
        if not keeps_pages:
            context.add_init_script(NO_SERVICE_WORKER)
        context.set_default_timeout(PATIENCE)
        context.on("console", heard)
        context.on("weberror", lambda failure: complaints.append(str(failure.error)))
        return context

    yield make
    assert complaints == []


@pytest.fixture
def signed_in(new_context, live_server):
    """A page in a browser of its own, logged in as a user; None is anybody. Options are those of a browser context."""

    def make(user, **options):
        context = new_context(**options)
        if user is not None:
            client = Client()
            client.force_login(user)
            key = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}])
        return context.new_page()

    return make
