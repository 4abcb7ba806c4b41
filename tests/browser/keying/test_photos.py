"""Cards by photo: what a scorekeeper touches for nine of them, in English and Spanish; and what stands on a phone."""

import pytest
from playwright.sync_api import expect

from scoring.models import DealVersion
from tests.browser.test_accessible import barriers
from tests.scoring.conftest import IMPOSSIBLE, a_deal
from tests.tournaments.keying.keying import a_round
from tests.tournaments.photos.photographs import a_reading, address, photographed

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = [
    a_deal(meld=(10, 6), take=(15, 10)),
    a_deal(meld=(12, 4), take=(14, 11)),
    a_deal(meld=(8, 9), take=(16, 9)),
]
TOTALS = [(25, 16), (51, 31), (75, 49)]
SAVE = {"en": "Save the whole card", "es": "Guardar toda la tarjeta"}


def read(games, *, doubts):
    """Photos of all these games' cards; so many cards have a doubtful figure."""
    for n, game in enumerate(games):
        marked = ("take_1",) if n < doubts else ()
        lines = [
            a_reading(deal, number, totals=totals, doubts=marked if number == 2 else ())
            for number, (deal, totals) in enumerate(zip(DEALS, TOTALS, strict=True), start=1)
        ]
        photographed(game, *lines)


@pytest.fixture
def nine(club, actor, rules_for):
    event, _draw, games = a_round(rules_for("st-hilary-v3"), actor, tables=9)
    return event, games


@pytest.mark.daily(1)
@pytest.mark.parametrize("language", SAVE)
def test_nine_cards_take_a_touch_each_and_one_for_each_doubtful_deal(nine, signed_in, scorekeeper, language):
    event, games = nine
    read(games, doubts=3)
    page = signed_in(scorekeeper, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": page_url(page, event)}])
    page.goto(address(event))
    touches = 1  # the photos were chosen; they are sent at once
    page.locator('a[href$="/photos/cards/"]').tap()
    touches += 1
    expect(page.locator("[data-game]")).to_have_count(9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for n, game in enumerate(games):
        block = page.locator(f'[data-game="{game.pk}"]')
        save = block.get_by_role("button", name=SAVE[language])
        if n < 3:
            expect(save).to_have_count(0)  # something is to be looked at first
            block.locator(".doubts button").tap()
            touches += 1
        save.tap()
        touches += 1
        expect(block.locator("tbody[data-state=recorded]")).to_have_count(3)
    assert touches == 2 + 9 + 3
    assert DealVersion.objects.count() == 27
    assert set(DealVersion.objects.values_list("route", flat=True)) == {"photo"}


def test_enter_in_a_doubtful_figure_leads_to_the_next_and_then_saves_the_card(nine, signed_in, scorekeeper):
    event, (game, *_others) = nine
    photographed(game, a_reading(DEALS[0], doubts=("meld_0", "take_1")))
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event, "photo_cards"))
    box = f"#deal-{game.pk}-1-"
    expect(page.locator(f"{box}meld_0")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"{box}take_1")).to_be_focused()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=SAVE["en"])).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tbody[data-state=recorded]")).to_have_count(1)
    page.goto("about:blank")  # nothing keeps the page: no line is begun


@pytest.mark.proof
def test_what_is_saved_is_what_stands_in_the_boxes(nine, signed_in, scorekeeper):
    event, (game, *_others) = nine
    photographed(game, a_reading(a_deal(meld=(10, 6), take=(15, 10))))
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event, "photo_cards"))
    page.locator(f"#deal-{game.pk}-1-meld_0").fill("11")
    page.get_by_role("button", name=SAVE["en"]).click()
    expect(page.locator("tbody[data-state=recorded]")).to_have_count(1)
    assert DealVersion.objects.get().facts["meld"] == [11, 6]


def test_a_line_that_is_refused_keeps_those_after_it_back(nine, signed_in, scorekeeper):
    event, (game, *_others) = nine
    photographed(game, a_reading(IMPOSSIBLE), a_reading(DEALS[1], 2))
    page = signed_in(scorekeeper, viewport={"width": 1366, "height": 768})
    page.goto(address(event, "photo_cards"))
    page.get_by_role("button", name=SAVE["en"]).click()
    expect(page.locator("tbody[data-state=refused]")).to_have_count(1)
    expect(page.locator("tbody[data-state=refused] svg.seen").first).to_be_attached()
    assert not DealVersion.objects.exists()


def test_photos_are_sent_one_by_one_and_each_says_what_is_wrong(nine, signed_in, scorekeeper):
    event, _games = nine
    page = signed_in(scorekeeper, viewport={"width": 390, "height": 844})
    page.goto(address(event))
    page.locator("#photos-input").set_input_files(
        [
            {"name": "list.txt", "mimeType": "text/plain", "buffer": b"25"},
            {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"\xff\xd8\xff\xe0 nothing"},
        ]
    )
    expect(page.locator("#photos")).to_contain_text("This file is damaged.")
    expect(page.locator("#photos li")).to_have_count(1)


@pytest.mark.daily(1)
@pytest.mark.parametrize("width", [390, 1366])
def test_the_pages_of_photos_are_accessible(nine, signed_in, scorekeeper, width):
    event, (game, other, *_others) = nine
    photographed(game, a_reading(DEALS[0], doubts=("meld_0",)))
    photographed(other, a_reading(DEALS[0]))
    page = signed_in(scorekeeper, viewport={"width": width, "height": 844})
    for name in ("photos", "photo_cards"):
        page.goto(address(event, name))
        assert barriers(page) == []


def page_url(page, event):
    """The address of the site, for a cookie."""
    page.goto(address(event))
    return page.url
