"""Paper printed from the browser, for computers that make no PDFs: the same sheets as the PDFs, and their words."""

import re
from contextlib import suppress
from html import unescape
from urllib.parse import urlsplit

import pypdfium2
import pytest
from django.http import Http404
from playwright.sync_api import expect

from clubsite.accounts.models import Member
from clubsite.pdf.documents import Pages, printable_response, render_now
from scoring.engine.core.ruleset import shipped
from tests.browser.test_accessible import PEOPLE, barriers
from tests.examples import WHOLE, as_proof, in_turn
from tests.tournaments.documents.sheets import card
from tests.tournaments.documents.test_cards_on_paper import KINDS
from tests.tournaments.nights import make_night, play_round, publish_next
from tournaments.documents.cards import card_pages
from tournaments.documents.views import DOCUMENTS, Options, document_pages
from tournaments.errors import StepRefused
from tournaments.rounds import attendance
from tournaments.standings.results import publish_result

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = 1.5  # that a sheet may be larger or smaller: browsers count pixels
NOT_SHOWN = re.compile(r'<(style|title)>.*?</\1>|<i class="made">.*?</i>', re.DOTALL)  # the last: at another time


def bare(text):
    """A text's letters as a PDF shows them: with no space where a line ends, in capitals or not."""
    return re.sub(r"[\s\x02\ufffe-]", "", unescape(text)).casefold()


def assert_printed(pdf, pages):
    """The sheets are those of the PDF of these pages, and all words are on them."""
    with pypdfium2.PdfDocument(pdf) as printed, pypdfium2.PdfDocument(render_now(pages)) as expected:
        sizes = [pytest.approx(sheet.get_size(), abs=POINTS) for sheet in expected]
        assert [sheet.get_size() for sheet in printed] == sizes
        shown = bare("".join(sheet.get_textpage().get_text_bounded() for sheet in printed))
    sources = NOT_SHOWN.sub("", "".join((*pages.documents, *pages.drawings.values())))
    assert [text for text in re.findall(r">([^<>]+)<", sources) if bare(text) not in shown] == []


def printed_at(page, address):
    page.goto(address)
    page.evaluate("document.fonts.ready")
    return page.pdf(prefer_css_page_size=True)


@pytest.fixture
def page(signed_in, director):
    return signed_in(director)


@pytest.mark.parametrize(("paper", "every"), [("A4", 8), as_proof(["A4", 1]), as_proof(["Letter", 1])])
def test_the_cards_of_every_game_are_the_same_as_in_a_pdf(page, live_server, rf, paper, every):
    kinds = KINDS[::every]
    cards = [card_pages([card(n, shape)], shipped()[slug], paper=paper) for n, (slug, shape) in enumerate(kinds)]
    pages = Pages.together(cards)
    answer = printable_response(rf.get("/"), pages, name="All", back="/")
    page.route("**/all", lambda route: route.fulfill(body=answer.content, headers=dict(answer.headers)))
    assert_printed(printed_at(page, "/all"), pages)


@pytest.fixture
def night(club, actor, rules_for):
    """A finished night of people with long names. PDFium reads letters of two typefaces twice: no Vietnamese ones."""
    event = make_night(club, rules_for("st-hilary-v3"))
    for name in (name for name in PEOPLE if "ễ" not in name):
        attendance.arrive(event=event, by=actor, member=Member.objects.create(club=club, name=name))
    for _round in range(2):
        play_round(publish_next(event, actor), actor)
    publish_result(event=event, by=actor)
    event.refresh_from_db()
    return event


@WHOLE
def test_papers_of_a_night_are_printed_on_the_sheets_of_their_pdfs(page, night, director, live_server, rf, whole):
    request = rf.get("/", HTTP_HOST=urlsplit(live_server.url).netloc)  # which the codes lead to
    request.user = director
    printed = set()
    for document in DOCUMENTS:
        if not (whole or in_turn(document)):
            continue
        with suppress(Http404, StepRefused):
            pages = document_pages(Options.from_request(request, night), document)
            pdf = printed_at(page, f"/st-hilary/desk/{night.slug}/print/{document}.pdf?browser")
            assert_printed(pdf, pages)
            printed.add(document)
    papers = {"round", "cards", "tents", "certificates", "travelling", "standings", "result", "met", "record"}
    assert printed >= {document for document in papers if whole or in_turn(document)}


def test_the_page_around_the_sheets_is_read_by_everybody_and_not_printed(page, night):
    for width in (390, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"/st-hilary/desk/{night.slug}/print/round.pdf?browser")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        assert barriers(page) == []
    page.evaluate("window.print = () => document.title = 'printed'")
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
