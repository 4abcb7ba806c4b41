"""A parish pinochle afternoon by clicking: who is here, two rounds with a card typed in, the season for everybody."""

import re
from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.play import play_round
from scoring.models import Deal, Game
from scoring.templatetags.figures import points as figure
from tests.browser.hands_on import log_in, next_is, said, save, step, type_deal
from tests.scoring.conftest import a_deal
from tests.tournaments.nights import make_members
from tournaments.events.state import published_draws
from tournaments.models import Entry, Event, PublishedStandings
from tournaments.rounds.attendance import arrive

pytestmark = pytest.mark.django_db(transaction=True)

WALK_IN = "Zoë Quick"


@pytest.mark.long
def test_an_afternoon_from_who_is_here_to_the_season(page, signed_in, club, director, actor):
    rng = Random(48)
    make_members(club, 13)
    log_in(page, director.username)
    make_season(page)
    event = plan(page)

    step(page, "Who is here")
    for name in ("Player 01", "Player 02"):
        tick(page, name, here=True)
    for member in club.members.order_by("name")[2:12]:
        arrive(event=event, by=actor, member=member)
    add_walk_in(page)
    page.get_by_role("link", name="Draw the next round").click()
    draw(page, 1)
    expect(page.locator("main")).to_contain_text("Sitting out this round:")
    type_a_card(page)
    play_on(event, rng, actor)
    page.reload()
    next_is(page, "Close round 1")
    step(page, "Close round 1")
    expect(said(page)).to_contain_text("Round 1 is closed.")

    next_is(page, "Draw round 2, or close the night")
    step(page, "Who is here")
    tick(page, "Player 07", here=False)
    page.get_by_role("link", name="Draw the next round").click()
    draw(page, 2)
    assert not Entry.objects.filter(seats__draw=published_draws(event).last(), name="Player 07").exists()
    play_on(event, rng, actor, deals=2)
    close_early(page)
    close_night(page)

    result = PublishedStandings.objects.get(stage__event=event)
    assert len(result.rows) == 13
    read_by_anybody(signed_in(None), result)


def make_season(page):
    page.get_by_role("link", name="Events").click()
    page.get_by_role("link", name="New season").click()
    page.get_by_label("Name").fill("Winter 2054")
    page.get_by_label("First day").fill("2054-10-01")
    page.get_by_label("Last day").fill("2055-03-31")
    page.get_by_role("button", name="Make the season").click()
    expect(page.get_by_role("heading", name="Winter 2054")).to_be_visible()


def plan(page):
    page.get_by_role("link", name="Desk").click()
    step(page, "New event")
    page.get_by_role("link", name="Club night").click()
    page.get_by_label("Name", exact=True).fill("Pinochle afternoon")
    page.get_by_label("Game", exact=True).select_option("st-hilary-v3:2x2")
    page.get_by_label("Starts").fill("2054-11-06T14:00")
    page.get_by_label("Season").select_option("Winter 2054")
    page.get_by_role("button", name="Plan the club night").click()
    expect(said(page)).to_contain_text("Pinochle afternoon is planned.")
    next_is(page, "Mark who is here")
    return Event.objects.get()


def tick(page, name, *, here):
    button = page.get_by_role("button", name=name)
    button.click()
    expect(button).to_have_attribute("aria-pressed", str(here).lower())


def add_walk_in(page):
    page.locator("form", has=page.get_by_role("button", name="Add", exact=True)).get_by_label("Name").fill(WALK_IN)
    page.get_by_label("Make them a member").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(said(page)).to_contain_text(f"{WALK_IN} is here.")
    expect(page.get_by_role("heading", name="13 people here")).to_be_visible()


def draw(page, number):
    page.get_by_role("button", name=f"Draw round {number}").click()
    next_is(page, "Publish this draw?")
    expect(page.locator(".tables article")).to_have_count(3)
    expect(page.get_by_text("Nobody has the same partner twice.")).to_be_visible()
    step(page, "Publish this draw")
    next_is(page, f"Round {number} is being played")


def type_a_card(page):
    """The points show while the figures are typed, and nothing is recorded before Save."""
    page.get_by_role("link", name="Card of table 1").click()
    game = Game.objects.get(group_game__group__table__number=1)
    type_deal(page, game, a_deal(meld=(10, 6), take=(15, 9)))
    in_full = page.locator("#live-check")
    expect(in_full).to_contain_text(re.compile("Impossible with a real pack"))
    type_deal(page, game, a_deal(meld=(10, 6), take=(15, 10)))
    expect(page.locator("#bar .points")).to_have_text(["+25", "+16"])
    expect(in_full).not_to_contain_text("Impossible")
    assert not Deal.objects.exists()
    save(page)
    expect(said(page)).to_contain_text("Deal 1 is recorded")
    expect(page.locator(".standing .totals dd")).to_have_text(["25", "16"])
    page.get_by_role("link", name="Back to the event").click()


def play_on(event, rng, actor, deals=None):
    published = published_draws(event).last()
    assert published
    assert play_round(published, rng, by=actor, deals=deals) > 0


def close_early(page):
    page.reload()
    step(page, "Close the round early")
    page.get_by_label(re.compile("End them")).check()
    page.get_by_label("Reason").first.fill("It is five o'clock.")
    page.get_by_role("button", name="Close round 2").click()
    expect(said(page)).to_contain_text("Round 2 is closed.")


def close_night(page):
    step(page, "Close the night")
    page.get_by_role("button", name="Publish the result and close").click()
    expect(said(page)).to_contain_text("The result is published.")
    next_is(page, "The night is closed")


def read_by_anybody(page, result):
    """Who isn't logged in finds the season from the front page, with the night's points for each member."""
    page.goto("/")
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    page.get_by_role("link", name="Winter 2054").click()
    table = page.locator("main table")
    for row in result.rows:
        total = table.get_by_role("row").filter(has_text=row["name"]).locator("td, th").nth(2)
        expect(total).to_have_text(figure(row["points"]))
    assert WALK_IN in [row["name"] for row in result.rows]
    page.get_by_role("link", name="Pinochle afternoon").first.click()
    expect(page.locator("main")).to_contain_text("Result of")
