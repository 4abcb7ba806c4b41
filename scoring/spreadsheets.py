"""Tables from spreadsheets: bytes of a file, then text, then rows; and text that no spreadsheet takes for a formula.

A file comes with commas, semicolons or tabs, in the encoding of whatever made it. What can't be read for sure is
said, never guessed in silence.
"""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Sequence

import tablib
from django.utils.translation import gettext as _

CELL_LIMIT = 4 * 1024 * 1024  # a quote that is never closed makes one cell of all that follows
DELIMITERS = "\t;,|"
WORKBOOK_LIMIT = 16 * 1024 * 1024  # bytes of a workbook as it is unpacked: what is packed small may be huge
WORKBOOK_CELLS = 200_000
FORMULA = "=+-@\t\r"
"""What a spreadsheet takes for the beginning of a formula."""

csv.field_size_limit(CELL_LIMIT)


class Unreadable(ValueError):
    """The file can't be read; the message says what to do."""


class WrongEncoding(Unreadable):
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
        Unreadable: it is no text at all.
    """
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise Unreadable(
            _(
                "This is a spreadsheet, not a CSV file. In the spreadsheet choose “Save as”, "
                "then “CSV UTF-8”, and choose that file."
            )
        )
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return data.decode("utf-16")
        except UnicodeDecodeError:
            raise Unreadable(_("This file can't be read as text. Save it again as “CSV UTF-8”.")) from None
    if b"\0" in data or data[:4] == b"%PDF":
        raise Unreadable(_("This file holds no plain text. Save it as “CSV UTF-8”."))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        row = data.count(b"\n", 0, wrong.start) + 1
        raise WrongEncoding(row, data[wrong.start], guess=data.decode("cp1252", errors="replace")) from None


def is_workbook(data: bytes) -> bool:
    """Whether these are the bytes of a spreadsheet's own file (xlsx, ods) and no text."""
    return data[:4] == b"PK\x03\x04"


def workbook_text(data: bytes) -> str:
    """The first sheet of an xlsx or ods file as text: a line for each row, a tab between cells.

    Raises:
        Unreadable: it is damaged, protected by a password, larger than a table of people can be, or something else.
    """
    wrong = Unreadable(
        _("This spreadsheet can't be read. Save it again as xlsx or ods without a password, or as “CSV UTF-8”.")
    )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = {part.filename for part in packed.infolist()}
            size = sum(part.file_size for part in packed.infolist())
    except zipfile.BadZipFile:
        raise wrong from None
    kind = "xlsx" if "xl/workbook.xml" in names else "ods" if "content.xml" in names else ""
    if not kind:
        raise wrong
    if size > WORKBOOK_LIMIT:
        raise Unreadable(_("This spreadsheet is too large. Save the sheet with the names alone, and choose that file."))
    try:
        book = tablib.Databook().load(io.BytesIO(data), format=kind, headers=False)
    except Exception:  # noqa: BLE001  (the readers of both formats raise whatever a damaged file leads them to)
        raise wrong from None
    sheets = book.sheets()
    if not sheets:
        raise wrong
    rows = [[_cell(value) for value in row] for row in sheets[0]]
    if sum(map(len, rows)) > WORKBOOK_CELLS:
        raise Unreadable(_("This spreadsheet is too large. Save the sheet with the names alone, and choose that file."))
    return "\n".join("\t".join(row).rstrip("\t") for row in rows)


def _cell(value: object) -> str:
    """A cell as somebody reads it: 7 and not 7.0, nothing of tabs and line breaks."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else " ".join(str(value).split()).replace('"', "")


def delimiter_of(lines: Sequence[str]) -> str:
    """What stands between the cells of most lines, "" where there is one cell a line."""
    counts = {d: sum(d in line for line in lines) for d in DELIMITERS}
    best = max(DELIMITERS, key=lambda d: (counts[d], -DELIMITERS.index(d)))
    return best if counts[best] else ""


def rows_of(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """The rows of a table, each with the number of the line on which it begins; the head says what parts the cells."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    rows, begun = [], 1
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter_of(lines[:1]) or ",")
    for cells in reader:
        rows.append((begun, tuple(plain(cell.strip()) for cell in cells)))
        begun = reader.line_num + 1
    return [(number, cells) for number, cells in rows if any(cells)]


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
