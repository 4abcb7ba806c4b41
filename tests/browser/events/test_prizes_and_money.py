"""A season of three nights from nothing to its table, with prizes and money, by clicking; every figure is worked out
here again from what the site gives out."""

import csv
import io
import json
import re
from hashlib import sha256
from random import Random

import pytest
from playwright.sync_api import expect

from lab.simulation.play import Pace, play_event
from tests.browser.hands_on import overflow, said
from tests.tournaments.nights import arrive
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)

FEE, HIGH, SECOND, DOOR, RENT = 500, 2000, 1001, 300, 1250


def make_season(page):
    page.goto("/st-hilary/desk/seasons/new/")
    page.get_by_label("Name").fill("Winter")
    page.get_by_label("First day").fill("2054-11-06")
    page.get_by_label("Last day").fill("2055-03-31")
    page.get_by_role("button", name="Make the season").click()


def plan_night(page, rules, *, first):
    """The next night, as it is proposed; of the first one the game is chosen."""
    page.get_by_role("link", name="New night in this season").click()
    if first:
        page.get_by_label("Game").select_option(f"{rules.slug}:2x2")
    assert overflow(page) == 0
    page.get_by_role("button", name="Plan the club night").click()
    return Event.objects.select_related("club", "rules", "season").latest("pk")


def take_fees(page, event, people):
    """Everybody pays at the door; a name is tapped twice as fast as somebody can."""
    page.goto(f"{event.get_desk_url()}fees/")
    for n in range(people):
        page.locator("button.tick:not([disabled])").first.dblclick()
        expect(page.get_by_role("status").first).to_contain_text(f"{n + 1} of {people} people have paid")


def give_prizes(page, event):
    """High, second and a door prize, drawn and published."""
    page.goto(f"{event.get_desk_url()}prizes/")
    for n, amount in enumerate(("20", "$10.01", "", "3")):
        page.get_by_label("Money").nth(n).fill(amount)
    page.get_by_label("Prize", exact=True).nth(2).select_option("")
    page.get_by_role("button", name="Save the list").click()
    page.get_by_role("button", name="Draw the lots").click()
    page.get_by_role("button", name="Publish the prizes").click()
    expect(said(page)).to_contain_text("are published")


def book(page, event):
    text = page.request.get(f"{event.get_desk_url()}money/lines.csv").body().decode("utf-8-sig")
    return [round(100 * float(row[3])) for row in list(csv.reader(io.StringIO(text)))[1:]]


def result(page, event):
    """The published result, as anybody's program reads it."""
    return json.loads(page.request.get(f"/st-hilary/data/events/{event.slug}/result.json").body())


def prizes_worked_out(data, seed):
    """Who gets how much by the result alone, one prize a person, the level sharing: written down here once more."""
    rows, got = data["rows"], {}
    top = [row for row in rows if row["place"] == 1]
    if len(top) == 1:
        got[top[0]["name"]] = HIGH
        level = [row for row in rows if row["place"] == 2]
        got |= {row["name"]: SECOND // len(level) for row in level}
    else:
        got |= {row["name"]: (HIGH + SECOND) // len(top) for row in top}
    lots = sorted(rows, key=lambda row: sha256(f"{seed}:{row['number']}".encode()).hexdigest()[:12])
    got[next(row["name"] for row in lots if row["name"] not in got)] = DOOR
    return got


@pytest.mark.proof
def test_a_season_of_three_nights_from_start_to_its_table(signed_in, director, actor, club, rules):
    page = signed_in(director, viewport={"width": 390, "height": 844})
    make_season(page)
    nights = []
    for n in range(3):
        event = plan_night(page, rules, first=n == 0)
        arrive(event, actor, 8)
        if n == 0:
            page.goto(f"{event.get_desk_url()}money/")
            page.get_by_label("Fee of one entry").fill("5")
            page.get_by_role("button", name="Save the fee").click()
            take_fees(page, event, 8)
        play_event(event, Random(n), by=actor, pace=Pace(rounds=2))
        nights.append(event)
        page.goto(f"/st-hilary/seasons/{event.season_id}/")
    assert [night.name for night in nights] == [f"Winter, night {n}" for n in (1, 2, 3)]
    assert [night.starts_at.astimezone(club.zone).strftime("%d %H:%M") for night in nights] == [
        "06 19:00", "13 19:00", "20 19:00",
    ]  # fmt: skip
    assert {night.fee for night in nights[1:]} == {FEE}
    expect(page.locator("main")).to_contain_text("3 nights count")
    first = nights[0]
    give_prizes(page, first)
    assert overflow(page) == 0

    # The prizes, worked out again from the published result and the seed that the page prints.
    anybody = signed_in(None, viewport={"width": 390, "height": 844})
    anybody.goto(first.get_absolute_url())
    anybody.get_by_text("How the lots were drawn").click()
    lots = anybody.locator("details", has_text="How the lots were drawn").inner_text()
    seed = int(re.search(r"with the lot number (\d+)", lots)[1])
    wanted = prizes_worked_out(result(anybody, first), seed)
    shown = result(anybody, first)["prizes"]["lines"]
    assert {name for line in shown for name in line["winners"]} == set(wanted)

    # The money: eight fees, the prizes, the rent; tapped twice, once in the book.
    page.goto(f"{first.get_desk_url()}money/")
    page.get_by_role("button", name="Add the prizes to the book").click()
    page.get_by_label("It went out").check()
    page.get_by_label("What for").fill("rent of the hall")
    page.get_by_role("textbox", name="Amount").fill("12.50")
    page.get_by_role("button", name="Add it to the book").click()
    expect(page.locator("main")).to_contain_text("rent of the hall")
    lines = book(page, first)
    assert sorted(lines) == sorted([FEE] * 8 + [-amount for amount in wanted.values()] + [-RENT])
    left = sum(lines)
    assert left == 8 * FEE - sum(wanted.values()) - RENT
    words = f"{'−' if left < 0 else ''}${abs(left) / 100:.2f}"
    expect(page.get_by_role("row", name=re.compile("^Left"))).to_contain_text(words)
    page.get_by_role("link", name="Money of the season").click()
    expect(page.get_by_role("row", name=re.compile("^Left"))).to_contain_text(words)

    # The season's table is the sum of its three results.
    totals = {}
    for night in nights:
        for row in result(anybody, night)["rows"]:
            totals[row["name"]] = totals.get(row["name"], 0) + row["points"]
    season = json.loads(anybody.request.get(f"/st-hilary/data/seasons/{first.season_id}.json").body())
    assert {row["name"]: row["total"] for row in season["rows"]} == totals
