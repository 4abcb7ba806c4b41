"""The links of tables on paper: on every card and on the list of seats, while they open something."""

from dataclasses import replace

import pytest
from django.test import override_settings

from clubsite.accounts.models import Club
from clubsite.pdf.documents import pages_key
from scoring.engine.core.ruleset import Shape, shipped
from tests.tournaments import nights
from tests.tournaments.documents.sheets import card, has, pages_of, pdf_of
from tournaments.documents.cards import card_pages, printed_cards
from tournaments.documents.sheets import list_pages, seating_sheet
from tournaments.models import TableLink
from tournaments.rounds.publishing import close_round, take_back_draw
from tournaments.table_links.links import ShownLink, find_link_on_card, make_token, renew_links, shown_links

SITE = "http://192.168.1.20:8000/"
CARDS = "/st-hilary/desk/friday/print/cards.pdf"


@pytest.fixture
def draw(event, actor):
    """Two tables, published."""
    return nights.seated(event, actor, 8)


def codes_on(pages, draw):
    return sum(has(page, link.code) for link in shown_links(draw, SITE).values() for page in pages)


def test_every_card_has_the_code_of_its_table_and_where_it_is_typed(draw, client_of, scorekeeper):
    answer = client_of(scorekeeper).get(CARDS)
    pages = pages_of(answer.content)
    assert codes_on(pages, draw) == 2
    assert "testserver/t/" in pages[0]
    with override_settings(SITE_URL="https://cards.example.org"):
        assert "cards.example.org/t/" in pages_of(client_of(scorekeeper).get(CARDS).content)[0]


def test_each_card_shows_the_qr_code_of_its_own_link_and_game(draw):
    sheets = printed_cards(draw, site=SITE)
    pages, again = (
        card_pages(made, shipped()["st-hilary-v3"], paper="A4") for made in (sheets, printed_cards(draw, site=SITE))
    )
    assert pages_key(pages) == pages_key(again), "printed again it is the same file"
    links = [sheet.link for sheet in sheets]
    assert [link.address for link in links] == [f"{link.address}1/" for link in shown_links(draw, SITE).values()]
    assert len({link.qr_bare for link in links}) == 2
    for sheet in sheets:
        assert pages.drawings[f"qr-{sheet.code}"] == sheet.link.qr_bare
        assert [document.count(f"drawing:qr-{sheet.code}") for document in pages.documents] == [1]
        assert 'viewBox="0 0 29 29"' in sheet.link.qr_bare  # as few squares as an address in a hall can do with


def test_a_cards_code_says_its_table_and_game(draw):
    old = next(iter(shown_links(draw, SITE).values()))
    link, game = find_link_on_card(old.for_game(1).address.upper())
    assert (link, game) == (TableLink.objects.get(group__table__draw=draw, group__table__number=1), 1)
    assert find_link_on_card(old.address.upper()) == (link, None)  # an older card
    assert find_link_on_card(f"{SITE}t/{make_token('another')}/2/") is None
    assert find_link_on_card("https://example.org/pay?amount=12") is None


def test_the_list_of_seats_has_the_code_of_each_table(draw):
    sheet = seating_sheet(draw, site=SITE)
    pages = pages_of(pdf_of(list_pages(sheet, "A4")))
    assert codes_on(pages, draw) == 2
    assert "192.168.1.20:8000/t/" in pages[-1]


def test_paper_without_a_link_has_no_gap_for_one(event, draw, actor):
    plain = card_pages(printed_cards(draw), shipped()["st-hilary-v3"], paper="A4")
    close_round(round=draw.round, by=actor, end_open=True, reason="time")
    Club.objects.update(link_hours=0)
    draft = nights.drafted(event, actor)
    assert card_pages(printed_cards(draft, site=SITE), shipped()["st-hilary-v3"], paper="A4").drawings == plain.drawings
    assert "table-link" not in list_pages(seating_sheet(draft, site=SITE), "A4").documents[0]
    assert not seating_sheet(draft, site=SITE)["links"]


def test_a_link_that_opens_nothing_is_not_printed(draw, actor):
    old = {sheet.link.code for sheet in printed_cards(draw, site=SITE) if sheet.link}
    renew_links(draw=draw, by=actor)
    new = {sheet.link.code for sheet in printed_cards(draw, site=SITE) if sheet.link}
    assert len(old) == len(new) == 2
    assert not old & new
    take_back_draw(draw=draw, by=actor)
    draw.refresh_from_db()
    assert [sheet.link for sheet in printed_cards(draw, site=SITE)] == [None, None]


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("slug", "shape"), [("st-hilary-v3", Shape(2, 2)), ("points-only", Shape(3, 1)), ("hand-and-foot", Shape(2, 2))]
)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_link_costs_no_card_its_place(slug, shape, paper):
    link = ShownLink("https://a.example/t/mole/", "MOLE-42", "a.example/t/")
    plain = [card(n, shape) for n in range(1, 4)]
    linked = [replace(one, link=link) for one in plain]
    sheets = [card_pages(cards, shipped()[slug], paper=paper) for cards in (plain, linked)]
    assert len(sheets[0].documents) == len(sheets[1].documents)
    pages = pages_of(pdf_of(sheets[1]))
    assert sum(page.count("MOLE-42") for page in pages) == 3
    assert all(sum(one.code in page for page in pages) == 1 for one in linked)


def test_the_print_centre_says_when_no_phone_reaches_the_site(draw, client_of, scorekeeper, settings):
    settings.ALLOWED_HOSTS = ["*"]
    browser, centre = client_of(scorekeeper), "/st-hilary/desk/friday/print/"
    assert "No phone reaches this address" in browser.get(centre, headers={"host": "127.0.0.1:8000"}).content.decode()
    assert "No phone reaches" not in browser.get(centre, headers={"host": "192.168.1.20:8000"}).content.decode()
    settings.SITE_URL = "https://cards.example.org"
    assert "No phone reaches" not in browser.get(centre, headers={"host": "localhost"}).content.decode()
