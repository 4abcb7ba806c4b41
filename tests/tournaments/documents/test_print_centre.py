"""The print centre: what is offered when, to whom, on which paper; the same number of queries for any event."""

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.tournaments.documents.sheets import pages_of
from tests.tournaments.documents.test_printing import address
from tests.tournaments.nights import arrive, make_night, play_round, publish_next
from tests.tournaments.results import closed_night, make_season
from tournaments.documents.sheets import season_sheet
from tournaments.documents.views import DOCUMENTS
from tournaments.seasons.actions import create_season
from tournaments.standings.results import publish_result, take_back_result


@pytest.fixture
def night(club, actor, rules_for):
    """Two rounds played, a third drawn and published; a night of a season."""
    season = create_season(club=club, by=actor, name="Winter", starts=date(2054, 9, 1), ends=date(2055, 4, 1))
    event = make_night(club, rules_for("st-hilary-v3"), season=season)
    arrive(event, actor, 10)
    for _n in range(2):
        play_round(publish_next(event, actor), actor)
    publish_next(event, actor)
    return event


def finish(night, by):
    """The third round is played, and the result published."""
    play_round(night.stages.get().rounds.get(number=3).draws.get(), by)
    publish_result(event=night, by=by)


def links(page):
    found = [urlsplit(unescape(link)) for link in re.findall(r'href="([^"]+\.pdf\?[^"]*)"', page)]
    return [(link.path.rsplit("/", 1)[1].removesuffix(".pdf"), parse_qs(link.query)) for link in found]


def lists_of(page):
    """The documents of the large buttons, and of the list after them."""
    lists = re.findall(r'<ul class="(?:card-links|ruled)".*?</ul>', page, re.DOTALL)[:2]
    return [[document for document, _asked in links(body)] for body in lists]


def test_everything_that_can_be_printed_is_offered_once(browser, night, actor):
    page = browser.get(address(night)).content.decode()
    addresses = re.findall(r'href="([^"]+\.pdf\?[^"]*)"', page)
    assert len(addresses) == len(set(addresses))
    offered = {document for document, _asked in links(page)}
    assert set(DOCUMENTS) - offered == {"result", "certificates", "prizes", "cut", "bracket"}
    assert "table" in offered  # of the season
    finish(night, actor)
    assert {"result", "certificates"} <= {
        found for found, _asked in links(browser.get(address(night)).content.decode())
    }
    take_back_result(event=night, by=actor)
    offered = {found for found, _asked in links(browser.get(address(night)).content.decode())}
    for document in ("result", "certificates"):
        assert document not in offered, "it was taken back"
        assert browser.get(address(night, document)).status_code == 404


def test_the_large_buttons_are_what_the_moment_needs(browser, night, actor, club, rules_for):
    planned = make_night(club, rules_for("st-hilary-v3"), slug="planned")
    assert lists_of(browser.get(address(planned)).content.decode())[0] == ["form-here", "blank", "form-names"]
    large, usual = lists_of(browser.get(address(night)).content.decode())
    assert large == ["round", "seating", "standings"]
    assert usual[0] == "cards"
    assert len(usual) == 5
    finish(night, actor)
    assert lists_of(browser.get(address(night)).content.decode())[0] == ["result", "certificates", "record"]


def test_what_is_asked_goes_along_to_every_document(client_of, scorekeeper, night):
    page = client_of(scorekeeper).get(address(night), {"paper": "A4", "on": 2}).content.decode()
    of_event = [asked for document, asked in links(page) if document in DOCUMENTS]
    assert of_event
    assert {tuple(asked["paper"] + asked["on"]) for asked in of_event} == {("A4", "2")}


def test_a_large_button_has_a_small_picture_once_its_pages_are_made(browser, night):
    page = browser.get(address(night)).content.decode()
    assert "print-picture" not in page
    browser.get(next(unescape(link) for link in re.findall(r'href="([^"]+)"', page) if "seating.pdf" in link))
    pictures = re.findall(r'class="print-picture"[^>]*src="([^"]+)"', browser.get(address(night)).content.decode())
    assert ["seating.png" in source for source in pictures] == [True]
    assert browser.get(unescape(pictures[0]))["Content-Type"].startswith("image/")


def test_a_scorekeeper_gets_the_table_of_a_season_and_not_its_people(client_of, scorekeeper, night):
    url = f"/{night.club.slug}/desk/seasons/{night.season_id}/print/table.pdf"
    assert client_of(scorekeeper).get(url)["Content-Type"] == "application/pdf"
    assert client_of(scorekeeper).get(url.replace("table", "people")).status_code == 404


def test_the_season_table_has_every_night_and_everybody_and_the_seasons_page_leads_there(
    client_of, scorekeeper, client, night, actor
):
    finish(night, actor)
    url, page = f"/st-hilary/desk/seasons/{night.season_id}/print/table.pdf", f"/st-hilary/seasons/{night.season_id}/"
    text = " ".join(pages_of(client_of(scorekeeper).get(url).content))
    assert [n for n in range(1, 11) if f"Player {n:02}" not in text] == []
    for words in ("6 Nov", "After 1 night, the last on 6 November 2054", "Page 1 of 1", "Season table"):
        assert words in text
    assert url in client_of(scorekeeper).get(page).content.decode()
    assert url not in client.get(page).content.decode(), "people outside the club get no paper"


def test_a_shared_place_is_written_as_on_the_screen(club, rules_for):
    season = make_season(club)
    closed_night(season, rules_for("st-hilary-v3"), 6, {"Ann": 40, "Bob": 40, "Cal": 10})
    lines = season_sheet(season)["tables"][0]["lines"]
    assert [line[:2] for line in lines] == [["1=", "Ann"], ["1=", "Bob"], ["3", "Cal"]]
