"""Several pages on a sheet, the page of how many, when a sheet was made, and its small picture."""

import io

import pytest
from PIL import Image
from pypdf import PdfReader

from clubsite.pdf.documents import PAPERS, Pages, pages_key, render_pdf
from clubsite.pdf.sheets import draw_first_sheet
from scoring.engine.core.ruleset import Shape, shipped
from tests.tournaments.documents.sheets import card, pages_of, pdf_of, sizes_of
from tournaments.documents.cards import card_pages

UPRIGHT = "<style>@page { size: 210mm 297mm }</style><p>one</p>" + '<p style="break-before:page">more</p>' * 4
ACROSS = "<style>@page { size: 297mm 210mm }</style><p>across</p>" + '<p style="break-before:page">more</p>'


def shapes_in_family(file):
    """Whether each page lies upright or across."""
    boxes = [page.mediabox for page in PdfReader(file).pages]
    return ["across" if box.width > box.height else "upright" for box in boxes]


@pytest.mark.parametrize(
    ("per_sheet", "sheets"),
    [(1, ["upright"] * 5 + ["across"] * 2), (2, ["across"] * 3 + ["upright"]), (4, ["upright"] * 2 + ["across"])],
)
def test_pages_share_sheets_of_the_same_paper_with_those_that_lie_the_same_way(per_sheet, sheets):
    file = pdf_of(Pages((UPRIGHT, ACROSS)).smaller(per_sheet))
    assert shapes_in_family(file) == sheets
    assert sizes_of(file) == {(210, 297)}
    assert sum(page.count("more") for page in pages_of(file)) == 5


def test_each_document_of_a_file_has_its_own_number_on_a_sheet():
    both = Pages.together([Pages((UPRIGHT,)).smaller(4), Pages((ACROSS,))])
    assert shapes_in_family(pdf_of(both)) == ["upright", "upright", "across", "across"]


def test_several_on_a_sheet_give_the_same_bytes_again():
    one, two = (render_pdf(Pages((UPRIGHT,)).smaller(2).payload()) for _time in range(2))
    assert one == two


@pytest.mark.daily(1)
@pytest.mark.parametrize("paper", PAPERS)
def test_short_cards_go_four_on_a_sheet_in_full_size_and_long_ones_smaller(paper):
    short, pair = shipped()["cribbage"], Shape(2, 2)
    cards = card_pages([card(n, short.shapes[0]) for n in range(1, 6)], short, paper=paper, per_sheet=4)
    assert cards.per_sheet == (1, 1)
    assert len(pages_of(pdf_of(cards))) == 2
    long = card_pages([card(n, pair) for n in range(1, 6)], shipped()["st-hilary-v3"], paper=paper, per_sheet=4)
    assert long.per_sheet == (2, 2, 2)
    assert [page.count("Table ") for page in pages_of(pdf_of(long))] == [4, 1]


def test_when_it_was_made_makes_no_other_file_of_a_sheet():
    early, late = (Pages((f'<p>Seats <i class="made">Made at {at}</i></p>',)) for at in ("14:05", "15:30"))
    assert pages_key(early) == pages_key(late)
    assert pages_key(Pages(("<p>Seats</p>",))) != pages_key(early)


def test_the_small_picture_is_the_first_sheet_in_its_shape():
    shown = Image.open(io.BytesIO(draw_first_sheet(pdf_of(Pages((UPRIGHT,))).read_bytes(), 200)))
    assert shown.format == "PNG"
    assert shown.width == 200
    assert shown.height == pytest.approx(200 * 297 / 210, abs=1)
    darkest, lightest = shown.getextrema()
    assert darkest < 200 < lightest  # there is ink on it, and paper
    across = Image.open(io.BytesIO(draw_first_sheet(pdf_of(Pages((ACROSS,))).read_bytes(), 200)))
    assert across.height == pytest.approx(200 * 210 / 297, abs=1)
