"""What programs can ask of the site, as OpenAPI: the scoring of a file of deals, and published pages.

It is made from the schemas that the readers and the writers go by, so it can't say anything else than they do.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from scoring.engine.files.schema import deals_schema, described
from scoring.exchange.explained import FAULTS
from scoring.exchange.explained import FORMAT as SCORES
from scoring.exchange.explained import VERSION as SCORES_VERSION
from tournaments.exports.format import FORMAT, schema

Data: TypeAlias = dict[str, Any]

PARTS = "#/components/schemas/"
INTEGERS: Data = {"type": "array", "items": {"type": "integer"}}
TEXT: Data = {"type": "string"}
TRUTH: Data = {"type": "boolean"}
NUMBERS: Data = {"type": "object", "additionalProperties": {"type": ["integer", "string", "boolean", "null", "array"]}}
DATA = {  # the part of an address after /data/, what is there, its schema
    "": ("The club with its events and seasons", "ClubData"),
    "events/{event}.json": ("An event", "EventData"),
    "events/{event}/standings.json": ("The standings that an event's page shows", "StandingsData"),
    "events/{event}/result.json": ("The result of an event, where one stands", "ResultData"),
    "seasons/{season}.json": ("A season's table", "SeasonData"),
}
SEGMENTS: dict[str, Data] = {
    "club": {"type": "string", "pattern": "^[a-z0-9-]{1,50}$"},
    "event": {"type": "string", "pattern": "^[a-z0-9-]{1,50}$"},
    "season": {"type": "integer", "minimum": 1},
}


def openapi() -> Data:
    """The description, of OpenAPI 3.1."""
    published, deals = _moved(schema(), ""), _moved(deals_schema(), "Sent")
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Nine Tables",
            "version": str(FORMAT),
            "description": "docs/deal-files.md, published-pages.md",
        },
        "paths": {
            **{f"/{{club}}/data/{address}": _published(*what, address=address) for address, what in DATA.items()},
            "/{club}/games/score/": _scoring(deals),
        },
        "components": {
            "schemas": {**published.pop("$defs"), **deals.pop("$defs"), "Scores": _scores(), "Faults": _faults()},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
                "form": {"type": "apiKey", "in": "header", "name": "X-CSRFToken"},
            },
        },
    }


def _moved(found: Any, prefix: str) -> Any:
    """A schema that refers to its parts under `components`, by their names with a prefix."""
    if isinstance(found, list):
        return [_moved(one, prefix) for one in found]
    if not isinstance(found, dict):
        return found
    moved = {name: _moved(value, prefix) for name, value in found.items() if name != "$schema"}
    if isinstance(reference := moved.get("$ref"), str):
        moved["$ref"] = reference.replace("#/$defs/", f"{PARTS}{prefix}")
    if isinstance(names := moved.get("mapping"), dict):
        moved["mapping"] = {name: to.replace("#/$defs/", f"{PARTS}{prefix}") for name, to in names.items()}
    if isinstance(parts := moved.get("$defs"), dict):
        moved["$defs"] = {f"{prefix}{name}": part for name, part in parts.items()}
    return moved


def _published(words: str, part: str, *, address: str) -> Data:
    return {
        "parameters": _segments("{club}/" + address),
        "get": {
            "summary": words,
            "responses": {
                "200": _json(words, {"$ref": f"{PARTS}{part}"}),
                "304": described("It is still what `If-None-Match` names", {}),
                "404": described("There is none", {}),
            },
        },
    }


def _scoring(deals: Data) -> Data:
    sent = {name: part for name, part in deals.items() if name != "$defs"}
    chosen = [
        {"name": "rules", "in": "query", "schema": TEXT, "description": "By these rules, whatever the file names"},
        {"name": "version", "in": "query", "schema": {"type": "integer"}, "description": "Of these rules"},
    ]
    return {
        "parameters": _segments("{club}"),
        "post": {
            "summary": "What the deals of a file are worth and what is wrong with them; nothing is recorded",
            "security": [{"session": [], "form": []}],
            "parameters": chosen,
            "requestBody": {"required": True, "content": {"application/json": {"schema": sent}}},
            "responses": {
                "200": _json("Scores", {"$ref": f"{PARTS}Scores"}),
                "400": _json("It is no JSON, or too much", {"$ref": f"{PARTS}Faults"}),
                "401": _json("Nobody is logged in", _object(words=TEXT)),
                "403": described("The token is missing or old", {}),
                "404": described("No scorekeeper or director of this club, or no such rules", {}),
                "413": _json("The file is too large", _object(words=TEXT)),
                "422": _json("Fields are missing, unknown or wrong", {"$ref": f"{PARTS}Faults"}),
            },
        },
    }


def _segments(address: str) -> list[Data]:
    return [
        {"name": name, "in": "path", "required": True, "schema": kind}
        for name, kind in SEGMENTS.items()
        if f"{{{name}}}" in address
    ]


def _json(words: str, kind: Data) -> Data:
    return described(words, {"content": {"application/json": {"schema": kind}}})


def _object(**properties: Data) -> Data:
    required = sorted(properties)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _list(**properties: Data) -> Data:
    return {"type": "array", "items": _object(**properties)}


def _or_null(kind: Data) -> Data:
    return {"anyOf": [kind, {"type": "null"}]}


def _faults() -> Data:
    place = {"type": "integer", "minimum": 1}
    return _object(
        format={"const": SCORES},
        version={"const": SCORES_VERSION},
        faults=_list(line=place, column=_or_null(place), path=TEXT, code={"enum": sorted(FAULTS)}, words=TEXT),
    )


def _scores() -> Data:
    side = {"type": "integer", "minimum": -1}
    line: dict[str, Data] = {"side": side, "points": {"type": "integer"}, "rule": TEXT, "args": NUMBERS, "words": TEXT}
    texts: Data = {"type": "array", "items": TEXT}
    deal: dict[str, Data] = {
        "number": {"type": "integer", "minimum": 1},
        **dict.fromkeys(("refused", "too_late"), TRUTH),
        "ruling": TEXT,
        "points": _or_null(INTEGERS),
        "running": _or_null(INTEGERS),
        "sets": INTEGERS,
        "lines": _list(**line, setting=TEXT, source=TEXT),
        "problems": _list(
            **dict.fromkeys(("code", "severity", "field", "source", "words"), TEXT),
            settings=texts,
            side=_or_null(side),
            args=NUMBERS,
        ),
        "slips": _list(code=TEXT, side=_or_null(side), args=NUMBERS, words=TEXT),
    }
    game: dict[str, Data] = {
        **dict.fromkeys(("title", "words"), TEXT),
        **dict.fromkeys(("over", "undecided"), TRUTH),
        "rules": _object(slug=TEXT, version={"type": "integer"}, title=TEXT),
        "shape": _object(sides={"type": "integer"}, per_side={"type": "integer"}),
        "sides": texts,
        "settings": {"type": "object", "additionalProperties": texts},
        **dict.fromkeys(("totals", "winners", "refused"), INTEGERS),
        "ended_by": _or_null(TEXT),
        "deals": _list(**deal),
    }
    return _object(format={"const": SCORES}, version={"const": SCORES_VERSION}, games=_list(**game))
