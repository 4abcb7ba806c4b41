"""A club's address."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.urls import get_resolver

from clubsite.accounts.models import RESERVED, Club


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["login", "static"])
def test_a_club_has_no_address_of_the_sites_own_pages(slug: str) -> None:
    with pytest.raises(ValidationError, match="is a page of this site"):
        Club(name="St. Anne", slug=slug).full_clean()
    Club(name="St. Anne", slug="st-anne").full_clean()


def test_all_of_the_sites_own_pages_are_reserved() -> None:
    parts = get_resolver().url_patterns
    own = {
        str(p.pattern).partition("/")[0]
        for part in parts
        if "<" not in str(part.pattern)
        for p in getattr(part, "url_patterns", [part])
    }
    assert {first for first in own if first and "<" not in first and "." not in first} <= RESERVED  # no slug has a dot
