"""Members by hand: sixty pasted with three slips of the pen, two made one and two again, and one person's page."""

import json
from random import Random

import pytest
from playwright.sync_api import expect

from clubsite.accounts.models import Actor, Member, Role
from scoring.engine.core.ruleset import shipped
from scoring.house_rules.actions import adopt
from tests.browser.hands_on import overflow, said
from tests.browser.test_accessible import barriers
from tests.conftest import make_club, make_user
from tests.kept import made_once
from tests.tournaments import contests
from tests.tournaments.members.reckoned import reckoned
from tests.tournaments.nights import make_night, play_night
from tests.tournaments.results import make_season

pytestmark = pytest.mark.django_db(transaction=True)

MEMBERS = "/st-hilary/members/"
NAMES = [f"{first} {last}" for first in contests.FIRST for last in contests.LAST]
MORE = ["Wanda Quill", "Xavier Prior", "Yves Orme"]
SLIPS = {
    "Agnes Kowalcyk": "Agnes Kowalczyk",
    "Bernard Oshaugnessy": "Bernard O'Shaughnessy",
    "Jose Nunez": "José Núñez",
}


def played():
    """A club of three members, and two nights of a season that twelve others have played."""
    club = make_club()
    director = make_user("dora", club, Role.Kind.DIRECTOR)
    by = Actor(user=director, name="Dora")
    rules, season = adopt(club=club, rule_set=shipped()["st-hilary-v3"], by=by), make_season(club)
    for day in (6, 13):
        play_night(make_night(club, rules, slug=f"n{day}", season=season, day=day), by, 12, rounds=2, deals=2)
    for name in SLIPS.values():
        Member.objects.create(club=club, name=name)
    return club, director


@pytest.fixture
def house(db):
    return made_once("members by hand", played)


@pytest.fixture
def desk(house, signed_in):
    return signed_in(house[1], viewport={"width": 1366, "height": 768}, accept_downloads=True)


def test_sixty_are_pasted_and_three_are_asked_about(desk, house):
    before = Member.objects.count()
    names = [*NAMES, *MORE, *SLIPS]
    assert len(names) == 60
    Random(60).shuffle(names)
    desk.goto(MEMBERS)
    desk.get_by_role("link", name="Paste a list of members").click()
    desk.get_by_label("Paste the list here").fill("\n".join(names))
    desk.get_by_role("button", name="Look at the names").click()
    assert barriers(desk) == []
    asked = desk.get_by_role("group")
    expect(asked).to_have_count(3)
    desk.get_by_role("button", name="Add to the members").click()
    expect(desk.get_by_role("heading", name="Look at the names")).to_be_visible()
    for slip, name in SLIPS.items():
        group = desk.get_by_role("group", name=f"{slip}: the same as {name}?")
        wanted = f"No, {slip} is somebody else" if slip == "Jose Nunez" else f"Yes, {name}"
        group.get_by_label(wanted).check()
    desk.get_by_role("button", name="Add to the members").dblclick()
    expect(said(desk)).to_contain_text("58 members are added.")
    assert Member.objects.count() == before + 58
    assert not Member.objects.filter(name="Agnes Kowalcyk").exists()
    expect(desk.get_by_role("link", name="Jose Nunez", exact=True)).to_be_visible()
    expect(desk.get_by_role("link", name="Jose Nunez: the same as José Núñez?")).to_have_count(0)  # it is answered


def test_two_are_made_one_and_two_again(desk, house):
    club = house[0]
    twin = Member.objects.create(club=club, name="Player One")
    desk.goto(f"{MEMBERS}{twin.pk}/change/")
    desk.get_by_label("The same person is also on the list as").select_option("Player 01")
    desk.get_by_role("button", name="See what would move").click()
    expect(desk.get_by_text("2 events move to Player One:")).to_be_visible()
    expect(desk.get_by_role("cell", name="no night")).to_be_visible()
    assert barriers(desk) == []
    desk.get_by_role("button", name="Merge, and keep Player One").click()
    expect(said(desk)).to_contain_text("Player 01 is merged into Player One;")
    expect(said(desk)).to_contain_text("“Merged names” under Members undoes it.")
    expect(desk.get_by_text("2 nights played.")).to_be_visible()
    desk.goto(MEMBERS)
    desk.get_by_role("link", name="Merged names").click()
    assert barriers(desk) == []
    desk.get_by_role("button", name="Take it back Player 01").click()
    expect(said(desk)).to_contain_text("Player 01 is on the list again.")
    desk.goto(f"{MEMBERS}{twin.pk}/")
    expect(desk.get_by_text("Nothing played yet.")).to_be_visible()


def test_a_persons_page_has_what_the_file_adds_up_to(desk, house, signed_in, tmp_path):
    member = Member.objects.get(club=house[0], name="Player 01")
    desk.goto(f"{MEMBERS}{member.pk}/change/")
    with desk.expect_download() as coming:
        desk.get_by_role("button", name="Save it all as a file").click()
    coming.value.save_as(tmp_path / "person.json")
    figures = reckoned(json.loads((tmp_path / "person.json").read_text()))
    desk.get_by_role("link", name="See what they have played").click()
    expect(desk.locator("dl.totals dt").first).to_be_visible()
    desk.wait_for_load_state()  # what follows waits for nothing
    told = dict(
        zip(desk.locator("dl.totals dt").all_inner_texts(), desk.locator("dl.totals dd").all_inner_texts(), strict=True)
    )
    own = float(told["Own"].replace("\N{MINUS SIGN}", "-"))
    assert abs(own - float(figures["a_deal"])) <= 0.05
    assert (int(told["Bids made"]), int(told["Bids failed"])) == (figures["made"], figures["failed"])
    places = desk.locator("section:has(> #nights) tbody tr td:nth-child(3)").all_inner_texts()
    assert sorted(places) == sorted(
        f"{place}{'=' * (f'{place}=' in ' '.join(places))} of {of}" for place, of, _points in figures["places"].values()
    )
    for kind in ("partners", "opponents"):
        rows = desk.locator(f"section:has(> #{kind}) tbody tr")
        shown = {row.locator("th").inner_text(): int(row.locator("td").first.inner_text()) for row in rows.all()}
        assert shown == {name: figures[kind][name] for name in shown}
        assert len(shown) == min(10, len(figures[kind]))
    best = [text.split()[0] for text in desk.locator("section[aria-labelledby=best] li").all_inner_texts()]
    assert [int(text.replace("\N{MINUS SIGN}", "-")) for text in best] == figures["best"]
    phone = signed_in(None, viewport={"width": 320, "height": 700})
    phone.goto(f"{MEMBERS}{member.pk}/")
    assert overflow(phone) == 0
    assert barriers(phone) == []
