"""Deal facts to and from plain JSON data, by the facts' own types.

Facts are frozen dataclasses whose fields are int, bool, str, a StrEnum, a tuple of one of
these, another such dataclass, or any of these or None. Reading reports every wrong field at once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, to_json

T = TypeVar("T")

Json = Any  # what json.loads gives

KINDS = {int: "whole-number", bool: "yes-or-no", str: "text", tuple: "list", dict: "object"}
OF_TYPE = {"int": int, "bool": bool, "string": str, "tuple": tuple, "dict": dict, "dataclass": dict}  # pydantic's words


@dataclass(frozen=True, slots=True)
class WrongField:
    """A field that can't be read: its path ("melds.0.rank"), and a code: missing, unknown, wrong-type or not-a-choice.

    `wanted` says what belongs there: one of `KINDS` for wrong-type, the choices for not-a-choice. Data nested some two
    hundred levels deep names no field: its path is "", its code too-deep.
    """

    path: str
    code: str
    wanted: str = ""


class FactsError(ValueError):
    """The data doesn't have the shape of the facts; carries every wrong field."""

    def __init__(self, wrong: tuple[WrongField, ...]) -> None:
        super().__init__(", ".join(f"{w.path}: {w.code}" for w in wrong))
        self.wrong = wrong


def to_data(facts: Any) -> Json:
    """Plain JSON data of facts; `from_data` gives the same facts back."""
    return _adapter(cast(Any, type(facts))).dump_python(facts, mode="json")


def from_data(kind: type[T], data: Json, *, only: bool = True) -> T:
    """Facts of the given dataclass from JSON data; with `only`, fields that the dataclass doesn't have are refused.

    Raises:
        FactsError: fields are missing, unknown or of the wrong type; all of them are named.
    """
    try:
        made = _adapter(cast(Any, kind)).validate_json(_text(data), strict=True, extra="forbid" if only else "ignore")
    except ValidationError as no:
        raise FactsError(tuple(_wrong(one) for one in no.errors(include_url=False, include_input=False))) from None
    except RecursionError:
        raise FactsError((WrongField("", "too-deep"),)) from None
    return cast(T, made)


def fits(kind: Any, data: Json) -> bool:
    """Whether JSON data are of a type, such as `tuple[int, ...]`: lists are tuples there, yes or no is no figure."""
    try:
        _adapter(kind).validate_json(_text(data), strict=True)
    except (ValidationError, RecursionError):
        return False
    return True


def _text(data: Json) -> bytes:
    """The JSON text of data; a lone surrogate, which UTF-8 can't hold, becomes a null, which no line may have."""
    try:
        return to_json(data)
    except PydanticSerializationError:
        return re.sub("[\ud800-\udfff]", r"\\u0000", json.dumps(data, ensure_ascii=False)).encode()


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Pydantic's adapter of a type; cached, because making one takes as long as a thousand deals."""
    return TypeAdapter(kind)


def _wrong(error: ErrorDetails) -> WrongField:
    path = ".".join(map(str, error["loc"])) or "deal"
    match error["type"]:
        case "json_invalid":
            return WrongField("", "too-deep")
        case "missing":
            return WrongField(path, "missing")
        case "unexpected_keyword_argument":
            return WrongField(path, "unknown")
        case "enum":
            return WrongField(path, "not-a-choice", ", ".join(re.findall("'(.+?)'", error["ctx"]["expected"])))
    return WrongField(path, "wrong-type", KINDS[OF_TYPE[error["type"].removesuffix("_type")]])
