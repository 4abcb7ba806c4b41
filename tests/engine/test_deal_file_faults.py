"""Deal files whose versions, marks or facts are wrong. What stands in a right one: tests/scoring/test_deal_files.py."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.engine.deal_files import read
from scoring.engine.json_text import Unreadable
from scoring.engine.ruleset import shipped
from scoring.engine.schema import schema_of

BASE = shipped()["whist-drive"]
KNOWN = {"whist-drive": (replace(BASE, version=3), replace(BASE, version=2), BASE)}


def text(deal: Any, **game: Any) -> str:
    """A file of one game of one deal."""
    head = {"rules": "whist-drive", "shape": {"sides": 2, "per_side": 2}} | game
    return json.dumps({"format": "nine-tables/deals", "version": 1, "games": [{**head, "deals": [deal]}]})


GOOD = {"facts": {"points": [8, 5]}}


def faults(text: str) -> list[tuple[str, str, str]]:
    """Path, code and detail of all that is wrong."""
    with pytest.raises(Unreadable) as no:
        read(text, known=KNOWN)
    return [(fault.path, fault.code, fault.detail) for fault in no.value.faults]


def test_a_game_is_of_the_version_it_names_or_of_the_newest() -> None:
    assert [read(text(GOOD), known=KNOWN)[0].rule_set.version] == [3]
    assert [read(text(GOOD, rules_version=2), known=KNOWN)[0].rule_set.version] == [2]
    assert faults(text(GOOD, rules_version=9)) == [("games.0.rules_version", "not-a-choice", "3, 2, 1")]
    assert faults(text(GOOD, rules_version="2")) == [("games.0.rules_version", "wrong-type", "whole-number")]


def test_marks_of_a_set_are_at_sides_of_the_game() -> None:
    assert read(text(GOOD | {"written_sets": [1, 0]}), known=KNOWN)[0].deals[0].written_sets == (1, 0)
    assert faults(text(GOOD | {"written_sets": [0, 2]})) == [
        ("games.0.deals.0.written_sets.1", "not-a-choice", "0, 1"),
    ]


def test_a_deal_that_is_no_object_or_has_no_facts_is_named() -> None:
    assert faults(text(7)) == [("games.0.deals.0", "wrong-type", "object")]
    assert faults(text({})) == [("games.0.deals.0.facts", "missing", "")]
    assert faults(text({"facts": 7})) == [("games.0.deals.0.facts", "wrong-type", "object")]
    assert faults(text({"facts": {}})) == [("games.0.deals.0.facts.points", "missing", "")]
    assert faults(text(GOOD | {"ruling": "a\nb"})) == [("games.0.deals.0.ruling", "not-a-name", "")]


def test_where_the_game_cannot_be_read_its_deals_still_are() -> None:
    """Of rules that aren't known nothing can be said of the facts, but all else."""
    found = faults(text({"facts": {"points": "?"}, "written_sets": [5]}, rules="bridge", shape={"sides": 2}))
    assert found == [
        ("games.0.rules", "not-a-choice", "whist-drive"),
        ("games.0.deals.0.written_sets.0", "not-a-choice", "0, 1"),
    ]
    assert faults(text(GOOD | {"written": [1, 2, 3]}, shape={"sides": "two"})) == [
        ("games.0.shape.sides", "wrong-type", "whole-number")
    ]


def test_the_schema_has_no_word_for_a_type_that_facts_cant_have() -> None:
    assert schema_of(int | None, {})["anyOf"][1] == {"type": "null"}
    with pytest.raises(TypeError, match="float"):
        schema_of(float, {})
