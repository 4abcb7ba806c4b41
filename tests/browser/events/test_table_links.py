"""A table on its own phones: link opened, deal entered, handed over, agreed, disputed; and the desk's list of links."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from clubsite.accounts.models import Actor
from scoring.models import DealVersion, Game, Side
from tests.browser.hand.thumb import IN_REACH, PHONE, Thumb
from tests.browser.hands_on import overflow, said, save, torn_words, type_deal, wait_until
from tests.browser.test_accessible import barriers
from tests.examples import as_proof
from tests.scoring.conftest import a_deal
from tests.tournaments import nights
from tournaments.models import Event, TableLink
from tournaments.rounds import attendance
from tournaments.table_links.links import make_code, make_token

pytestmark = pytest.mark.django_db(transaction=True)

TWO_SURNAMES = (
    "Bartholomew Featherstonehaugh",
    "María del Carmen Fernández de la Vega",
    "Maria-Magdalena Wojciechowska",
    "José Antonio Rodríguez-Villanueva",
)
LONG_NAMES = ("Bartholomew Fry", "Wilhelmina Cole", "Christopher Day", "Margaretha Wong")  # 30 letters a pair


@pytest.fixture
def draw(club, actor, rules_for, request):
    """A round of one table, published; of people of these names where the test says so."""
    return published(nights.make_night(club, rules_for("st-hilary-v3")), actor, names=getattr(request, "param", ()))


def published(event, actor, *, names):
    """The first round of a night of four people."""
    members = nights.make_members(event.club, 4)
    for member, name in zip(members, names, strict=False):
        member.name = name
        member.save()
    for member in members:
        attendance.arrive(event=event, by=actor, member=member)
    return nights.publish_next(event, actor)


def clean(page):
    """Nothing sticks out of the page, and no rule of axe finds anything: but none on what the bar of a form covers."""
    assert overflow(page) == 0
    assert barriers(page, options={"resultTypes": ["violations"]}) == []


def by_code(page, draw):
    Event.objects.update(starts_at=timezone.now())
    page.goto("/")
    page.get_by_role("link", name="Score your table").click()
    clean(page)
    page.get_by_label("The code on your card").fill(make_code(TableLink.objects.get().nonce).lower().replace("-", " "))
    page.get_by_role("button", name="To the card of my table").click()
    expect(page.get_by_role("heading", name="Table 1", exact=True)).to_be_visible()


def test_a_deal_is_entered_handed_over_and_agreed_on_one_phone(signed_in, draw):
    page, game = signed_in(None, **PHONE), Game.objects.select_related("rules").get()
    us, them = (str(side) for side in game.sides.all())
    by_code(page, draw)
    page.get_by_role("button", name=us).click()
    expect(page.get_by_role("button", name=us)).to_have_attribute("aria-pressed", "true")
    type_deal(page, game, a_deal())
    expect(page.locator(".live-totals .points")).to_have_text(["+25", "+16"])
    clean(page)
    save(page)
    expect(said(page)).to_contain_text(f"Deal 1 is recorded: {us} 25, {them} 16.")
    clean(page)
    page.get_by_role("link", name=f"Hand the phone to {them}").click()
    expect(page.get_by_role("heading", name=f"You are {them}")).to_be_visible()
    clean(page)
    page.get_by_role("button", name="That's right").click()
    expect(said(page)).to_contain_text("deal 1 is right")
    assert DealVersion.objects.get(current=True).state == "agreed"
    expect(page.locator(".ask")).to_have_count(0)
    expect(page.get_by_role("heading", name="Deal 2")).to_be_visible()


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("draw", "told"),
    [as_proof([(), True]), (LONG_NAMES, True), (LONG_NAMES, False)],
    ids=["usual", "long names", "nobody says who writes"],
    indirect=["draw"],
)
def test_a_table_taps_one_deal_after_the_other_without_a_swipe(signed_in, draw, told):
    """The number pad is there, and what waits for a word leaves the form in sight."""
    page = signed_in(None, **PHONE)
    page.goto(f"/T/{make_token(TableLink.objects.get().nonce)}/")
    thumb = Thumb(page)
    if told:
        with page.expect_navigation():
            thumb.tap(page.locator(".who-writes button").first)
    for _deal in range(2):
        last, dock = page.locator("label[for=id_last_trick_0]").bounding_box(), page.locator(".dock").bounding_box()
        assert last["y"] + last["height"] <= dock["y"]
        thumb.touches = 0
        thumb.choose("bid_side", 0)
        thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15, "meld_1": 6})
        thumb.choose("last_trick", 0)
        thumb.save()
        assert thumb.touches <= 12
        assert page.evaluate("scrollY") == 0
        for hand_over in page.locator("main > .ask").get_by_role("link", name="Hand the phone to").all():
            expect(hand_over).to_be_in_viewport(ratio=1)
    assert DealVersion.objects.filter(route="table").count() == 2
    thumb.tap(page.get_by_role("link", name="Change deal 2").first)
    thumb.tap(page.locator("[name=meld_1]"))
    thumb.figures(8)
    page.get_by_role("button", name="Save the correction").tap()
    expect(said(page)).to_contain_text("Deal 2 is corrected")


@pytest.mark.proof
@pytest.mark.parametrize("draw", [LONG_NAMES], ids=["long names"], indirect=True)
def test_the_last_question_is_in_sight_when_the_bar_says_that_the_game_ends(signed_in, draw):
    """Also while nobody has said who writes, and with names of three lines."""
    Side.objects.update(start=140, total=140)
    page = signed_in(None, **PHONE)
    page.goto(f"/T/{make_token(TableLink.objects.get().nonce)}/")
    thumb, answer = Thumb(page), page.locator("label[for=id_last_trick_0]")
    thumb.choose("bid_side", 0)
    thumb.fill({"bid": 20, "meld_0": 10, "take_0": 15})
    thumb.fill({"meld_1": 6})
    expect(page.locator("#bar")).to_contain_text("After this the game is over")
    wait_until(page, lambda: answer.evaluate(IN_REACH), "the last question above the bar")
    expect(page.locator("[name=meld_1]")).to_be_in_viewport(ratio=1)
    thumb.choose("last_trick", 0)
    thumb.save()
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    assert page.evaluate("scrollY") == 0


@pytest.mark.proof
def test_a_side_sees_all_figures_and_both_answers_without_a_swipe(signed_in, club, actor, rules_for):
    """The longest card, and names of several lines."""
    draw = published(nights.make_night(club, rules_for("hand-knee-and-foot")), actor, names=TWO_SURNAMES)
    token, game = make_token(TableLink.objects.get().nonce), nights.games_of(draw)[0]
    nights.play_deals(game, Actor(user=None, name="Table 1", route="table", side=0))
    page = signed_in(None, **PHONE)
    page.goto(f"/t/{token}/deals/{game.deals.get().pk}/say/?side=1")
    expect(page.get_by_role("row")).to_have_count(12)  # the names, what was counted, points and running total
    for spot in (page.get_by_role("button", name="That's right"), page.locator("summary", has_text="That isn't right")):
        expect(spot).to_be_in_viewport(ratio=1)
    assert torn_words(page, ".say") == []
    page.locator("summary", has_text="That isn't right").click()
    assert torn_words(page, ".say") == []
    clean(page)
