"""Score cards as pages: which boxes each game family has, and the sheets that the cards are printed on."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubsite.paper.pdf import Pages
from clubsite.paper.sizes import PAPERS
from clubsite.paper.typeface import advances
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.families import rules_of
from scoring.engine.hand_and_foot.card import SPECIAL
from scoring.templatetags.figures import points
from scoring.wording.hand_and_foot import figure_name, own_words
from tournaments.documents.ruled import HEAD, NAME, NAME_BY_HAND, Column, Grid, Ruling, drawing_of, ruling_of
from tournaments.documents.sheets import CardSheet, CardSide

ROWS = 16  # deals that a card has room for: simulated games to the target took at most 11
MOST_ROWS = 20
DEALS = 6  # columns of a card with a column per deal, where no number of deals ends a game: Canasta took at most 9
MM_PER_POINT = 25.4 / 72


def grid_of(rule_set: RuleSet, shape: Shape) -> Grid:
    """The boxes of a card of these rules."""
    return GRIDS[rule_set.family](rules_of(rule_set, shape), shape)


def _partnership_pinochle(rules: Any, shape: Shape) -> Grid:
    """The St. Hilary score card: bid, meld, total, take, set and running total, for each side.

    Source: 004 (St. Hilary House Rules, version 3), last page.
    """
    columns = (
        Column(_("Bid"), 9.0),
        Column(_("Meld"), 9.5),
        Column(_("Total"), 10.0),
        Column(_("Take"), 9.0),
        Column(_("Set"), 7.5),
        Column(_("Running"), 13.0),
    )
    return _by_deal(columns, rules, shape, _note(rules) + " " + _set_note(rules))


def _three_hand_pinochle(rules: Any, shape: Shape) -> Grid:
    columns = (
        Column(_("Bid"), 13.0),
        Column(_("Meld"), 14.0),
        Column(_("Total"), 14.0),
        Column(_("Take"), 13.0),
        Column(_("Set"), 9.0),
        Column(_("Running"), 17.0),
    )
    return _by_deal(columns, rules, shape, _note(rules) + " " + _set_note(rules))


def _two_hand_pinochle(rules: Any, shape: Shape) -> Grid:
    """The bonus is for the last draw, the guess and the other player's errors; a game without bidding has none."""
    bid, bonus, failed = Column(_("Bid"), 12.0), Column(_("Bonus"), 13.0), Column(_("Set"), 9.0)
    meld, take, running = Column(_("Meld"), 14.0), Column(_("Take"), 13.0), Column(_("Running"), 17.0)
    if not rules.bidding:
        return _by_deal((meld, take, running), rules, shape, _note(rules))
    note = _("Contract not made: cross the line out; the running total stays as it was.")
    return _by_deal((bid, meld, bonus, take, failed, running), rules, shape, _note(rules) + " " + note)


def _points_only(rules: Any, shape: Shape) -> Grid:
    whole = [] if rules.whole is None else [_("All sides together have %(n)s in each.") % {"n": points(rules.whole)}]
    note = " ".join([_note(rules), *whole])
    return _by_deal((Column(_("Points"), 14.0), Column(_("Running"), 16.0)), rules, shape, note)


def _set_note(rules: Any) -> str:
    if rules.set_points == "reverted":
        return _("Set: cross out meld and take; the score stays as it was.")
    if rules.set_points == "given":
        return _("Set: cross out meld and take; the others add the bid to their score.")
    return _("Set: cross out meld and take, and take the bid off the score.")


def _by_deal(columns: tuple[Column, ...], rules: Any, shape: Shape, note: str) -> Grid:
    rows = min(rules.deals or ROWS, MOST_ROWS)
    return Grid(
        leads=tuple(str(n) for n in range(1, rows + 1)),
        lead_width=7.0,
        columns=columns,
        sides=shape.sides,
        per_side=shape.per_side,
        last_strong=True,
        sign=_("Signed"),
        note=note,
    )


