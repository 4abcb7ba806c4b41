"""Records as cells of a table and back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any

import pytest

from scoring.engine.core.facts import from_data
from scoring.engine.core.ruleset import RuleSet, Shape, shipped
from scoring.engine.families import family_of, rules_of
from scoring.engine.files.flat import cells_of, data_of


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Melds:
    """A record of which nothing need be said."""

    names: tuple[str, ...] = ()
    count: int = 0


@dataclass(frozen=True)
class Card:
    """One of everything that a record can have."""

    figure: int
    said: bool | None = None
    colour: Colour | None = None
    figures: tuple[int | None, ...] = ()
    shapes: tuple[Shape, ...] = (Shape(2),)
    names: tuple[str, ...] = ()
    counted: tuple[Melds, ...] = ()
    last: Melds | None = None


@pytest.mark.parametrize(
    ("card", "cells"),
    [
        (Card(3), {"figure": "3"}),
        (Card(-3, said=False, colour=Colour.RED), {"figure": "-3", "said": "false", "colour": "red"}),
        (Card(3, said=True, shapes=()), {"figure": "3", "said": "true", "shapes": "[]"}),
        (Card(3, figures=(1, None)), {"figure": "3", "figures.0": "1", "figures.1": "null"}),
        (Card(3, shapes=(Shape(3, 2),)), {"figure": "3", "shapes.0.sides": "3", "shapes.0.per_side": "2"}),
        (Card(3, names=("Ann",)), {"figure": "3", "names.0": "Ann"}),
        (
            Card(3, counted=(Melds(), Melds(count=2), Melds())),
            {"figure": "3", "counted.0.names": "[]", "counted.1.count": "2", "counted.2.names": "[]"},
        ),
        (Card(3, last=Melds()), {"figure": "3", "last.names": "[]"}),
    ],
    ids=lambda value: ",".join(value) if isinstance(value, dict) else "",
)
def test_a_record_is_its_cells(card: Card, cells: dict[str, str]) -> None:
    assert dict(cells_of(card)) == cells
    assert from_data(Card, data_of(Card, cells)) == card


@pytest.mark.parametrize(
    ("cells", "data"),
    [
        ({"figure": "", "said": "TRUE"}, {"said": True}),  # an empty cell is no cell; as spreadsheets write it
        ({"figure": "\N{MINUS SIGN}5"}, {"figure": -5}),
        ({"figure": "3.5", "said": "perhaps"}, {"figure": "3.5", "said": "perhaps"}),  # kept, for the reader to name
        ({"figure": "1234567890"}, {"figure": "1234567890"}),
        ({"figures.1": "4"}, {"figures": [None, 4]}),  # a gap is nothing
        ({"counted.1.count": "2"}, {"counted": [{}, {"count": 2}]}),  # a record of which nothing is said
        ({"figures.x": "4"}, {"figures": {"x": "4"}}),
        ({"figures.9999": "4"}, {"figures": {"9999": "4"}}),  # a number that slipped
        ({"figures": "all", "shapes.0": "square"}, {"figures": "all", "shapes": ["square"]}),
        ({"shapes": "two", "shapes.0.sides": "2"}, {"shapes": [{"sides": 2}]}),  # the parts are what counts
        ({"shapes.0.sides": "2", "shapes": "two"}, {"shapes": [{"sides": 2}]}),
        ({"hue": "red", "figure.0": "1"}, {"hue": "red", "figure": {"0": "1"}}),
        ({"said.0": "true"}, {"said": {"0": "true"}}),
    ],
    ids=lambda value: ",".join(f"{name}={cell}" for name, cell in value.items()),
)
def test_cells_are_read_as_their_type_and_kept_where_they_are_not_of_it(
    cells: dict[str, str], data: dict[str, Any]
) -> None:
    assert data_of(Card, cells) == data


@pytest.mark.parametrize("rule_set", shipped().values(), ids=shipped())
def test_true_cards_come_back_from_their_cells(rule_set: RuleSet) -> None:
    family, rng = family_of(rule_set), Random(7)
    for shape in rule_set.shapes[:2]:
        for before in range(4):
            facts = family.play(rng, rules_of(rule_set, shape), deals_before=before)
            assert family.read(data_of(family.facts, dict(cells_of(facts)))) == facts


@pytest.mark.parametrize(
    ("before", "last", "is_list"), [(0, 102, True), (0, 103, False), (2, 106, True), (2, 107, False)]
)
def test_gaps_of_up_to_a_hundred_and_as_many_as_there_are_cells_are_a_list(
    before: int, last: int, is_list: bool
) -> None:
    cells = {f"figures.{place}": "4" for place in (*range(before), last)}
    figures = data_of(Card, cells)["figures"]
    assert isinstance(figures, list) == is_list
    assert len(figures) == (last + 1 if is_list else before + 1)
