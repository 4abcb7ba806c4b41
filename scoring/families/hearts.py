"""Hearts on pages and paper."""

from collections.abc import Iterator
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _now, gettext_lazy as _

from scoring.engine.core.ledger import Score
from scoring.engine.hearts import CARDS, FAMILY, HeartsDeal, HeartsRules, Moon
from scoring.families.deal_form import Block, DealForm, side_values
from scoring.families.family_pages import (
    RUNNING,
    BoxContent,
    Boxes,
    Cell,
    Column,
    Columns,
    FamilyPages,
    OwnWords,
    Words,
    row_per_deal,
)
from scoring.form_parts import Hints, compress_figures
from scoring.templatetags.figures import points, signed

NAMES: dict[str, Promise] = {
    "queen": _("queen of spades"),
    "king": _("king of spades"),
    "ace": _("ace of spades"),
    "jack": _("jack of diamonds"),
}
SHORT: dict[str, str | Promise] = {"queen": _("Q ♠"), "king": _("K ♠"), "ace": _("A ♠"), "jack": _("J ♦")}
WHO: dict[str, Promise] = {
    "queen": _("Who took the queen of spades?"),
    "king": _("Who took the king of spades?"),
    "ace": _("Who took the ace of spades?"),
    "jack": _("Who took the jack of diamonds?"),
}

LINES: dict[str, Promise] = {
    "hearts": _("Hearts taken: {hearts}"),
    "queen": _("Queen of spades"),
    "king": _("King of spades"),
    "ace": _("Ace of spades"),
    "jack": _("Jack of diamonds"),
    "moon": _("Shot the moon: nothing; {points:points} for each of the others"),
    "moon-others": _("Another player shot the moon"),
    "moon-own": _("Shot the moon: {points:points} off"),
}

PROBLEMS: dict[str, Promise] = {
    "players": _("The card has hearts for {written:players}; this game has {players}."),
    "missing": _("Press who took the {taken}."),
    "taker": _("One of the players must have taken the {taken}."),
    "whole": _("The hearts add up to {written}; a deal has {whole}. Count everybody's again."),
    "hearts": _("Hearts taken: {hearts}. A deal has {whole}. Count them again."),
    "moon-choice": _("One player took all penalty cards. Press what that player chose."),
    "no-moon": _("Nobody took all penalty cards, so there is nothing to choose. Check the hearts and who took what."),
    "no-choice": _("Under the house rules of this game nobody chooses after shooting the moon. Leave it empty."),
    "not-in-rules": _("Under the house rules of this game the {taken} doesn't count. Leave it empty."),
}

SETTINGS = {
    "heart_points": "hearts",
    **{name: f"{name} missing:{name} not-in-rules:{name}" for name in CARDS},
    "moon": "moon moon-others moon-own moon-choice no-choice no-moon",
    "hearts": "whole",
}


def _card_name(name: str, words: OwnWords) -> str:
    return str(NAMES[name])


CHOICES: dict[str, Promise] = {
    "others": _("the points go to each of the others"),
    "own": _("the points come off"),
    "choice": _("one of these, as the player chooses"),
}

WORDS = Words(
    prefix="hearts", lines=LINES, problems=PROBLEMS, settings=SETTINGS, choices=CHOICES, names={"taken": _card_name}
)


class HeartsForm(DealForm):
    figure_heads = {"hearts": _("Hearts")}
    shared_last = True  # who took the other cards comes after the hearts

    def add_fields(self) -> None:
        rules = self.rules
        hints = Hints(can=compress_figures(range(rules.hearts + 1)), whole=rules.hearts)
        self.add_figures("hearts", hints=hints, required=True)
        for name in rules.cards:
            self.add_choice(name, str(WHO[name]))
        if rules.moon == "choice":
            shown = [
                (Moon.OTHERS, _now("%(points)s for each of the others") % {"points": points(rules.whole)}),
                (Moon.OWN, _now("%(points)s off") % {"points": points(rules.whole)}),
            ]
            self.add_choice("moon", _now("After shooting the moon"), choices=shown, none=_now("Nobody did"), kind=Moon)

    def blocks(self) -> Iterator[Block]:
        yield Block("figures", _now("Hearts"), self.side_fields("hearts"))
        for name in self.rules.cards:
            yield Block("choice", "", (self[name],))

    def rare_blocks(self) -> Iterator[Block]:
        if "moon" in self.fields:
            yield Block("choice", "", (self["moon"],))

    def facts(self) -> HeartsDeal:
        cards = {name: self.cleaned_data[name] for name in self.rules.cards}
        return HeartsDeal(hearts=self.per_side("hearts"), moon=self.cleaned_data.get("moon"), **cards)

    def field_values(self, facts: HeartsDeal) -> dict[str, Any]:
        taken = {name: taker for name in (*CARDS, "moon") if (taker := getattr(facts, name)) is not None}
        return side_values(hearts=facts.hearts) | taken


def _worth(name: str, rules: HeartsRules) -> str:
    return signed(-rules.jack if name == "jack" else getattr(rules, name))


def _columns(rules: HeartsRules) -> Columns:
    def cells(deal: HeartsDeal, score: Score, *, side: int) -> tuple[Cell, ...]:
        marks = (_worth(name, rules) if getattr(deal, name) == side else None for name in rules.cards)
        return (deal.hearts[side], *marks, score.totals[side])

    def on_paper(deal: HeartsDeal, *, side: int, cells: tuple[Cell, ...], points: int) -> tuple[Cell, ...]:
        if len(rules.cards) < 2:
            return cells
        return deal.hearts[side], " ".join(_letter(name) for name in rules.cards if getattr(deal, name) == side), points

    return Columns((_("Hearts"), *(SHORT[name] for name in rules.cards), _("Points")), cells, on_paper=on_paper)


def _letter(name: str) -> str:
    return str(SHORT[name]).split()[0]


def _boxes(rules: HeartsRules) -> Boxes:
    letters = " ".join(map(_letter, rules.cards))
    if len(rules.cards) > 1:  # one box for all of them: six players with a box for each don't fit on a sheet
        cards = [Column(letters, 11.0, " ".join(_worth(name, rules) for name in rules.cards))]
    else:
        cards = [Column(str(SHORT[name]), 8.0, _worth(name, rules)) for name in rules.cards]
    columns = (Column(_now("Hearts"), 9.0), *cards, Column(_now("Points"), 9.5), Column(_now("Running"), 11.5))
    notes = [_now("All hearts: %(n)d.") % {"n": rules.hearts}]
    if rules.moon in ("others", "choice"):
        notes.append(_now("All penalty cards: %(n)s for each of the others.") % {"n": points(rules.whole)})
    if rules.moon in ("own", "choice"):
        notes.append(_now("All penalty cards: %(n)s off.") % {"n": points(rules.whole)})
    return row_per_deal(columns, rules, *notes)


def _in_boxes(rules: HeartsRules) -> tuple[BoxContent, ...]:
    cards = (BoxContent("", tuple(rules.cards)),) * bool(rules.cards)
    return (BoxContent("hearts"), *cards, BoxContent(shows=("moon",) * (rules.moon == "choice")), RUNNING)


PAGES = FamilyPages(
    family=FAMILY,
    kind=_("Hearts"),
    words=WORDS,
    form=HeartsForm,
    columns=_columns,
    boxes=_boxes,
    box_contents=_in_boxes,
)