def _hand_and_foot(rules: Any, shape: Shape) -> Grid:
    """A column for each deal and a row for each item, for each side."""
    deals = rules.deals or DEALS
    least = max(9.0, min(18.0, 210.0 / (shape.sides * deals)))
    narrow, own = least < 15.0, own_words(rules)
    items = [f"{figure_name(name, own)}{_worth(name, rules)}" for name in rules.figures]
    if rules.out_concealed is None:
        items.append(_("Going out") + f"  {points(rules.out_bonus)}")
    else:
        both = {"out": points(rules.out_bonus), "concealed": points(rules.out_concealed)}
        items.append(_("Going out  %(out)s, concealed %(concealed)s") % both)
    deal, minimum = (_("%(n)d"), "%(n)d") if narrow else (_("Deal %(n)d"), _("first meld %(n)d"))
    by_score = bool(rules.first_meld_scores)
    return Grid(
        leads=(*items, _("Points"), _("Running")),
        lead_width=47.0,
        columns=tuple(
            Column(deal % {"n": n}, least, "" if by_score else minimum % {"n": rules.least_first_meld(n)})
            for n in range(1, deals + 1)
        ),
        sides=shape.sides,
        per_side=shape.per_side,
        lead_head=_("Deal, and points for the first meld") if narrow and not by_score else "",
        strong=(len(items), len(items) + 1),
        sign=_("Signed"),
        note=_first_melds(rules) if by_score else "",
    )


def _worth(name: str, rules: Any) -> str:
    """What each of a figure of a side's column is worth."""
    each = {
        "clean": rules.clean_pile,
        "dirty": rules.dirty_pile,
        "wild": rules.wild_pile,
        "red_threes": rules.red_three,
        "red_threes_missed": rules.red_three_missed,
        "perfect": rules.perfect_bonus,
        **{f"{SPECIAL}{rank}": bonus for rank, bonus in rules.special_books},
    }
    if name in each:
        return f"  × {points(each[name])}"
    return " (−)" if name == "left" else ""


def _first_melds(rules: Any) -> str:
    """What a side's first meld needs, by its score: "First meld: 15; 50 from 0, 90 from 1,500, 120 from 3,000."."""
    least, *more = rules.first_meld
    steps = [
        _("%(points)s from %(score)s") % {"points": points(figure), "score": points(score)}
        for figure, score in zip(more, rules.first_meld_scores, strict=False)
    ]
    return _("First meld, by the side's score: %(least)s; %(more)s.") % {
        "least": points(least),
        "more": ", ".join(steps),
    }


GRIDS: dict[str, Callable[[Any, Shape], Grid]] = {
    "partnership-pinochle": _partnership_pinochle,
    "three-hand-pinochle": _three_hand_pinochle,
    "two-hand-pinochle": _two_hand_pinochle,
    "hand-and-foot": _hand_and_foot,
    "points-only": _points_only,
}


@dataclass(frozen=True, slots=True)
class _Box:
    """A place for text on a card; millimetres from the card's top left corner."""

    left: float
    top: float
    width: float
    height: float

    @property
    def style(self) -> str:
        """As CSS."""
        return f"left:{self.left:.2f}mm;top:{self.top:.2f}mm;width:{self.width:.2f}mm;height:{self.height:.2f}mm"


@dataclass(frozen=True, slots=True)
class _Name:
    """A player on a card, in type that fits."""

    seat: str
    name: str
    size: float


def card_pages(cards: Sequence[CardSheet], rule_set: RuleSet, paper: str) -> Pages:
    """Cards of one rule set on sheets of paper, each card whole on one sheet; cards of a shape stand together."""
    shapes = dict.fromkeys(card.shape for card in cards)
    drawings, documents = {}, []
    for shape in shapes:
        these = [card for card in cards if card.shape == shape]
        ruling = ruling_of(_grid_for(these, rule_set), PAPERS[paper])
        drawing = f"card-{shape.sides}x{shape.per_side}"
        drawings[drawing] = drawing_of(ruling)
        per_sheet = ruling.imposition.per_sheet
        documents += [
            render_to_string("documents/cards.html", _sheet_context(these[n : n + per_sheet], ruling, drawing))
            for n in range(0, len(these), per_sheet)
        ]
    return Pages(tuple(documents), drawings)


