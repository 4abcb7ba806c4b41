"""The JSON Schema of a club's games as a file, made from the types that the reader goes by."""

from __future__ import annotations

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import FAMILIES
from scoring.engine.files.schema import DIALECT, Schema, by_rules_of, described, object_of, schema_of
from scoring.exchange.records import FORMAT, LONGEST, MOST_NUMBER, VERSION, GameLines, VersionLines

TEXT: Schema = {"type": "string"}


def club_deals_schema() -> Schema:
    """The schema of an export. Facts are those of the rules' family where these are shipped rules or versions of
    them; by other rules they are those of any family.
    """
    defs: dict[str, Schema] = {}
    version = object_of(VersionLines, defs)
    version["properties"]["facts"] = described("what stands on the card", {"type": "object"})
    version["required"].append("facts")
    game = object_of(GameLines, defs)
    game["properties"]["deals"] = described("its deals", {"type": "array", "items": {"$ref": "#/$defs/Deal"}})
    game["required"] += ["sides", "deals"]
    facts = {family: schema_of(FAMILIES[family].facts, defs) for family in FAMILIES}
    game["allOf"] = [by_rules_of(family, _versions(facts[family])) for family in FAMILIES]
    others = {"not": {"properties": {"rules": {"enum": sorted(shipped())}}, "required": ["rules"]}}
    game["allOf"].append({"if": others, "then": {"properties": _versions({"anyOf": list(facts.values())})}})
    for part in (game, version):
        for name in LONGEST.keys() & part["properties"].keys():
            part["properties"][name]["maxLength"] = LONGEST[name]
    return {
        "$schema": DIALECT,
        "title": "A club's games of Nine Tables",
        "description": "Everything that was recorded of games and deals (docs/deal-files.md).",
        "type": "object",
        "properties": {
            "format": described("what kind of file this is", {"const": FORMAT}),
            "version": described("of the format", {"const": VERSION}),
            "rules": described(
                "the house rules by which the games were played, each version in full",
                {"type": "array", "items": {"$ref": "#/$defs/Rules"}},
            ),
            "games": described("the games with a deal", {"type": "array", "items": {"$ref": "#/$defs/Game"}}),
        },
        "required": ["format", "version", "rules", "games"],
        "additionalProperties": False,
        "$defs": {
            "Game": game,
            "Deal": {
                "type": "object",
                "properties": {
                    "number": described("in its game", {"type": "integer", "minimum": 1, "maximum": MOST_NUMBER}),
                    "versions": described(
                        "everything that was recorded of the deal, the first first",
                        {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Version"}},
                    ),
                },
                "required": ["number", "versions"],
                "additionalProperties": False,
            },
            "Version": version,
            "Rules": _rules(defs),
            **dict(sorted(defs.items())),
        },
    }


def _versions(facts: Schema) -> Schema:
    """That all versions of a game's deals have such facts."""
    return {
        "deals": {"items": {"properties": {"versions": {"items": {"properties": {"facts": facts}}}}}},
    }


def _rules(defs: dict[str, Schema]) -> Schema:
    """A version of rules in full: see `RuleSet.to_data`. What stands in a setting is the family's matter."""
    setting = {
        "type": "object",
        "properties": {
            "value": described("the figure, the choice, the list or the table; an empty text for none", {}),
            "label": described("what it is, in plain words", TEXT),
            "source": described("the document and section it is from", TEXT),
            "ruling": described("whether it is a judgement", {"type": "boolean"}),
        },
        "required": ["value", "label", "source"],
    }
    return {
        "type": "object",
        "properties": {
            "slug": described("the name of the rules in files and addresses", TEXT),
            "title": described("what they are called", TEXT),
            "published": described("the day on which this version was published", TEXT),
            "about": described("what they are for", TEXT),
            "family": described("the engine that scores them", {"enum": sorted(FAMILIES)}),
            "version": described("the number of this version", {"type": "integer"}),
            "shapes": described(
                "who can play against whom", {"type": "array", "minItems": 1, "items": schema_of(Shape, defs)}
            ),
            "settings": described("each by its name", {"type": "object", "additionalProperties": setting}),
        },
        "required": ["slug", "title", "family", "version", "published", "about", "shapes", "settings"],
    }
