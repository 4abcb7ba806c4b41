"""Results and draws as tables and spreadsheets."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeAlias

import openpyxl
import tablib
from django.db.models import Prefetch
from django.utils import timezone
from django.utils.formats import get_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from odf import opendocument
from odf.number import Number, NumberStyle
from odf.opendocument import OpenDocument
from odf.style import Style
from odf.table import TableRow
from openpyxl.styles import Font

from clubsite.invisible_characters import to_one_line
from clubsite.names import side_name
from scoring.models import Deal, DealVersion, Points
from scoring.spreadsheets import escape_formula
from tournaments.engine.ranking import STRENGTH
from tournaments.events.words import TIE_BREAKS
from tournaments.models import Draw, Event, Group, PublishedStandings
from tournaments.seasons.table import SeasonTable
from tournaments.standings.presentation import notes_of
from tournaments.standings.standings import Row

standings_cells = attrgetter(
    "place", "number", "name", "points", "won", "games_played", "sets", "sit_outs", "credit", "group"
)  # what stands of a row in its columns, beside the notes


def standings_sheet(event: Event, *, rows: Iterable[Row], title: str) -> Sheet:
    """Standings of a stage, or the result, with a column for each tie-break by the strength of opponents."""
    rows = list(rows)
    strength = [slug for slug in STRENGTH if any(slug in row.opponents for row in rows)]
    heads = (
        _("Place"), _("Number"), _("Name"), _("Points"), _("Games won"), _("Games"), _("Failed bids"), _("Sat out"),
        _("Points for sit-outs"), _("Group"), *(str(TIE_BREAKS[slug]) for slug in strength), _("Notes"),
    )  # fmt: skip
    cells = [
        (*standings_cells(row), *map(row.opponents.get, strength), ", ".join(notes_of(row, event))) for row in rows
    ]
    return Sheet(f"{event.name} {title}", heads, cells)


def result_sheet(event: Event, published: PublishedStandings) -> Sheet:
    rows = (Row.from_data(row) for row in published.rows)
    return standings_sheet(event, rows=rows, title=_("result version %(n)d") % {"n": published.number})


def season_sheet(table: SeasonTable) -> Sheet:
    """A season's table with a column for each night; those without a place come last."""
    days = tuple(localtime(event.starts_at).date().isoformat() for event in table.nights)
    heads = (_("Place"), _("Division"), _("Name"), _("Team"), _("Total"), _("Nights"), _("Average"))
    heads += (*((_("Before"),) if table.openings else ()), *days)
    division = {line.member: part.division for part in table.parts for line in part.lines}
    rows = [
        (
            line.place,
            division.get(line.member),
            line.name,
            line.team,
            line.total,
            line.attended,
            round(line.average, 2),
            *((line.opening.points,) if table.openings else ()),
            *line.nights,
        )
        for line in (*table.lines, *table.apart)
    ]
    return Sheet(table.season.name, heads, rows)


def entries_sheet(event: Event) -> Sheet:
    """One query."""
    heads = (_("Number"), _("Name"), _("Member"), _("State"), _("Side"), _("Plays for"), _("Note"))
    rows = [
        (
            entry.number,
            entry.name,
            _("yes") if entry.member_id else _("no"),
            str(entry.get_state_display()),
            entry.team,
            entry.plays_for,
            entry.note,
        )
        for entry in event.entries.order_by("number")
    ]
    return Sheet(f"{event.name} {_('entries')}", heads, rows)


def deals_sheet(event: Event) -> Sheet:
    """The current version of every deal, with a row for each side. Five queries, however many deals."""
    versions = DealVersion.objects.filter(current=True).prefetch_related(
        Prefetch("points", queryset=Points.objects.order_by("side"))
    )
    deals = (
        Deal.objects.filter(
            game__group_game__group__table__draw__round__stage__event=event,
            game__group_game__group__table__draw__state=Draw.State.PUBLISHED,
        )
        .select_related("game__group_game__group__table__draw__round__stage")
        .prefetch_related("game__sides", Prefetch("versions", queryset=versions))
        .order_by("game__group_game__group__table__draw__round__stage__number", "game_id", "number")
    )
    heads = (
        _("Stage"), _("Round"), _("Table"), *((_("Match"),) if event.has_bracket else ()),
        _("Game"), _("Deal"), _("Side"), _("Names"), _("Points"), _("Failed"),
        _("State"), _("Recorded"),
    )  # fmt: skip
    return Sheet(f"{event.name} {_('deals')}", heads, [row for deal in deals for row in _deal_rows(event, deal)])


