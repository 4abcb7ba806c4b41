"""Score cards as pages: their boxes as the game family has them, and the sheets that the cards are printed on."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

from django.template.loader import render_to_string

from clubsite.pdf.documents import PAPERS, Pages
from clubsite.pdf.typeface import advances
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.families import rules_of
from scoring.families import PAGES
from tournaments.documents.card_grid import (
    HEAD,
    NAME,
    NAME_BY_HAND,
    QR,
    QR_GAP,
    CardGrid,
    Ruling,
    drawing_of,
    place_style,
    ruling_of,
)
from tournaments.documents.from_draws import CardSheet, CardSide

MM_PER_POINT = 25.4 / 72
FIGURE = 11.5  # points of type in the boxes of a filled card, as in print.css
LETTERS = 70  # of small print on a line of a narrow card


def grid_of(rule_set: RuleSet, shape: Shape) -> CardGrid:
    """The boxes of a card of these rules."""
    boxes = PAGES[rule_set.family].boxes(rules_of(rule_set, shape))
    return CardGrid(**{field.name: getattr(boxes, field.name) for field in fields(boxes)})


def card_pages(cards: Sequence[CardSheet], rule_set: RuleSet, *, paper: str, on: int = 0) -> Pages:
    """Cards of one rule set on sheets of paper, each card whole on one sheet; cards of a shape stand together.

    `on`: how many are wanted on a sheet, 1, 2 or 4; 0 as many as keep their boxes large enough to write in, at most
    two. Where so many don't fit in full size, sheets of fewer are made smaller.
    """
    shapes = dict.fromkeys(card.shape for card in cards)
    drawings: dict[str, str] = {}
    documents: list[str] = []
    smaller: list[int] = []
    for shape in shapes:
        these = [card for card in cards if card.shape == shape]
        ruling = ruling_of(_grid_for(these, rule_set), PAPERS[paper], most=on or 2)
        svg = drawing_of(ruling)
        drawing = f"card-{sha256(svg.encode()).hexdigest()[:12]}"  # several kinds may become one file
        drawings[drawing] = svg
        drawings |= {f"qr-{card.link.code}": card.link.qr_bare for card in these if card.link}
        per_sheet = ruling.imposition.per_sheet
        for n in range(0, len(these), per_sheet):
            context = _sheet_context(these[n : n + per_sheet], ruling, drawing=drawing)
            context |= {"first": n, "of": len(these)}
            documents.append(render_to_string("documents/cards.html", context))
            smaller.append(max(on // per_sheet, 1))
    return Pages(tuple(documents), drawings, tuple(smaller))


def _grid_for(cards: Sequence[CardSheet], rule_set: RuleSet) -> CardGrid:
    """The boxes of cards of one shape, with further rows or columns where one of the cards has more deals."""
    grid = grid_of(rule_set, cards[0].shape)
    deals = max(len(card.figures) // len(card.sides) for card in cards)
    wider = tuple(replace(grid.columns[-1], head=str(n), under="") for n in range(len(grid.columns) + 1, deals + 1))
    rows = max((len(column) for card in cards for column in card.figures), default=0)
    more = tuple(str(n) for n in range(len(grid.leads) + 1, rows + 1))
    ended = max(len(card.ended) for card in cards)
    starts = any(side.start for card in cards for side in card.sides)
    named = any(player.name for card in cards for side in card.sides for player in side.players)
    return replace(
        grid,
        leads=grid.leads + more,
        columns=grid.columns + wider,
        starts=starts,
        ended=min(math.ceil(ended / LETTERS), 2),
        linked=any(card.link for card in cards),
        name_line=NAME if named else NAME_BY_HAND,
    )


def _sheet_context(sheet: Sequence[CardSheet], ruling: Ruling, *, drawing: str) -> dict[str, Any]:
    spots = ruling.imposition.spots
    width, height = ruling.imposition.sheet
    return {
        "drawing": drawing,
        "sheet": f"size: {width}mm {height}mm",
        "size": f"width: {ruling.width:.2f}mm; height: {ruling.height:.2f}mm",
        "name": f"height: {ruling.grid.name_line}mm; line-height: {ruling.grid.name_line}mm",
        "row": f"line-height: {ruling.row:.3f}mm",
        "qr": f"width: {QR}mm; height: {QR}mm",
        "beside": f"right: {QR + QR_GAP}mm",
        "cards": [
            _card_context(card, ruling, left=left, top=top) for card, (left, top) in zip(sheet, spots, strict=False)
        ],
        "note": ruling.grid.note,
        "cuts": _cut_styles(ruling),
        "note_size": name_size(ruling.grid.note, ruling.width, most=7.5),
    }


def _cut_styles(ruling: Ruling) -> list[str]:
    """The lines to cut along, on a sheet of two or four."""
    (width, height), (columns, rows) = ruling.imposition.sheet, ruling.imposition.grid
    upright = f"left:{width / 2:.2f}mm;top:0;width:0;height:{height}mm;border-left:0.2mm dashed #999"
    across = f"left:0;top:{height / 2:.2f}mm;width:{width}mm;height:0;border-top:0.2mm dashed #999"
    return [upright] * (columns - 1) + [across] * (rows - 1)


def _card_context(card: CardSheet, ruling: Ruling, *, left: float, top: float) -> dict[str, Any]:
    edges, filled = ruling.edges, max(len(card.figures) // len(card.sides), 1)  # filled columns of each side
    columns = [
        {
            "style": place_style(
                edges[at], ruling.top, width=edges[at + 1] - edges[at], height=ruling.bottom - ruling.top
            ),
            "figures": [
                (box, words := box.text.split(", "), _word_size(words, edges[at + 1] - edges[at])) for box in column
            ],
        }
        for n, column in enumerate(card.figures)
        for at in [n // filled * len(ruling.grid.columns) + n % filled]
    ]
    event = " · ".join(filter(None, (card.heading.event, card.heading.when)))
    beside = QR + QR_GAP if ruling.grid.linked else 0
    number = _LINK if ruling.grid.linked else _CODE
    where_room = ruling.width - beside - number - (_MARK if card.heading.mark else 0)
    return {
        "card": card,
        "style": f"left:{left:.2f}mm;top:{top:.2f}mm",
        "event": {"name": event, "size": name_size(event, ruling.width - _SUITS - beside, most=10.0)},
        "where_size": name_size(card.where, where_room, most=15.0),
        "typed_size": name_size(card.link.typed, _TYPED, most=7.0) if card.link else 0,
        "sides": [_side_context(side, ruling, number=n) for n, side in enumerate(card.sides)],
        "columns": columns,
        "foot": f"top:{ruling.height - ruling.grid.foot + 1.0:.2f}mm",
        "rules_size": name_size(f"{card.rules} · {card.heading.note} · {_COUNTED}", ruling.width, most=7.5),
        "ended_size": name_size(card.ended, ruling.width, most=7.5, lines=max(ruling.grid.ended, 1)),
        "told_size": name_size(card.told, ruling.width, most=7.5),
    }


def _word_size(words: Sequence[str], width: float) -> float:
    """The type size of words, such as "conceded", that need a smaller one to fit their box below each other; else 0."""
    if not words[0][:1].isalpha():
        return 0
    size = min(FIGURE / len(words), *(name_size(word, width - 0.8, most=FIGURE) for word in words))
    return size if size < FIGURE else 0


def _side_context(side: CardSide, ruling: Ruling, *, number: int) -> dict[str, Any]:
    left, right = ruling.side_edges[number : number + 2]
    grid = ruling.grid
    above = [side.players[0].seat] if grid.per_side == 1 else []
    room = right - left - 2.4 - (0 if grid.per_side == 1 else _SEAT)
    lines = grid.name_lines // grid.per_side
    seats = ["" if grid.per_side == 1 else player.seat for player in side.players]
    return {
        "style": place_style(left + 1.2, HEAD + 0.6, width=right - left - 2.4, height=grid.names - 1),
        "above": " · ".join(filter(None, (*above, side.start))) if grid.top_line else None,
        "players": [
            {"seat": seat, "name": player.name, "size": name_size(player.name, room, lines=lines)}
            for seat, player in zip(seats, side.players, strict=True)
        ],
        "wrap": lines > 1,
    }


_SEAT, _MARK, _SUITS, _CODE = 9.5, 26.0, 18.5, 20.0  # mm kept for a seat's name, "draft", the suits, the number
_COUNTED = "Card 54 of 54 · Made 22 November 2026, 14:05"  # the end of the small print: about as long in every language
_LINK, _TYPED = 36.0, 24.0  # millimetres beside a QR code, and those of them for the address
_OTHER, _OTHER_CAPITAL = 0.68, 0.8  # ems of a letter in Noto Sans (Greek, Cyrillic), and of a capital


def ems(text: str) -> float:
    """How wide a text is in bold type, in ems; a little more rather than less. Accents have no width.

    >>> ems("Wł") > ems("il"), ems("é") == ems("e")
    (True, True)
    """
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return 1.03 * sum(advances(700).get(c, _OTHER_CAPITAL if c.isupper() else _OTHER) for c in letters)


def name_size(name: str, room: float, *, most: float = 11.0, lines: int = 1) -> float:
    """The type size in points, at most `most`, in which a name fits into `room` millimetres: no name is cut."""
    if not name:
        return most
    words = name.replace("-", "- ").split()
    widest = ems(name) if lines == 1 else max(max(map(ems, words)), ems(name) / (lines * 0.8))
    return math.floor(min(most, room / (widest * MM_PER_POINT)) * 10) / 10
