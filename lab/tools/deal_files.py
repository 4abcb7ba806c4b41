"""What docs/ has of deal files, made from their models: the JSON Schemas, the facts of every family, example files."""

import dataclasses
import json
import typing
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter, create_model
from pydantic.json_schema import models_json_schema

from lab.simulation.deals import true_deal
from scoring.deal_files.formats import ClubDeals, DealFile, FileDeal, FileGame, game_text
from scoring.deal_files.scored import score_game
from scoring.engine.core.family import score_deals
from scoring.engine.core.game import progress
from scoring.engine.core.ruleset import RuleSet, Shape, shipped, shipped_in_family
from scoring.engine.families import FAMILIES

Schema: TypeAlias = dict[str, Any]

BEGIN, END = "<!-- facts: written by `./dev lab deal_files` -->\n", "<!-- end of facts -->\n"
PLAYERS = ("Ann", "Bob", "Cal", "Dee", "Eve", "Flo")
DEALS_AT_MOST = 60  # where the rules let a game go on for long


def write_docs(folder: Path) -> Iterator[Path]:
    """Write the schemas, the facts into the page that lists them, the examples that aren't there; the files written."""
    for name, schema in (("deal-files", deals_schema()), ("club-deals", club_deals_schema())):
        file = folder / f"{name}.schema.json"
        file.write_text(json.dumps(schema, indent=1) + "\n", encoding="utf-8")
        yield file
    page = folder / "deal-files.md"
    page.write_text(insert_facts(page.read_text(encoding="utf-8")), encoding="utf-8")
    yield page
    for slug, rule_set in shipped().items():
        example = folder / "examples" / f"{slug}.json"
        if not example.exists():
            example.write_text(to_text(example_games(rule_set)), encoding="utf-8")
            yield example


def file_game(rule_set: RuleSet, shape: Shape | None = None, **more: Any) -> FileGame:
    """A game for a deal file, in the first shape of the rules if none is named."""
    head = {"rules": rule_set.slug, "rule_set": rule_set, "shape": shape or rule_set.shapes[0], "deals": ()}
    return FileGame(**{**head, **more})


def to_text(games: Sequence[FileGame]) -> str:
    """The deal file of some games, each deal on a line of its own; `read` gives the same games back."""
    written = ",".join(f"\n{game_text(game)}" for game in games)
    return f'{{\n "format": "nine-tables/deals",\n "version": 1,\n "games": [{written}\n ]\n}}\n'


# --- schemas -------------------------------------------------------------------------------------------


def deals_schema() -> Schema:
    """The schema of a deal file. Which facts a game's deals have follows from the rules that it names."""
    schema = _schema(DealFile)
    game = schema["$defs"]["FileGame"]
    game["properties"]["rules"]["enum"] = sorted(shipped())
    game["allOf"] = [_by_rules(family, {"facts": _facts(family)}) for family in FAMILIES]
    return schema


def club_deals_schema() -> Schema:
    """The schema of a club's games. By shipped rules, of any version, facts are their family's; else any family's."""
    schema = _schema(ClubDeals)
    game = schema["$defs"]["ClubGame"]
    schema["$defs"]["RulesText"]["properties"]["family"]["enum"] = sorted(FAMILIES)
    of_versions = {family: {"versions": {"items": {"properties": {"facts": _facts(family)}}}} for family in FAMILIES}
    game["allOf"] = [_by_rules(family, versions) for family, versions in of_versions.items()]
    others = {"not": {"properties": {"rules": {"enum": sorted(shipped())}}, "required": ["rules"]}}
    anything = {"versions": {"items": {"properties": {"facts": {"anyOf": [_facts(family) for family in FAMILIES]}}}}}
    game["allOf"].append({"if": others, "then": _of_deals(anything)})
    return schema


def _schema(kind: type[BaseModel]) -> Schema:
    """The schema of a format, with those of all facts beside it; each field of a record with its words."""
    fields: Any = {family.slug: (family.facts, ...) for family in FAMILIES.values()}
    facts = create_model("Facts", __config__=ConfigDict(extra="forbid"), **fields)
    defs = models_json_schema([(kind, "validation"), (facts, "validation")])[1]["$defs"]
    del defs["Facts"]
    schema: Schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **defs.pop(kind.__name__),
        "$defs": dict(sorted(defs.items())),
    }
    for record in _records():
        for field, words in field_meanings(record).items():
            schema["$defs"][record.__name__]["properties"][field]["description"] = words
    return schema


def _facts(family: str) -> Schema:
    return {"$ref": f"#/$defs/{FAMILIES[family].facts.__name__}"}


def _by_rules(family: str, properties: Schema) -> Schema:
    """The condition that the deals of a game with one of the family's shipped rule sets have these properties."""
    slugs = sorted(rule_set.slug for rule_set in shipped_in_family(family))
    return {"if": {"properties": {"rules": {"enum": slugs}}, "required": ["rules"]}, "then": _of_deals(properties)}


