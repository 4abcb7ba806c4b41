"""The switch of language in the middle of a form: what was typed is still there in the other language."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_was_typed_stays_but_for_passwords(signed_in, club, director):
    page = signed_in(director)
    page.goto("/st-hilary/people/")
    page.locator("#id_username").fill("vera.weiß")
    page.locator("#id_full_name").fill("Vera Weiß")
    page.locator("#id_kind").select_option("treasurer")
    page.locator("#id_password").fill("tea at the ninth table")
    page.get_by_role("button", name="Español").click()
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^es"))
    expect(page.locator("#id_username")).to_have_value("vera.weiß")
    expect(page.locator("#id_full_name")).to_have_value("Vera Weiß")
    expect(page.locator("#id_kind")).to_have_value("treasurer")
    expect(page.locator("#id_password")).to_have_value("")
    page.reload()
    expect(page.locator("#id_full_name")).to_have_value("")
