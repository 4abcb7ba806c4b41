"""A name that is on the list already: what is wrong is in sight when the page comes back."""

import pytest
from playwright.sync_api import expect

from clubsite.accounts.models import Member
from tests.tournaments.contests import NAMES, contest, enter

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("skipped", [True, False])
def test_what_is_said_of_a_duplicate_is_in_sight_below_a_long_list(club, director, actor, signed_in, skipped):
    """The form stands below the list on a phone. Whoever has skipped to the page has its address with a #, by which
    browsers leave out what has `autofocus`."""
    event = contest(club, actor)
    enter(event, actor, NAMES)
    Member.objects.bulk_create(Member(club=club, name=name) for name in NAMES)
    phone = signed_in(director, viewport={"width": 390, "height": 844})
    for address in (f"/{club.slug}/members/", f"/{club.slug}/desk/{event.slug}/entries/"):
        phone.goto(f"{address}#main" if skipped else address)
        phone.get_by_label("Name", exact=True).fill(NAMES[0])
        phone.get_by_label("Name", exact=True).press("Enter")
        expect(phone.get_by_text(f"{NAMES[0]} is")).to_be_in_viewport()
        expect(phone.get_by_label("Name", exact=True)).to_be_focused()
