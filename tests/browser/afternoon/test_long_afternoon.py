"""A whole afternoon of 22 people as it goes: phones, paper, late, gone, disputed, corrected, no network, no server."""

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from playwright.sync_api import expect

from clubsite.accounts.models import Actor, Member
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.models import DealVersion
from tests.browser.afternoon.hall import DESK, PEOPLE, Desk, Grid, Phone, games_of_round, on_paper, shot, some_deal
from tests.browser.afternoon.recomputed import standings
from tests.browser.hands_on import next_is, said
from tests.browser.offline.conftest import waiting
from tournaments.models import Event, PublishedStandings

pytestmark = pytest.mark.django_db(transaction=True)

LATE = PEOPLE[20]


class Afternoon:
    def __init__(self, station, server, director, scorekeeper):
        """Open everybody's screen."""
        self.server, self.rng = server, Random(22)
        self.by = Actor(director, "Dora", route="paper")
        self.desk = Desk(station("laptop", director))
        self.grid = Grid(station("laptop", scorekeeper))
        self.phones = [Phone(station("phone")), Phone(station("phone"))]
        self.board, self.anybody = station("board"), station("phone")
        self.sat_out = Counter()
        self.event = self.desk.plan()

    def deal(self):
        return some_deal(self.rng)

    def begin(self, number):
        """Draw and publish a round; two tables scan the codes on their cards."""
        self.desk.draw(number)
        self.sat_out.update(self.desk.sitting_out())
        self.games = games_of_round(self.event, number)
        links = self.desk.links()
        shot(self.desk.page, f"desk-links-{number}")
        for table, phone in enumerate(self.phones, start=1):
            phone.scan(links[table])

    def paper(self, *tables, deals=None):
        for table in tables:
            on_paper(self.games[table], self.rng, self.by, deals=deals)


@pytest.mark.proof  # a minute; tests/browser/test_afternoon.py goes the same way with fewer people every day
def test_an_afternoon_of_22_people_in_four_rounds(station, server, club, director, scorekeeper):
    Member.objects.bulk_create(Member(club=club, name=name) for name in PEOPLE)
    hall = Afternoon(station, server, director, scorekeeper)
    first_round(hall)
    second_round(hall)
    gone = third_round(hall)
    last_round(hall, gone)
    correct_what_is_published(hall)

    result = PublishedStandings.objects.get(number=2)
    counted = standings(hall.desk.exported(), sat_out=hall.sat_out)
    assert [_line(row) for row in result.rows] == [
        (one.place, one.shared, one.name, one.points, one.wins, one.sets, one.games) for one in counted
    ]
    assert {row["name"] for row in result.rows} == set(PEOPLE)
    shown_to_anybody(hall.anybody, result)


def _line(row):
    wins = Fraction(row["games_won"].rstrip("½") or 0) + Fraction(int("½" in row["games_won"]), 2)
    return row["place"], row["shared"], row["name"], row["points"], wins, row["sets"], row["games_played"]


def first_round(hall):
    """21 people. Table 2 disputes its deal, table 1 loses the network, table 3 is keyed, somebody comes late."""
    desk, (one, two) = hall.desk, hall.phones
    desk.tick([name for name in PEOPLE if name != LATE], here=True)
    hall.begin(1)
    desk.open()
    desk.page.get_by_label("Minutes", exact=True).fill("40")
    desk.page.get_by_role("button", name="Start the clock").click()
    expect(said(desk.page)).to_contain_text("The clock runs")
    hall.board.goto(f"{hall.event.get_absolute_url()}board/")
    shot(hall.board, "board-1-seats")

    shot(one.page, "phone-1-before")
    one.enter(hall.deal(), 1)
    shot(one.page, "phone-1-recorded")
    one.agree()
    two.enter(PartnershipDeal(bid_side=0, bid=20, meld=(10, 6), take=(15, 10), last_trick=0), 1)
    two.hand_over()
    shot(two.page, "phone-2-say")
    two.page.locator("summary", has_text="That isn't right").tap()
    two.page.get_by_label("What should it be?").fill("we melded 8")
    two.page.get_by_role("button", name="Tell the director").tap()
    expect(said(two.page)).to_contain_text("disputed")
    shot(two.page, "phone-2-disputed")

    hall.grid.open(1)
    hall.grid.go_to(3)
    for number in (1, 2):
        hall.grid.line(hall.games[3], number, hall.deal())
    shot(hall.grid.page, "grid")
    hall.paper(4, 5, deals=2)
    lose_the_network(hall, one)
    settle(hall)
    desk.tick([LATE], here=True)
    desk.open()
    expect(desk.page.locator(".next-steps")).to_contain_text(f"{LATE} has no seat in round 1")
    shot(desk.page, "desk-1")
    desk.close_early(1)


