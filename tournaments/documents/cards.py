"""Score cards: one for each game of a draw, blank ones, and the sheets of paper they go on."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from clubsite.pdf.documents import PAPERS, Heading, Pages
from clubsite.pdf.typeface import MM_PER_POINT, width_in_ems
from scoring.cards.queries import Card, DealRow, cards_of, walkover_message
from scoring.engine.core.ruleset import RuleSet, Shape
from scoring.engine.families import rules_of
from scoring.families import PAGES
from scoring.families.family_pages import Cell
from scoring.models import Game
from scoring.templatetags.figures import points
from scoring.templatetags.rule_texts import title_with_version
from tournaments.documents.card_grid import (
    HEAD,
    NAME,
    NAME_BY_HAND,
    QR,
    QR_GAP,
    CardGrid,
    CardLayout,
    box_style,
    draw_layout,
    fit_layout,
)
from tournaments.documents.sheets import draw_heading, event_heading, groups_with_games
from tournaments.events.words import annulment_reason, seat_name
from tournaments.models import Draw, Event, Group
from tournaments.rounds.publishing import game_title
from tournaments.table_links.links import ShownLink, shown_links

FIGURE = 11.5  # points of type in the boxes of a filled card, as in print.css
LETTERS = 70  # of small print on a line of a narrow card
SEAT_WIDTH, MARK_WIDTH, SUITS_WIDTH, CODE_WIDTH = 9.5, 26.0, 18.5, 20.0  # mm for a seat's name, "draft", suits, number
LINK_WIDTH, TYPED_WIDTH = 36.0, 24.0  # millimetres beside a QR code, and those of them for the address
USUAL_END = "Card 54 of 54 · Made 22 November 2026, 14:05"  # of the small print: about as long in every language

Box = tuple[str, bool]
"""What a box of a card says, and whether it is crossed out because it doesn't count."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """The card of one game at one table. The heading's note is the version of the draw."""

    code: str  # different for every card of an event: "1.1-3A-2"
    heading: Heading
    where: str  # "Qualifying · Table 3 · Group A · Game 2"
    sides: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # the points each starts with, its seats and names
    rules: str  # title and version of the house rules
    figures: tuple[tuple[Box, ...], ...] = ()  # columns of boxes, none on a card to fill in
    link: ShownLink | None = None  # its table's link, as long as that opens the card
    ended: str = ""  # why the director ended the game, on a card as recorded
    code_key: str = ""  # what the codes on it mean

    @property
    def shape(self) -> Shape:
        return Shape(len(self.sides), len(self.sides[0][1]))


def printed_cards(draw: Draw, *, filled: bool = False, site: str = "", only: int | None = None) -> list[PrintedCard]:
    """A card for every game of a draw, by table, group and game; `only`: of the group with this key.

    A draft has no games yet: its cards are for the games that publishing it will open. With the address of the `site`
    for phones, cards show the links of their tables. `filled`: cards with their deals, only of games that have any.
    """
    event, stage = draw.round.stage.event, draw.round.stage
    links, groups = shown_links(draw, site), [group for group in groups_with_games(draw) if only in (None, group.pk)]
    played = [row.game for group in groups for row in group.games.all() if row.game.deals_played] if filled else []
    cards = {card.game.pk: card for card in cards_of(played)}
    sheets = []
    for group in groups:
        games = {g.number: g.game for g in group.games.all()}
        for number in sorted(games) or range(1, stage.games + 1):
            game, link = games.get(number), links.get(group.pk)
            if filled and (game is None or not game.deals_played):
                continue
            code = f"{stage.number}.{draw.round.number}-{group}-{number}"
            code_key = _("%(code)s: stage %(stage)d, round %(round)d, table %(table)s, game %(game)d.") % {
                "code": code,
                "stage": stage.number,
                "round": draw.round.number,
                "table": group.label_in(event),
                "game": number,
            }
            if link:
                code_key += " " + _("%(code)s opens this table's page on a phone.") % {"code": link.code}
            sides = [(side.names, side.start) for side in game.sides.all()] if game else [(n, 0) for n in group.names]
            rules = game.rules if game else event.rules
            sheet = PrintedCard(
                code=code,
                heading=draw_heading(draw),
                where=game_title(group, draw, number=number).removeprefix(f"{event.name} · "),
                sides=_card_sides(sides),
                rules=title_with_version(rules.title, rules.version),
                link=link.for_game(number) if link else None,
                code_key=code_key,
            )
            if filled and game:
                sheet = replace(sheet, figures=filled_boxes(cards[game.pk]), ended=cards[game.pk].why)
            sheets.append(_mark_decided(sheet, group, game=game))
    return sheets


def blank_cards(event: Event, *, copies: int) -> list[PrintedCard]:
    sides = _card_sides([([""] * event.shape.per_side, 0)] * event.shape.sides)
    rules = title_with_version(event.rules.title, event.rules.version)
    return [PrintedCard("", event_heading(event), _("Table ____   Game ____"), sides, rules)] * copies


def _card_sides(sides: Sequence[tuple[Sequence[str], int]]) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """`PrintedCard.sides`, from the names of each side and its points to start with."""
    shape = Shape(len(sides), len(sides[0][0]))
    return tuple(
        (
            _("starts with %(points)s") % {"points": points(start)} if start else "",
            tuple((seat_name(shape, side, position=n), name) for n, name in enumerate(names)),
        )
        for side, (names, start) in enumerate(sides)
    )


def _mark_decided(sheet: PrintedCard, group: Group, *, game: Game | None) -> PrintedCard:
    """The card, marked if its game was decided by a walkover or annulled."""
    sides = list(game.sides.all()) if game else []
    if words := annulment_reason(group.seats.all()):
        ended = " ".join(filter(None, (words, sheet.ended)))
        return replace(sheet, heading=replace(sheet.heading, mark=_("annulled")), ended=ended)
    if any(side.absent for side in sides):
        words = walkover_message([side.name for side in sides if side.half_wins])
        return replace(sheet, heading=replace(sheet.heading, mark=_("walkover")), ended=words)
    return sheet


def filled_boxes(card: Card) -> tuple[tuple[Box, ...], ...]:
    """The boxes with the figures of a card's deals: by column over all sides, then by row."""
    rows = {deal.number: deal for deal in card.deals}
    if card.per_deal:
        last = max((card.deals_in_game or 0, *rows))
        return tuple(_column_boxes(rows.get(n), side.number) for side in card.sides for n in range(1, last + 1))
    on_paper = PAGES[card.game.rules.family.slug].columns(card.game.engine_rules).on_paper
    last = max(rows, default=0)
    columns: list[tuple[Box, ...]] = []
    for side in card.sides:
        along = {n: _row_boxes(deal, side.number, on_paper=on_paper) for n, deal in rows.items()}
        blank: list[Box] = [("", False)] * max(map(len, along.values()), default=0)
        columns += zip(*(along.get(n, blank) for n in range(1, last + 1)), strict=True)
    return tuple(columns)