def _deal_rows(event: Event, deal: Deal) -> Iterable[tuple[Cell, ...]]:
    game = deal.game
    group: Group = game.group_game.group
    round = group.table.draw.round
    for version in deal.versions.all():
        by_side = {points.side: points for points in version.points.all()}
        for side in game.sides.all():
            scored = by_side.get(side.number)
            yield (
                round.stage.name,
                round.number,
                group.label_in(event),
                *((group.table.draw.match_name(group.table.number),) if event.has_bracket else ()),
                game.group_game.number,
                deal.number,
                side.number + 1,
                side_name(side.names),
                scored.points if scored else None,
                _("yes") if scored and scored.was_set else "",
                str(version.get_state_display()),
                version.at,
            )


Cell: TypeAlias = "str | int | float | Fraction | Decimal | date | datetime | None"
"""A Decimal is an amount of money, with the digits after the point that its currency has."""

KINDS = ("csv", "xlsx", "ods")
LONGEST_TITLE = 31  # letters that Excel allows in a sheet's title
_UNWRITABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # XML has no such characters


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table; its title names the file.

    The CSV of a `published` one is the same everywhere, for programs; of others as local spreadsheets read it."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    published: bool = False


def write_sheet(sheet: Sheet, kind: str) -> bytes:
    """A table as a file of one of KINDS."""
    if kind == "csv":
        sign = "." if sheet.published else get_format("DECIMAL_SEPARATOR")
        table = _dataset(sheet, [[_csv_cell(cell, sign=sign) for cell in row] for row in (sheet.heads, *sheet.rows)])
        text: str = table.export("csv", delimiter=";" if sign == "," else ",")
        return f"\ufeff{text}".encode()
    table = _dataset(sheet, [[_cell_value(cell) for cell in row] for row in (sheet.heads, *sheet.rows)])
    file = io.BytesIO()
    book = _excel_book(table) if kind == "xlsx" else _open_document(table)
    book.save(file)
    return file.getvalue()


def _dataset(sheet: Sheet, rows: Sequence[Sequence[Any]]) -> tablib.Dataset:
    title = to_one_line(sheet.title)  # a line break in it would break an ods file
    return tablib.Dataset(*rows[1:], headers=rows[0], title=re.sub(r"[\\/*?:\[\]]", " ", title)[:LONGEST_TITLE])


def _excel_book(table: tablib.Dataset) -> openpyxl.Workbook:
    """Text that looks like a formula stays text, and money has all its digits."""
    book = openpyxl.Workbook()
    page = book.active
    page.title, page.freeze_panes = table.title, "A2"
    for row in (table.headers, *table):
        page.append(row)
    for column in page.columns:
        column[0].font = Font(bold=True)
        page.column_dimensions[column[0].column_letter].width = max(len(str(cell.value)) for cell in column)
        for cell in column:
            if cell.data_type == "f":
                cell.data_type = "s"
            if isinstance(cell.value, Decimal):
                cell.number_format = f"{0:.{_decimal_places(cell.value)}f}"  # "0.00"
    return book


def _open_document(table: tablib.Dataset) -> OpenDocument:
    """As tablib writes it, but money has all its digits."""
    book = opendocument.load(io.BytesIO(table.export("ods")))
    styled: set[int] = set()
    for row, written in zip(table, book.getElementsByType(TableRow)[1:], strict=True):
        for value, cell in zip(row, written.childNodes, strict=True):
            if isinstance(value, Decimal):
                digits = _decimal_places(value)
                if digits not in styled:
                    styled.add(digits)
                    _add_money_style(book, digits)
                cell.setAttribute("stylename", f"money-{digits}")
    return book


def _decimal_places(amount: Decimal) -> int:
    exponent = amount.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _add_money_style(book: OpenDocument, digits: int) -> None:
    shown = NumberStyle(name=f"money-{digits}-digits")
    shown.addElement(Number(decimalplaces=digits, minintegerdigits=1))
    book.automaticstyles.addElement(shown)
    names = {"name": f"money-{digits}", "datastylename": f"money-{digits}-digits", "parentstylename": "Default"}
    book.automaticstyles.addElement(Style(family="table-cell", **names))


def _csv_cell(cell: Cell, *, sign: str) -> str:
    """A cell as text: with this decimal sign, money with all its digits, dates as 2026-11-06, and no formula."""
    value = f"{cell:f}" if isinstance(cell, Decimal) else _cell_value(cell)
    if isinstance(cell, Decimal | Fraction | float):
        return str(value).replace(".", sign)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")
    return escape_formula(value) if isinstance(value, str) else "" if value is None else str(value)


def _cell_value(cell: Cell) -> Any:
    """A cell as the libraries take it; times are in the club's zone, without saying so."""
    if isinstance(cell, datetime):
        return timezone.make_naive(cell) if timezone.is_aware(cell) else cell
    if isinstance(cell, Fraction):
        return cell.numerator if cell.denominator == 1 else float(cell)
    if isinstance(cell, str):
        return _UNWRITABLE.sub("", cell)
    return cell
