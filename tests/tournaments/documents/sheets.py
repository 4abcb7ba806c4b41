"""Cards and PDFs to test with."""

import io
import re
import tempfile
from pathlib import Path

import pypdfium2
from pypdf import PdfReader

from clubsite.pdf.documents import Heading, render_now
from tournaments.documents.cards import PrintedCard

NAMES = (
    "Włodzimierz Brzęczyszczyk-Nowak",
    "Nguyễn Thị Phương Thảo",
    "Maximiliana von Hohenstein",
    "Ελένη Παπαδοπούλου",
    "Ann Abel",
    "Zoë Saint-Exupéry-Lefèvre",
)
HYPHEN_AT_END = "\x02"  # PDFium's sign for a hyphen at which a line ends
STANDINGS, RESULT, SEATING = (f"documents/{name}.html" for name in ("standings", "result", "hall/seating"))
HEADING = Heading("St. Hilary", "Parish afternoon", "Saturday 21 November 2054")


def card(n, shape, figures=(), mark=""):
    sides = tuple(
        ("", tuple((f"Seat {p + 1}", NAMES[(s * shape.per_side + p) % 6]) for p in range(shape.per_side)))
        for s in range(shape.sides)
    )
    heading = Heading(HEADING.club, HEADING.event, HEADING.when, mark=mark)
    return PrintedCard(f"7.{n}-{n}A-1", heading, f"Qualifying · Table {n}", sides, "House rules, version 1", figures)


def line(place, name, *figures, note=""):
    """A line of standings."""
    return {"place": place, "name": name, "figures": figures, "note": note}


def part(title, columns, rows):
    """A further table below standings."""
    return {"title": title, "columns": columns, "rows": rows}


def pdf_of(pages):
    with tempfile.NamedTemporaryFile(suffix=".pdf", delete=False) as file:
        file.write(render_now(pages))
    return Path(file.name)


def pages_of(pdf):
    with pypdfium2.PdfDocument(pdf) as document:  # a tenth of the time that pypdf takes
        texts = [page.get_textpage().get_text_bounded() for page in document]
    return [re.sub(r"\s+", " ", text.replace(HYPHEN_AT_END, "-")) for text in texts]


def sizes_of(pdf):
    """The sizes of the pages in whole millimetres, the shorter side first."""
    reader = PdfReader(io.BytesIO(pdf) if isinstance(pdf, bytes) else pdf)
    found = ((float(page.mediabox.width), float(page.mediabox.height)) for page in reader.pages)
    return {tuple(sorted(round(side * 25.4 / 72) for side in size)) for size in found}


def has(page, words):
    """Whether a page shows these words, wherever a PDF's reader sees spaces in them."""
    return re.sub(r"\s", "", words) in re.sub(r"\s", "", page)
