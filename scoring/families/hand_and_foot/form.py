"""The entry form of Hand and Foot: each side's piles, red threes and card points, and who went out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.engine.core.ledger import Problem
from scoring.engine.hand_and_foot.bounds import limits_of
from scoring.engine.hand_and_foot.card import SPECIAL, HandAndFootDeal, HandAndFootRules, SideCard
from scoring.families.deal_form import Block, DealForm
from scoring.families.hand_and_foot.counted_form import Counting, shown
from scoring.families.hand_and_foot.words import figure_name, own_words
from scoring.form_parts import Hints, in_rows

NOBODY = -1  # the answer to who went out
POINTS = ("melded", "left")  # these have to be filled in or counted out; an empty number of piles or red threes is none
FIGURES = ("clean", "dirty", "wild", "red_threes", "red_threes_missed", "melded", "left")
ONE_FIGURE = 9  # a side with ten piles of a kind, or ten red threes, is rare
KEYS = {"clean": 10, "dirty": 6, "wild": 3, "red_threes": 9}  # values, from 0, with a key; other figures: FEW
FEW = 4
BY_PLACE = "special_at_"  # followed by the book's place in the rules: names its field until the rank is known


@lru_cache(maxsize=256)
def figure_hints(name: str, rules: HandAndFootRules) -> Hints:
    """What a side can have of a figure of its card: points in steps of the cards' values, or so many of a thing."""
    limits = limits_of(rules)
    if name in POINTS:
        can = in_rows(range(0, limits.most_of(name) + 1, limits.unit or 1))
        return Hints(can=can, usual=limits.pack_points, small=name == "left")
    most = limits.most_of(name)
    keys = min(KEYS.get(name, FEW), most + 1)
    return Hints(
        can=in_rows(range(most + 1)), usual=ONE_FIGURE, steps=True, rare=name == "red_threes_missed", keys=keys
    )


def pairs(rules: HandAndFootRules) -> Iterator[tuple[str, str]]:
    """Figures of a side's card that a phone asks two by two: how many of one thing and how many of the next."""
    counts = [name for name in rules.figures if name not in POINTS and not figure_hints(name, rules).rare]
    return zip(counts[::2], counts[1::2], strict=False)  # the last of an odd number is asked alone


