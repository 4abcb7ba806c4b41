"""Sheets of a finished PDF, by PDFium: several pages on one, and a small picture of the first."""

import io
import os
import re
import threading
import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium

SHARE = {1: 1.0, 2: 0.707, 4: 0.5}
"""Pages on a sheet, and the size that letters then have: half the area is 1/√2 of the length."""


NUMBER = re.compile(rb"(?<=[\[>])<[0-9A-F]{32}>(?=[<\]])")  # the file's id, which PDFium makes at random
_epoch = pdfium.FSDK_SetTimeFunction.argtypes[0](lambda: int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
"""What PDFium takes for the time, so that the same pages give the same bytes."""


def share_sheets(file: Path, per_sheet: Sequence[int]) -> None:
    """Print several pages on a sheet: `per_sheet` says for each page how many share its sheet: 1, 2 or 4.

    Neighbouring pages share a sheet if their numbers are the same and both are upright or both across.
    """
    if set(per_sheet) <= {1}:
        return
    pdfium.FSDK_SetTimeFunction(_epoch)
    source = pypdfium2.PdfDocument(file.read_bytes())
    sheets = pypdfium2.PdfDocument.new()

    def kind(page: int) -> tuple[int, bool]:
        width, height = source.get_page_size(page)
        return per_sheet[page], width > height

    for (number, across), run in groupby(range(len(source)), kind):
        pages = list(run)
        if number == 1:
            sheets.import_pages(source, pages)
            continue
        width, height = source.get_page_size(pages[0])
        part = pypdfium2.PdfDocument.new()
        part.import_pages(source, pages)
        size = (height, width) if number == 2 else (width, height)
        columns, rows = {2: (1, 2) if across else (2, 1), 4: (2, 2)}[number]
        sheets.import_pages(pypdfium2.PdfDocument(pdfium.FPDF_ImportNPagesToOne(part, *size, columns, rows)))
    written = io.BytesIO()
    sheets.save(written)
    file.write_bytes(NUMBER.sub(rb"<%b>" % (b"0" * 32), written.getvalue()))


# PDFium isn't thread-safe: two threads at once crash the process. Other processes need not wait for this lock.
_one_at_a_time = threading.Lock()


def draw_first_sheet(pdf: bytes, width: int) -> bytes:
    """The first sheet of a PDF as PNG, `width` pixels wide and as high as the paper asks, in grey: 3 to 15 kB at 200.

    Raises:
        pypdfium2.PdfiumError: this is no PDF, or it has no page.
    """
    with _one_at_a_time:
        document = pypdfium2.PdfDocument(pdf)
        try:
            page = document[0]
            image = page.render(scale=width / page.get_width(), grayscale=True).to_pil()
        finally:
            document.close()
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
