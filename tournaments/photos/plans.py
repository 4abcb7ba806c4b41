"""How a card may have been printed: the geometry of `documents.card_grid`, to straighten its photo."""

from dataclasses import replace
from itertools import pairwise

from clubsite.pdf.documents import PAPERS
from scoring.engine.core.ruleset import RuleSet, Shape
from tournaments.documents.card_grid import QR, CardLayout, fit_layout, ruled_lines
from tournaments.documents.cards import rules_grid
from tournaments.photos.paper import CardPlan


def card_plan(layout: CardLayout) -> CardPlan:
    lines = list(ruled_lines(layout))
    rows = [(layout.top + row * layout.row, layout.row) for row in range(len(layout.grid.leads))]
    return CardPlan(
        layout.width,
        layout.height,
        (layout.width - QR, 0.0, QR),
        tuple((y1, x1, x2, weight) for x1, y1, x2, y2, weight in lines if y1 == y2),
        tuple((x1, y1, y2, weight) for x1, y1, x2, y2, weight in lines if x1 == x2),
        tuple(
            tuple((left, top, right - left, height) for top, height in rows) for left, right in pairwise(layout.edges)
        ),
    )


def card_plans(rule_set: RuleSet, shape: Shape) -> tuple[CardPlan, ...]:
    """The plans for a game's card: on both papers, one, two or four on a sheet, with and without points to start
    with."""
    grid = replace(rules_grid(rule_set, shape), linked=True)
    grids = [replace(grid, starts=starts) for starts in (False, True)]
    ways = [(grid, paper, most) for grid in grids for most in (2, 1, 4) for paper in PAPERS.values()]
    return tuple(dict.fromkeys(card_plan(fit_layout(grid, paper, most=most)) for grid, paper, most in ways))
