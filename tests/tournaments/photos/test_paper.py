"""A card is found by its code and straightened by its ruled lines; anything else is refused with its reason."""

from dataclasses import replace
from functools import cache

import numpy as np
import pypdfium2
import pytest
import segno
from PIL import Image, ImageFilter

from clubsite.pdf.documents import render_now
from scoring.engine.core.ruleset import Shape, shipped
from tests.tournaments.documents.sheets import card
from tournaments.documents.cards import card_pages, lay_out_cards
from tournaments.photos.paper import MARGIN, PX, find_codes, find_fault, straighten
from tournaments.photos.plans import card_plan, card_plans
from tournaments.table_links.links import ShownLink

PAIRS = Shape(2, 2)
SCALE = 11  # pixels per millimetre of a printed sheet
FROM_THE_SIDE = np.array([[0.93, 0.10, 40], [-0.06, 0.90, 260], [1.1e-5, -2.2e-5, 1]])  # of sheets to photos, in pixels
ADDRESS = "http://192.168.1.20:8000/t/abcdefghijklmnopqrstuvwx{}/1/"


@cache
def sheet(slug, paper, on):
    """A sheet as printed, where its cards are on it, and their plan."""
    links = [ShownLink(ADDRESS.format(n), f"MOLE-1{n}", "a.example/t/") for n in (22, 33)]
    cards = [replace(card(n, PAIRS), link=link) for n, link in enumerate(links, start=1)]
    layout = lay_out_cards(cards, shipped()[slug], paper=paper, per_sheet=on)
    with pypdfium2.PdfDocument(render_now(card_pages(cards, shipped()[slug], paper=paper, per_sheet=on))) as pdf:
        picture = pdf[0].render(scale=SCALE * 25.4 / 72, grayscale=True).to_pil()
    return picture, layout.imposition.positions, card_plan(layout)


def photo_of(printed):
    """A sheet on a gray table, from the side."""
    size = (round(printed.width * 1.05), round(printed.height * 1.15))
    back = np.linalg.inv(FROM_THE_SIDE)
    photo = printed.transform(
        size, Image.Transform.PERSPECTIVE, (back / back[2, 2]).flat[:8], Image.Resampling.BILINEAR
    )
    there = Image.new("L", printed.size, 255).transform(size, Image.Transform.PERSPECTIVE, (back / back[2, 2]).flat[:8])
    table = Image.new("L", size, 90)
    table.paste(photo.point(lambda light: light * 0.8), (0, 0), there)
    return table


def on_photo(points, spot):
    """Where millimetres of a card are on the photo."""
    x, y, depth = FROM_THE_SIDE @ np.vstack([((points + spot) * SCALE).T, np.ones(len(points))])
    return np.column_stack([x / depth, y / depth]) - 0.5


@pytest.mark.daily(1)
@pytest.mark.parametrize(
    ("slug", "paper", "on"), [("st-hilary-v3", "A4", 2), ("hand-and-foot", "Letter", 1), ("euchre-by-tricks", "A4", 1)]
)
def test_a_card_is_straightened_and_says_how_it_was_printed(slug, paper, on):
    printed, spots, plan = sheet(slug, paper, on)
    photo = np.asarray(photo_of(printed).filter(ImageFilter.GaussianBlur(1)))
    codes = {code.text: code for code in find_codes(photo)}
    assert len(codes) == on
    plans = card_plans(shipped()[slug], PAIRS)
    corners = np.array([(left, top) for column in plan.boxes for left, top, _width, _height in column])
    for n, spot in zip((22, 33), spots, strict=False):
        straight = straighten(photo, codes[ADDRESS.format(n).upper()], plans=plans)
        assert straight.plan == plan
        away = np.linalg.norm(straight.mapping(corners) - on_photo(corners, spot), axis=1) / SCALE
        assert away.max() < 0.2
        assert not straight.cut
        empty = straight.box(1, 1)
        assert empty.shape == pytest.approx(np.array(plan.boxes[1][1][:1:-1]) * PX + 2 * MARGIN * PX, abs=1.5)
        inside = round(2 * MARGIN * PX)
        assert empty[inside:-inside, inside:-inside].min() > 225  # paper, without the ruled lines


def test_a_card_that_is_cut_off_is_told_from_a_whole_one():
    printed, _spots, _plan = sheet("st-hilary-v3", "A4", 2)
    photo = np.asarray(photo_of(printed).filter(ImageFilter.GaussianBlur(1)))
    photo = photo[:, : round(0.93 * photo.shape[1])]
    straight = [
        straighten(photo, code, plans=card_plans(shipped()["st-hilary-v3"], PAIRS)) for code in find_codes(photo)
    ]
    assert [one.cut for one in straight] in ([True], [False, True], [True, False])


def test_a_photo_of_no_card_has_no_code():
    photo = np.random.default_rng(1).integers(80, 200, (900, 1200)).astype(np.uint8)
    assert find_codes(photo) == []
    assert find_fault(photo) == ""


@pytest.mark.proof
def test_another_code_is_read_and_is_no_card():
    modules = np.array(segno.make("https://example.org/pay?amount=12", micro=False).matrix)
    photo = np.pad(np.where(np.kron(modules, np.ones((6, 6))), 20, 230).astype(np.uint8), 400, constant_values=230)
    [code] = find_codes(photo)
    assert code.text == "https://example.org/pay?amount=12"
    assert straighten(photo, code, plans=card_plans(shipped()["st-hilary-v3"], PAIRS)) is None
    assert straighten(photo, code, plans=()) is None


def test_a_blurred_and_a_dark_photo_are_told():
    photo = photo_of(sheet("st-hilary-v3", "A4", 2)[0])
    assert find_fault(np.asarray(photo)) == ""
    blurred = np.asarray(photo.filter(ImageFilter.GaussianBlur(7)))
    assert (find_codes(blurred), find_fault(blurred)) == ([], "blurred")
    assert find_fault(np.asarray(photo) // 8) == "dark"
