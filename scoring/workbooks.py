"""Reads the first sheet of a workbook (xlsx, ods): a program of its own, so that no web worker opens a zip bomb.

    python -m scoring.workbooks < file

prints the rows as JSON, a list of texts each. It takes no more memory than MEMORY, where the system can hold it to
that.
Exit status 3: the sheet is larger than a list can be; 4: this is no workbook, or it can't be read.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import IO, Any

MEMORY = 64 * 1024 * 1024  # bytes beside the program itself
UNPACKED = 16 * 1024 * 1024  # bytes of all parts of the file, unpacked
ROWS = 5_000  # filled or not, up to the last that is filled
SHEET = 1_048_576  # rows that Excel and LibreOffice know; a file can name any number, and those before it are empty
COLUMNS = 100
LETTERS = 500_000  # of all cells
TOO_LARGE, UNREADABLE = 3, 4
OUT_OF_MEMORY = (-6, -9, -11)  # how a process ends that runs out of memory and can't say so

TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


class TooLarge(Exception):
    """More than a list of people has."""


class NoWorkbook(Exception):
    """Neither xlsx nor ods."""


def rows_of(data: bytes) -> list[list[str]]:
    """The rows of the first sheet, empty ones within it too.

    Raises:
        TooLarge: it is beyond one of the limits.
        NoWorkbook: it is something else.
        Exception: whatever the readers of the two formats raise for a damaged file.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        names = {part.filename for part in packed.infolist()}
        if sum(part.file_size for part in packed.infolist()) > UNPACKED:
            raise TooLarge
        if "xl/workbook.xml" in names:
            return _bounded(_xlsx(data))
        if "content.xml" in names:
            with packed.open("content.xml") as content:
                return _bounded(_ods(content))
    raise NoWorkbook


def _bounded(rows: Iterable[list[str]]) -> list[list[str]]:
    """The rows without empty ones at the end. Raises TooLarge as soon as there are too many of them."""
    kept: list[list[str]] = []
    empty = letters = 0
    for row in rows:
        if not any(row):
            empty += 1
            if empty > SHEET:
                raise TooLarge
            continue
        letters += sum(map(len, row))
        if len(kept) + empty >= ROWS or len(row) > COLUMNS or letters > LETTERS:
            raise TooLarge
        kept += [[] for _ in range(empty)] + [row]
        empty = 0
    return kept


def _xlsx(data: bytes) -> Iterator[list[str]]:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    sheet = book.worksheets[0]
    sheet.reset_dimensions()  # what the file says of its size may be wrong, or a million rows
    for row in sheet.iter_rows(values_only=True):  # without bounds: what lies beyond them mustn't be lost in silence
        yield _shortened([_written(value) for value in row])


def _ods(content: IO[bytes]) -> Iterator[list[str]]:
    """Row by row. Cells and rows that are the same are stored once, with how often they stand there."""
    from defusedxml.ElementTree import iterparse

    tables = 0
    for event, element in iterparse(content, events=("start", "end")):
        if element.tag == f"{TABLE}table":
            tables += event == "start"
            if event == "end":
                return
        elif event == "end" and element.tag == f"{TABLE}table-row":
            row = _shortened(_ods_cells(element))
            times = int(element.get(f"{TABLE}number-rows-repeated", "1"))
            for _again in range(min(times, ROWS + 1) if row else 1):
                yield row
            element.clear()
    if not tables:
        raise NoWorkbook


def _ods_cells(row: Any) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            continue
        lines = ["".join(line.itertext()) for line in cell.findall(f"{TEXT}p")]
        text = " ".join(lines) if lines else cell.get(f"{OFFICE}string-value") or cell.get(f"{OFFICE}value") or ""
        times = int(cell.get(f"{TABLE}number-columns-repeated", "1"))
        cells += [text] * min(times, COLUMNS + 1 - min(len(cells), COLUMNS))
    return cells


def _shortened(row: list[str]) -> list[str]:
    """A row without the empty cells at its end."""
    last = max((place for place, text in enumerate(row, start=1) if text.strip()), default=0)
    return row[:last]


def _written(value: object) -> str:
    """A cell as somebody reads it: 7 and not 7.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and (value.hour, value.minute, value.second) == (0, 0, 0):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    return "" if value is None else str(value)


def hold_memory() -> None:
    """Let this process have MEMORY from here on, and no more. Where the system can't do that the other limits hold."""
    try:
        import resource
        from pathlib import Path

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def main() -> int:
    """Read a file, print its rows; the exit status says why there are none."""
    import openpyxl  # noqa: F401  (loaded before memory is held)

    data = sys.stdin.buffer.read()
    hold_memory()
    try:
        json.dump(rows_of(data), sys.stdout)
    except (TooLarge, MemoryError):
        return TOO_LARGE
    except Exception:  # noqa: BLE001  (the readers of both formats raise whatever a damaged file leads them to)
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
