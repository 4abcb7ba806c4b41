"""The site as `./dev run` serves it, in a process of its own that can be stopped, frozen and started again."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from scoring.cards.deals import start_game
from scoring.models import DealVersion
from tests.browser.hands_on import wait_until
from tests.scoring.conftest import PINOCHLE_SIDES
from tests.served import ask, free_port, wait_for

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# What a browser's own console says of a server that is away; the page says it better.
AWAY = (
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_EMPTY_RESPONSE",
    "ERR_FAILED",
)


@pytest.fixture
def keeps_pages():
    """All tests of this folder are of a site with its service worker."""
    return True


class Server:
    def __init__(self, data):
        """Choose a port; `start` serves."""
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.process = None
        self.env = {
            **os.environ,
            "VAR_DIR": str(data),
            "STATIC_BUILT": "on",
            "TASKS_APART": "off",  # no worker stands beside this server
            "SECRET_KEY": settings.SECRET_KEY,
            "DJANGO_SETTINGS_MODULE": "clubsite.settings",
            "PORT": str(self.port),
        }
        if connection.vendor == "sqlite":
            self.env["DATABASE_URL"] = f"sqlite:///{connection.settings_dict['NAME']}"
        else:
            self.env["DATABASE_URL"] = (
                os.environ["DATABASE_URL"].rpartition("/")[0] + f"/{connection.settings_dict['NAME']}"
            )

    def build(self):
        call = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(call, cwd=settings.BASE_DIR, env=self.env, check=True)

    def start(self):
        """Serve, and wait until a page has come: the first takes longest, and no page of a phone waits for so long."""
        call = [sys.executable, "-m", "clubsite.serving.web"]
        self.process = subprocess.Popen(call, cwd=settings.BASE_DIR, env=self.env, start_new_session=True)
        wait_for(self.port, self.process)
        assert ask(self.port, b"GET /login/ HTTP/1.0\r\nHost: localhost\r\n\r\n").startswith(b"HTTP/1.0 200")

    def stop(self):
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGCONT)
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None

    def freeze(self):
        """The laptop died, the Wi-Fi is still up: whoever asks gets no answer."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGCONT)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A folder in which the static files are built, once a process."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def kept_server(built, django_db_setup):
    """The site's server of all tests of a process; it isn't started yet."""
    server = Server(built)
    if not (built / "static").exists():
        server.build()
    yield server
    server.stop()


@pytest.fixture
def server(kept_server, transactional_db):
    """The site, served; after a test that stopped or froze it as before."""
    if kept_server.process is None:
        kept_server.start()
    yield kept_server
    if kept_server.process is not None:
        kept_server.thaw()


@pytest.fixture
def game(rules_for):
    rules = rules_for("st-hilary-v3")
    return start_game(club=rules.club, rules=rules, title="Table 3", sides=PINOCHLE_SIDES)


@pytest.fixture
def opened(signed_in, server):
    """The card of a game on somebody's phone, kept by its service worker."""

    def make(user, game, *, kept=True, may_say=(), **options):
        page = signed_in(user, may_say=(*AWAY, *may_say), **{**PHONE, **options})
        page.goto(server.url + game.get_absolute_url())
        if kept:
            is_kept(page)
        return page

    return make


KEPT = """async () => navigator.serviceWorker.controller !== null
    && Boolean(await (await caches.open("pages-1")).match(location.href, { ignoreVary: true }))"""


def is_kept(page):
    """Wait until the service worker has the page."""
    wait_until(page, lambda: bool(page.evaluate(KEPT)), "the page to be kept")


def tap_save(page):
    """Press Save; what comes then is the test's to see."""
    page.get_by_role("button", name="Save", exact=True).click()


def recorded():
    return list(DealVersion.objects.order_by("deal__number", "number").values_list("deal__number", "number"))


def waiting(page):
    """The deals that the page shows as kept: "Deal 1" and so on."""
    return page.locator("[data-kept-list] > li .kept-deal strong")
