"""The page that shows phones the way here: the address, its QR code, and what keeps phones away."""

import sys
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPConnection

import pytest
from django.core.handlers.wsgi import WSGIHandler

from clubsite.serving import hall as hall_server
from clubsite.serving.addresses import former_address, hall_address, note_site
from clubsite.serving.web import CannotServe, Place, listen_at, make_server
from tests.served import free_port

HALL = "http://192.168.1.20:8000"


@pytest.fixture
def look(club, scorekeeper, client_of, settings, tmp_path):
    """Opens the page as a scorekeeper, on a site with a folder of its own."""
    settings.VAR_DIR = tmp_path
    browser = client_of(scorekeeper)
    return lambda: browser.get("/st-hilary/phones/", HTTP_HOST="localhost").content.decode()


def test_a_site_for_this_machine_alone_says_how_to_start_it_for_the_hall(look):
    shown = look()
    assert "No phone reaches this site" in shown
    assert "nine-tables" in shown
    assert "<svg" not in shown.partition("<main")[2]  # a code that leads nowhere helps nobody


def test_the_address_stands_there_with_its_code_and_no_warning(look, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = HALL, ["localhost", "192.168.1.20"]
    shown = look()
    assert "192.168.1.20:8000" in shown
    assert 'role="img"' in shown
    assert "problem-impossible" not in shown
    assert "plain HTTP" in shown


def test_with_tls_nothing_is_said_of_plain_http(look, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = "https://cards.example.org", ["localhost", ".example.org"]
    assert "plain HTTP" not in look()


def test_an_address_that_the_site_refuses_is_told(look, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS = HALL, ["localhost"]
    assert "doesn&#x27;t know this address" in look() or "doesn't know this address" in look()


def test_a_server_that_listens_to_its_own_machine_is_told(look, settings):
    settings.SITE_URL, settings.ALLOWED_HOSTS, settings.SERVED_DIRECTLY = HALL, ["localhost", "192.168.1.20"], True
    assert "No phone reaches this site" in look()
    settings.LISTENS_AT = "0.0.0.0"  # noqa: S104
    assert "No phone reaches this site" not in look()


@pytest.mark.skipif(not hall_address(), reason="this machine is in no network")
def test_an_address_that_changed_while_the_site_runs_is_told(look, settings):
    settings.HALL, settings.ALLOWED_HOSTS = True, ["*", "localhost"]
    settings.SITE_URL = f"http://{hall_address()}:8000"
    assert "no longer right" not in look()
    settings.SITE_URL = "http://10.255.255.1:8000"
    assert "no longer right" in look()
    assert hall_address() in look()


def test_cards_printed_by_the_address_before_are_spoken_of(look, settings, tmp_path):
    settings.HALL, settings.SITE_URL = True, "http://hall.local:8000"
    for site in (HALL, HALL, settings.SITE_URL):
        note_site(tmp_path, site, now=datetime(2054, 9, 1, 18, tzinfo=UTC))
    assert f"It was {HALL} until" in look()
    note_site(tmp_path, HALL, now=datetime(2054, 9, 2, 18, tzinfo=UTC))
    settings.SITE_URL = HALL  # back at the address of the cards
    assert "It was http://hall.local:8000" in look()


def test_what_was_written_down_may_be_damaged(tmp_path):
    assert former_address(tmp_path) is None
    (tmp_path / "hall-address.json").write_text("[")
    assert former_address(tmp_path) is None
    note_site(tmp_path, HALL, now=datetime(2054, 9, 1, 18, tzinfo=UTC))
    assert former_address(tmp_path) is None


@pytest.fixture
def hall(settings, tmp_path, monkeypatch):
    """A site served at this machine alone, on a laptop with an address of its own that can be served."""
    settings.VAR_DIR, settings.SERVED_DIRECTLY = tmp_path, True
    settings.ALLOWED_HOSTS = ["localhost"]
    address = {"now": "127.0.0.2"}  # stands for 192.168.1.20: a second address that no other machine reaches
    for module in ("clubsite.serving.hall", "tournaments.table_links.views"):
        monkeypatch.setattr(f"{module}.hall_address", lambda: address["now"])
    served = partial(make_server, application=WSGIHandler())  # clubsite.wsgi, once loaded, closes the test's database
    monkeypatch.setattr("clubsite.serving.hall.make_server", served)
    monkeypatch.setenv("PORT", str(port := free_port()))
    monkeypatch.delenv("HOST", raising=False)
    yield address, port
    hall_server.stop()


def press(browser, **more):
    return browser.post("/st-hilary/phones/", more, HTTP_HOST="localhost", REMOTE_ADDR="127.0.0.1")


def answered(address, port):
    """The status of an answer at an address; None where nobody answers."""
    with closing(HTTPConnection(address, port, timeout=10)) as connection:
        try:
            connection.request("GET", "/robots.txt")
            return connection.getresponse().status
        except ConnectionRefusedError:
            return None


@pytest.mark.skipif(sys.platform == "darwin", reason="127.0.0.2 isn't there")
def test_a_director_at_the_sites_computer_lets_phones_in_and_shuts_them_out_again(hall, client_of, director, settings):
    address, port = hall
    browser, site = client_of(director), f"http://127.0.0.2:{port}"
    assert answered("127.0.0.2", port) is None
    press(browser)
    assert answered("127.0.0.2", port) == 200
    assert "127.0.0.2" in settings.ALLOWED_HOSTS
    assert "*" not in settings.ALLOWED_HOSTS
    assert (settings.SITE_URL, hall_server.was_left_open()) == (site, True)  # codes lead there, and at the next start
    press(browser)  # twice
    address["now"] = "127.0.0.3"  # another network, or the router gave another address
    assert not hall_server.was_left_open()
    press(browser)
    assert (answered("127.0.0.2", port), answered("127.0.0.3", port)) == (None, 200)
    assert former_address(settings.VAR_DIR).site == site  # what cards printed before lead to
    press(browser, out="")
    assert (answered("127.0.0.3", port), settings.SITE_URL, settings.HALL) == (None, "", False)
    assert settings.ALLOWED_HOSTS == ["localhost"]
    assert not hall_server.was_left_open()


def test_nobody_else_lets_phones_in(hall, client_of, director, scorekeeper, settings):
    _address, port = hall
    assert press(client_of(scorekeeper)).status_code == 404
    client_of(director).post("/st-hilary/phones/", HTTP_HOST="localhost", REMOTE_ADDR="192.168.1.30")
    settings.SERVED_DIRECTLY = False  # behind a proxy, or served by services
    press(client_of(director))
    settings.SERVED_DIRECTLY, settings.HTTPS = True, True
    press(client_of(director))
    assert (answered("127.0.0.2", port), settings.HALL) == (None, False)


def test_without_a_network_or_with_a_taken_port_it_stays_as_it_was(hall, client_of, director, settings):
    address, port = hall
    with closing(listen_at(Place("127.0.0.2", port))):
        browser = client_of(director)
        assert f"port {port}" in browser.get(press(browser).url, HTTP_HOST="localhost").content.decode()
        assert not settings.HALL
    address["now"] = ""
    press(client_of(director))
    assert not settings.HALL
    with pytest.raises(CannotServe, match="Wi-Fi"):
        hall_server.let_phones_in()


def test_a_site_with_a_name_of_its_own_keeps_it(hall, settings):
    settings.SITE_URL = "https://cards.example.org"
    hall_server.let_phones_in()
    assert settings.SITE_URL == "https://cards.example.org"
    assert "cards.example.org" in settings.ALLOWED_HOSTS


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104
def test_a_site_that_listens_everywhere_needs_no_second_server(hall, settings, monkeypatch, host):
    _address, port = hall
    monkeypatch.setenv("HOST", host)
    hall_server.let_phones_in()
    assert (settings.SITE_URL, answered("127.0.0.2", port)) == (f"http://127.0.0.2:{port}", None)
