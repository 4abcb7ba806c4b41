"""The table of permissions: its print is current, and an address without a line is refused."""

from __future__ import annotations

import pytest
from django.conf import settings as site
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from clubsite.accounts.models import User
from clubsite.accounts.permissions.document import as_markdown
from clubsite.accounts.permissions.gate import check_addresses
from clubsite.urls import urlpatterns as of_site

urlpatterns = [*of_site, path("forgotten/line/", lambda request: HttpResponse("secret"), name="without_a_line")]


def test_the_page_of_the_docs_is_that_of_the_table() -> None:
    assert (site.BASE_DIR / "docs" / "permissions.md").read_text() == as_markdown(), "./dev manage permissions"


@pytest.mark.urls("tests.accounts.permissions.test_table")
def test_an_address_without_a_line_is_found_at_the_start_and_refused(director: User) -> None:
    assert ["without_a_line" in error.msg for error in check_addresses()] == [True]
    browser = Client()
    browser.force_login(director)
    answer = browser.get("/forgotten/line/")
    assert (answer.status_code, b"secret" in answer.content) == (404, False)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "MOVE"])
def test_no_page_takes_another_method(director: User, method: str) -> None:
    browser = Client()
    browser.force_login(director)
    for page in ("/", "/st-hilary/people/", "/login/", "/t/ABC/"):
        assert browser.generic(method, page).status_code == 405
