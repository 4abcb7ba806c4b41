"""Counting a Hand and Foot side out on the form: its melds in rows by rank, and its cards left by value.

A rank of which a side has more than one meld goes on in the rows at the end, which ask for the rank too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.engine.hand_and_foot.card import (
    BLACK_THREE,
    JOKER,
    TWO,
    WILD,
    CardsLeft,
    CountedCards,
    HandAndFootRules,
    RankMeld,
)
from scoring.engine.hand_and_foot.counted_cards import cards_in_pack, kinds_of
from scoring.families.deal_form import Block
from scoring.families.hand_and_foot.words import cards_name
from scoring.form_parts import FigureField, Hints, in_rows, shared

ONE_PLACE = 9  # ten cards of a kind in one meld, or left, are rare
MORE = 2  # rows for further melds of a rank, for each deck
CARDS = ("naturals", "twos", "jokers")


@dataclass(frozen=True, slots=True)
class MeldRow:
    """One row of the table of melds: `rank` is the field that asks for the rank, None where `head` names it; a cell is
    None where the row can't have such cards."""

    head: str
    rank: BoundField | None
    cells: tuple[BoundField | None, ...]


@dataclass(frozen=True, slots=True)
class MeldBlock(Block):
    """A side's melds, as a block of kind "melds"."""

    heads: tuple[str, ...]
    rows: tuple[MeldRow, ...]


class Counting:
    """The counting fields of one form: their names, where they stand, and the counted cards they make."""

    def __init__(self, form: forms.Form, rules: HandAndFootRules, *, sides: int) -> None:
        self.form, self.rules, self.sides = form, rules, sides
        recorded = sum(name.startswith("rank_more") for name in form.initial)
        usual = MORE * rules.decks if rules.pile_closed else 0  # else a side has one meld of a rank
        self.more = range(1, max(usual, recorded) + 1)
        kinds = kinds_of(rules)
        classes = {rank: name for name, ranks in kinds.items() if len(ranks) > 1 for rank in ranks}
        self.left = list(dict.fromkeys(classes.get(rank, rank) for rank in rules.values))
        self.left += [kind for kind in kinds if kind not in self.left and self._shown_left(kind)]

    def _shown_left(self, kind: str) -> bool:
        """Whether recorded facts have cards left of a kind that usually is part of a larger one."""
        return any(f"cards_{kind}_{side}" in self.form.initial for side in range(self.sides))

    def add_fields(self) -> None:
        """Add the fields of all sides. None is required."""
        shape = (self.sides, len(self.more), tuple(self.left))
        self.form.fields |= counting_fields(self.rules, shape, language=get_language())

    def blocks(self, side: int, name: str) -> Iterator[Block]:
        """A side's table of melds, and its cards left."""
        form = self.form
        rows = [
            MeldRow(rank_name(rank), None, tuple(form[f"{c}_{rank}_{side}"] if c in cards else None for c in CARDS))
            for rank, cards in fixed_rows(self.rules)
        ]
        rows += [
            MeldRow("", form[f"rank_more{n}_{side}"], tuple(form[f"{c}_more{n}_{side}"] for c in CARDS))
            for n in self.more
        ]
        fields = tuple(field for row in rows for field in (row.rank, *row.cells) if field is not None)
        heads = (_("Meld of"), *(_cards_name(card) for card in CARDS))
        yield MeldBlock("melds", _("%(side)s: melds") % {"side": name}, fields, heads, tuple(rows))
        left = tuple(form[f"cards_{kind}_{side}"] for kind in self.left)
        yield Block("counts", _("%(side)s: cards left") % {"side": name}, left)

    # What they say

    def ranks_missing(self, cleaned: Mapping[str, Any]) -> Iterator[str]:
        """The names of the rank fields that are empty beside figures."""
        for side in range(self.sides):
            for n in self.more:
                name = f"rank_more{n}_{side}"
                if not cleaned.get(name) and any(cleaned.get(f"{c}_more{n}_{side}") for c in CARDS):
                    yield name

    def melds(self, cleaned: Mapping[str, Any], side: int) -> tuple[RankMeld, ...]:
        """A side's melds, in the order of the rows."""
        rows = [(rank, rank) for rank, _cards in fixed_rows(self.rules)]
        rows += [(cleaned.get(f"rank_more{n}_{side}") or "", f"more{n}") for n in self.more]
        laid = [
            RankMeld(rank=rank, **{card: cleaned.get(f"{card}_{row}_{side}") or 0 for card in CARDS})
            for rank, row in rows
        ]
        return tuple(meld for meld in laid if meld.cards)

    def cards_left(self, cleaned: Mapping[str, Any], side: int) -> tuple[CardsLeft, ...]:
        """A side's cards left, by kind."""
        counts = [(kind, cleaned.get(f"cards_{kind}_{side}") or 0) for kind in self.left]
        return tuple(CardsLeft(of=kind, count=count) for kind, count in counts if count)

    def counted(self, cleaned: Mapping[str, Any], side: int) -> CountedCards | None:
        """A side's cards, counted; None when nothing is."""
        counted = CountedCards(melds=self.melds(cleaned, side), left=self.cards_left(cleaned, side))
        return counted if counted.melds or counted.left else None


