"""The director's desk in a browser: from a dispute to its end by one tap each, and the clock that everybody sees."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from playwright.sync_api import expect

from scoring.cards.deals import mark_deal
from scoring.models import Deal
from tests.browser.hands_on import said
from tests.browser.test_accessible import stands_well
from tests.tournaments.contests import by_number, contest, deal, drawn, enter, play_group, stage_of
from tests.tournaments.nights import arrive, games_of, make_night, play_deals, play_night, publish_next
from tournaments.models import Group

pytestmark = pytest.mark.django_db(transaction=True)

PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}
FINGER = 44  # pixels


@pytest.fixture
def night(club, actor, rules_for):
    """Three tables play; table 2 disputes its second deal."""
    event = make_night(club, rules_for("st-hilary-v3"))
    arrive(event, actor, 12)
    games = games_of(publish_next(event, actor))
    for game in games:
        play_deals(game, actor, deals=2)
    second = Deal.objects.get(game=games[1], number=2)
    mark_deal(deal=second, state="disputed", by=actor, submission=uuid4(), seen=1, reason="we melded 12")
    return event


def test_a_dispute_is_settled_from_the_desk_by_one_tap_each(signed_in, director, night):
    page = signed_in(director, viewport=PHONE)
    page.goto(night.get_desk_url())
    first = page.locator(".next-steps > li").first
    expect(first).to_contain_text("Round 1, table 2, deal 2, is disputed")
    expect(first).to_contain_text("“we melded 12”")
    expect(page.locator("#table-2")).to_contain_text("disputed: deal 2")
    stands_well(page)
    tap = first.get_by_role("link", name="To the deal")
    box = tap.bounding_box()
    assert box["height"] >= FINGER
    assert box["y"] + box["height"] <= PHONE["height"]  # in sight, without a swipe
    tap.click()
    page.get_by_role("button", name="Both sides agree").click()
    expect(said(page)).to_contain_text("Deal 2 is marked: agreed.")
    page.goto(night.get_desk_url())
    expect(page.locator(".next-steps")).not_to_contain_text("disputed")
    expect(page.locator(".what-next h2")).to_have_text("Round 1 is being played")


@pytest.fixture
def nine_tables(club, actor):
    """Fifty-four people in a set of four games: some tables play, one set is over."""
    event = contest(club, actor, games=4)
    enter(event, actor)
    groups = list(
        Group.objects.filter(table__draw=drawn(stage_of(event, 1), actor)).order_by("table__number", "number")
    )
    for group in groups[:12]:
        deal(group.games.earliest("number").game, actor, (1205, 980, 40))
    play_group(groups[-1], actor, by_number)
    return event


@pytest.mark.proof
def test_a_desk_of_nine_tables_fits_two_screens_of_a_laptop(signed_in, director, nine_tables):
    page = signed_in(director, viewport=LAPTOP)
    page.goto(nine_tables.get_desk_url())
    assert page.evaluate("document.documentElement.scrollHeight") <= 2 * LAPTOP["height"]
    tables, standings = page.locator("#tables-now").bounding_box(), page.locator("#standings").bounding_box()
    assert standings["x"] > tables["x"] + tables["width"]  # beside the tables
    assert standings["y"] < LAPTOP["height"]
    stands_well(page)


@pytest.mark.daily(1)
@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_what_to_do_next_comes_first_and_each_table_has_its_card_and_a_menu(
    signed_in, director, nine_tables, width
):
    page = signed_in(director, viewport={"width": width, "height": 844})
    page.goto(nine_tables.get_desk_url())
    step = page.locator(".what-next").get_by_role("link").first.bounding_box()
    assert step["y"] + step["height"] <= 844
    table = page.locator("#table-1A")
    expect(table).to_contain_text("last deal just now")
    expect(table.get_by_role("link")).to_have_count(1)
    expect(table.get_by_role("link", name="Table 1A, card of game 1")).to_be_visible()
    page.locator("#table-1B summary").click()
    table.locator("summary").press("Enter")
    expect(page.locator("#table-1B").get_by_role("link", name="Change the seats")).to_be_hidden()  # one menu at a time
    for name in ("card of game 4", "Change the seats of table 1A", "End the set early"):
        table.get_by_role("link", name=name).click(trial=True)
    stands_well(page)
    over = page.locator("#table-9B")
    expect(over).to_be_hidden()  # its set is over
    page.get_by_text("Set finished: 1 group").click()
    expect(over.get_by_role("link", name="Table 9B, card of game 4")).to_be_visible()
    page.get_by_text("For the hall").click()
    page.get_by_role("link", name="Table links").click(trial=True)
    stands_well(page)


def test_a_desk_that_stands_open_shows_a_dispute_by_itself(signed_in, director, actor, night):
    page = signed_in(director, viewport=LAPTOP)
    page.clock.install()
    page.goto(night.get_desk_url())
    expect(page.locator("#table-1")).to_contain_text("deal 3")
    page.locator("#table-3 summary").click()
    seats = page.get_by_role("link", name="Change the seats of table 3")
    seats.focus()
    first = Deal.objects.get(game__title__contains="Table 1", number=1)
    mark_deal(deal=first, state="disputed", by=actor, submission=uuid4(), seen=1, reason="nine too many")
    page.clock.run_for("00:21")  # each timer in turn: the refreshed part starts its own a moment after it stands
    expect(page.locator(".next-steps")).to_contain_text("nine too many")
    expect(page.locator("#table-1")).to_contain_text("disputed: deal 1")
    expect(seats).to_be_focused()  # its menu is still open, and people who use keys go on where they were
    page.context.clear_cookies()  # logged out in another window: the list doesn't just vanish
    page.clock.run_for("00:21")
    expect(page.get_by_label("Log-in name")).to_be_visible()


def test_the_clock_is_started_on_the_desk_and_runs_down_on_a_phone_whose_own_clock_is_wrong(signed_in, director, night):
    desk = signed_in(director, viewport=PHONE)
    desk.goto(night.get_desk_url())
    desk.get_by_label("Minutes", exact=True).fill("20")
    desk.get_by_role("button", name="Start the clock").click()
    expect(said(desk)).to_contain_text("The clock runs: bell at")
    expect(desk.get_by_role("timer")).to_contain_text("19:")
    stands_well(desk)

    phone = signed_in(None, viewport=PHONE)
    phone.clock.install(time=datetime(2019, 12, 31, 23, 0, tzinfo=UTC))
    phone.goto(f"{night.get_absolute_url()}seats/")
    clock = phone.locator(".clock")
    expect(clock).to_contain_text("19:")
    expect(clock).to_contain_text("Bell at")
    stands_well(phone)
    phone.clock.fast_forward("15:10")
    expect(clock).to_contain_text("Last five minutes")
    expect(clock).to_contain_text("4:")
    phone.clock.fast_forward("05:00")
    expect(clock).to_contain_text("0:00")
    expect(clock).to_contain_text("Time! Finish the deal in hand, then stop.")

    desk.get_by_role("button", name="Pause").click()
    expect(said(desk)).to_contain_text("The clock is paused with 20 minutes left.")
    desk.get_by_role("button", name="Add 5 minutes").click()
    desk.get_by_role("button", name="Resume").click()
    expect(desk.get_by_role("timer")).to_contain_text("24:")


def test_a_result_that_is_looked_at_becomes_final_when_its_time_has_come(signed_in, club, actor, rules_for):
    event = make_night(club, rules_for("st-hilary-v3"))
    play_night(event, actor, people=8)
    page = signed_in(None, viewport=PHONE)
    page.clock.install(time=datetime(2019, 12, 31, 23, 0, tzinfo=UTC))
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):  # the page asks what time it is
        page.goto(event.get_absolute_url())
    page.clock.run_for(1000)
    open_still, final = (
        page.get_by_text("Tell the director about mistakes until"),
        page.get_by_text("Final: mistakes"),
    )
    expect(open_still).to_be_visible()
    expect(final).to_be_hidden()
    page.clock.fast_forward("31:00")
    expect(final).to_be_visible()
    expect(open_still).to_be_hidden()
    stands_well(page)
