"""An invitation and a code for a new password, taken up in a browser, which says with each form where it comes from."""

import re

import pytest
from playwright.sync_api import expect

from clubsite.accounts.invitations import give_code, invite_person, shown_code
from clubsite.accounts.models import Role
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)

NEW = "tea at the ninth table"


def address_of(made):
    return f"/login/invitation/{shown_code(made)}/"


@pytest.fixture
def page(signed_in):
    """Nobody's browser, as large as a phone."""
    return signed_in(None, viewport={"width": 390, "height": 844})


@pytest.fixture
def invitation(club, actor):
    return invite_person(club=club, by=actor, name="Ann Abel", kind=Role.Kind.SCOREKEEPER)


def test_who_is_invited_chooses_a_log_in_and_is_at_the_desk(page, invitation):
    page.goto(address_of(invitation))
    page.get_by_label(re.compile("^Password")).first.fill(NEW)
    page.get_by_role("button", name="Join").click()
    expect(page).to_have_url(re.compile("/st-hilary/desk/$"))
    expect(page.get_by_role("button", name="Log out ann.abel")).to_be_visible()


def test_who_has_a_log_in_joins_with_it(signed_in, invitation, stranger):
    page = signed_in(stranger)
    page.goto(address_of(invitation))
    page.get_by_role("button", name=f"Join as {stranger.username}").click()
    expect(page).to_have_url(re.compile("/st-hilary/desk/$"))
    assert Role.objects.filter(user=stranger, club__slug="st-hilary", kind=Role.Kind.SCOREKEEPER).exists()


def test_a_code_sets_a_new_password(page, club, actor, scorekeeper):
    page.goto(address_of(give_code(role=Role.objects.get(user=scorekeeper, club=club), by=actor)))
    page.get_by_label(re.compile("password", re.IGNORECASE)).first.fill(NEW)
    page.get_by_role("button", name="Set the password").click()
    expect(page).to_have_url(re.compile("/login/"))
    scorekeeper.refresh_from_db()
    assert (scorekeeper.check_password(NEW), scorekeeper.check_password(PASSWORD)) == (True, False)


def test_in_another_language_it_is_the_same_page(page, invitation):
    page.goto(address_of(invitation))
    page.get_by_role("button", name="Español").click()
    expect(page).to_have_url(re.compile(f"{re.escape(address_of(invitation))}$"))
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^es"))
