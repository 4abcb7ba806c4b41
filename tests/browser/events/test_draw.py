"""A draw with a wish, searched by a worker, changed by hand and published, by clicking on a phone."""

import pytest
from playwright.sync_api import expect

from clubsite.jobs.models import Worker
from tests.browser.hands_on import next_is, overflow, said, step
from tests.browser.test_accessible import barriers
from tests.jobs.workers import until, worker_process
from tests.tournaments.nights import arrive, make_night
from tournaments.draws import rotation
from tournaments.draws.changes import swap_units
from tournaments.models import Draw, DrawJob

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def event(club, actor, rules_for, apart, monkeypatch):
    """Eighteen people; searches are left to a worker."""
    made = make_night(club, rules_for("st-hilary-v3"))
    arrive(made, actor, 18)
    monkeypatch.setattr(rotation, "EFFORTS", {"normal": 300_000, "longer": 300_000})
    return made


def wish(page, event):
    """Player 01 and Player 02 are always partners, by the page of wishes."""
    page.goto(f"/{event.club.slug}/desk/{event.slug}/rounds/draw/")
    page.get_by_role("link", name="Wishes").click()
    page.get_by_label("Who", exact=True).select_option(label="Player 01")
    page.get_by_label("Wish", exact=True).select_option(label="are always partners")
    page.get_by_label("With whom").select_option(label="Player 02")
    assert overflow(page) == 0
    page.get_by_role("button", name="Save this wish").click()
    expect(said(page)).to_contain_text("Player 01 and Player 02 are always partners.")
    page.get_by_role("link", name="To the draw").click()


def test_a_draw_is_searched_changed_and_published(signed_in, director, event):
    page = signed_in(director, viewport=PHONE)
    wish(page, event)
    page.get_by_label("Rounds in all").fill("7")
    with worker_process():
        until(Worker.objects.exists)
        page.get_by_role("button", name="Draw round 1").click()
        next_is(page, "Publish this draw?")  # the page has looked for it by itself
    assert barriers(page) == []
    assert overflow(page) == 0
    expect(page.locator("main")).to_contain_text("Player 01 and Player 02 are always partners: met.")
    expect(page.locator("main")).to_contain_text("Counted over all 7 rounds planned")
    assert DrawJob.objects.get().state == DrawJob.State.DONE

    page.get_by_role("link", name="Change it by hand").click()
    one, other = [unit.key for unit in swap_units(Draw.objects.get()) if unit.table is not None][3:9:5]
    page.get_by_label("Who", exact=True).select_option(str(one))
    page.get_by_label("With whom").select_option(str(other))
    page.get_by_role("button", name="See the effect").click()
    assert overflow(page) == 0
    assert barriers(page) == []
    page.get_by_role("button", name="Swap places").click()
    expect(said(page)).to_contain_text("This is now version 2 of the draw.")
    page.get_by_role("link", name="Back to the draw").click()
    expect(page.locator("main")).to_contain_text("Changed by hand")
    step(page, "Publish this draw")
    expect(said(page)).to_contain_text("Round 1 is published.")

    anybody = signed_in(None, viewport=PHONE)
    anybody.goto(f"/{event.club.slug}/events/{event.slug}/seats/")
    expect(anybody.locator("main")).to_contain_text("Changed by hand")
