"""Reads the sheets of a workbook (xlsx, ods): a program of its own, so that no web worker opens a zip bomb.

    python -m scoring.workbooks < file

prints the sheets as JSON: of each its title, its rows as lists of texts, and how many rows are hidden, which are left
empty. It takes no more memory than MEMORY, where the system can hold it to that.
Exit status 3: every sheet is larger than a list can be; 4: this is no workbook, or it can't be read.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

MEMORY = 64 * 1024 * 1024  # bytes beside the program itself
UNPACKED = 16 * 1024 * 1024  # bytes of all parts of the file, unpacked
SHEETS = 20  # that are read; nobody's list is behind them
ROWS = 5_000  # filled or not, up to the last that is filled
SHEET = 1_048_576  # rows that Excel and LibreOffice know; a file can name any number, and those before it are empty
COLUMNS = 250
LETTERS = 500_000  # of all cells of all sheets
TOO_LARGE, UNREADABLE = 3, 4
OUT_OF_MEMORY = (-6, -9, -11)  # how a process ends that runs out of memory and can't say so

ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*>")  # where it begins, in xlsx
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


class TooLarge(Exception):
    """More than a list of people has."""


class NoWorkbook(Exception):
    """Neither xlsx nor ods."""


Row = tuple[list[str], bool]  # its cells, and whether it is hidden
Found = tuple[str, list[list[str]], int]  # a sheet's title and rows, and how many rows are hidden


def sheets_of(data: bytes) -> list[Found]:
    """The sheets that are shown, without those that are larger than a list can be.

    Raises:
        TooLarge: all of them are, or the file is beyond one of the limits.
        NoWorkbook: it is something else.
        Exception: whatever the readers of the two formats raise for a damaged file.
    """
    sheets, letters, too_large = [], LETTERS, False
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        names = {part.filename for part in packed.infolist()}
        if sum(part.file_size for part in packed.infolist()) > UNPACKED:
            raise TooLarge
        if "xl/workbook.xml" not in names and "content.xml" not in names:
            raise NoWorkbook
        for title, rows in _xlsx(packed, data) if "xl/workbook.xml" in names else _ods(packed):
            try:
                kept, hidden = _bounded(rows, letters)
            except TooLarge:
                too_large = True
                continue
            letters -= sum(len(cell) for row in kept for cell in row)
            sheets.append((title, kept, hidden))
    if too_large and not any(rows for _title, rows, _hidden in sheets):
        raise TooLarge
    return sheets


def _bounded(rows: Iterable[Row], most: int) -> tuple[list[list[str]], int]:
    """The rows without empty ones at the end, and how many are hidden. Raises TooLarge as soon as there are too many
    of them, or more than `most` letters."""
    kept: list[list[str]] = []
    empty = letters = hidden = 0
    for row, is_hidden in rows:
        hidden += bool(row and is_hidden)
        if not any(row) or is_hidden:
            empty += 1
            if empty > SHEET:
                raise TooLarge
            continue
        letters += sum(map(len, row))
        if len(kept) + empty >= ROWS or len(row) > COLUMNS or letters > most:
            raise TooLarge
        kept += [[] for _ in range(empty)] + [row]
        empty = 0
    return kept, hidden


def _xlsx(packed: zipfile.ZipFile, data: bytes) -> Iterator[tuple[str, Iterator[Row]]]:
    from openpyxl.reader.excel import ExcelReader

    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.read()
    parts = {sheet.name: rel.target for sheet, rel in reader.parser.find_sheets()}
    shown = [sheet for sheet in reader.wb.worksheets if sheet.sheet_state == "visible"]
    for sheet in (shown or reader.wb.worksheets)[:SHEETS]:
        sheet.reset_dimensions()  # what the file says of its size may be wrong, or a million rows
        yield sheet.title, _xlsx_rows(sheet, hidden=_hidden_rows(packed.read(parts[sheet.title])))


def _xlsx_rows(sheet: Any, *, hidden: set[int]) -> Iterator[Row]:
    # Without bounds: what lies beyond them mustn't be lost in silence
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        yield _shortened([_written(value) for value in row]), number in hidden


def _hidden_rows(part: bytes) -> set[int]:
    """The numbers of rows that are hidden or filtered out, which the reader that reads only doesn't say."""
    hidden, number = set(), 0
    for row in ROW.finditer(part) if b"hidden=" in part else ():
        said = re.search(rb"""\br=["'](\d{1,7})["']""", row[0])
        number = int(said[1]) if said else number + 1
        if re.search(rb"""\bhidden=["'](?:1|true)["']""", row[0]):
            hidden.add(number)
    return hidden


def _ods(packed: zipfile.ZipFile) -> Iterator[tuple[str, Iterator[Row]]]:
    """Table by table, which are read to their ends one after the other."""
    from defusedxml.ElementTree import iterparse

    with packed.open("content.xml") as content:
        events = iterparse(content, events=("start", "end"))
        tables = 0
        for event, element in events:
            if event == "start" and element.tag == f"{TABLE}table":
                tables += 1
                rows = _ods_rows(events)
                yield element.get(f"{TABLE}name", ""), rows
                for _row in rows:  # where it was too large
                    pass
        if not tables:
            raise NoWorkbook


def _ods_rows(events: Iterator[tuple[str, Any]]) -> Iterator[Row]:
    """Row by row. Cells and rows that are the same are stored once, with how often they stand there."""
    for event, element in events:
        if event == "end" and element.tag == f"{TABLE}table":
            return
        if event == "end" and element.tag == f"{TABLE}table-row":
            row = _shortened(_ods_cells(element))
            hidden = element.get(f"{TABLE}visibility", "visible") != "visible"
            times = int(element.get(f"{TABLE}number-rows-repeated", "1"))
            for _again in range(min(times, ROWS + 1) if row else 1):
                yield row, hidden
            element.clear()


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
    """Read a file, print its sheets; the exit status says why there are none."""
    import openpyxl  # noqa: F401  (loaded before memory is held)

    data = sys.stdin.buffer.read()
    hold_memory()
    try:
        json.dump(sheets_of(data), sys.stdout)
    except (TooLarge, MemoryError):
        return TOO_LARGE
    except Exception:  # noqa: BLE001  (the readers of both formats raise whatever a damaged file leads them to)
        return UNREADABLE
    return 0


if __name__ == "__main__":
    sys.exit(main())
