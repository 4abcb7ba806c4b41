"""The print centre: what is offered when, to whom, on which paper; the same number of queries for any event."""

import re
from datetime import date
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.tournaments.documents.sheets import pages_of
from tests.tournaments.documents.test_printing import address
from tests.tournaments.nights import arrive, make_night, play_round, publish_next, queries_of
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


def links(page):
    found = [urlsplit(unescape(link)) for link in re.findall(r'href="([^"]+\.pdf\?[^"]*)"', page)]
    return [(link.path.rsplit("/", 1)[1].removesuffix(".pdf"), parse_qs(link.query)) for link in found]


def lists_of(page):
    """The documents of the large buttons, and of the list after them."""
    lists = re.findall(r'<ul class="(?:card-links|print-list)".*?</ul>', page, re.DOTALL)[:2]
    return [[document for document, _asked in links(body)] for body in lists]


def test_everything_that_can_be_printed_is_offered_once(client_of, director, night, actor):
    client = client_of(director)
    page = client.get(address(night)).content.decode()
    addresses = re.findall(r'href="([^"]+\.pdf\?[^"]*)"', page)
    assert len(addresses) == len(set(addresses))
    offered = {document for document, _asked in links(page)}
    assert set(DOCUMENTS) - offered == {"result", "certificates", "prizes", "cut", "bracket"}
    assert "table" in offered  # of the season
    play_round(night.stages.get().rounds.get(number=3).draws.get(), actor)
    publish_result(event=night, by=actor)
    assert {"result", "certificates"} <= {found for found, _asked in links(client.get(address(night)).content.decode())}
    take_back_result(event=night, by=actor)
    offered = {found for found, _asked in links(client.get(address(night)).content.decode())}
    for document in ("result", "certificates"):
        assert document not in offered, "it was taken back"
        assert client.get(address(night, document)).status_code == 404


def test_the_large_buttons_are_what_the_moment_needs(client_of, director, night, actor, club, rules_for):
    client = client_of(director)
    planned = make_night(club, rules_for("st-hilary-v3"), slug="planned")
    assert lists_of(client.get(address(planned)).content.decode())[0] == ["form-here", "blank", "form-names"]
    large, usual = lists_of(client.get(address(night)).content.decode())
    assert large == ["round", "seating", "standings"]
    assert usual[0] == "cards"
    assert len(usual) == 5
    play_round(night.stages.get().rounds.get(number=3).draws.get(), actor)
    publish_result(event=night, by=actor)
    assert lists_of(client.get(address(night)).content.decode())[0] == ["result", "certificates", "record"]


def test_all_but_the_usual_papers_is_folded(client_of, director, night):
    page = client_of(director).get(address(night)).content.decode()
    unfolded = re.sub(r"<details.*?</details>", "", page, flags=re.DOTALL)
    assert [document for document, _asked in links(unfolded)] == [
        document for documents in lists_of(page) for document in documents
    ]


def test_what_is_asked_goes_along_to_every_document(client_of, scorekeeper, night):
    page = client_of(scorekeeper).get(address(night), {"paper": "A4", "on": 2}).content.decode()
    of_event = [asked for document, asked in links(page) if document in DOCUMENTS]
    assert of_event
    assert {tuple(asked["paper"] + asked["on"]) for asked in of_event} == {("A4", "2")}


def test_a_large_button_has_a_small_picture_once_its_pages_are_made(client_of, director, night):
    client = client_of(director)
    page = client.get(address(night)).content.decode()
    assert "print-picture" not in page
    client.get(next(unescape(link) for link in re.findall(r'href="([^"]+)"', page) if "seating.pdf" in link))
    pictures = re.findall(r'class="print-picture"[^>]*src="([^"]+)"', client.get(address(night)).content.decode())
    assert ["seating.png" in source for source in pictures] == [True]
    assert client.get(unescape(pictures[0]))["Content-Type"].startswith("image/")


def test_a_draft_is_offered_to_directors_only(client_of, director, scorekeeper, night, actor):
    draw = night.stages.get().rounds.get(number=3).draws.get()
    draw.state = "draft"
    draw.save()
    seen = {}
    for user in (director, scorekeeper):
        page = client_of(user).get(address(night)).content.decode()
        seen[user] = [asked.get("draw") for _document, asked in links(page)]
    assert [str(draw.pk)] in seen[director]
    assert [str(draw.pk)] not in seen[scorekeeper]
    assert client_of(scorekeeper).get(address(night, "round"), {"draw": draw.pk}).status_code == 404


def test_no_list_of_links_is_long_and_each_has_a_heading(client_of, director, night):
    page = client_of(director).get(address(night)).content.decode()
    lists = re.findall(r'<ul class="print-list" aria-labelledby="([^"]+)">(.*?)</ul>', page, re.DOTALL)
    assert lists
    assert [key for key, body in lists if body.count("<li>") > 12 or f'id="{key}"' not in page] == []


@pytest.mark.proof
def test_it_takes_as_many_queries_for_eighteen_tables_as_for_nine_and_for_one_round_as_for_three(
    client_of, director, club, actor, rules_for, night
):
    browser = client_of(director)
    counts = []
    for slug, people in (("nine", 36), ("eighteen", 72)):
        event = make_night(club, rules_for("st-hilary-v3"), slug=slug)
        arrive(event, actor, people)
        publish_next(event, actor)
        counts.append(queries_of(browser, address(event)))
    assert counts[0] == counts[1] == queries_of(browser, address(night))


def test_a_seasons_documents_are_the_clubs(client_of, scorekeeper, stranger, other_club, night):
    url = f"/{night.club.slug}/desk/seasons/{night.season_id}/print/table.pdf"
    assert client_of(None).get(url).status_code == 302
    assert client_of(stranger).get(url).status_code == 404
    assert client_of(stranger).get(url.replace(night.club.slug, other_club.slug, 1)).status_code == 404
    assert client_of(scorekeeper).get(url)["Content-Type"] == "application/pdf"
    assert client_of(scorekeeper).get(url.replace("table", "people")).status_code == 404


def test_the_season_table_has_every_night_and_everybody(client_of, scorekeeper, night, club, actor, rules_for):
    play_round(night.stages.get().rounds.get(number=3).draws.get(), actor)
    publish_result(event=night, by=actor)
    url = f"/{club.slug}/desk/seasons/{night.season_id}/print/table.pdf"
    text = " ".join(pages_of(client_of(scorekeeper).get(url).content))
    assert [n for n in range(1, 11) if f"Player {n:02}" not in text] == []
    for words in ("6 Nov", "After 1 night, the last on 6 November 2054", "Page 1 of 1", "Season table"):
        assert words in text


def test_a_seasons_page_leads_to_its_table_on_paper(client_of, scorekeeper, night, actor):
    play_round(night.stages.get().rounds.get(number=3).draws.get(), actor)
    publish_result(event=night, by=actor)
    assert night.season
    page, paper = f"/st-hilary/seasons/{night.season.pk}/", f"/desk/seasons/{night.season.pk}/print/table.pdf"
    assert paper in client_of(scorekeeper).get(page).content.decode()
    assert paper not in client_of(None).get(page).content.decode(), "whoever isn't of the club gets no paper"
