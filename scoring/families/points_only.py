"""Games with only their points written down, on pages and paper."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _

from scoring.engine.points_only import FAMILY, PointsDeal, PointsRules
from scoring.families.deal_form import Block, DealForm, side_values
from scoring.families.family_pages import RUNNING, BoxContent, Boxes, Column, Columns, FamilyPages, Words, row_per_deal
from scoring.form_parts import MAX_FIGURE, FigureField, Hints, compress_figures
from scoring.templatetags.figures import points

LINES: dict[str, Promise] = {
    "points": _("Points on the card: {points}"),
}

PROBLEMS: dict[str, Promise] = {
    "sides": _("The card has figures for {written:sides}; this game has {sides}."),
    "low": _("A deal is worth at least {lowest}; the card says {points}. Read the card again."),
    "high": _("A deal is worth at most {highest}; the card says {points}. Read the card again."),
    "step": _("Points come in steps of {step}; the card says {points}. Read the card again."),
    "whole": _("A deal has {whole:points} in all; the card has {written}. Count every side's points again."),
    "never": _("No side can have {points} in a deal: the nearest are {below} and {above}. Read the card again."),
    "nobody": _(
        "In every deal one side gets points that decide it, such as {such}. Here no side has them. Read the card again."
    ),
    "two": _(
        "{first} and {second} can't both be in one deal: only one side can have points like these. Read the card again."
    ),
    "beside": _(
        "If one side has {points}, the others have {can} together; the card says {written}. Read the card again."
    ),
    "others": _("The other sides have at most {most} together; the card says {written}. Count their points again."),
}

SETTINGS = {
    "one_side other_sides whole lowest highest step": "points",
    "lowest": "low",
    "highest": "high",
    "step": "step",
    "whole": "whole",
    "one_side other_sides": "never",
    "one_side": "nobody two",
    "others_most": "others",
    "others_beside": "beside",
}

WORDS = Words(prefix="points-only", lines=LINES, problems=PROBLEMS, settings=SETTINGS)


def _hints(rules: PointsRules) -> Hints:
    if rules.one_side and rules.other_sides:
        can: Iterable[int] = sorted({*rules.one_side, *rules.other_sides})
    elif rules.lowest is not None and rules.highest is not None:
        can = range(-(-rules.lowest // rules.step) * rules.step, rules.highest + 1, rules.step)
    else:
        can = ()
    return Hints(can=compress_figures(can), whole=rules.whole)


class PointsOnlyForm(DealForm):
    figure_heads = {"points": _("Points")}

    def add_fields(self) -> None:
        """A minus has a key only where the rules know minus points; elsewhere a director may rule so."""
        hints, signed = _hints(self.rules), self.rules.lowest is None or self.rules.lowest < 0
        for side, name in enumerate(self.sides):
            self.fields[f"points_{side}"] = FigureField(label=name, signed=signed, min_value=-MAX_FIGURE, hints=hints)

    def blocks(self) -> Iterator[Block]:
        yield Block("figures", _now("Points"), self.side_fields("points"))

    @property
    def end_rules(self) -> str:
        """Only the server says who may go out by contract."""
        rules = self.rules
        ends = {} if rules.out_by_contract else {"target": rules.target, "lose": rules.lose_at}
        return json.dumps({**ends, "lowest": rules.lowest_wins})

    def facts(self) -> PointsDeal:
        return PointsDeal(points=self.per_side("points"))

    def field_values(self, facts: PointsDeal) -> dict[str, Any]:
        return side_values(points=facts.points)


def _boxes(rules: PointsRules) -> Boxes:
    columns = (Column(_now("Points"), 14.0), Column(_now("Running"), 16.0))
    if rules.whole is None:
        return row_per_deal(columns, rules)
    whole = _now("All sides together have %(n)s in each.") % {"n": points(rules.whole)}
    return row_per_deal(columns, rules, whole)


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Games by points"),
    words=WORDS,
    form=PointsOnlyForm,
    columns=lambda rules: Columns(),
    boxes=_boxes,
    box_contents=lambda rules: (BoxContent("points"), RUNNING),
)
