"""The ruled columns of a card: one sheet per side, like the halves of the paper card."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from scoring.cards.queries import Card, DealRow
from scoring.families.family_pages import Cell
from scoring.models import Side


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One ruled line: its heading and a cell for each heading of the sheet. `kind`: "", "void" (the deal counts
    nothing) or "total"."""

    head: str | Promise
    cells: tuple[Cell, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class SideSheet:
    """One side's half of the card: a row per deal, or where the family's card is so, a column per deal."""

    side: Side
    corner: str  # heading of the row headings
    heads: tuple[str | Promise, ...]
    rows: tuple[SheetRow, ...]


def sheets_of(card: Card) -> tuple[SideSheet, ...]:
    """One sheet per side; empty sheets for a game without deals."""
    make = _column_per_deal if card.per_deal else _row_per_deal
    return tuple(make(card, side) for side in card.sides)


def _running(deal: DealRow, side: Side) -> Cell:
    return deal.running[side.number] if deal.counts else deal.state_words


def _row_per_deal(card: Card, side: Side) -> SideSheet:
    heads = (*(card.items or (_("Points"),)), _("Running"))
    rows = []
    for deal in card.deals:
        cells = deal.cells[side.number] or (deal.points[side.number],)
        rows.append(SheetRow(str(deal.number), (*cells, _running(deal, side)), "" if deal.counts else "void"))
    return SideSheet(side, _("Deal"), heads, tuple(rows))


def _column_per_deal(card: Card, side: Side) -> SideSheet:
    rows = [
        SheetRow(item, tuple(deal.cells[side.number][place] for deal in card.deals))
        for place, item in enumerate(card.items)
    ]
    rows.append(SheetRow(_("Points"), tuple(deal.points[side.number] for deal in card.deals), "total"))
    rows.append(SheetRow(_("Running"), tuple(_running(deal, side) for deal in card.deals), "total"))
    return SideSheet(side, _("Deal"), tuple(str(deal.number) for deal in card.deals), tuple(rows))
