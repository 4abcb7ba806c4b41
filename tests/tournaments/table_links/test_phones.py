"""The page that shows phones the way here: the address, its QR code, and what keeps phones away."""

from datetime import UTC, datetime

import pytest

from clubsite.serving.addresses import before, hall_address, remember

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
    assert "only answers this computer" in look()
    settings.LISTENS_AT = "0.0.0.0"  # noqa: S104
    assert "only answers this computer" not in look()


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
        remember(tmp_path, site, now=datetime(2054, 9, 1, 18, tzinfo=UTC))
    assert f"It was {HALL} until" in look()
    remember(tmp_path, HALL, now=datetime(2054, 9, 2, 18, tzinfo=UTC))
    settings.SITE_URL = HALL  # back at the address of the cards
    assert "It was http://hall.local:8000" in look()


def test_what_was_written_down_may_be_damaged(tmp_path):
    assert before(tmp_path) is None
    (tmp_path / "hall-address.json").write_text("[")
    assert before(tmp_path) is None
    remember(tmp_path, HALL, now=datetime(2054, 9, 1, 18, tzinfo=UTC))
    assert before(tmp_path) is None