def fixed_rows(rules: HandAndFootRules) -> list[tuple[str, tuple[str, ...]]]:
    """The rows of one rank each: rank, and the cards that such a meld can have."""
    rows: list[tuple[str, tuple[str, ...]]] = [(rank, CARDS) for rank in rules.natural_ranks]
    if rules.wild_melds:
        rows.append((WILD, ("twos", "jokers")))
    if rules.black_three_melds:
        rows.append((BLACK_THREE, ("naturals",)))
    return rows


@lru_cache(maxsize=64)
def counting_fields(
    rules: HandAndFootRules, shape: tuple[int, int, tuple[str, ...]], *, language: str | None
) -> Mapping[str, forms.Field]:
    """The fields of all sides' cards in a language. `shape`: sides, rows for further melds, kinds of cards left."""
    sides, more, left = shape
    fields: dict[str, forms.Field] = {}
    choices = [("", ""), *((rank, rank_name(rank)) for rank, _cards in fixed_rows(rules))]
    for side in range(sides):
        for rank, cards in fixed_rows(rules):
            for card in cards:
                label = f"{rank_name(rank)}: {_cards_name(card)}"
                fields[f"{card}_{rank}_{side}"] = _of_meld(label, most=_most(card, rules))
        for n in range(1, more + 1):
            words = _("Another meld (%(number)d)") % {"number": n}
            select = forms.Select(attrs={"class": "form-select", "aria-label": f"{words}: {_('rank')}"})
            fields[f"rank_more{n}_{side}"] = forms.ChoiceField(
                label=f"{words}: {_('rank')}", choices=choices, required=False, widget=select
            )
            for card in CARDS:
                label = f"{words}: {_cards_name(card)}"
                fields[f"{card}_more{n}_{side}"] = _of_meld(label, most=_most(card, rules))
        for kind in left:
            hints = _number_of_cards(cards_in_pack(kind, rules))
            fields[f"cards_{kind}_{side}"] = FigureField(label=cards_name(kind), required=False, hints=hints)
    return shared(fields)


def _of_meld(label: str, *, most: int) -> FigureField:
    field = FigureField(label=label, required=False, hints=_number_of_cards(most))
    field.widget.attrs["aria-label"] = label
    return field


def _most(card: str, rules: HandAndFootRules) -> int:
    """How many of naturals, twos or jokers one meld can have at most."""
    there = cards_in_pack({"twos": TWO, "jokers": JOKER}.get(card, rules.natural_ranks[0]), rules)
    return min(there, rules.pile_size) if rules.pile_closed else there


def _number_of_cards(most: int) -> Hints:
    return Hints(can=in_rows(range(most + 1)), usual=ONE_PLACE, steps=True)


def shown(side: int, counted: CountedCards) -> dict[str, Any]:
    """Field name to value, for counted cards that are recorded."""
    values: dict[str, Any] = {}
    more = 0
    for meld in counted.melds:
        row = meld.rank
        if any(f"{card}_{row}_{side}" in values for card in CARDS):
            more += 1
            row = f"more{more}"
            values[f"rank_{row}_{side}"] = meld.rank
        values |= {f"{card}_{row}_{side}": count for card in CARDS if (count := getattr(meld, card))}
    values |= {f"cards_{left.of}_{side}": left.count for left in counted.left}
    return values


def rank_name(rank: str) -> str:
    """What a row of melds is called."""
    return {WILD: _("Wild cards"), BLACK_THREE: _("Black threes")}.get(rank, rank)


def _cards_name(cards: str) -> str:
    return {"naturals": _("Natural"), "twos": _("Twos"), "jokers": _("Jokers")}[cards]