def _grid_for(cards: Sequence[CardSheet], rule_set: RuleSet) -> Grid:
    """The boxes of cards of one shape; more rows or columns where a card to be printed has more deals."""
    grid = grid_of(rule_set, cards[0].shape)
    deals = max(len(card.figures) // len(card.sides) for card in cards)
    wider = tuple(replace(grid.columns[-1], head=str(n), under="") for n in range(len(grid.columns) + 1, deals + 1))
    rows = max((len(column) for card in cards for column in card.figures), default=0)
    more = tuple(str(n) for n in range(len(grid.leads) + 1, rows + 1))
    starts = any(side.start for card in cards for side in card.sides)
    named = any(player.name for card in cards for side in card.sides for player in side.players)
    return replace(
        grid,
        leads=grid.leads + more,
        columns=grid.columns + wider,
        starts=starts,
        name_line=NAME if named else NAME_BY_HAND,
    )


def _note(rules: Any) -> str:
    """What ends a game, for those who keep the card."""
    words = []
    if rules.target is not None:
        words.append(_("Game: %(points)s.") % {"points": points(rules.target)})
    elif rules.deals is not None:
        words.append(ngettext("Game: %(n)d deal.", "Game: %(n)d deals.", rules.deals) % {"n": rules.deals})
    if rules.lose_at is not None:
        words.append(_("Lost at %(points)s.") % {"points": points(rules.lose_at)})
    if rules.bid_side_first:
        words.append(_("The bid side is counted first."))
    return " ".join(words)


def _sheet_context(sheet: Sequence[CardSheet], ruling: Ruling, drawing: str) -> dict[str, Any]:
    spots = ruling.imposition.spots
    width, height = ruling.imposition.sheet
    return {
        "drawing": drawing,
        "sheet": f"size: {width}mm {height}mm",
        "size": f"width: {ruling.width:.2f}mm; height: {ruling.height:.2f}mm",
        "name": f"height: {ruling.grid.name_line}mm; line-height: {ruling.grid.name_line}mm",
        "row": f"line-height: {ruling.row:.3f}mm",
        "cards": [_card_context(card, ruling, spot.left, spot.top) for card, spot in zip(sheet, spots, strict=False)],
        "note": ruling.grid.note,
        "cut": _cut_style(ruling),
    }


def _cut_style(ruling: Ruling) -> str:
    """The line to cut along, on a sheet of two."""
    way = ruling.imposition
    if way.per_sheet == 1:
        return ""
    width, height = way.sheet
    if way.across:
        return f"left:{width / 2:.2f}mm;top:0;width:0;height:{height}mm;border-left:0.2mm dashed #999"
    return f"left:0;top:{height / 2:.2f}mm;width:{width}mm;height:0;border-top:0.2mm dashed #999"


def _card_context(card: CardSheet, ruling: Ruling, left: float, top: float) -> dict[str, Any]:
    edges, filled = ruling.edges, max(len(card.figures) // len(card.sides), 1)  # columns of a side that are filled
    columns = [
        {
            "style": _Box(edges[at], ruling.top, edges[at + 1] - edges[at], ruling.bottom - ruling.top).style,
            "figures": column,
        }
        for n, column in enumerate(card.figures)
        for at in [n // filled * len(ruling.grid.columns) + n % filled]
    ]
    event = " · ".join(filter(None, (card.heading.event, card.heading.when)))
    return {
        "card": card,
        "style": f"left:{left:.2f}mm;top:{top:.2f}mm",
        "event": _Name("", event, name_size(event, ruling.width - _SUITS, most=10.0)),
        "where_size": name_size(card.where, ruling.width - _CODE - (_MARK if card.heading.mark else 0), most=15.0),
        "sides": [_side_context(side, ruling, n) for n, side in enumerate(card.sides)],
        "columns": columns,
        "foot": f"top:{ruling.height - ruling.grid.foot + 1.0:.2f}mm",
    }


def _side_context(side: CardSide, ruling: Ruling, number: int) -> dict[str, Any]:
    left, right = ruling.side_edges[number : number + 2]
    grid = ruling.grid
    above = [side.players[0].seat] if grid.per_side == 1 else []
    room = right - left - 2.4 - (0 if grid.per_side == 1 else _SEAT)
    lines = grid.name_lines // grid.per_side
    seats = ["" if grid.per_side == 1 else player.seat for player in side.players]
    return {
        "style": _Box(left + 1.2, HEAD + 0.6, right - left - 2.4, grid.names - 1).style,
        "above": " · ".join(filter(None, (*above, side.start))) if grid.top_line else None,
        "players": [
            _Name(seat, player.name, name_size(player.name, room, lines=lines))
            for seat, player in zip(seats, side.players, strict=True)
        ],
        "wrap": lines > 1,
    }


_SEAT, _MARK, _SUITS, _CODE = 9.5, 26.0, 18.5, 20.0  # widths kept for a seat's name, "draft", the suits, the number
_OTHER, _OTHER_CAPITAL = 0.68, 0.8  # advances in ems of Greek, Cyrillic: Noto Sans


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
