"""The page of log-ins on a phone: whatever can be pressed is there without scrolling sideways."""

import pytest

from clubsite.accounts.models import Club, Role
from tests.conftest import make_user


@pytest.mark.parametrize("language", ["en", "es"])
def test_roles_and_codes_fit_a_phone(signed_in, club, director, language):
    Club.objects.filter(pk=club.pk).update(language=language)
    make_user("maximilian-featherstonehaugh", club, Role.Kind.TREASURER)
    page = signed_in(director, viewport={"width": 390, "height": 844})
    page.goto(f"/{club.slug}/people/")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        beyond = "(one) => one.scrollWidth - one.clientWidth"
        assert page.locator(".log-ins").locator("..").evaluate(beyond) == 0, width
        for button in page.locator(".log-ins button").all():
            box = button.bounding_box()
            assert box["x"] + box["width"] <= width, width
