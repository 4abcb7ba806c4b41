"""The JSON Schema of a club's games as a file, made from the types that the reader goes by."""

from __future__ import annotations

from scoring.engine.core.ruleset import Shape, shipped
from scoring.engine.families import FAMILIES
from scoring.engine.files.schema import Schema, by_rules_of, described, file_of, list_of, object_of, schema_of
from scoring.exchange.records import (
    FORMAT,
    LONGEST,
    MOST_NUMBER,
    VERSION,
    DealLines,
    GameLines,
    RulesLines,
    VersionLines,
)


def club_deals_schema() -> Schema:
    """The schema of an export. By shipped rules, or versions of them, facts are their family's; else any family's."""
    defs: dict[str, Schema] = {}
    version = object_of(VersionLines, defs, facts=described("what stands on the card", {"type": "object"}))
    versions = described("everything that was recorded of the deal, the first first", list_of("Version", minItems=1))
    deal = object_of(DealLines, defs, versions=versions)
    deal["properties"]["number"] |= {"minimum": 1, "maximum": MOST_NUMBER}
    game = object_of(GameLines, defs)
    game["properties"]["deals"] = described("its deals", list_of("Deal"))
    game["required"] += ["sides", "deals"]
    facts = {family: schema_of(FAMILIES[family].facts, defs) for family in FAMILIES}
    game["allOf"] = [by_rules_of(family, _versions(facts[family])) for family in FAMILIES]
    others = {"not": {"properties": {"rules": {"enum": sorted(shipped())}}, "required": ["rules"]}}
    game["allOf"].append({"if": others, "then": {"properties": _versions({"anyOf": list(facts.values())})}})
    for part in (game, version):
        for name in LONGEST.keys() & part["properties"].keys():
            part["properties"][name]["maxLength"] = LONGEST[name]
    about = {
        "title": "A club's games of Nine Tables",
        "description": "Everything that was recorded of games and deals (docs/deal-files.md).",
    }
    parts = {
        "rules": described("the house rules by which the games were played, each version in full", list_of("Rules")),
        "games": described("the games with a deal", list_of("Game")),
    }
    own = {"Game": game, "Deal": deal, "Version": version, "Rules": _rules(defs)}
    return file_of(FORMAT, VERSION, about=about, parts=parts, defs={**own, **dict(sorted(defs.items()))})


def _versions(facts: Schema) -> Schema:
    """The condition that all versions of a game's deals have such facts."""
    return {"deals": {"items": {"properties": {"versions": {"items": {"properties": {"facts": facts}}}}}}}


def _rules(defs: dict[str, Schema]) -> Schema:
    """The schema of a version of rules in full; other fields may stand beside its own."""
    shapes = {"type": "array", "minItems": 1, "items": schema_of(Shape, defs)}
    rules = object_of(RulesLines, defs, shapes=described("who can play against whom", shapes))
    rules["properties"]["family"]["enum"] = sorted(FAMILIES)
    del rules["additionalProperties"], defs["SettingLines"]["additionalProperties"]
    return rules
