"""One director runs a whole competition by clicking, from the list of names to the printed result."""

import re
from dataclasses import replace
from io import BytesIO
from itertools import count
from random import Random

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from lab.simulation.deals import true_deal
from lab.simulation.play import play_round
from scoring.models import Deal
from tests.browser.hands_on import (
    game_of,
    log_in,
    next_is,
    record,
    said,
    save,
    step,
    type_deal,
)
from tests.tournaments.contests import NAMES
from tournaments.events.state import published_draws
from tournaments.models import Entry, Event, PublishedStandings

pytestmark = pytest.mark.django_db(transaction=True)

GAME = "three-hand-double-pinochle"
FLOOD = "Water came through the roof over this table."
RULING = "A ten fell to the floor and was found after the count; all three let it be."
LATE = "The hall closes at eleven."
ENOUGH = 40  # deals in which any game is over


@pytest.mark.proof
def test_a_director_runs_a_competition_from_the_names_to_the_printed_result(page, club, director, actor, tmp_path):
    rng = Random(54)
    log_in(page, director.username)
    event = plan(page)
    enter_names(page, tmp_path)

    draw(page, "Qualifying")
    expect(page.get_by_role("heading", name="No deal yet: 18 groups")).to_be_visible()
    enter_a_set(page, rng, "1A")
    enter_a_game_and_end_the_set(page, rng, "1B")
    end_set(page, "9B", FLOOD)
    play_the_rest(event, rng, actor)
    page.reload()
    cut(page, "Qualifying", 18, 36, level=3)

    draw(page, "Semi-final")
    play_the_rest(event, rng, actor)
    page.reload()
    cut(page, "Semi-final", 6, 12)

    draw(page, "Final")
    play_the_rest(event, rng, actor)
    page.reload()
    publish_result(page)
    six = PublishedStandings.objects.get(stage__event=event, stage__name="Final").rows
    assert len(six) == 6
    on_paper(page, [row["name"] for row in six])


def plan(page):
    """A new competition of 54 places, two games in a set."""
    page.get_by_role("link", name="Desk").click()
    expect(page.get_by_role("heading", name="Nothing is planned yet")).to_be_visible()
    step(page, "New event")
    page.get_by_role("link", name="Competition with a cut").click()
    page.get_by_label("Name", exact=True).fill("Spring contest")
    page.get_by_label("Game", exact=True).select_option(f"{GAME}:3x1")
    page.get_by_label("Starts").fill("2055-04-03T13:00")
    page.get_by_label("Where", exact=True).fill("Parish hall")
    expect(page.get_by_label("How many can play", exact=True)).to_have_value("54")
    page.get_by_label("Games in a set, at most").fill("2")
    page.get_by_role("button", name="Plan the competition").click()
    expect(said(page)).to_contain_text("Spring contest is planned.")
    return Event.objects.get()


def enter_names(page, folder):
    """The names come as a spreadsheet's CSV; nothing is entered before the director has seen it."""
    file = folder / "names.csv"
    file.write_text("Number,Name\n" + "".join(f"{n},{name}\n" for n, name in enumerate(NAMES, 1)), encoding="utf-8")
    next_is(page, "Enter the names")
    step(page, "Enter a list of names")
    page.get_by_label("a spreadsheet (xlsx, ods) or CSV").set_input_files(file)
    page.get_by_role("button", name="Check the names").click()
    expect(page.locator(".lede")).to_contain_text("54 names can be entered.")
    expect(page.get_by_role("region", name="Names").get_by_role("rowheader")).to_have_text(list(NAMES))
    assert not Entry.objects.exists()
    page.get_by_role("button", name="Enter 54 names").click()
    expect(said(page)).to_contain_text("54 names are entered.")
    to_desk(page)


def draw(page, stage):
    next_is(page, f"Draw the tables: {stage}")
    step(page, "To the draw")
    step(page, "Make the draw")
    next_is(page, "Publish this draw?")
    shown = page.locator(".tables article li").all_inner_texts()
    step(page, "Publish this draw")
    expect(said(page)).to_contain_text(f"{stage} is published.")
    next_is(page, f"{stage} is being played")
    seated = page.locator(".table-row dt").all_inner_texts()
    assert sorted(seated) == sorted(shown)


