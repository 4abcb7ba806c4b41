"""The JSON Schema of deal files, made from the types that the reader goes by."""

from __future__ import annotations

import dataclasses
import types
import typing
from enum import Enum
from typing import Any, TypeAlias

from scoring.engine.core.ruleset import shipped
from scoring.engine.families import FAMILIES
from scoring.engine.files.deal_files import FORMAT, VERSION, FileDeal, GameHead
from scoring.engine.files.field_words import fields_of
from scoring.engine.files.json_text import MOST

Schema: TypeAlias = dict[str, Any]

PLAIN: dict[Any, Schema] = {
    Any: {},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": -MOST, "maximum": MOST},
    str: {"type": "string"},
}


def deals_schema() -> Schema:
    """The schema of a deal file. Which facts a game's deals have follows from the rules that it names."""
    defs: dict[str, Schema] = {}
    deal = object_of(FileDeal, defs)
    deal["properties"]["facts"]["type"] = "object"
    game = object_of(GameHead, defs, deals=described("the deals, in order", list_of("Deal")))
    game["properties"]["rules"] = described("the slug of a rule set", {"enum": sorted(shipped())})
    game["allOf"] = [
        by_rules_of(family, {"deals": {"items": {"properties": {"facts": schema_of(FAMILIES[family].facts, defs)}}}})
        for family in FAMILIES
    ]
    about = {
        "title": "Deal file of Nine Tables",
        "description": "Games and their deals (docs/deal-files.md). Figures are written without a decimal point.",
    }
    parts = {"games": described("the games", list_of("Game"))}
    return file_of(
        FORMAT, VERSION, about=about, parts=parts, defs={"Game": game, "Deal": deal, **dict(sorted(defs.items()))}
    )


def file_of(format: str, version: int, *, about: Schema, parts: Schema, defs: Schema) -> Schema:
    """The schema of a file: its format and version, then these parts. `about`: its title and description."""
    heads = {
        "format": described("what kind of file this is", {"const": format}),
        "version": described("of the format", {"const": version}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **about,
        "type": "object",
        "properties": {**heads, **parts},
        "required": [*heads, *parts],
        "additionalProperties": False,
        "$defs": defs,
    }


def by_rules_of(family: str, properties: Schema) -> Schema:
    """The condition that a game with one of the family's shipped rule sets has these properties."""
    slugs = sorted(slug for slug, rule_set in shipped().items() if rule_set.family == family)
    return {"if": {"properties": {"rules": {"enum": slugs}}, "required": ["rules"]}, "then": {"properties": properties}}


def schema_of(kind: Any, defs: dict[str, Schema]) -> Schema:
    """The schema of one type; a dataclass is put into `defs` and referred to.

    >>> schema_of(tuple[int | None, ...], {})["items"]["anyOf"][1]
    {'type': 'null'}
    """
    origin = typing.get_origin(kind)
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of(option, defs) for option in typing.get_args(kind)]}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(typing.get_args(kind)[1], defs)}
    if origin is tuple:
        return {"type": "array", "items": schema_of(typing.get_args(kind)[0], defs)}
    if kind in PLAIN:
        return {**PLAIN[kind]}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [choice.value for choice in kind]}
    if dataclasses.is_dataclass(kind):
        name = typing.cast(type, kind).__name__
        if name not in defs:
            defs[name] = object_of(typing.cast(type, kind), defs)
        return {"$ref": f"#/$defs/{name}"}
    raise TypeError(f"facts can't have a {kind}")


def object_of(kind: type, defs: dict[str, Schema], **beside: Schema) -> Schema:
    """The schema of a record: exactly its fields, each with its meaning, and what stands `beside` them; that and those
    without a default are required."""
    known = fields_of(kind)
    return {
        "type": "object",
        "properties": {field.name: described(field.words, schema_of(field.kind, defs)) for field in known} | beside,
        "required": [*(field.name for field in known if field.needed), *beside],
        "additionalProperties": False,
    }


def list_of(name: str, **more: int) -> Schema:
    """The schema of a list of things that are defined under this name."""
    return {"type": "array", **more, "items": {"$ref": f"#/$defs/{name}"}}


def described(words: str, schema: Schema) -> Schema:
    """A schema with a description."""
    return {"description": words, **schema}
