"""A club's address, and its place."""

import re

import pytest
from django.core.exceptions import ValidationError
from django.urls import get_resolver

from clubsite.accounts.models import RESERVED, Club


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["login", "static"])
def test_a_club_has_no_address_of_the_sites_own_pages(slug):
    with pytest.raises(ValidationError, match="is a page of this site"):
        Club(name="St. Anne", slug=slug).full_clean()
    Club(name="St. Anne", slug="st-anne").full_clean()


def test_the_time_zone_is_chosen_from_cities_and_an_unknown_one_is_refused(client_of, director, club):
    browser = client_of(director)
    form = browser.get("/st-hilary/settings/").context["form"]
    listed = str(form["time_zone"])
    assert '<option value="America/Chicago" selected>Chicago</option>' in listed
    assert '<option value="America/New_York">New York</option>' in listed
    sent = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    assert browser.post("/st-hilary/settings/", sent | {"time_zone": "Madrid"}).status_code == 422
    assert browser.post("/st-hilary/settings/", sent | {"time_zone": "Europe/Madrid"}).status_code == 302
    club.refresh_from_db()
    assert club.time_zone == "Europe/Madrid"


def test_each_setting_is_in_one_group_with_a_heading(client_of, director, club):
    answer = client_of(director).get("/st-hilary/settings/")
    sections = re.findall(r'<section[^>]*aria-labelledby="([^"]+)">(.*?)</section>', answer.content.decode(), re.DOTALL)
    assert all(f'<h2 id="{heading}">' in body for heading, body in sections)
    names = [name for _heading, body in sections for name in re.findall(r' name="([^"]+)"', body)]
    assert sorted(names) == sorted(answer.context["form"].fields)


def test_all_of_the_sites_own_pages_are_reserved():
    parts = get_resolver().url_patterns
    own = {
        str(p.pattern).partition("/")[0]
        for part in parts
        if "<" not in str(part.pattern)
        for p in getattr(part, "url_patterns", [part])
    }
    assert {first for first in own if first and "<" not in first and "." not in first} <= RESERVED  # no slug has a dot
