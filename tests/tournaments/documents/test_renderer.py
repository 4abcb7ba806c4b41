"""The renderer: its own process, closed to the outside, the same bytes every time, rendered once."""

import stat
import sys
from dataclasses import dataclass
from io import BytesIO

import pytest
from fontTools.ttLib import TTFont
from pypdf import PdfReader

from clubsite.jobs.files import NotMade, Unavailable
from clubsite.pdf import documents
from clubsite.pdf.documents import Pages, render_pdf
from clubsite.pdf.render import PICTURE_WIDTH, NotOurFile, allowed_file
from scoring.engine.core.ruleset import Shape, shipped
from tests.conftest import OWN_PROGRAM
from tests.ready.renderer import ready_renderer
from tests.tooling.tree import ROOT
from tests.tournaments.documents.sheets import card, pages_of, pdf_of
from tournaments.documents.cards import card_pages

pytestmark = pytest.mark.usefixtures("own_renderer")

STATIC = ROOT / "static"


def cards():
    """Two cards."""
    return card_pages([card(n, Shape(2, 2)) for n in (1, 2)], shipped()["st-hilary-v3"], paper="A4")


@dataclass(frozen=True, slots=True)
class Laid:
    """Two cards, and the file of them that a process of its own has laid out."""

    pages: Pages
    content: bytes


@pytest.fixture(scope="module")
def laid():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(documents, "renderer_command", OWN_PROGRAM)
        pages = cards()  # which say when they were made
        return Laid(pages, render_pdf(pages.payload())[0])


@pytest.mark.proof
def test_the_same_cards_give_the_same_bytes(laid):
    assert render_pdf(laid.pages.payload())[0] == laid.content


@pytest.mark.proof
def test_a_renderer_that_tests_keep_ready_gives_the_same_bytes(monkeypatch):
    pages = Pages.together([cards(), Pages(("<p>Ελένη</p>",))])
    own = render_pdf(pages.payload())
    with ready_renderer() as program:
        monkeypatch.setattr(documents, "renderer_command", program)
        ready = render_pdf(pages.payload())
        with pytest.raises(NotMade, match="not one of the project's own files"):
            render_pdf(Pages(('<img src="file:///etc/passwd">',)).payload())
    assert own == ready


def test_a_renderer_that_is_killed_leaves_nothing_behind(tmp_path, monkeypatch):
    killed = "import os, tempfile; tempfile.mkdtemp(); os.kill(os.getpid(), 9)"
    monkeypatch.setattr(documents, "renderer_command", lambda: [sys.executable, "-c", killed])
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with pytest.raises(NotMade):
        render_pdf(Pages(("<p>St. Hilary</p>",)).payload())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/suits.svg",
        "https://example.org/suits.svg",
        "file:///etc/passwd",
        f"{STATIC.as_uri()}/../manage.py",
        f"{STATIC.as_uri()}/%2e%2e/manage.py",
        f"file://elsewhere{STATIC}/suits.svg",
        "data:image/svg+xml,<svg/>",
        "ftp://example.org/x",
    ],
)
def test_nothing_but_static_files_is_fetched(url):
    with pytest.raises(NotOurFile):
        allowed_file(url, STATIC)


@pytest.mark.daily(1)
@pytest.mark.parametrize("url", ["http://127.0.0.1/suits.svg", "file:///etc/passwd", "../manage.py"])
def test_a_page_that_asks_for_anything_else_is_not_printed(url):
    with pytest.raises(NotMade, match="not one of the project's own files"):
        pdf_of(Pages((f'<img src="{url}">',)))


def test_static_files_are_fetched():
    assert allowed_file(f"{STATIC.as_uri()}/suits.svg", STATIC) == STATIC / "suits.svg"


def test_only_the_shipped_typeface_is_in_the_file(laid):
    fonts = set()
    for page in PdfReader(BytesIO(laid.content)).pages:
        fonts |= {font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].values()}
    assert fonts
    assert {name for name in fonts if "+Nine-Tables" not in name} == set()


def test_the_second_typeface_is_loaded_for_exactly_the_letters_that_the_first_lacks():
    has = set()
    for part in ("latin", "latin-ext"):
        has |= set(TTFont(STATIC / f"vendor/fonts/atkinson-hyperlegible-next-{part}-400-normal.woff2").getBestCmap())
    letters = [chr(c) for c in (*range(0x21, 0x7F), *range(0xA1, 0x250), *range(0x370, 0x530), *range(0x1E00, 0x1F00))]
    wrong = [c for c in letters if c.isalpha() and (ord(c) in has) == (documents.MORE_TYPE in Pages((c,)).styles)]
    assert wrong == []


def test_without_weasyprint_it_says_so(tmp_path, monkeypatch):
    python = tmp_path / "python"
    program = "import sys; sys.modules['weasyprint'] = None; from clubsite.pdf.render import main; sys.exit(main())"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{program}"\n')
    python.chmod(python.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(Unavailable, match="weasyprint"):
        pdf_of(cards())


def test_without_pango_it_says_which_library_is_missing_in_one_line(without_pango):
    with pytest.raises(Unavailable, match=r"\A.*pango.*\Z"):
        pdf_of(cards())


def test_a_renderer_that_takes_too_long_is_stopped(monkeypatch, tmp_path):
    monkeypatch.setattr(documents, "TIMEOUT", 0.01)
    with pytest.raises(NotMade, match="no PDF after"):
        pdf_of(cards())
    assert list(tmp_path.rglob("*.pdf")) == []


def test_the_renderer_says_how_far_it_is_and_keeps_a_small_picture_of_the_first_sheet():
    told = []
    _pdf, picture = render_pdf(Pages(("<p>one</p>", "<p>two</p>")).payload(), lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]
    assert picture.startswith(b"\x89PNG")
    assert int.from_bytes(picture[16:20], "big") == PICTURE_WIDTH


@pytest.mark.proof
def test_accents_of_all_our_languages_come_out_as_written():
    words = "Wiśniewski Łódź Đorđe Şimşek Žižek Nguyễn Ελένη Дмитрий Țepeș"
    (page,) = pages_of(pdf_of(Pages((f"<p>{words}</p><p><b>{words}</b></p>",))))
    assert page.count(words) == 2
