"""Tables as files for spreadsheets: CSV, Excel and OpenDocument. Figures are figures, dates are dates, and no text
of a cell is ever a formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import tablib
from django.http import HttpResponse
from django.utils import timezone
from django.utils.text import slugify
from tablib.formats._xlsx import XLSXFormat

from scoring.spreadsheets import safe

Cell: TypeAlias = "str | int | Fraction | Decimal | date | datetime | None"

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
}
LONGEST_TITLE = 31  # of a sheet, as Excel has it
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # XML has no such characters


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: its title, which names the file, the heads of its columns, and its rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class _Workbook(XLSXFormat):
    """Excel's form as tablib writes it, but what looks like a formula stays the text that it is."""

    @classmethod
    def dset_sheet(cls, dataset: Any, ws: Any, freeze_panes: bool = True, escape: bool = False) -> None:
        """Fill a sheet."""
        super().dset_sheet(dataset, ws, freeze_panes=freeze_panes, escape=escape)
        for row in ws.iter_rows():
            for cell in row:
                if cell.data_type == "f":
                    cell.data_type = "s"


def file_of(sheet: Sheet, kind: str) -> bytes:
    """A table as a file. `kind` is one of `TYPES`."""
    if kind == "csv":
        table = _dataset(sheet, [[_as_text(cell) for cell in row] for row in (sheet.heads, *sheet.rows)])
        text: str = table.export("csv")
        return f"\ufeff{text}".encode()
    table = _dataset(sheet, [[_as_value(cell) for cell in row] for row in (sheet.heads, *sheet.rows)])
    if kind == "xlsx":
        made: bytes = _Workbook.export_set(table, column_width="adaptive")
        return made
    written: bytes = table.export("ods")
    return written


def answer(sheet: Sheet, kind: str) -> HttpResponse:
    """A table as a download."""
    response = HttpResponse(file_of(sheet, kind), content_type=TYPES[kind])
    name = slugify(sheet.title) or "table"
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def _dataset(sheet: Sheet, rows: Sequence[Sequence[Any]]) -> tablib.Dataset:
    made = tablib.Dataset(*rows[1:], headers=rows[0])
    made.title = re.sub(r"[\\/*?:\[\]]", " ", sheet.title)[:LONGEST_TITLE]
    return made


def _as_text(cell: Cell) -> str:
    """A cell of a CSV file: figures with a point, dates as 2026-11-06, and no formula."""
    value = _as_value(cell)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")
    return safe(value) if isinstance(value, str) else "" if value is None else str(value)


def _as_value(cell: Cell) -> Any:
    """A cell as the libraries take it: a moment in the club's zone, without saying which."""
    if isinstance(cell, datetime):
        return timezone.make_naive(cell) if timezone.is_aware(cell) else cell
    if isinstance(cell, Fraction):
        return cell.numerator if cell.denominator == 1 else float(cell)
    if isinstance(cell, Decimal):
        return float(cell)
    if isinstance(cell, str):
        return _UNWRITABLE.sub("", cell)
    return cell
