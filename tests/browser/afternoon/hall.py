"""The parish hall: who stands where with which screen, and what they do there."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page, expect

from lab.simulation.people import PARISH
from scoring.cards.deals import record_deal
from scoring.engine.pinochle.partnership import PartnershipDeal
from scoring.families.deal_form import EnteredDeal
from scoring.models import Game
from tests.browser.hand.thumb import Thumb
from tests.browser.hands_on import next_is, overflow, said, step
from tests.browser.offline.conftest import is_kept
from tournaments.models import Event

DESK = "/st-hilary/desk/"
PEOPLE = PARISH[:22]
SHOTS = os.environ.get("AFTERNOON_SHOTS", "")  # a folder, to look at what each station shows


def shot(page, name):
    """A picture of what a station shows, where somebody wants to look; and nothing sticks out of it."""
    assert overflow(page) == 0, name
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


def some_deal(rng):
    """A deal as it comes in the parish: usual figures, the bid made or not."""
    took = rng.randint(8, 17)
    melds = rng.choice((2, 4, 6, 8, 10, 12)), rng.choice((2, 4, 6, 8, 10, 12))
    return PartnershipDeal(
        bid_side=rng.randrange(2),
        bid=rng.randint(18, 26),
        meld=melds,
        take=(took, 25 - took),
        last_trick=rng.randrange(2),
    )


def games_of_round(event, number):
    found = Game.objects.filter(
        group_game__group__table__draw__round__stage__event=event,
        group_game__group__table__draw__round__number=number,
        group_game__group__table__draw__state="published",
    )
    return dict(sorted((game.group_game.group.table.number, game) for game in found))


def on_paper(game, rng, by, *, deals=None):
    """Deals of a table that somebody keyed elsewhere: so many, or until the game is over."""
    done = 0
    while deals is None or done < deals:
        game = Game.objects.select_related("club", "rules").get(pk=game.pk)
        if game.state != Game.State.OPEN:
            return
        record_deal(
            game=game,
            number=game.deals_played + 1,
            entered=EnteredDeal(some_deal(rng), sure=True),
            by=by,
            submission=uuid4(),
        )
        done += 1


@dataclass
class Desk:
    page: Page

    def open(self):
        self.page.goto(f"{DESK}pinochle-afternoon/")

    def plan(self):
        self.page.goto(DESK)
        step(self.page, "New event")
        self.page.get_by_role("link", name="Club night").click()
        self.page.get_by_label("Name", exact=True).fill("Pinochle afternoon")
        self.page.get_by_label("Game", exact=True).select_option("st-hilary-v3:2x2")
        self.page.get_by_label("Starts").fill("2054-11-06T14:00")
        self.page.get_by_role("button", name="Plan the club night").click()
        expect(said(self.page)).to_contain_text("is planned.")
        return Event.objects.get()

    def tick(self, names, *, here):
        self.page.goto(f"{DESK}pinochle-afternoon/here/")
        for name in names:
            button = self.page.get_by_role("button", name=name)
            button.click()
            expect(button).to_have_attribute("aria-pressed", str(here).lower())

    def draw(self, number):
        self.page.goto(f"{DESK}pinochle-afternoon/rounds/draw/")
        self.page.get_by_label("Rounds in all").fill("4")
        self.page.get_by_role("button", name=f"Draw round {number}").click()
        expect(self.page.locator(".what-next h2")).to_have_text("Publish this draw?", timeout=60_000)
        shot(self.page, f"desk-draw-{number}")
        step(self.page, "Publish this draw")
        next_is(self.page, f"Round {number} is being played")

    def sitting_out(self):
        line = self.page.locator("p", has_text="Sitting out this round:").first.text_content() or ""
        return [name.strip() for name in line.partition(":")[2].split(",")]

    def links(self):
        """The address in the QR code of every table: in capitals, as scanners give it back."""
        self.page.get_by_text("For the hall").click()
        self.page.get_by_role("link", name="Table links").click()
        expect(self.page.get_by_role("heading", name="Table links")).to_be_visible()
        self.page.wait_for_load_state()  # the list below it
        found = {}
        for row in self.page.locator(".tables > li").all():
            table = re.search(r"\d+", row.get_by_role("heading").text_content() or "")
            address = row.get_by_role("link", name="Open this table's page").or_(
                row.get_by_role("link", name="Open this table's page")
            )
            assert table
            found[int(table[0])] = (address.get_attribute("href") or "").replace("/t/", "/T/")
        return found

    def close_early(self, number):
        """The bell has rung: games still open end as they stand."""
        self.open()
        step(self.page, "Close the round early")
        self.page.get_by_label(re.compile("End them")).check()
        self.page.get_by_label("Reason").first.fill("The bell has rung.")
        self.page.get_by_role("button", name=f"Close round {number}").click()
        expect(said(self.page)).to_contain_text(f"Round {number} is closed.")

    def exported(self):
        self.page.goto("/st-hilary/games/files/")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name=re.compile("JSON")).first.click()
        return json.loads(Path(download.value.path()).read_text(encoding="utf-8"))


@dataclass
class Phone:
    """A table's own phone: no account, only what the QR code says."""

    page: Page

    def scan(self, address):
        """Open the table's page, and say who writes."""
        self.page.goto(address)
        expect(self.page.get_by_role("heading", name="Who writes on this phone?")).to_be_visible()
        is_kept(self.page)
        with self.page.expect_navigation():
            self.page.locator(".who-writes button").first.tap()
        is_kept(self.page)

    def type(self, deal):
        """Tap the figures of a deal, without Save. A long pair of names may take a swipe."""
        thumb = Thumb(self.page)
        thumb.choose("bid_side", deal.bid_side)
        thumb.fill({"bid": deal.bid, "meld_0": deal.meld[0], "take_0": deal.take[0], "meld_1": deal.meld[1]})
        self.page.locator(f"label[for=id_last_trick_{deal.last_trick}]").tap()

    def save(self):
        """Tap Save; what comes then is the test's to see."""
        self.page.get_by_role("button", name="Save", exact=True).tap()

    def enter(self, deal, number):
        """A deal from its first figure to the next deal's form."""
        self.type(deal)
        self.save()
        expect(said(self.page)).to_contain_text(f"Deal {number} is recorded")

    def hand_over(self):
        """Give the phone to the other side, who look at the deal."""
        self.page.get_by_role("link", name=re.compile("Hand the phone to")).first.tap()
        expect(self.page.get_by_role("heading", name=re.compile("You are"))).to_be_visible()

    def agree(self):
        self.hand_over()
        self.page.get_by_role("button", name="That's right").tap()
        expect(said(self.page)).to_contain_text("is right")

    @property
    def totals(self):
        return self.page.locator(".totals dd")


@dataclass
class Grid:
    """The scorekeeper's laptop: a round keyed from paper, without a mouse."""

    page: Page

    def open(self, number):
        self.page.goto(f"{DESK}pinochle-afternoon/rounds/{number}/keying/")

    def go_to(self, table):
        self._keys(f"/{table}")

    def line(self, game, number, deal):
        """A line of the card, box by box, until it is recorded."""
        sides = [figure for side in (0, 1) for figure in (deal.meld[side], deal.take[side], "")]
        for box in (deal.bid_side + 1, deal.bid, *sides, ""):  # no set is marked
            self._keys(box)
        line = self.page.locator(f"#deal-{game.pk}-{number}")
        expect(line).to_have_attribute("data-state", "recorded")
        assert self.page.evaluate("document.activeElement !== document.body")

    def _keys(self, typed):
        self.page.keyboard.type(str(typed))
        self.page.keyboard.press("Enter")
