"""Tables from spreadsheets: bytes of a file, then text, then rows; and text that no spreadsheet takes for a formula.

A file comes with commas, semicolons or tabs, in the encoding of whatever made it. What can't be read for sure is
said, never guessed in silence.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring import workbooks

CELL_LIMIT = 1024 * 1024  # characters: a quote that is never closed makes one cell of all that follows
ROW_LIMIT = 5_000  # cells; nobody's table is as wide
LINE_LIMIT = 100_000  # empty ones too
DELIMITERS = "\t;,|"
WORKBOOK_SECONDS = 20  # in which a workbook is read; a list of a thousand people takes one
FORMULA = "=+-@\t\r"
"""What a spreadsheet takes for the beginning of a formula."""

PASSED_ON = ("PATH", "LANG", "LD_LIBRARY_PATH", "SYSTEMROOT")  # the environment variables that the other process gets
LINE_END = re.compile(r"\r\n|\r|\n")

csv.field_size_limit(CELL_LIMIT)


class Sheet(NamedTuple):
    """A sheet of a workbook as text: a line for each row, a tab between cells. `hidden` rows of it are left empty."""

    title: str
    text: str
    hidden: int = 0


class UnreadableSpreadsheet(ValueError):
    """The file can't be read; the message says what to do."""


class WrongEncoding(UnreadableSpreadsheet):
    """The file isn't UTF-8; carries its text read as Windows-1252, and the first row that shows the difference."""

    def __init__(self, row: int, byte: int, *, guess: str) -> None:
        super().__init__(
            _(
                "Row %(row)d isn't in UTF-8: it holds the byte %(byte)s. "
                "Below, the file is read as Windows-1252 instead, which older spreadsheets write."
            )
            % {"row": row, "byte": f"0x{byte:02X}"}
        )
        self.row = row
        self.guess = guess


def decode(data: bytes) -> str:
    """The text of a file.

    Raises:
        WrongEncoding: it isn't UTF-8 (with or without mark) nor UTF-16 with a mark.
        UnreadableSpreadsheet: it is no text at all.
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
        raise UnreadableSpreadsheet(_("This file holds no plain text. Save it as “CSV UTF-8”."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        row = data.count(b"\n", 0, wrong.start) + 1
        raise WrongEncoding(row, data[wrong.start], guess=data.decode("cp1252", errors="replace")) from None


def is_workbook(data: bytes) -> bool:
    """Whether these are the bytes of a spreadsheet's own file (xlsx, ods) and no text."""
    return data[:4] == b"PK\x03\x04"


def workbook_sheets(data: bytes) -> list[Sheet]:
    """The sheets of an xlsx or ods file.

    It is read by another process (`scoring.workbooks`) with little memory and time: what is packed small may be huge.

    Raises:
        UnreadableSpreadsheet: it is damaged, protected by a password, larger than a table of people can be, or
            something else.
    """
    wrong = _("This spreadsheet can't be read. Save it again as xlsx or ods without a password, or as “CSV UTF-8”.")
    large = _("This spreadsheet is too large. Save the sheet with the names alone, and choose that file.")
    try:
        done = subprocess.run(  # noqa: S603 - this very program, with no word of the file's among its arguments
            [sys.executable, "-m", workbooks.__name__],
            input=data,
            capture_output=True,
            cwd=Path(__file__).parents[1],
            env={name: os.environ[name] for name in PASSED_ON if name in os.environ},
            timeout=WORKBOOK_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnreadableSpreadsheet(large) from None
    if done.returncode:
        raise UnreadableSpreadsheet(
            large if done.returncode in (workbooks.TOO_LARGE, *workbooks.OUT_OF_MEMORY) else wrong
        )
    return [
        Sheet(title, "\n".join("\t".join(_cell(cell) for cell in row).rstrip("\t") for row in rows), hidden)
        for title, rows, hidden in json.loads(done.stdout)
    ]


def _cell(text: str) -> str:
    """A cell's text on one line, without tabs, line breaks and quotation marks."""
    return " ".join(text.split()).replace('"', "")


def delimiter_of(lines: Sequence[str]) -> str:
    """What stands between the cells of most lines, "" where there is one cell a line."""
    counts = {d: sum(d in line for line in lines) for d in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (counts[d], -DELIMITERS.index(d)))
    return best if counts[best] else ""


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text, however they end, one by one.

    >>> list(lines_of("a\\r\\nb\\r\\rc\\n"))
    ['a', 'b', '', 'c', '']
    """
    at = 0
    for end in LINE_END.finditer(text):
        yield text[at : end.start()]
        at = end.end()
    yield text[at:]


def rows_of(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a table that aren't empty, each with the number of the line on which it begins; the first line shows
    what separates cells.

    Raises:
        UnreadableSpreadsheet: a row is too long, a quotation mark is never closed, or there are too many lines.
    """
    head = next(lines_of(text), "").lstrip("\ufeff")
    lines = _not_too_many(lines_of(text.lstrip("\ufeff")))
    for number, cells in cells_of(lines, delimiter_of([head]) or ","):
        plainly = tuple(plain(cell.strip()) for cell in cells)
        if any(plainly):
            yield number, plainly


def cells_of(lines: Iterable[str], delimiter: str, *, skip_spaces: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Each row of a table in CSV with the number of the line on which it begins.

    Raises:
        UnreadableSpreadsheet: a row is too long, or a quotation mark is never closed.
    """
    reader, begun = csv.reader(_short(lines, delimiter), delimiter=delimiter, skipinitialspace=skip_spaces), 1
    try:
        for cells in reader:
            yield begun, cells
            begun = reader.line_num + 1
    except csv.Error:
        words = _("The row that begins on line %(line)d is too long. Is a quotation mark in it never closed?")
        raise UnreadableSpreadsheet(words % {"line": begun}) from None


def _short(lines: Iterable[str], delimiter: str) -> Iterator[str]:
    """The lines for the CSV reader. Raises csv.Error for a line with too many cells, before these are made."""
    for line in lines:
        if line.count(delimiter) >= ROW_LIMIT:
            raise csv.Error("too many cells")
        yield line


def _not_too_many(lines: Iterable[str]) -> Iterator[str]:
    """The lines with their ends, as long as there aren't more than LINE_LIMIT. Raises UnreadableSpreadsheet."""
    for number, line in enumerate(lines, start=1):
        if number > LINE_LIMIT:
            words = _("This table has more than %(most)d lines. Take the empty ones out, or split it.")
            raise UnreadableSpreadsheet(words % {"most": LINE_LIMIT})
        yield f"{line}\n"


def safe(text: str) -> str:
    """A cell that a spreadsheet shows as it stands: an apostrophe stands before what begins like a formula.

    >>> safe("=1+1"), safe("-15"), safe("Ann"), plain(safe("@home"))
    ("'=1+1", '-15', 'Ann', '@home')
    """
    if text.removeprefix("-").isdecimal():
        return text
    return f"'{text}" if (text[:1] in FORMULA and text) or (text[:1] == "'" and text[1:2] in (*FORMULA, "'")) else text


def plain(cell: str) -> str:
    """The text of a cell that `safe` wrote.

    >>> plain("'=1+1"), plain("'t Hooft")
    ('=1+1', "'t Hooft")
    """
    return cell[1:] if cell[:1] == "'" and cell[1:2] in (*FORMULA, "'") and cell[1:] else cell