def enter_a_set(page, rng, table):
    """A game and the end of another through the forms; one card is refused and put right, one stands by a ruling."""
    open_card(page, table, 1)
    deal = played_out(page, rng)
    type_deal(page, game_of(page), replace(deal, take=(deal.take[0] + 10, *deal.take[1:])))
    save(page)
    refused = page.get_by_role("alert")
    expect(refused).to_contain_text("Not recorded: the rules or the pack of cards don't allow this card.")
    expect(page.locator("form.deal-form")).to_contain_text(re.compile(r"510\b.*\b500"))
    assert not Deal.objects.exists()
    record(page, game_of(page), deal)

    deal = played_out(page, rng)
    most = deal.take.index(max(deal.take))
    game = game_of(page)
    type_deal(page, game, replace(deal, take=tuple(t - 10 * (side == most) for side, t in enumerate(deal.take))))
    save(page)
    expect(refused).to_contain_text("write a director's ruling below")
    page.get_by_label("Director's ruling").fill(RULING)
    save(page)
    expect(said(page)).to_contain_text("Deal 2 is recorded")
    second = page.locator(".deal-list details").nth(1)
    second.locator("summary").first.click()
    expect(second).to_contain_text(f"Director's ruling: {RULING}")
    assert Deal.objects.get(number=2).versions.get().ruling == RULING

    play_to_the_end(page, rng)
    expect(page.locator(".standing")).to_contain_text(re.compile(r"Over: .* won"))
    back_to_event(page)
    open_card(page, table, 2)
    play_to_the_end(page, rng)
    back_to_event(page)
    expect(group(page, table)).to_contain_text("set finished, 2 games")


def enter_a_game_and_end_the_set(page, rng, table):
    """The end of one game through the forms; the second isn't played."""
    open_card(page, table, 1)
    play_to_the_end(page, rng)
    back_to_event(page)
    end_set(page, table, LATE)
    expect(group(page, table)).to_contain_text("set finished, 1 game")


def play_to_the_end(page, rng):
    """Enter true deals on an open card until its game is over."""
    game = game_of(page)
    for played in range(game.deals_played, ENOUGH):
        record(page, game, true_deal(game.rules.family, rng, game.engine_rules, deals_before=played))
        if not page.locator("form.deal-form").count():
            return
    raise AssertionError("the game doesn't end")


def end_set(page, table, reason):
    group(page, table).get_by_text("More").click()
    group(page, table).get_by_role("link", name="End the set early").click()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name="End the set").click()
    expect(said(page)).to_contain_text("is ended.")
    expect(group(page, table)).to_contain_text(f"Ended early: {reason}")


def play_the_rest(event, rng, actor):
    published = published_draws(event).last()
    assert published
    assert play_round(published, rng, by=actor) > 0


def cut(page, stage, through, out, level=0):
    """See the reason for every name, settle who is level at the line by lots, publish the cut."""
    next_is(page, f"All sets are finished. See who goes on: {stage}")
    step(page, "To the cut")
    lots = page.get_by_role("button", name="Draw lots now")
    if level:
        expect(lots).to_have_count(1)
        expect(page.locator("section", has=lots).locator("input[type=number]")).to_have_count(level)
        expect(page.get_by_role("button", name="Publish the cut")).to_have_count(0)
    while lots.count():
        lots.first.click()
        expect(page.get_by_role("heading", name="Play-offs and lots")).to_be_visible()
    step(page, "Publish the cut")
    expect(said(page)).to_contain_text(f"The cut of {stage} is published.")
    for side, many in (("Who goes on", through), ("Who does not go on", out)):
        rows = page.get_by_role("region", name=side, exact=True).locator("tbody tr")
        expect(rows).to_have_count(many)
        assert all(reason.strip() for reason in rows.locator("td").all_inner_texts())
    to_desk(page)


def publish_result(page):
    next_is(page, "The final is played. Publish the result")
    step(page, "Check the result")
    step(page, "Publish the result")
    expect(said(page)).to_contain_text("The result is published.")
    next_is(page, "The competition is over")


def on_paper(page, names):
    """The result as a PDF has the six of the final in their order."""
    step(page, "Print the result")
    href = page.get_by_role("link", name="Result, to be signed").get_attribute("href")
    answer = page.request.get(str(href), timeout=120_000)
    assert answer.headers["content-type"] == "application/pdf"
    text = " ".join("".join(sheet.extract_text() for sheet in PdfReader(BytesIO(answer.body())).pages).split())
    found = [text.find(name) for name in names]
    assert -1 not in found
    assert found == sorted(found)
    assert "Spring contest" in text


def to_desk(page):
    page.get_by_role("link", name="Back to the desk").click()


def back_to_event(page):
    page.get_by_role("link", name="Back to the event").click()


def group(page, table):
    heading = page.get_by_role(
        "heading", name=f"Table {table}", exact=True, include_hidden=True
    )  # folded when it is over
    return page.locator("article", has=heading)


def open_card(page, table, game):
    group(page, table).get_by_role("link", name=f"Table {table}, card of game {game}").click()
    expect(page.locator("form.deal-form")).to_be_visible()


def played_out(page, rng):
    """A true deal for the card that is open, played to its last trick: none was conceded."""
    game = game_of(page)
    deals = (true_deal(game.rules.family, rng, game.engine_rules, deals_before=game.deals_played) for _try in count())
    return next(deal for deal in deals if not deal.conceded)