def _of_deals(properties: Schema) -> Schema:
    return {"properties": {"deals": {"items": {"properties": properties}}}}


# --- facts in words ------------------------------------------------------------------------------------


@cache
def field_meanings(record: type) -> dict[str, str]:
    """What each field of a record means, as its annotation says: `bid: Annotated[int, "what was bid"]`.

    Raises:
        TypeError: a field has no words.
    """
    hints = typing.get_type_hints(record, include_extras=True)
    silent = [name for name, hint in hints.items() if typing.get_origin(hint) is not typing.Annotated]
    if silent:
        raise TypeError(f"{record.__name__}.{silent[0]} has no words")
    return {field.name: typing.get_args(hints[field.name])[1] for field in dataclasses.fields(record)}


def records_within(record: type) -> list[type]:
    found: dict[type, None] = {record: None}
    for hint in typing.get_type_hints(record).values():
        for inner in _leaves(hint):
            if dataclasses.is_dataclass(inner):
                found |= dict.fromkeys(records_within(typing.cast(type, inner)))
    return list(found)


def _leaves(hint: Any) -> Iterator[Any]:
    parts = typing.get_args(hint)
    if not parts:
        yield hint
    for part in parts:
        yield from _leaves(part)


def _records() -> list[type]:
    return [Shape, *(record for family in FAMILIES.values() for record in records_within(family.facts))]


def insert_facts(page: str) -> str:
    """A page with the list of facts between its marks brought up to date.

    Raises:
        ValueError: the page has no such marks.
    """
    before, begin, rest = page.partition(BEGIN)
    _old, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no place for the facts")
    listed = "\n".join(line for family in FAMILIES for line in _family(family))
    return f"{before}{BEGIN}\n{listed}\n{END}{after}"


def _family(slug: str) -> Iterator[str]:
    yield f"#### Facts of `{slug}`\n"
    yield ", ".join(f"`{one}`" for one in sorted(rule_set.slug for rule_set in shipped_in_family(slug))) + "\n"
    facts, *parts = records_within(FAMILIES[slug].facts)
    yield from _table(facts)
    for part in parts:
        hints = [hint for record in (facts, *parts) for hint in typing.get_type_hints(record).items()]
        yield f"In {', '.join(f'`{name}`' for name, hint in hints if part in _leaves(hint))}:\n"
        yield from _table(part)


def _table(record: type) -> Iterator[str]:
    yield "| field | meaning | needed |\n|---|---|---|"
    schema = TypeAdapter(record).json_schema()
    for name, words in field_meanings(record).items():
        text = json.dumps(schema["properties"][name])
        choices = [
            f"`{choice}`"
            for kind, part in schema.get("$defs", {}).items()
            if f'"#/$defs/{kind}"' in text
            for choice in part.get("enum", ())
        ]
        needed = "yes |" if name in schema.get("required", ()) else "|"
        yield f"| `{name}` | {words}{': ' if choices else ''}{', '.join(choices)} | {needed}"
    yield ""


# --- true deals as examples ----------------------------------------------------------------------------


def example_games(rule_set: RuleSet) -> tuple[FileGame, ...]:
    """The games of a rule set's example file, of each shape, played with real packs to the end, with the running totals
    written in. Always the same.

    >>> (game,) = example_games(shipped()["st-hilary-v3"])
    >>> score_game(game).progress.totals == game.deals[-1].written
    True
    """
    return tuple(_example_game(rule_set, shape) for shape in rule_set.shapes)


def _example_game(rule_set: RuleSet, shape: Shape) -> FileGame:
    rng = Random(f"{rule_set.slug}/{shape}")
    names = [PLAYERS[n] if n < len(PLAYERS) else f"Player {n + 1}" for n in range(shape.players)]
    sides = tuple(tuple(names[side * shape.per_side :][: shape.per_side]) for side in range(shape.sides))
    game = play_game(file_game(rule_set, shape, sides=sides), rng, most=DEALS_AT_MOST)
    deals = zip(game.deals, score_game(game).progress.running, strict=True)
    return game.model_copy(
        update={"deals": tuple(deal.model_copy(update={"written": totals}) for deal, totals in deals)}
    )


def play_game(game: FileGame, rng: Random, *, most: int) -> FileGame:
    family, rules = game.family, game.engine_rules
    deals: list[FileDeal] = []
    now = progress([], rules)
    while not now.over and len(deals) < most:
        facts = true_deal(family, rng, rules, deals_before=len(deals), before=now.totals)
        deals.append(FileDeal(facts=facts))
        now = progress(score_deals(family, rules, cards=[deal.facts for deal in deals]), rules)
    return game.model_copy(update={"deals": tuple(deals)})
