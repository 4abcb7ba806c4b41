"""The guided start in a real browser: from an empty install to printed cards for 22 people, in few clicks."""

import pytest
from django.utils.translation import gettext as _, ngettext, override
from playwright.sync_api import expect

from clubsite.accounts.models import Club, Member
from tests.browser.hands_on import Gate, LateScript, overflow, wait_until
from tests.browser.test_accessible import barriers
from tests.tournaments.documents.sheets import has, pages_of
from tests.tournaments.setup.conftest import members_of
from tournaments.models import Draw

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = "Agnes Bob Cal Dee Eve Fay Gus Hal Ida Jon Kit Lou Mae Ned Ola Pia Ray Sue Tom Una Vic Wes"
LAST = "Kowalczyk Hale Young Poe Rossi Lund Berg Moss Nash Ortiz Pratt Quinn Reed Shaw Tate Unger Vance Wolfe Xu Yates"
NAMES = [f"{first} {last}" for first, last in zip(FIRST.split(), [*LAST.split(), "Zimmer", "Abel"], strict=True)]
MOST_CLICKS = 25


class Hand:
    """What somebody does at a page, its clicks counted."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def click(self, role, name):
        self.page.get_by_role(role, name=name).click()
        self.clicks += 1


@pytest.fixture(autouse=True)
def served_directly(settings):
    settings.SERVED_DIRECTLY = True


@pytest.fixture
def visitor(new_context):
    """Somebody at a laptop in Chicago, on the machine that serves the site."""
    return new_context(viewport={"width": 1366, "height": 768}, timezone_id="America/Chicago").new_page()


@pytest.mark.parametrize(
    ("locale", "paper", "dates"),
    [
        pytest.param("en-US", "Letter", "us", marks=pytest.mark.browser_context_args(locale="en-US")),
        pytest.param(  # what a club takes over from its browser is asked by tests/tournaments/setup, too
            "es-ES", "A4", "es", marks=[pytest.mark.browser_context_args(locale="es-ES"), pytest.mark.proof]
        ),
    ],
)
def test_from_an_empty_install_to_printed_cards_for_22_people(new_context, locale, paper, dates):
    window = {"width": 1366, "height": 768}
    page = new_context(viewport=window, timezone_id="America/Chicago").new_page()
    hand = Hand(page)
    with override(locale.partition("-")[0]):
        page.goto("/")
        hand.click("link", _("Set up my club"))
        expect(page.get_by_label(_("Name of the club"))).to_be_focused()
        assert (barriers(page), overflow(page)) == ([], 0)
        # typing faster than the page's script comes would send this machine's time zone
        expect(page.get_by_label(_("Time zone: the nearest large city"))).to_have_value("America/Chicago")
        page.keyboard.type("St. Anne Card Club")
        page.keyboard.press("Enter")
        expect(page.get_by_label(_("Your name"))).to_be_focused()
        assert (barriers(page), overflow(page)) == ([], 0)
        page.keyboard.type("Ann Abel")
        page.keyboard.press("Tab")
        page.keyboard.type("three green chairs")
        page.keyboard.press("Enter")
        hand.click("button", _("St. Hilary partnership pinochle, version 3"))
        expect(page.get_by_label(_("Names, one in each row"))).to_be_focused()
        assert (barriers(page), overflow(page)) == ([], 0)
        page.keyboard.insert_text("\n".join(NAMES))
        hand.click("button", _("Check the names"))
        assert (barriers(page), overflow(page)) == ([], 0)
        hand.click("button", ngettext("Add %(n)s member", "Add %(n)s members", 22) % {"n": 22})
        assert (barriers(page), overflow(page)) == ([], 0)
        hand.click("button", _("Make the draw and the cards"))
        expect(page.get_by_role("heading", name=_("The cards are ready"))).to_be_visible()
        assert (barriers(page), overflow(page)) == ([], 0)
        link = page.get_by_role("link", name=_("Print this round: seats, who sits out, cards"))
        sheets = _printed(page, str(link.get_attribute("href")))
    hand.clicks += 1
    club = Club.objects.get()
    assert (club.time_zone, club.paper, club.date_place, club.language) == (
        "America/Chicago",
        paper,
        dates,
        locale.partition("-")[0],
    )
    assert Member.objects.filter(club=club).count() == 22
    assert Draw.objects.get(state=Draw.State.PUBLISHED).sit_outs.count() == 2
    assert [name for name in NAMES if not has(sheets[0], name)] == [], "everybody is on the list of seats"
    cards = " ".join(sheets[-3:])  # of five tables, two on a sheet
    assert len([name for name in NAMES if has(cards, name)]) == 20, "whoever plays, on a card"
    assert hand.clicks < MOST_CLICKS


def _printed(page, address):
    """The text of each sheet of a PDF, waited for where it is still being made."""
    got = []

    def made():
        answer = page.request.get(address, timeout=120_000)
        if answer.headers["content-type"] == "application/pdf":
            got.append(answer.body())
        return bool(got)

    wait_until(page, made, f"a PDF at {address}")
    return pages_of(got[0])


@pytest.mark.daily(1)
@pytest.mark.parametrize("typed", ["before", "after"])
def test_what_is_typed_while_the_night_is_asked_about_stays(club, director, signed_in, typed):
    members_of(club, 22)
    page = signed_in(director, viewport={"width": 1366, "height": 768})
    page.goto("/st-hilary/start/night/")
    gate = Gate(page, "**/start/night/")
    gate.shut()
    page.get_by_label("Game").select_option("euchre")
    wait_until(page, lambda: bool(gate.held), "what the game gives")
    rounds = page.get_by_label("Rounds", exact=True)
    rounds.focus()
    page.keyboard.press("Control+A")  # as Tab leaves it
    if typed == "before":
        page.keyboard.type("2")
    with page.expect_response("**/start/night/") as told:
        gate.open()
    told.value.finished()
    page.evaluate("new Promise(requestAnimationFrame)")
    if typed == "after":
        expect(page.get_by_role("heading", name="Euchre: 22 people")).to_be_visible()
        expect(page.locator(".htmx-settling")).to_have_count(0)  # the part that was made anew
        page.keyboard.type("2")
    expect(rounds).to_have_value("2")
    page.keyboard.press("Tab")
    expect(page.get_by_role("heading", name="Euchre: 22 people")).to_be_visible()
    expect(rounds).to_have_value("2")


@pytest.mark.proof
def test_a_password_is_typed_on_while_its_button_comes(visitor):
    visitor.goto("/start/club/")
    visitor.get_by_label("Name of the club").fill("St. Anne")
    visitor.get_by_role("button", name="Continue").click()
    expect(visitor.get_by_label("Your name")).to_be_focused()
    script = LateScript(visitor, "start")
    visitor.reload(wait_until="commit")
    password = visitor.get_by_label("A password")
    password.click()
    visitor.keyboard.type("three gre")
    script.comes()
    expect(visitor.get_by_role("button", name="Show", exact=True)).to_be_visible()
    visitor.keyboard.type("en chairs")
    expect(password).to_have_value("three green chairs")
