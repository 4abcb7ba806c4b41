"""A draw with a wish that a worker searches, on a phone."""

import pytest

from clubsite.jobs.models import Worker
from tests.browser.hands_on import next_is
from tests.browser.test_accessible import stands_well
from tests.jobs.workers import until, worker_process
from tests.tournaments.draws.test_jobs import hard_to_draw
from tests.tournaments.nights import make_night
from tournaments.draws import rotation
from tournaments.draws.changes import swap_units
from tournaments.models import Draw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(club, actor, rules_for, apart, monkeypatch):
    """Eighteen people, two of whom are always partners; searches are left to a worker."""
    made = make_night(club, rules_for("st-hilary-v3"))
    hard_to_draw(made, actor, 18)
    monkeypatch.setattr(rotation, "EFFORTS", {"normal": 300_000, "longer": 300_000})
    return made


def test_a_draw_is_shown_as_soon_as_it_is_found_and_its_pages_are_for_everybody(signed_in, director, event):
    page = signed_in(director, viewport={"width": 390, "height": 844})
    page.goto(f"/{event.club.slug}/desk/{event.slug}/rounds/draw/")
    page.get_by_label("Rounds in all").fill("7")
    with worker_process():
        until(Worker.objects.exists)
        page.get_by_role("button", name="Draw round 1").click()
        next_is(page, "Publish this draw?")  # the page has looked for it by itself
    stands_well(page)

    page.get_by_role("link", name="Change it by hand").click()
    one, other = [unit.key for unit in swap_units(Draw.objects.get()) if unit.table is not None][3:9:5]
    page.get_by_label("Who", exact=True).select_option(str(one))
    page.get_by_label("With whom").select_option(str(other))
    page.get_by_role("button", name="See the effect").click()
    stands_well(page)
