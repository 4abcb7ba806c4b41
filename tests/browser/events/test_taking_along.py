"""An event is copied, and taken along in a file to another club, by what is on screen."""

import pytest
from playwright.sync_api import expect

from clubsite.accounts.models import Role
from tests.tournaments.nights import make_night, play_night
from tournaments.models import Event, PublishedStandings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (1366, "es")])
def test_an_event_is_copied_and_goes_into_another_club_once(
    signed_in, director, actor, club, other_club, rules_for, tmp_path, width, language
):
    for one in (club, other_club):
        one.language = language
        one.save()
    Role.objects.create(user=director, club=other_club, kind="director")
    night = make_night(club, rules_for("st-hilary-v3"))
    play_night(night, actor, 8)
    page = signed_in(director, viewport={"width": width, "height": 800}, accept_downloads=True)

    def link_of_desk(address):
        page.goto(night.get_desk_url())
        page.locator(f"details:has(a[href*='{address}']) > summary").click()
        return page.locator(f"a[href*='{address}']")

    link_of_desk("?like=").click()
    page.locator("[name=name]").fill("Once more")
    with page.expect_navigation():
        page.locator("main form button[type=submit]").last.click()
    assert Event.objects.get(name="Once more").format == night.format

    file = link_of_desk(f"{night.slug}/file/")
    with page.expect_download() as download:
        file.click()
    kept = tmp_path / "event.json"
    download.value.save_as(kept)
    for turn in (1, 2):
        page.goto(f"/{other_club.slug}/desk/new/file/")
        page.locator("input[type=file]").set_input_files(kept)
        page.locator("form:has(input[type=file]) button").first.click()
        expect(page.locator("#in-file")).to_contain_text(night.name)
        take = page.locator("button[value=take]")
        expect(take).to_have_count(2 - turn)
        if turn == 1:
            with page.expect_navigation():
                take.click()
    taken = Event.objects.get(club=other_club)
    rows = [
        [(row["name"], row["points"], row["place"]) for row in published.rows]
        for published in PublishedStandings.objects.filter(final=True).order_by("pk")
    ]
    assert page.url.endswith("/desk/new/file/")
    assert taken.name == night.name
    assert len(rows) == 2
    assert rows[0] == rows[1]