class HandAndFootForm(DealForm):
    """One deal of Hand and Foot."""

    counting_summary = gettext_lazy("Count it for me")
    counting_help = gettext_lazy(
        "Write how many cards each meld and pile has, and which cards are left. A second meld of a rank stands in the "
        "rows at the end. Figures above that you leave empty are filled in. Red threes are noted above."
    )

    one_meld_help = gettext_lazy(
        "Write how many cards each meld has, and which cards are left. Figures above that you leave empty are filled "
        "in. Red threes are noted above."
    )

    shared_last = True  # "Going out" is the last row of the card

    def add_fields(self) -> None:
        """A column of the card for each side, who went out, and rows to count the cards in."""
        if not self.rules.pile_closed:  # a side has one meld of a rank
            self.counting_help = self.one_meld_help
        for name in self.rules.figures:
            words, hints = figure_name(name, own_words(self.rules)), figure_hints(name, self.rules)
            self.figure(name, words, required=False, hints=hints)
        for name in self.rules.nought_when_out:
            for side in range(len(self.sides)):
                told = {"data-none-by": f"out={side}", "data-none-words": _("went out")}
                self.fields[f"{name}_{side}"].widget.attrs |= told
        limits = limits_of(self.rules)
        for side in range(len(self.sides)):
            least, when_out = limits.least_left(out=False), limits.least_left(out=True)
            told = {"data-least": str(least), "data-least-out": str(when_out), "data-out": f"out={side}"}
            self.fields[f"left_{side}"].widget.attrs |= told | {"data-unless": f"red_threes_missed_{side}"}
        for first, second in pairs(self.rules):
            for side in range(len(self.sides)):
                self.fields[f"{first}_{side}"].widget.attrs["data-with"] = f"{second}_{side}"
        self.pick("out", _("Who went out?"), choices=[*self.side_choices(), (NOBODY, _("Nobody: the stock ran out"))])
        if self.rules.out_concealed is not None:
            self.fields["concealed"] = forms.BooleanField(
                required=False,
                label=_(
                    "Concealed: in one turn, by a player who had melded nothing before, nor added to a partner's melds"
                ),
            )
        self.cards = Counting(self, self.rules, sides=len(self.sides))
        self.cards.add_fields()

    def blocks(self) -> Iterator[Block]:
        """Who went out, then a column for each side."""
        yield Block("choice", "", (self["out"],))
        if "concealed" in self.fields:
            yield Block("plain", "", (self["concealed"],))
        for side, name in enumerate(self.sides):
            yield Block("figures", name, tuple(self[f"{figure}_{side}"] for figure in self.rules.figures))

    def counting(self) -> Iterator[Block]:
        """For each side its melds by rank and its cards left."""
        for side, name in enumerate(self.sides):
            yield from self.cards.blocks(side, name)

    def clean(self) -> dict[str, Any]:
        """Ask for card points that are neither noted nor counted, and for the rank of a meld that has cards."""
        cleaned = super().clean() or {}
        for side in range(len(self.sides)):
            counted = {"melded": self.cards.melds(cleaned, side), "left": self.cards.cards_left(cleaned, side)}
            for name in POINTS:
                if not counted[name]:
                    self.require(f"{name}_{side}")
        for name in self.cards.ranks_missing(cleaned):
            self.add_error(name, ValidationError(_("Choose the rank of this meld."), code="required"))
        return cleaned

    def facts(self) -> HandAndFootDeal:
        """The deal as it stands on the card."""
        return HandAndFootDeal(
            sides=tuple(self._side(side) for side in range(len(self.sides))),
            out=None if self.cleaned_data["out"] == NOBODY else self.cleaned_data["out"],
            number=self.place_in_game(),
            concealed=self.cleaned_data.get("concealed", False),
        )

    def _side(self, side: int) -> SideCard:
        """A side's column. A number of piles that isn't noted is 0, or left to the melds where these are counted."""
        counted = self.cards.counted(self.cleaned_data, side)
        nothing = None if counted is not None and counted.melds else 0
        noted: dict[str, int | None] = {n: self.cleaned_data[f"{n}_{side}"] for n in self.rules.figures}
        piles = {
            name: nothing if (figure := noted.get(name)) is None else figure
            for name in ("clean", "dirty", "wild", *noted)
            if name not in POINTS
        }
        return SideCard(
            clean=piles["clean"],
            dirty=piles["dirty"],
            wild=piles["wild"],
            special=tuple(figure for name, figure in piles.items() if name.startswith(SPECIAL)),
            red_threes=noted["red_threes"] or 0,
            red_threes_missed=noted["red_threes_missed"] or 0,
            perfect=noted.get("perfect") or 0,
            melded=noted["melded"],
            left=noted["left"],
            counted=counted,
        )

    @staticmethod
    def initial_of(facts: HandAndFootDeal) -> dict[str, Any]:
        """What the form shows for a recorded deal. Special books stand by their place in the rules."""
        values: dict[str, Any] = {"out": NOBODY if facts.out is None else facts.out}
        if facts.concealed:
            values["concealed"] = True
        for side, card in enumerate(facts.sides):
            noted = {name: getattr(card, name) for name in FIGURES}
            noted |= {f"{BY_PLACE}{place}": figure for place, figure in enumerate(card.special)}
            values |= {f"{name}_{side}": figure for name, figure in noted.items() if figure is not None}
            values |= {f"perfect_{side}": card.perfect} if card.perfect else {}
            if card.counted is not None:
                values |= shown(side, card.counted)
        return values

    def values_of(self, facts: HandAndFootDeal) -> dict[str, Any]:
        """What this form shows for a recorded deal, with special books by their rank."""
        values = self.initial_of(facts)
        for place, (rank, _bonus) in enumerate(self.rules.special_books):
            for side in range(len(self.sides)):
                if (name := f"{BY_PLACE}{place}_{side}") in values:
                    values[f"{SPECIAL}{rank}_{side}"] = values.pop(name)
        return values

    def fields_of(self, problem: Problem) -> list[str]:
        """For counted cards, the fields of the rank that the problem names, or all that are filled in."""
        if problem.field != "counted":
            return super().fields_of(problem)
        sides = range(len(self.sides)) if problem.side is None else [problem.side]
        named = dict(problem.args)
        rank, of = named.get("rank"), named.get("of")
        names = [
            name
            for side in sides
            for block in self.cards.blocks(side, "")
            for field in block.fields
            if (name := field.name) and field.value() not in (None, "", 0)
        ]
        close = [name for name in names if f"_{rank}_" in name or f"_{of}_" in name]
        return close or names
