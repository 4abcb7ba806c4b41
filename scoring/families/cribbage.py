"""Cribbage by deal, on pages and paper."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _

from scoring.engine.core.ledger import Score
from scoring.engine.cribbage import FAMILY, HANDS, CribbageDeal, CribbageRules
from scoring.families.deal_form import Block, DealForm, side_values
from scoring.families.family_pages import (
    FOLLOWS,
    RUNNING,
    BoxContent,
    Boxes,
    Cell,
    Column,
    Columns,
    FamilyPages,
    Words,
    cells_with_points,
    row_per_deal,
)
from scoring.form_parts import FigureField, Hints, compress_figures

LINES: dict[str, Promise] = {
    "pegging": _("Pegged in the play: {points}"),
    "hands": _("Hand: {points}"),
    "crib": _("Crib: {points}"),
}

PROBLEMS: dict[str, Promise] = {
    "sides": _("The card has figures for {written:sides}; this game has {sides}."),
    "dealer": _("Press who dealt."),
    "nothing-pegged": _("Somebody always pegs for the last card. Read the pegging again."),
    "pegging": _("At most {most} can be pegged here; the card says {points}. Read the card again."),
    "hands": _("No hand is worth {points}: 19, 25, 26, 27 and more than 29 aren't possible. Count it again."),
    "crib": _("No crib is worth {points}: 19, 25, 26, 27 and more than 29 aren't possible. Count it again."),
    "two-out": _("Only one side can reach {target} first. Read the pegging again."),
    "after-end": _("The game is over before this is counted, so it must be 0; the card says {points}."),
    "past": _("{total} is more than {target} by {past}. Write only what was needed to reach the game hole."),
}

SETTINGS = {"target": "pegging hands crib two-out after-end past"}

WORDS = Words(prefix="cribbage", lines=LINES, problems=PROBLEMS, settings=SETTINGS)


class CribbageForm(DealForm):
    figure_heads = {"pegging": _("Peg"), "hands": _("Hand")}
    shared_last = True  # the crib comes after the sides' figures

    def add_fields(self) -> None:
        rules = self.rules
        self.add_choice("dealer", _now("Who dealt?"))
        most = rules.most_pegged(dealer=True)
        pegging = Hints(can=compress_figures(range(most + 1)), usual=most)
        self.add_figures("pegging", hints=pegging, required=True)
        self.add_figures("hands", hints=_hand_hints(rules.hands), required=True)
        self.fields["crib"] = FigureField(label=_now("Crib"), hints=_hand_hints(HANDS))

    def blocks(self) -> Iterator[Block]:
        yield Block("choice", "", (self["dealer"],))
        yield Block("figures", _now("Pegging, with his heels"), self.side_fields("pegging"))
        hands = _now("Hand") if self.rules.shape.per_side == 1 else _now("Both hands together")
        yield Block("figures", hands, self.side_fields("hands"))
        yield Block("plain", "", (self["crib"],))

    @property
    def end_rules(self) -> str:
        return json.dumps({"target": self.rules.target, "lose": None, "lowest": False})

    def facts(self) -> CribbageDeal:
        data = self.cleaned_data
        return CribbageDeal(
            dealer=data["dealer"], pegging=self.per_side("pegging"), hands=self.per_side("hands"), crib=data["crib"]
        )

    def field_values(self, facts: CribbageDeal) -> dict[str, Any]:
        return {"dealer": facts.dealer, "crib": facts.crib, **side_values(pegging=facts.pegging, hands=facts.hands)}


def _hand_hints(can: frozenset[int]) -> Hints:
    return Hints(can=compress_figures(sorted(can)), usual=max(can))


def _cells(deal: CribbageDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
    return (deal.pegging[side], deal.hands[side], deal.crib if side == deal.dealer else None)


def _boxes(rules: CribbageRules) -> Boxes:
    columns = (
        *(Column(head, 9.0) for head in (_now("Peg"), _now("Hand"), _now("Crib"))),
        Column(_now("Points"), 10.0),
        Column(_now("Running"), 13.0),
    )
    return row_per_deal(columns, rules, _now("Peg only what is needed to reach it; nothing counts after that."))


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Cribbage by deal"),
    words=WORDS,
    form=CribbageForm,
    columns=lambda rules: Columns((_("Peg"), _("Hand"), _("Crib")), _cells, on_paper=cells_with_points),
    boxes=_boxes,
    box_contents=lambda rules: (
        BoxContent("pegging"),
        BoxContent("hands"),
        BoxContent("crib", ("dealer",)),
        FOLLOWS,
        RUNNING,
    ),
)