def _row_boxes(deal: DealRow, side: int, *, on_paper: Callable[..., tuple[Cell, ...]]) -> list[Box]:
    cells = on_paper(deal.facts, side=side, cells=deal.cells[side], points=deal.points[side])
    crossed = [n for n in deal.crossed[side] if isinstance(cells[n], int)] if deal.counts else range(len(cells))
    return [(_cell_text(cell), n in crossed) for n, cell in enumerate(cells)] + [_running_box(deal, side)]


def _column_boxes(deal: DealRow | None, side: int) -> tuple[Box, ...]:
    if deal is None:
        return ()
    cells = [(_cell_text(cell), not deal.counts) for cell in (*deal.cells[side], deal.points[side])]
    return (*cells, _running_box(deal, side))


def _running_box(deal: DealRow, side: int) -> Box:
    return (points(deal.running[side]) if deal.counts else deal.state_words), False


def _cell_text(cell: Any) -> str:
    return points(cell) if isinstance(cell, int) else str(cell or "")


def rules_grid(rule_set: RuleSet, shape: Shape) -> CardGrid:
    boxes = PAGES[rule_set.family].boxes(rules_of(rule_set, shape))
    return CardGrid(**{field.name: getattr(boxes, field.name) for field in fields(boxes)})


def card_pages(cards: Sequence[PrintedCard], rule_set: RuleSet, *, paper: str, per_sheet: int = 0) -> Pages:
    """Cards of one rule set on sheets of paper, those of a shape together.

    `per_sheet`: 1, 2 or 4; 0: one or two, so that boxes are large enough to write in. If that many don't fit in full
    size, they are shrunk."""
    drawings: dict[str, str] = {}
    documents: list[str] = []
    smaller: list[int] = []
    for shape in dict.fromkeys(card.shape for card in cards):
        alike = [card for card in cards if card.shape == shape]
        layout = lay_out_cards(alike, rule_set, paper=paper, per_sheet=per_sheet)
        svg = draw_layout(layout)
        drawing = f"card-{sha256(svg.encode()).hexdigest()[:12]}"  # several kinds may become one file
        drawings[drawing] = svg
        drawings |= {f"qr-{card.code}": card.link.qr_bare for card in alike if card.link}
        fitting = layout.imposition.per_sheet
        for n in range(0, len(alike), fitting):
            context = _sheet_context(alike[n : n + fitting], layout, drawing=drawing)
            context |= {"first": n, "of": len(alike)}
            documents.append(render_to_string("documents/cards.html", context))
            smaller.append(max(per_sheet // fitting, 1))
    return Pages(tuple(documents), drawings, tuple(smaller))


def lay_out_cards(cards: Sequence[PrintedCard], rule_set: RuleSet, *, paper: str, per_sheet: int = 0) -> CardLayout:
    """The layout for cards of one shape; `per_sheet` as in `card_pages`."""
    return fit_layout(_cards_grid(cards, rule_set), PAPERS[paper], most=per_sheet or 2)


def _cards_grid(cards: Sequence[PrintedCard], rule_set: RuleSet) -> CardGrid:
    """The grid for cards of one shape, with more rows or columns if one of the cards has more deals."""
    grid = rules_grid(rule_set, cards[0].shape)
    deals = max(len(card.figures) // len(card.sides) for card in cards)
    wider = tuple(replace(grid.columns[-1], head=str(n), under="") for n in range(len(grid.columns) + 1, deals + 1))
    rows = max((len(column) for card in cards for column in card.figures), default=0)
    sides = [side for card in cards for side in card.sides]
    named = any(name for _start, players in sides for _seat, name in players)
    return replace(
        grid,
        leads=grid.leads + tuple(str(n) for n in range(len(grid.leads) + 1, rows + 1)),
        columns=grid.columns + wider,
        starts=any(start for start, _players in sides),
        ended=min(math.ceil(max(len(card.ended) for card in cards) / LETTERS), 2),
        linked=any(card.link for card in cards),
        name_line=NAME if named else NAME_BY_HAND,
    )


def _sheet_context(sheet: Sequence[PrintedCard], layout: CardLayout, *, drawing: str) -> dict[str, Any]:
    width, height = layout.imposition.sheet
    columns, rows = layout.imposition.grid
    upright = f"left:{width / 2:.2f}mm;top:0;width:0;height:{height}mm;border-left:0.2mm dashed #999"
    across = f"left:0;top:{height / 2:.2f}mm;width:{width}mm;height:0;border-top:0.2mm dashed #999"
    return {
        "drawing": drawing,
        "page": f"size: {width}mm {height}mm",
        "whole": f"width: {width}mm; height: {height}mm",
        "size": f"width: {layout.width:.2f}mm; height: {layout.height:.2f}mm",
        "name": f"height: {layout.grid.name_line}mm; line-height: {layout.grid.name_line}mm",
        "row": f"line-height: {layout.row:.3f}mm",
        "qr": f"width: {QR}mm; height: {QR}mm",
        "beside": f"right: {QR + QR_GAP}mm",
        "cards": [
            _card_context(card, layout) | {"style": f"left:{left:.2f}mm;top:{top:.2f}mm"}
            for card, (left, top) in zip(sheet, layout.imposition.positions, strict=False)
        ],
        "note": layout.grid.note,
        "cuts": [upright] * (columns - 1) + [across] * (rows - 1),
        "note_size": name_size(layout.grid.note, layout.width, most=7.5),
    }


def _card_context(card: PrintedCard, layout: CardLayout) -> dict[str, Any]:
    grid, edges = layout.grid, layout.edges
    filled = max(len(card.figures) // len(card.sides), 1)  # columns of each side
    columns = []
    for n, column in enumerate(card.figures):
        left, right = edges[(at := n // filled * len(grid.columns) + n % filled) : at + 2]
        figures = [(crossed, words := text.split(", "), _word_size(words, right - left)) for text, crossed in column]
        style = box_style(left, layout.top, width=right - left, height=layout.bottom - layout.top)
        columns.append({"style": style, "figures": figures})
    event = " · ".join(filter(None, (card.heading.event, card.heading.when)))
    beside = QR + QR_GAP if grid.linked else 0
    number = LINK_WIDTH if grid.linked else CODE_WIDTH
    where_room = layout.width - beside - number - (MARK_WIDTH if card.heading.mark else 0)
    return {
        "card": card,
        "event": {"name": event, "size": name_size(event, layout.width - SUITS_WIDTH - beside, most=10.0)},
        "where_size": name_size(card.where, where_room, most=15.0),
        "typed_size": name_size(card.link.typed, TYPED_WIDTH, most=7.0) if card.link else 0,
        "sides": [_side_context(card, layout, number=n) for n in range(len(card.sides))],
        "columns": columns,
        "foot": f"top:{layout.height - grid.foot + 1.0:.2f}mm",
        "rules_size": name_size(f"{card.rules} · {card.heading.note} · {USUAL_END}", layout.width, most=7.5),
        "ended_size": name_size(card.ended, layout.width, most=7.5, lines=max(grid.ended, 1)),
        "code_key_size": name_size(card.code_key, layout.width, most=7.5),
    }


def _word_size(words: Sequence[str], width: float) -> float:
    """The type size of words such as "conceded", below each other in a box; 0 for figures and what fits as it is."""
    if not words[0][:1].isalpha():
        return 0
    size = min(FIGURE / len(words), *(name_size(word, width - 0.8, most=FIGURE) for word in words))
    return size if size < FIGURE else 0


def _side_context(card: PrintedCard, layout: CardLayout, *, number: int) -> dict[str, Any]:
    start, players = card.sides[number]
    left, right = layout.side_edges[number : number + 2]
    grid, alone = layout.grid, layout.grid.per_side == 1
    lines = grid.name_lines // grid.per_side
    room = right - left - 2.4 - (0 if alone else SEAT_WIDTH)
    above = [players[0][0], start] if alone else [start]
    return {
        "style": box_style(left + 1.2, HEAD + 0.6, width=right - left - 2.4, height=grid.names - 1),
        "above": " · ".join(filter(None, above)) if grid.top_line else None,
        "players": [
            {"seat": "" if alone else seat, "name": name, "size": name_size(name, room, lines=lines)}
            for seat, name in players
        ],
        "wrap": lines > 1,
    }


def name_size(name: str, room: float, *, most: float = 11.0, lines: int = 1) -> float:
    """The type size in points, at most `most`, in which a name fits into `room` millimetres: names are never cut."""
    if not name:
        return most
    words = name.replace("-", "- ").split()
    widest = (
        width_in_ems(name) if lines == 1 else max(max(map(width_in_ems, words)), width_in_ems(name) / (lines * 0.8))
    )
    return math.floor(min(most, room / (widest * MM_PER_POINT)) * 10) / 10
