"""Lists and tables from spreadsheets: bytes of a file, then text, then rows; and cells that no spreadsheet reads as a
formula.

A file has commas, semicolons or tabs, in any encoding, or is a workbook (xlsx, ods). What isn't sure is reported, never
guessed silently. A small workbook may be huge when unpacked, so it is measured before it is read.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from defusedxml.ElementTree import iterparse
from django.utils.translation import gettext as _
from openpyxl.reader.excel import ExcelReader

CELL_LIMIT = 1024 * 1024  # characters: a quote that is never closed makes one cell of the rest
ROW_LIMIT = 5_000  # cells
DELIMITERS = "\t;,|"
FORMULA = "=+-@\t\r"
"""Characters that begin a formula."""

LINE_END = re.compile(r"\r\n|\r|\n")

# Of a workbook
MAX_UNPACKED = 16 * 1024 * 1024  # bytes of all parts of the file, unpacked
MAX_SHEET_TAGS = 150_000  # signs "<" in a sheet: 5,000 rows of seven columns; of these a reader makes its values
MAX_PART_TAGS = {"xl/sharedStrings.xml": 150_000}  # in any other part 20,000, as each format of cells is a large object
MAX_TAGS = 20_000
MAX_SHEETS = 20  # that are read; nobody's list is behind them
MAX_ROWS = 5_000  # filled or not, up to the last that is filled
LAST_ROW = 1_048_576  # that Excel and LibreOffice know; a file can name any number, and those before it are empty
MAX_COLUMNS = 250
MAX_LETTERS = 500_000  # of all cells of all sheets

ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*>")  # where it begins, in xlsx
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"

csv.field_size_limit(CELL_LIMIT)

Row = tuple[list[str], bool]  # its cells, and whether it is hidden


class Sheet(NamedTuple):
    title: str
    text: str  # a line for each row, tabs between cells
    hidden: int = 0  # rows, which are left empty


class UnreadableSpreadsheet(ValueError):
    """The file can't be read; the message says what to do."""


class WrongEncoding(UnreadableSpreadsheet):
    """The file isn't UTF-8; has its text read as Windows-1252, and the first row that isn't UTF-8."""

    def __init__(self, row: int, byte: int, *, guess: str) -> None:
        words = _(
            "Row %(row)d isn't in UTF-8: it holds the byte %(byte)s. "
            "Below, the file is read as Windows-1252 instead, which older spreadsheets write."
        )
        super().__init__(words % {"row": row, "byte": f"0x{byte:02X}"})
        self.row = row
        self.guess = guess