def lose_the_network(hall, phone):
    """In the middle of a deal; it is sent by itself, once."""
    deal = hall.deal()
    phone.page.context.set_offline(True)
    phone.type(deal)
    phone.save()
    expect(waiting(phone.page)).to_have_text(["Deal 2"])
    shot(phone.page, "phone-1-offline")
    phone.page.reload()
    expect(waiting(phone.page)).to_have_text(["Deal 2"])
    phone.page.context.set_offline(False)
    expect(waiting(phone.page)).to_have_count(0)
    expect(phone.page.get_by_role("heading", name="Deal 3", exact=True)).to_be_visible()
    versions = DealVersion.objects.filter(deal__game=hall.games[1], deal__number=2)
    assert [version.facts["bid"] for version in versions] == [deal.bid]


def settle(hall):
    """Closing the round names the dispute; the director corrects the deal, and the table agrees."""
    desk, phone = hall.desk, hall.phones[1]
    desk.open()
    first = desk.page.locator(".next-steps > li").first
    expect(first).to_contain_text("table 2, deal 1, is disputed")
    expect(first).to_contain_text("we melded 8")
    shot(desk.page, "desk-disputed")
    desk.page.get_by_role("link", name="Close the round early").click()
    named = desk.page.locator("#close .problem").filter(has_text="we melded 8")
    expect(named).to_contain_text("we melded 8")
    named.scroll_into_view_if_needed()
    shot(desk.page, "desk-close-disputed")
    named.get_by_role("link", name="To the deal").click()
    desk.page.locator("[name=meld_1]").fill("8")
    desk.page.locator("form.deal-form [name=reason]").fill("Both sides say 8.")
    desk.page.get_by_role("button", name="Save the correction").click()
    expect(said(desk.page)).to_contain_text("Deal 1 is corrected")
    phone.page.reload()
    expect(phone.totals).to_have_text(["25", "18"])
    shot(phone.page, "phone-2-corrected")
    phone.agree()
    assert DealVersion.objects.get(deal__game=hall.games[2], current=True).state == "agreed"


def second_round(hall):
    """22 people. The server dies while table 1 writes, and comes back; table 5 plays to the end."""
    phone = hall.phones[0]
    hall.begin(2)
    deal = hall.deal()
    hall.board.reload()
    hall.server.stop()
    phone.type(deal)
    phone.save()
    expect(waiting(phone.page)).to_have_text(["Deal 1"])
    expect(phone.page.get_by_role("heading", name="Deal 2", exact=True)).to_be_visible()
    shot(phone.page, "phone-1-no-server")
    expect(hall.board.get_by_text(re.compile("No connection since"))).to_be_visible(timeout=30_000)
    shot(hall.board, "board-2-no-server")
    hall.server.start()
    # "Send now", unless the phone has seen the server again by itself
    phone.page.evaluate("document.querySelector('[data-kept-send]')?.click()")
    expect(waiting(phone.page)).to_have_count(0)
    expect(hall.board.get_by_text(re.compile("No connection since"))).to_be_hidden(timeout=30_000)
    versions = DealVersion.objects.filter(deal__game=hall.games[1])
    assert [version.facts["bid"] for version in versions] == [deal.bid]
    hall.phones[1].enter(hall.deal(), 1)
    hall.paper(3, 4, deals=1)
    hall.paper(5)
    hall.desk.close_early(2)


