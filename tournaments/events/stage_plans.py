"""The stages of a competition as planned from its number of places. No query."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from django.utils.translation import gettext as _

from scoring.engine.core.ruleset import Shape
from tournaments.models import Stage


@dataclass(frozen=True, slots=True)
class StagePlan:
    """One stage as planned from the number of places."""

    name: str
    entries: int
    tables: int
    cut_rule: str
    advance: int


def table_size(shape: Shape) -> int:
    """People at one table: two groups of three or of two, else one group."""
    return {2: 4, 3: 6}.get(shape.players, shape.players)


def plan_stages(places: int, shape: Shape, *, cut_rule: str = "") -> list[StagePlan]:
    """Stages from the number of places down to one final table.

    A third goes on from each stage, rounded up to full tables, and never fewer than one table: 54 - 18 - 6,
    36 - 12 - 6, 72 - 24 - 12 - 6. Who goes on: the best of each group where groups of three give just that number,
    else the best of each table, else the best of each with wild cards. Two of a table with a single group of three
    would be better off than two of six: a number that leaves one goes by groups.

    >>> [(s.entries, s.tables, str(s.cut_rule), s.advance) for s in plan_stages(54, Shape(3))]
    [(54, 9, 'group', 18), (18, 3, 'group', 6), (6, 1, '', 0)]
    >>> [(s.entries, str(s.cut_rule), s.advance) for s in plan_stages(54, Shape(2, 3))]
    [(54, 'table', 18), (18, 'table', 6), (6, '', 0)]
    >>> [(s.entries, str(s.cut_rule), s.advance) for s in plan_stages(51, Shape(3))]
    [(51, 'group', 18), (18, 'group', 6), (6, '', 0)]
    """
    size = table_size(shape)
    sizes = [places]
    while sizes[-1] > size:
        here = sizes[-1]
        sizes.append(size if here <= 3 * size else size * ceil(here / 3 / size))
    plans = []
    for number, here in enumerate(sizes):
        advance = sizes[number + 1] if number + 1 < len(sizes) else 0
        tables, groups = ceil(here / size), ceil(here / shape.players)
        rule = (
            (cut_rule or _usual_rule(shape, advance, tables=tables, groups=groups)) if advance else Stage.CutRule.NONE
        )
        plans.append(StagePlan(_stage_name(number, len(sizes)), here, tables, rule, advance))
    return plans


def _usual_rule(shape: Shape, advance: int, *, tables: int, groups: int) -> str:
    if shape.players == 3 and groups != tables and advance % groups == 0:
        return Stage.CutRule.GROUP
    if advance % tables == 0 and (shape.players != 3 or groups == 2 * tables):
        return Stage.CutRule.TABLE
    if shape.players == 3 and advance >= groups:
        return Stage.CutRule.GROUP
    return Stage.CutRule.TABLE if advance >= tables else Stage.CutRule.OVERALL


def _stage_name(number: int, count: int) -> str:
    names = {1: _("Final"), 2: _("Semi-final"), 3: _("Quarter-final")}
    if number == 0 and count > 1:
        return _("Qualifying")
    return names.get(count - number) or _("Stage %(n)d") % {"n": number + 1}