def decode(data: bytes) -> str:
    """
    Raises:
        WrongEncoding: it is neither UTF-8 (with or without mark) nor UTF-16 with a mark.
        UnreadableSpreadsheet: it isn't text.
    """
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise UnreadableSpreadsheet(
            _(
                "This is a spreadsheet, not a CSV file. In the spreadsheet choose “Save as”, "
                "then “CSV UTF-8”, and choose that file."
            )
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise UnreadableSpreadsheet(_("This file can't be read as text. Save it again as “CSV UTF-8”.")) from None
    if b"\0" in data or data[:4] == b"%PDF":
        raise UnreadableSpreadsheet(_("This file isn't plain text. Save it as “CSV UTF-8”."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        row = data.count(b"\n", 0, wrong.start) + 1
        raise WrongEncoding(row, data[wrong.start], guess=data.decode("cp1252", errors="replace")) from None


def find_delimiter(lines: Sequence[str]) -> str:
    """The one that is in most lines; "" for none."""
    counts = {d: sum(d in line for line in lines) for d in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (counts[d], -DELIMITERS.index(d)))
    return best if counts[best] else ""


def split_lines(text: str) -> Iterator[str]:
    """With any line ends, one by one.

    >>> list(split_lines("a\\r\\nb\\r\\rc\\n"))
    ['a', 'b', '', 'c', '']
    """
    at = 0
    for end in LINE_END.finditer(text):
        yield text[at : end.start()]
        at = end.end()
    yield text[at:]


def read_rows(lines: Iterable[str], delimiter: str, *, skip_spaces: bool = False) -> Iterator[tuple[int, list[str]]]:
    """The rows of CSV, each with the number of the line on which it begins.

    Raises:
        UnreadableSpreadsheet: a row is too long, or a quotation mark is never closed.
    """
    reader = csv.reader(_refuse_wide_rows(lines, delimiter), delimiter=delimiter, skipinitialspace=skip_spaces)
    begun = 1
    try:
        for cells in reader:
            yield begun, cells
            begun = reader.line_num + 1
    except csv.Error:
        words = _("The row that begins on line %(line)d is too long. Is a quotation mark in it never closed?")
        raise UnreadableSpreadsheet(words % {"line": begun}) from None


def _refuse_wide_rows(lines: Iterable[str], delimiter: str) -> Iterator[str]:
    for line in lines:
        if line.count(delimiter) >= ROW_LIMIT:
            raise csv.Error("too many cells")
        yield line


def escape_formula(text: str) -> str:
    """Put an apostrophe before what begins like a formula.

    >>> escape_formula("=1+1"), escape_formula("-15"), escape_formula("Ann"), unescape_formula(escape_formula("@home"))
    ("'=1+1", '-15', 'Ann', '@home')
    """
    if text.removeprefix("-").isdecimal():
        return text
    return f"'{text}" if (text[:1] in FORMULA and text) or (text[:1] == "'" and text[1:2] in (*FORMULA, "'")) else text


def unescape_formula(cell: str) -> str:
    """The text of a cell that `escape_formula` wrote.

    >>> unescape_formula("'=1+1"), unescape_formula("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return cell[1:] if cell[:1] == "'" and cell[1:2] in (*FORMULA, "'") and cell[1:] else cell


# --- workbooks -----------------------------------------------------------------------------------------


class _TooLarge(Exception):
    """The file is larger than a list of people."""


def is_workbook(data: bytes) -> bool:
    """Whether these are the bytes of an xlsx or ods file."""
    return data[:4] == b"PK\x03\x04"


def workbook_sheets(data: bytes) -> list[Sheet]:
    """The visible sheets of an xlsx or ods file, without those that are too large for a list.

    Raises:
        UnreadableSpreadsheet: it is damaged, protected by a password, too large, or something else.
    """
    large = _("This spreadsheet is too large. Save only the sheet with the names, and choose that file.")
    wrong = _("This spreadsheet can't be read. Save it again as xlsx or ods without a password, or as “CSV UTF-8”.")
    try:
        return list(_read_sheets(data))
    except _TooLarge:
        raise UnreadableSpreadsheet(large) from None
    except Exception:  # noqa: BLE001  (the readers of both formats raise whatever a damaged file leads them to)
        raise UnreadableSpreadsheet(wrong) from None


def _read_sheets(data: bytes) -> Iterator[Sheet]:
    letters, too_large, any_rows = MAX_LETTERS, False, False
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        _measure(packed)
        names = packed.namelist()
        for title, rows in _xlsx_sheets(packed, data) if "xl/workbook.xml" in names else _ods_tables(packed):
            try:
                filled, hidden = _limit_rows(rows, letters)
            except _TooLarge:
                too_large = True
                continue
            letters -= sum(len(cell) for row in filled for cell in row)
            any_rows = any_rows or bool(filled)
            yield Sheet(title, "\n".join("\t".join(map(_on_one_line, row)).rstrip("\t") for row in filled), hidden)
    if too_large and not any_rows:
        raise _TooLarge


def _measure(packed: zipfile.ZipFile) -> None:
    """Raises _TooLarge for a file that would take a reader too much memory."""
    if sum(part.file_size for part in packed.infolist()) > MAX_UNPACKED:
        raise _TooLarge
    for part in packed.infolist():
        sheet = part.filename == "content.xml" or "sheet" in part.filename.rpartition("/")[2]
        if packed.read(part).count(b"<") > (MAX_SHEET_TAGS if sheet else MAX_PART_TAGS.get(part.filename, MAX_TAGS)):
            raise _TooLarge


def _on_one_line(text: str) -> str:
    """Without tabs, line breaks and quotation marks."""
    return " ".join(text.split()).replace('"', "")


def _limit_rows(rows: Iterable[Row], most: int) -> tuple[list[list[str]], int]:
    """The rows without empty ones at the end, and how many are hidden. Raises _TooLarge for too many rows or columns,
    or more than `most` letters."""
    filled: list[list[str]] = []
    empty = letters = hidden = 0
    for row, is_hidden in rows:
        hidden += bool(row and is_hidden)
        if not any(row) or is_hidden:
            empty += 1
            if empty > LAST_ROW:
                raise _TooLarge
            continue
        letters += sum(map(len, row))
        if len(filled) + empty >= MAX_ROWS or len(row) > MAX_COLUMNS or letters > most:
            raise _TooLarge
        filled += [[] for _ in range(empty)] + [row]
        empty = 0
    return filled, hidden


def _xlsx_sheets(packed: zipfile.ZipFile, data: bytes) -> Iterator[tuple[str, Iterator[Row]]]:
    reader = ExcelReader(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
    reader.read()
    parts = {sheet.name: rel.target for sheet, rel in reader.parser.find_sheets()}
    shown = [sheet for sheet in reader.wb.worksheets if sheet.sheet_state == "visible"]
    for sheet in (shown or reader.wb.worksheets)[:MAX_SHEETS]:
        sheet.reset_dimensions()  # what the file says about its size may be wrong, or a million rows
        yield sheet.title, _xlsx_rows(sheet, hidden=_hidden_rows(packed.read(parts[sheet.title])))


def _xlsx_rows(sheet: Any, *, hidden: set[int]) -> Iterator[Row]:
    # Without bounds: what lies beyond them mustn't be lost silently
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        yield _cut_empty_end([_cell_text(value) for value in row]), number in hidden


def _hidden_rows(part: bytes) -> set[int]:
    """The numbers of hidden rows, which a read-only reader doesn't report."""
    hidden, number = set(), 0
    for row in ROW.finditer(part) if b"hidden=" in part else ():
        match = re.search(rb"""\br=["'](\d{1,7})["']""", row[0])
        number = int(match[1]) if match else number + 1
        if re.search(rb"""\bhidden=["'](?:1|true)["']""", row[0]):
            hidden.add(number)
    return hidden


def _ods_tables(packed: zipfile.ZipFile) -> Iterator[tuple[str, Iterator[Row]]]:
    """Table by table: each is read to its end before the next."""
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
            raise ValueError("no table in this file")


def _ods_rows(events: Iterator[tuple[str, Any]]) -> Iterator[Row]:
    """Repeated rows and cells are stored once, with a count."""
    for event, element in events:
        if event == "end" and element.tag == f"{TABLE}table":
            return
        if event == "end" and element.tag == f"{TABLE}table-row":
            row = _cut_empty_end(_ods_cells(element))
            hidden = element.get(f"{TABLE}visibility", "visible") != "visible"
            times = int(element.get(f"{TABLE}number-rows-repeated", "1"))
            for _again in range(min(times, MAX_ROWS + 1) if row else 1):
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
        cells += [text] * min(times, MAX_COLUMNS + 1 - min(len(cells), MAX_COLUMNS))
    return cells


def _cut_empty_end(row: list[str]) -> list[str]:
    last = max((place for place, text in enumerate(row, start=1) if text.strip()), default=0)
    return row[:last]


def _cell_text(value: object) -> str:
    """As people read it: 7, not 7.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime) and (value.hour, value.minute, value.second) == (0, 0, 0):
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    return "" if value is None else str(value)