def third_round(hall):
    """Somebody goes home in the middle of it; who sits out plays for them. Returns who has gone."""
    desk = hall.desk
    hall.begin(3)
    hall.paper(1, 2, 3, 4, 5, deals=1)
    desk.open()
    newcomer = desk.sitting_out()[0]
    desk.page.locator("#table-4 summary").click()
    desk.page.get_by_role("link", name="Change the seats of table 4").click()
    shot(desk.page, "desk-seats")
    gone = desk.page.locator("section.card-sheet:has([name=newcomer]) h3").first.text_content() or ""
    seat = desk.page.locator("section.card-sheet", has=desk.page.get_by_role("heading", name=gone, exact=True))
    seat.get_by_role("button", name=newcomer).click()
    shot(desk.page, "desk-seats-then")
    plays = desk.page.get_by_role("button", name=f"{newcomer} plays for {gone}")
    form = desk.page.locator("form", has=plays)
    form.get_by_label(re.compile("has gone home")).check()
    plays.click()
    expect(said(desk.page)).to_be_visible()
    desk.open()
    expect(desk.page.locator("#table-4")).to_contain_text(f"{newcomer} for {gone}")
    hall.paper(4, deals=1)
    desk.close_early(3)
    return gone


def last_round(hall, gone):
    """21 are left. Then the result is published, and open to corrections."""
    desk = hall.desk
    hall.begin(4)
    expect(desk.page.locator("main")).not_to_contain_text(gone)
    for phone in hall.phones:
        phone.enter(hall.deal(), 1)
        phone.agree()
    hall.grid.open(4)
    hall.grid.go_to(3)
    hall.grid.line(hall.games[3], 1, hall.deal())
    hall.paper(4, 5, deals=2)
    hall.board.reload()
    desk.close_early(4)
    desk.open()
    next_is(desk.page, "Close the night, or draw round 5")
    desk.page.get_by_role("link", name="Close the night").first.click()
    desk.page.get_by_role("button", name="Publish the result and close").click()
    expect(said(desk.page)).to_contain_text("The result is published.")
    shot(desk.page, "desk-published")
    hall.board.reload()
    shot(hall.board, "board-4-result")
    hall.anybody.goto(hall.event.get_absolute_url())
    expect(hall.anybody.locator("main")).to_contain_text("Tell the director about mistakes until")
    shot(hall.anybody, "public-result")


def correct_what_is_published(hall):
    """A slip is found on the paper of table 3: who moves is shown first, then version 2 is published."""
    page = hall.desk.page
    page.goto(hall.games[3].get_absolute_url())
    page.locator(".deal-list summary").first.click()
    page.get_by_role("link", name="Correct deal 1").click()
    page.locator("[name=bid]").fill("60")
    page.locator("form.deal-form [name=reason]").fill("The card says 60.")
    page.get_by_role("button", name="Save the correction").click()
    moves = page.get_by_role("region", name="Who moves")
    expect(moves).to_be_visible()
    assert moves.evaluate("region => region.scrollWidth <= region.clientWidth")  # places stand beside the names
    shot(page, "desk-who-moves")
    page.get_by_label(re.compile("Yes")).check()
    page.get_by_role("button", name="Save the correction").click()
    expect(said(page)).to_contain_text("Deal 1 is corrected")
    page.goto(f"{DESK}{hall.event.slug}/")
    next_is(page, "Publish the corrected result")
    page.get_by_role("link", name="See what changes").click()
    page.get_by_label("Reason").first.fill("Table 3, deal 1: the bid was 60.")
    shot(page, "desk-next-version")
    page.get_by_role("button", name="Publish the next version").click()
    expect(said(page)).to_contain_text("version 2")


def shown_to_anybody(page, result):
    """The public page has version 2, with everybody's points."""
    page.reload()
    expect(page.locator("main")).to_contain_text("Result, version 2")
    table = page.locator("main table").first
    for row in (result.rows[0], result.rows[-1]):
        expect(table.get_by_role("row").filter(has_text=row["name"])).to_contain_text(
            f"{row['points']}".replace("-", "−")
        )
    assert Event.objects.get().state == Event.State.FINISHED
