"""Logging in: wrong passwords are counted by name and address."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from clubsite.accounts.models import User
from tests.conftest import PASSWORD

ClientOf = Callable[[User | None], Client]
WAIT = "Too many wrong passwords. Wait 15 minutes, then try again."


def log_in(browser: Client, name: str, password: str, address: str = "192.0.2.1") -> str:
    """The page after the try; the front page when it worked."""
    form = {"username": name, "password": password}
    return browser.post("/login/", form, follow=True, REMOTE_ADDR=address).content.decode()


@pytest.fixture
def browser(director: User, client_of: ClientOf) -> Client:
    return client_of(None)


def test_the_right_password_leads_to_the_front_page(browser: Client) -> None:
    assert "Log out dora" in log_in(browser, "dora", PASSWORD)


def test_a_wrong_password_says_what_to_look_at(browser: Client) -> None:
    page = log_in(browser, "dora", "wrong")
    assert "Capital letters count in both" in page
    assert "Log out" not in page


def test_five_wrong_passwords_stop_even_the_right_one(browser: Client) -> None:
    for _try in range(5):
        assert WAIT not in log_in(browser, "dora", "wrong")
    assert WAIT in log_in(browser, "dora", PASSWORD)
    assert WAIT in log_in(browser, "DORA", PASSWORD)


def test_another_address_and_another_name_are_counted_apart(browser: Client, scorekeeper: User) -> None:
    for _try in range(5):
        log_in(browser, "dora", "wrong")
    assert WAIT in log_in(browser, "dora", PASSWORD)
    assert "Log out sam" in log_in(Client(), "sam", PASSWORD)
    assert "Log out dora" in log_in(Client(), "dora", PASSWORD, address="192.0.2.2")


def test_success_forgets_the_wrong_tries(browser: Client) -> None:
    for _round in range(2):
        for _try in range(4):
            log_in(browser, "dora", "wrong")
        assert "Log out dora" in log_in(browser, "dora", PASSWORD)
        browser.post("/logout/")


def test_a_name_that_nobody_has_is_counted_too(browser: Client) -> None:
    for _try in range(5):
        log_in(browser, "nobody", "wrong")
    assert WAIT in log_in(browser, "nobody", "wrong")


def test_after_logging_in_one_is_where_one_wanted_to_be(browser: Client) -> None:
    response = browser.get("/st-hilary/log/")
    assert response["Location"] == "/login/?next=/st-hilary/log/"
    page = browser.post("/login/", {"username": "dora", "password": PASSWORD, "next": "/st-hilary/log/"})
    assert page["Location"] == "/st-hilary/log/"


def test_one_is_not_sent_to_another_site(browser: Client) -> None:
    page = browser.post("/login/", {"username": "dora", "password": PASSWORD, "next": "https://example.org/"})
    assert page["Location"] == "/"


def test_the_password_can_be_changed_by_the_rules_only(director: User, client_of: ClientOf) -> None:
    browser = client_of(director)
    form = {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"}
    assert "at least 10 characters" in browser.post("/password/", form).content.decode()
    new = "a longer walk to the hall"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    assert "Your password is changed." in browser.post("/password/", form, follow=True).content.decode()
    assert "Log out dora" in log_in(Client(), "dora", new)
