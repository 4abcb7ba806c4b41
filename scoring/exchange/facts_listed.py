"""The facts of every family as tables of Markdown, a line for each field (`docs/deal-files.md`)."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from enum import Enum
from typing import Any

from scoring.engine.core.ruleset import shipped_of
from scoring.engine.families import FAMILIES
from scoring.engine.files.field_words import fields_of, records_within

BEGIN, END = "<!-- facts: written by `./dev manage rules examples` -->\n", "<!-- end of facts -->\n"


def facts_listed() -> str:
    """A heading and a table for every family, and a table for each record that its facts have."""
    return "\n".join(line for family in FAMILIES for line in _family(family))


def with_facts(page: str) -> str:
    """A page with the list of facts between its marks brought up to date.

    Raises:
        ValueError: the page has no such marks.
    """
    before, begin, rest = page.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the facts")
    return f"{before}{BEGIN}\n{facts_listed()}\n{END}{after}"


def _family(slug: str) -> Iterator[str]:
    rule_sets = ", ".join(f"`{one}`" for one in sorted(rule_set.slug for rule_set in shipped_of(slug)))
    facts = FAMILIES[slug].facts
    yield f"#### Facts of `{slug}`\n"
    yield f"{rule_sets}\n"
    yield from _table(facts)
    for part in records_within(facts):
        places = ", ".join(f"`{name}`" for name in _places(facts, part))
        yield f"In {places}:\n"
        yield from _table(part)


def _places(facts: type, part: type) -> list[str]:
    """The fields that hold a record."""
    return [field.name for kind in (facts, *records_within(facts)) for field in fields_of(kind) if part in field.parts]


def _table(kind: type) -> Iterator[str]:
    yield "| field | meaning | needed |\n|---|---|---|"
    for field in fields_of(kind):
        needed = "yes |" if field.needed else "|"
        yield f"| `{field.name}` | {field.words}{_choices(field.kind)} | {needed}"
    yield ""


def _choices(kind: Any) -> str:
    """The choices of a field whose value is one of a few words."""
    for option in typing.get_args(kind) or (kind,):
        if isinstance(option, type) and issubclass(option, Enum):
            return f": {', '.join(f'`{choice.value}`' for choice in option)}"
    return ""
